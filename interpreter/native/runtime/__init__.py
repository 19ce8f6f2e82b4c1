"""From text to a running evaluator: compiling, bringing positions there and back.

In: a game. Out: an evaluator, whose functions are machine code.

| module              | has                                                               |
|---------------------|-------------------------------------------------------------------|
| `machine_code`      | text compiled by LLVM; by what kept code is found again           |
| `uninterruptible`   | compiling in another thread than who waits for it                 |
| `compiled`          | all code of a game, and how it may be written (`Options`)         |
| `refusals`          | where in the file that stands which keeps a game from native code |
| `exchange`          | positions brought to native memory and back                       |
| `calling`           | calls within what they may take                                   |
| `threads`           | work that can be interrupted                                      |
| `random_games`      | random games, and memory for what each came to                    |
| `games_of_a_worker` | random games sent to another process                              |
| `line`              | a game played move by move, for records read by the thousand      |
| `rules`             | the evaluator                                                     |
| `watched`           | the same with counters, whose random games are watched            |
"""
