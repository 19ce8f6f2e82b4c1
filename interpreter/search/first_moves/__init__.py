"""What a move is worth before it is tried.

| module         | has                                                              |
|----------------|------------------------------------------------------------------|
| `amaf`         | what random games tell of moves before they are tried            |
| `surroundings` | which sites lie around a site                                    |
| `patterns`     | names and places of the numbers that are learned of surroundings |
| `priors`       | what these numbers add to the first values of moves              |
| `first_values` | the same as a text that anybody can read                         |
"""
