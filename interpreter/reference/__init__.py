"""The reference interpreter: the specification of what a game's program means, in plain Python.

history (earlier positions), steps, statements (made into steps), machine (the moves of a turn),
rules (the course of a game).
"""
