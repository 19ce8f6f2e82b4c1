"""What all passes stand on: interned expressions, simplified as they are made, and weighed.

| module          | has                                                                |
|-----------------|--------------------------------------------------------------------|
| `interner`      | expressions as shared, canonical nodes                             |
| `terms`         | interned expressions that are simplified as they are made          |
| `linear`        | expressions that distribute over union in a variable, turned round |
| `cost`          | what an expression costs, and whether it can fail                  |
| `where`         | where a condition on a single site holds, for all sites at once    |
| `number_growth` | how large the numbers of a turn can get                            |
"""
