"""The reference interpreter: the specification of what a game's program means, in plain Python.

It plays the program that the rules become by elaboration, before any pass over it.

steps (what a path through a turn does, and where it forks), statements (those with decisions made
into steps, the others into functions of a frame), ways (all ways through a turn, one that is given,
one that is drawn, each carried out as far as need be), history (earlier positions), machine (a
program made ready to run), rules (the course of a game), failures (of the rules in play), watch
(who looks on while it works), distance (how far a condition is from having another value).
"""
