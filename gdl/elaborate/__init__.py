"""Elaboration: from syntax trees to the core. Names are resolved, types checked, text inlined.

Each room needs only those above it; game.py puts all into one.

| room          | has                                                                       |
|---------------|---------------------------------------------------------------------------|
| `hints`       | what a text without a meaning may have meant                              |
| `names`       | the declarations of a game, and the words of one text                     |
| `relations`   | values made to fit, relations, domains, cases, tables                     |
| `pieces`      | what becomes of pieces, one or many on a site, in a hand                  |
| `expressions` | from syntax to values, with definitions in place of their names           |
| `sections`    | the sections of a file that declare something                             |
| `statements`  | turns and ends                                                            |
| `game`        | the whole: from a game's document to its model                            |
"""
