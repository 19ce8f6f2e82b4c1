"""What loading and playing take of the machine: work, time, memory, calls within calls.

| module           | has                                                                |
|------------------|--------------------------------------------------------------------|
| `budget`         | how much work a text may make while it is loaded, and in each turn |
| `timing`         | how long the reading of text takes, as part of loading             |
| `gc_pause`       | Python's collection of garbage, made seldom while much is made     |
| `deep_recursion` | room for calls within calls, in one piece of memory                |
| `scoped_cache`   | work done once for several games, or for parts of one              |
"""
