"""The core: the small program that a game's rules become, and what its expressions mean.

types, nodes (the program), operations (what the strict operations mean), evaluate (what every
expression means), build (making nodes, folding what is known, for many sites at once), rebuild
(nodes with other parts, statements with other slots), merging (several parts made one, and what is
the same but for names), memo (what was worked out for nodes), walk (what stands where), work (how
much work parts are), prune (what can never be reached), listing (a program as text), digest (what
tells one program from others). What is known of parts: singles (sets of one site), layers (which
never overlap), known (answers that may be unknown). piles says how the pieces of one site are kept.
"""
