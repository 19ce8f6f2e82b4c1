"""Two sets of rules compared: the shortest game that shows where they differ.

| module      | what it has                                                   |
|-------------|---------------------------------------------------------------|
| `two_games` | two games played side by side, and what differs in a position |
| `guided`    | games that head for what only one of the two asks             |
| `shorten`   | a game that shows a difference, made shorter                  |
| `texts`     | which texts of the two files differ                           |
| `trace`     | recorded games, held against rules                            |
| `compare`   | all of these, one after the other, and what was compared      |

A game is played in both by the texts of its moves; evaluators are given, native where there is one.
"""
