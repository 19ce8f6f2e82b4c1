"""The interfaces that learning programs know, over arrays of games: an extra of the installation.

In: a game. Out: what each of them takes for an environment. What then holds: an action is one
decision of a turn, with the number that `Env` gives it; what a player is shown is what its seat
sees; nothing is installed for one interface that only another needs.

| module          | the interface                                                         |
|-----------------|-----------------------------------------------------------------------|
| `pettingzoo.py` | PettingZoo: agents one after another, and all at once                 |
| `gymnasium.py`  | Gymnasium: many puzzles, or one seat in many games, and a single one  |
| `openspiel.py`  | OpenSpiel: games with chance, with what is hidden, of several players |
| `recorded.py`   | none: whole random games as arrays, which need nothing installed      |
"""
