"""Solving: who wins if both sides play as well as can be, exactly, and by which moves.

In: rules, and a position. Out: a `Solution`, and a table of values on disk. What then holds:
nothing is estimated; as in `gdl.interpreter.search`, nothing here knows of a game, and what takes
long is compiled.

| module        | what it does                                                                |
|---------------|-----------------------------------------------------------------------------|
| `workspace`   | what a thread works with, and how it goes from a position to those after it |
| `images`      | one position for all that a symmetry makes of it, and its keys              |
| `graph`       | the positions that can be reached, each with a number                       |
| `enumeration` | finds them all                                                              |
| `backwards`   | what they are worth, from the ends back                                     |
| `proof`       | what a seat can force, without looking at all positions                     |
| `proof_table` | what a search for that knows, and remembers of positions                    |
| `symmetries`  | the symmetries of the board that the rules respect                          |
| `tables`      | values on disk                                                              |
| `clock`       | how long to work, and who is told how far it has come                       |
| `subject`     | a game as what is to be solved; games that can't be                         |
| `retrograde`  | a game solved by all its positions                                          |
| `proving`     | a game solved by proof                                                      |
| `forced`      | whether a seat can force a win within so many plies                         |
| `forced_wins` | positions of any game, solved by that                                       |
| `solution`    | what was found out, as frozen data                                          |
| `solver`      | `Solver`: chooses the method, and does it                                   |
| `store`       | what an engine knows for certain: by kept tables, quick wins, small games   |
| `checking`    | a solution held against the reference interpreter                           |
"""
