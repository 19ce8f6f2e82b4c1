"""What expressions are put together from: values made to fit, relations, domains, cases, tables.

| module       | has                                                           |
|--------------|---------------------------------------------------------------|
| `directions` | directions that are known in play only, as values             |
| `coerce`     | a value as what its place asks for                            |
| `relations`  | images, inverses and combinations of relations                |
| `formula`    | `pairs a, b in R where C`; numbers of two sites               |
| `domains`    | what a variable runs over, direction by direction too         |
| `powers`     | powers of numbers and of relations                            |
| `cases`      | which of several definitions with one name is meant           |
| `variables`  | variables of the state at their indices                       |
| `pictures`   | positions drawn as rows of characters                         |
| `tables`     | values by kinds, sides, directions, names, numbers or regions |
| `standing`   | what is known to stand on a chosen site                       |
"""
