"""Machine code from a game's program, in the order in which data goes through the modules.

In: a program, after the passes of `gdl.optimise`. Out: `rules.NativeRules`, an evaluator. What
then holds: it plays as the reference interpreter does, and the same seed gives the same games.

1. *What is known before.* `choices` names the ways of writing code that may be left out;
   `sharing` puts what several statements of a large board's turn ask for into a slot. `ranges`
   bounds numbers, `bounds` says where sets can lie, `singles` which of them have one site at
   most, `alike` which turns are the same for several sides. `plain` finds the turns of which
   random moves are made in place, and `changes` tells what these do to layers; `newest` finds the
   conditions that are kept while a game is played, `pools` the sets, and `unread` the layers that
   are not looked at then.
2. *Memory.* `layout` places a position, `context` what a search knows while it runs.
3. *Values.* `code` writes LLVM's text, `values` says where a value is, and `checks` tests, if
   that is asked for, that values are what analysis says. Numbers are as wide as they have to be
   (`arithmetic`); `places` reads and writes the slots of a frame. A set is a register
   (`sets`, with `shifts` for images) or, on large boards, an array of words (`arrays`, `words`,
   with `loops`, `images`, `worklists`, and `trails` that take changes back).
4. *Expressions.* `expressions` has each node of the core, but `folds` the loops over domains and
   `closures` the floods: `directions` has those along lines, `orbits` those that lead back.
   `rows` (and `rails`) has the rows and `joins` the groups of a newest site; `outlines` keeps what
   is worked out in several places in the code once.
5. *Turns.* `effects` has statements without decisions. `turns` cuts a turn at its decisions, for
   the search through all its ways: `onward` is what follows a cut, `decisions` tries what can be
   decided, `rounds` has the loops. `entries` notes what was decided, `partners` (and `orders`)
   leave out choices in another order, `given` all but decisions that are given, `shortcuts` what
   need not be tried to be counted; `ahead` has questions about the next turn. `plies` makes random
   moves in place: `candidates` has what is chosen from, single sites or `pairs`, and `chance` the
   random numbers.
6. *Games.* `endings` tries the clauses that end a game, `keeping` follows the conditions that are
   kept, `past` remembers positions. `searches` walks through the ways of whatever turn is to be
   made; `queries` ask it something: `calls` for single moves and counts, `draws` for random moves.
   `many` plays random games, and `tallies` counts them. `course` joins all that, and has the table
   of the functions.
7. *Binding.* `engine` compiles text, and `compiled` has all code of a game; `exchange` brings
   positions there and back, `traces` moves; `threads` runs work that can be interrupted; `rules`
   is the evaluator.
"""
