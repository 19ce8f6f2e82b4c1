"""Searches of a side that sees a part of the game.

| module             | has                                                 |
|--------------------|-----------------------------------------------------|
| `guesses`          | positions that a side may be in, as far as it knows |
| `information_sets` | a search that knows no more than a side does        |
"""
