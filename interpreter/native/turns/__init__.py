"""Turns, cut at their decisions, and searches through all their ways; how games end.

In: the turns of a program. Out: functions that go through all their ways.

| module          | has                                                                         |
|-----------------|-----------------------------------------------------------------------------|
| `walk`          | the way through the statements of a turn, in search or in place             |
| `effects`       | statements without decisions, and loops                                     |
| `candidates`    | what can be chosen                                                          |
| `traces`        | what was decided; choices in another order, which are left out              |
| `shared_code`   | what the code of all turns stands on                                        |
| `endings`       | the clauses that end a game                                                 |
| `turn_ends`     | turns begun and finished                                                    |
| `history`       | earlier positions                                                           |
| `searches`      | one search for whatever turn is to be made, and what completed ways are for |
| `asking`        | which decisions some legal move goes on with, for whoever decides one by one |
| `looking_ahead` | questions about what a side could do (`can`)                                |
| `search_calls`  | what asks a search: calls of a binding                                      |
"""
