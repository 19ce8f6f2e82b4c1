"""Learning what is worth something in a game, from games that are played to find out.

In: rules of two sides. Out: a `Worth` for the engine, if games against itself show that it plays
better with it. What then holds: nothing is known of the game but its rules.
"""

from gdl.interpreter.tune.tuner import FEWEST_GAMES, Tuned, tune

__all__ = ["FEWEST_GAMES", "Tuned", "tune"]
