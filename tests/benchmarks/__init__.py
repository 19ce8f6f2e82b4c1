"""How fast games are played: by this project's evaluators, by C written for one game, elsewhere.

`measure` is the common machinery, `programs` builds the C of the folder `c`; `table`, `curves`,
`compile_times`, `gains` and `reference` are commands, run as `python -m tests.benchmarks.table`.
"""
