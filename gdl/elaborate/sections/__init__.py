"""The sections of a file that declare something, each read into declarations.

| module        | has                                                          |
|---------------|--------------------------------------------------------------|
| `sections`    | how entries are read; sides, pieces, definitions and actions |
| `kinds`       | `pieces` and `stacks`                                        |
| `options`     | `options`                                                    |
| `prelude`     | the definitions that every game has                          |
| `about`       | texts, style, variants, examples                             |
| `boards`      | `board`                                                      |
| `definitions` | `relations`, `regions` and `define`; those of the board      |
| `looks`       | `display`: symbols, areas, signs, lines, figures, captions   |
| `notation`    | `notation`: how moves are written elsewhere                  |
| `setup`       | `setup`                                                      |
| `sight`       | `sees`                                                       |
| `state`       | `state`: a slot for every combination of indices             |
| `unused`      | what is declared and never used                              |
| `hands`       | `hands`                                                      |
| `vocabulary`  | the words of a game, for texts that come after it            |
| `forms`       | the file without variants, and with each of them             |
"""
