"""Positions as people see and write them: drawn, described, numbered, held against examples.

| module          | what it has                                                          |
|-----------------|----------------------------------------------------------------------|
| `position`      | rules to start from, positions to play from                          |
| `view`          | a position as one side sees it                                       |
| `information`   | what a side has seen and done so far                                 |
| `drawing`       | what is drawn of a position                                          |
| `position_text` | what is said of it in words                                          |
| `threats`       | what can be done at once, by either side                             |
| `meant`         | a move that is not made yet, as it is drawn                          |
| `written_moves` | moves read and written by a file's `notation`                        |
| `piece_numbers` | pieces told by numbers, wherever they have gone                      |
| `fen`           | positions in a line of text                                          |
| `move_form`     | whether a text could be a move at all                                |
| `encoding`      | values as plain data and as text                                     |
| `state_values`  | values that a person gives to variables                              |
| `batch`         | many random games, counts and steps at once                          |

`examples` holds those of a file against its rules.
"""
