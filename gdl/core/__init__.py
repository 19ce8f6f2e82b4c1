"""The core: the small program that a game's rules become, and what its expressions mean.

types, nodes (the program), operations (what the strict operations mean), evaluate (what every
expression means), build (making nodes, folding what is known), memo (what was
worked out for nodes), digest (what tells one program from others).
"""
