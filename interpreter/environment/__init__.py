"""Many games at once, as arrays, for learning.

In: a game. Out: `Env`, and the actions of the game. What then holds: what arrays say is what the
rules say.

| module         | has                                                                        |
|----------------|----------------------------------------------------------------------------|
| `actions`      | decisions with fixed numbers, and moves read in both directions            |
| `observations` | the planes and scalars that show a position, and where each comes from     |
| `rows`         | native functions over rows of games                                        |
| `whole_moves`  | native functions over whole moves of rows                                  |
| `code`         | the machine code of an environment, and what its threads work with         |
| `sharing`      | rows shared out among threads, which look out for more                     |
| `memory`       | the memory of rows, and saved states                                       |
| `env`          | `Env`                                                                      |
| `geometry`     | boards and their symmetries as arrays                                      |
"""

from gdl.interpreter.environment.actions import Actions, Group, actions_of
from gdl.interpreter.environment.env import Env, Step
from gdl.interpreter.environment.geometry import GraphArrays, Symmetries, arrays_of, symmetries_of
from gdl.interpreter.environment.observations import Plane, Scalar

__all__ = [
    "Actions",
    "Env",
    "GraphArrays",
    "Group",
    "Plane",
    "Scalar",
    "Step",
    "Symmetries",
    "actions_of",
    "arrays_of",
    "symmetries_of",
]
