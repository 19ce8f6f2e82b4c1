"""How many random games the tree search plays from each new node.

In: a game's native code. Out: a number. What then holds: it depends on the rules alone, so the same
search finds the same on any machine.

Going down a tree takes a third of a microsecond or more, whatever the game. Where a random game
takes less, several from one node ("leaf parallelisation" without threads: T. Cazenave and N.
Jouandeau, "On the parallelization of UCT", 2007) tell more in the same time than one from each of
several nodes. Not so where a game is of a few moves: there more nodes prove more.
"""

from __future__ import annotations

from interpreter.evaluation.evaluator import RuleError, State
from interpreter.native.runtime.rules import NativeRules

GAMES_IF_SHORT = 4
_MOST_INSTRUCTIONS = 30_000
"""What a short random game takes at most: its moves, times the lines of code that draw one."""
_FEWEST_PLIES = 12
_SAMPLE, _SEED = 32, 1


def games_from_node(native: NativeRules, start: State) -> int:
    """Return how many random games are to be played from a new node: more if they take little.

    One where the rules fail in a game that is tried: the search tells where.
    """
    if native.code.needs_search:
        return 1
    lines = native.code.games.text.count("\n")
    plies = max(1, _MOST_INSTRUCTIONS // lines)
    try:
        sample = native.playouts(start, _SAMPLE, _SEED, 2 * plies)
    except RuleError:
        return 1
    return GAMES_IF_SHORT if _FEWEST_PLIES <= sample.moves / _SAMPLE <= plies else 1
