"""What is kept beside a position while random games are played: rows, groups, pools.

In: conditions and sets that a plan says are worth it. Out: code that keeps them, and asks them.

| module  | has                                                     |
|---------|---------------------------------------------------------|
| `view`  | what all kinds of views do: match, clear, follow a site |
| `pools` | sets to draw from, as lists                             |
| `views` | the views of a game                                     |
"""
