"""The memory of a search: the position in front of it, and the nodes of its tree.

| module      | has                                                                      |
|-------------|--------------------------------------------------------------------------|
| `tree`      | the memory of a search: nodes, their children, and the position of each  |
| `proofs`    | what is proven of a node: bounds of its value, and in how many plies     |
| `policy`    | the constants by which a search chooses                                  |
| `positions` | the position that a thread has in front of it, and those that nodes keep |
"""
