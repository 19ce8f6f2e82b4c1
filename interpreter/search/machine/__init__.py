"""Python functions as machine code.

| module         | has                                                        |
|----------------|------------------------------------------------------------|
| `instructions` | records, arrays, and functions that stand for instructions |
| `compiled`     | machine code of Python functions, which call a game's code |
"""
