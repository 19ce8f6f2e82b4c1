"""Positions as text, on a sheet of characters.

| module    | has                                                                   |
|-----------|-----------------------------------------------------------------------|
| `text`    | the whole picture; square lattices and piles                          |
| `canvas`  | a sheet of characters                                                 |
| `glyphs`  | the characters of a picture                                           |
| `layout`  | sites, lines and cells on a canvas, with labels in the margin         |
| `points`  | boards of any shape: points by their position                         |
| `slanted` | hexagonal and triangular lattices                                     |
| `scale`   | how many characters there are to a unit, and the sizes to choose from |
"""
