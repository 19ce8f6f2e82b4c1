"""What learning programs take: interfaces that they know, searches by networks, whole games.

In: a game. Out: what each of them takes for an environment, and arrays to learn from. What then
holds: an action is one decision of a turn, with the number that `Env` gives it; what a player is
shown is what its seat sees; nothing is installed for one interface that only another needs.

| module              | what it does                                                          |
|---------------------|-----------------------------------------------------------------------|
| `pettingzoo.py`     | PettingZoo: agents one after another, and all at once                 |
| `gymnasium.py`      | Gymnasium: many puzzles, or one seat in many games, and a single one  |
| `openspiel.py`      | OpenSpiel: games with chance, with what is hidden, of several players |
| `network_search.py` | a search of many games at once by a network                           |
| `recorded.py`       | whole random games as arrays                                          |
"""
