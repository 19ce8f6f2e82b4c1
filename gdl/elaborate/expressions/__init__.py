"""Expressions: from syntax to values, with definitions in place of their names.

| module        | has                                                             |
|---------------|-----------------------------------------------------------------|
| `names`       | what a word stands for already, and whether a new one is free   |
| `move_words`  | what a chosen side, kind, name or direction is called in a move |
| `builtins`    | the words that every game can speak of; `seen`                  |
| `operators`   | what stands between or before operands                          |
| `quantifiers` | `some x in D where …`, `union d in D of …` and their kin        |
| `calls`       | definitions put in place of their names                         |
| `expressions` | all of these together                                           |
"""
