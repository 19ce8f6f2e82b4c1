"""Machine code from a game's program, in the order in which data goes through the modules.

In: a program, after the passes of `gdl.optimise`. Out: `rules.NativeRules`, an evaluator. What
then holds: it plays as the reference interpreter does, and the same seed gives the same games.

1. *What is known before.* `choices` names the ways of writing code that may be left out;
   `sharing` puts what several statements of a large board's turn ask for into a slot. `ranges`
   bounds numbers, `bounds` says where sets can lie, `singles` which of them have one site at
   most, `alike` which turns are the same for several sides.
   `newest` finds the conditions that are kept while a game is played, `pools` the sets, and
   `unread` the layers that are not looked at then.
2. *Memory.* `layout` places a position, `context` what a search knows while it runs.
3. *Values.* `code` writes LLVM's text, `values` says where a value is, and `checks` tests, if
   that is asked for, that values are what analysis says. A set is a register
   (`sets`, with `shifts` for images) or, on large boards, an array of words (`arrays`, `words`,
   with `loops`, `images`, `worklists`, and `trails` that take changes back).
4. *Expressions.* `expressions` has each node of the core; `directions` floods along lines,
   `orbits` floods that lead back, `rows` (and `rails`) the rows and `joins` the groups of a
   newest site; `outlines` keeps what is worked out in several places in the code once.
5. *Turns.* `effects` has statements without decisions, `turns` the search through all ways of a
   turn, with `ahead` for questions about the next one and `orders` for choices of any order;
   `plies` random moves made in place, from `pools`, with `chance` for random numbers.
6. *Games.* `endings` tries the clauses that end a game, `keeping` follows the conditions that are
   kept, `past` remembers positions. `searches` walks through the ways of whatever turn is to be
   made; `queries` ask it something: `calls` for single moves and counts, `draws` for random moves.
   `many` plays random games, and `tallies` counts them. `course` joins all that, and has the table
   of the functions.
7. *Binding.* `engine` compiles the text; `exchange` brings positions there and back, `traces`
   moves; `threads` runs work that can be interrupted; `rules` is the evaluator.
"""
