"""Random games: moves drawn and made in place, or by search; many games, counted.

In: how a plan says that random moves are drawn. Out: functions that play games.

| module           | has                                                                   |
|------------------|-----------------------------------------------------------------------|
| `moves_in_place` | turns of which random moves are made without a search                 |
| `draws`          | what is drawn from: single sites or pairs, in all cases of a decision |
| `walk_in_place`  | a way through a turn without copies of frames                         |
| `random_numbers` | the dice                                                              |
| `searched_moves` | random moves by search: among likely ways, else among all             |
| `playouts`       | games, and many of them                                               |
| `records`        | what games came to                                                    |
| `watched_games`  | games played move by move, and counted, where somebody watches        |
"""
