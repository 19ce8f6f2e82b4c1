"""An opponent for every game: searches over native code, and what they find out.

In: rules, and a position. Out: an `Analysis`: moves with their values. What then holds: nothing
here knows of a game; all that is asked for are legal moves, and how random games end.

| room or module  | what it does                                                             |
|-----------------|--------------------------------------------------------------------------|
| `machine`       | Python functions as machine code                                         |
| `memory`        | the position in front of a search, and the nodes of its tree             |
| `evaluation`    | what a position is worth without a search                                |
| `first_moves`   | what a move is worth before it is tried                                  |
| `worth`         | what pieces, numbers and rows are worth, as a text that anybody can read |
| `analysis`      | what was found out, as frozen data                                       |
| `tree_search`   | Monte-Carlo tree search                                                  |
| `binding`       | a game's code and the layout of its positions, as a search needs them    |
| `tree_reuse`    | the tree of an engine, from one position to the next                     |
| `alpha_beta`    | the other search: alpha-beta, one move deeper at a time                  |
| `hidden`        | searches of a side that sees a part of the game                          |
| `long_games`    | random games that are broken off, and what their positions are worth     |
| `engine`        | `Engine`: searches within a time or so many iterations, on threads       |
| `hosted`        | the engine for a host that isn't this process, as in a page              |
| `pondering`     | thinking while others are on turn                                        |
| `levels`        | how strong a player is: what it searches, and how it chooses             |
| `review`        | what each move of a game did to the chances, when it has been played     |
| `analysis_text` | what an analysis or a review says, in words                              |
"""
