"""Many games at once, as arrays, for learning.

In: a game. Out: `Env`, and the actions of the game. What then holds: what arrays say is what the
rules say.
"""

from interpreter.environment.actions import Actions, Group, actions_of
from interpreter.environment.env import Env, Step
from interpreter.environment.observations import Plane, Scalar

__all__ = ["Actions", "Env", "Group", "Plane", "Scalar", "Step", "actions_of"]
