"""From text to a running evaluator: compiling, bringing positions there and back.

In: a game. Out: an evaluator, whose functions are machine code.

| module              | has                                                                 |
|---------------------|---------------------------------------------------------------------|
| `machine_code`      | text compiled by LLVM; by what kept code is found again             |
| `apart`             | compiling in another thread than who waits for it                   |
| `part`              | functions compiled together: soon at first, and well when that pays |
| `compiled`          | all code of a game, and how it may be written (`Options`)           |
| `refusals`          | where in the file that stands which keeps a game from native code   |
| `kept_code`         | compiled code on disk                                               |
| `exchange`          | positions brought to native memory and back                         |
| `moves`             | moves made of what a search noted                                   |
| `packed_history`    | earlier positions, read when somebody asks for them                 |
| `calling`           | calls within what they may take                                     |
| `threads`           | work that can be interrupted                                        |
| `random_games`      | random games, and memory for what each came to                      |
| `games_of_a_worker` | random games sent to another process                                |
| `rules`             | the evaluator                                                       |
"""
