"""Python functions as machine code.

| module         | has                                                        |
|----------------|------------------------------------------------------------|
| `instructions` | records, arrays, and functions that stand for instructions |
| `writer`       | the text of one function of LLVM                           |
| `compiled`     | machine code of Python functions, which call a game's code |
"""
