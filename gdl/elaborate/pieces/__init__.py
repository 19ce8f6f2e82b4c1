"""What becomes of pieces, one or many on a site, in a hand: as changes of sets.

| module                | has                                                          |
|-----------------------|--------------------------------------------------------------|
| `piles`               | the words that ask for what stands upon each other           |
| `pile_effects`        | pieces put upon others or under them, and taken off the top  |
| `pieces`              | pieces placed, removed, moved and flipped                    |
| `hand_words`          | how many pieces are in a hand                                |
| `shared_alternatives` | what alternatives have in common, made for the first of them |
"""
