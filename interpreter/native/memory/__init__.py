"""Where a position lies in memory, and what a search knows while it runs.

In: the slots of a program. Out: where each of them is, and code that reads and writes it.

| module        | has                                                                     |
|---------------|-------------------------------------------------------------------------|
| `fields`      | stretches of memory that hold numbers, read and written                 |
| `frame`       | where the fields of a position lie                                      |
| `world`       | what all that one thread does shares; work, failures                    |
| `context`     | what one search knows                                                   |
| `work_checks` | where code looks whether it is to stop, and counts how much it has done |
"""
