"""Alpha-beta over native code: a search for games in which one knows what pieces are worth.

In: a game of two sides in which nothing is hidden and nothing left to chance, and what its
positions are worth at first sight. Out: an `Analysis` of each position. What then holds: nothing
here knows of a game; all that is asked for are the positions that follow one.

| module | what it does |
|---|---|
| `arena` | the memory of it: positions on a way and those that follow them |
| `judging` | what a position is worth at first sight, in whole numbers |
| `walk` | positions on a way and those that follow them, in memory of fixed size |
| `transpositions` | what is remembered of positions that were searched |
| `ordering` | in which order moves are tried |
| `search` | the search itself, to a depth and within a window |
| `deepening` | one move ahead, then two, until time is up; what was found out |
"""
