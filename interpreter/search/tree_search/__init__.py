"""Monte-Carlo tree search: how the tree grows, which child is gone to, what it tells.

| module       | has                                                                            |
|--------------|--------------------------------------------------------------------------------|
| `growth`     | new nodes, and places for their children                                       |
| `splitting`  | turns of many moves, gone through in parts                                     |
| `uct`        | which child of a node a search goes to                                         |
| `iterations` | the search itself: descend, add a node, play a random game, pass its result up |
| `findings`   | what a tree tells of the position at its root                                  |
"""
