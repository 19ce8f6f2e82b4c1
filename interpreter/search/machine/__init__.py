"""Python functions as machine code.

| module           | has                                                              |
|------------------|------------------------------------------------------------------|
| `instructions`   | records, arrays, and functions that stand for instructions       |
| `compiled`       | machine code of Python functions, which call a game's code       |
| `image`          | records as data, for a host elsewhere that lays out their memory |
| `elementary`     | logarithms for machines whose library has none                   |
| `random_numbers` | the generator of random numbers                                  |
"""
