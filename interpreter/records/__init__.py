"""Records of games as people keep them: read from files, followed by rules, and written.

| module      | what it has                                                      |
|-------------|------------------------------------------------------------------|
| `recorded`  | a game as somebody has written it down                           |
| `plain`     | a game a line: moves, or JSON                                    |
| `pgn`       | portable game notation (PGN), and its kin with numbers (PDN)     |
| `sgf`       | smart game format                                                |
| `kif`       | kifu format                                                      |
| `mat`       | matches with dice                                                |
| `headers`   | what headers are called in these formats                         |
| `files`     | files of any of these, game by game                              |
| `following` | the rules' own moves for those of a record                       |
| `quick`     | the same in native memory, where nothing needs a closer look     |
| `which`     | which game a record is of                                        |
| `writing`   | games as texts in these formats                                  |

What a record says is not believed: each module tells what is wrong with a game, and goes on with
the next one.
"""
