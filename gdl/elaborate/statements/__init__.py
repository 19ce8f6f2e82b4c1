"""Turns and ends: from statements and clauses to those of the core.

| module             | has                                                                |
|--------------------|--------------------------------------------------------------------|
| `named_pieces`     | pieces as statements name them                                     |
| `assignments`      | words and variables given values; what is known after several ways |
| `piece_statements` | what statements say of pieces and hands                            |
| `statements`       | the statements of a turn; sides, seats and phases                  |
| `endings`          | the clauses of `end` and `stuck`                                   |
| `together`         | phases in which all sides decide before any decision takes effect  |
"""
