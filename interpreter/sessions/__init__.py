"""Games that people play: who sits where, what was played, how it is kept in a file.

| module        | what it has                                                            |
|---------------|------------------------------------------------------------------------|
| `session`     | a game in progress: positions and moves, back and forth, resigning     |
| `table`       | what may be done at a table, whatever shows it                         |
| `snapshot`    | all that a face shows of a game at a moment, as data                   |
| `audience`    | who looks at a game under way, and what may be shown and told there    |
| `seats`       | who plays at which seat                                                |
| `clock`       | how much time each seat has                                            |
| `typed`       | moves as people type them; commands                                    |
| `choosing`    | moves entered in steps                                                 |
| `effects`     | what a move did, in words                                              |
| `advising`    | hints, values, reviews                                                 |
| `messages`    | what is told in a line                                                 |
| `following`   | a file that is changed while its game is played                        |
| `failing`     | the moves that lead to where rules fail                                |
| `autosave`    | games kept while they are played                                       |
| `record`      | a whole game as text                                                   |
| `saves`       | files of records                                                       |
| `games_file`  | one game of a file with a game a line                                  |
| `imported`    | records of our own out of those of others                              |
| `notation`    | moves as records keep them                                             |
| `replaying`   | a record played again; whether it is still secret                      |
| `judging`     | whether a signed game is in order                                      |
| `rounds`      | rounds decided at the same time, by mail                               |

Games by mail stand in `correspondence`, their signatures in `signing`.
"""
