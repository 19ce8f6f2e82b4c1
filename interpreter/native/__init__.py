"""Machine code from a game's program: rooms, in the order in which data goes through them.

In: a program, after the passes of `gdl.optimise`, and what `gdl.analysis` knows of it. Out:
`runtime.rules.NativeRules`, an evaluator. What then holds: it plays as the reference interpreter
does.

1. `choices` names the ways of writing code that may be left out.
2. `emit`: `blocks` writes instructions, branches and loops of LLVM's text, `ir` functions; `kinds`
   tells registers apart by what they hold, and `values` says where a value is; numbers are as wide
   as they have to be (`arithmetic`). `stack` says how much of the stack functions need.
3. `memory`: `fields` are read and written, `frame` places those of a position, `context` those of
   what a search knows while it runs. `polls` is where code looks whether it is to stop, and counts
   how much it has worked.
4. `sets`: a set is a register (`registers`) or, on large boards, an array of words (`arrays`,
   `word_arrays`, with `images`, `orbits`, and `trails` that take changes back); with either of them
   (`set_code`) the same can be done. What they share is in `any_sets`.
5. `expressions`: `places` says where code stands, and where the slots of a frame lie there;
   `writer` reads and writes them, and is what writes expressions as their parts see it: `closures`
   has the floods, of which `directions` has those along lines, `folds` the loops over domains, and
   `expressions` each other node of the core. `numbered_slots` has slots that a number tells;
   `repeated_statements` makes one loop of statements that come again and again. `checks` tests, if
   that is asked for, that values are what analysis says.
   `reach`, a module of its own, has the floods that tell which of two sides reaches a site first.
6. `views`: `view` is what is kept beside a position while a game is played, as all kinds of it
   are: `lines` for rows, `groups` for what groups touch and enclose, `pools` for sets to draw from;
   `views` has those of a game. `unread_layers` finds the layers that nothing looks at then.
7. `turns`: `walk` goes through the statements of a turn: `effects` has those without decisions,
   and the loops, `candidates` what can be chosen. `turns` cuts a turn at its decisions, for
   the search through all its ways, and tries what can be decided. `traces` notes what was decided,
   and leaves out choices in another order. `shared_code` is what the code of all turns stands on.
   `endings` begins and finishes a turn, and tries the clauses that end a game; `history` remembers
   positions. `searches` walks through the ways of whatever turn is to be made; `search_calls` ask
   it something: those that a binding makes, and questions about the next turn (`can`).
8. `games`: `moves_in_place` has the turns of which random moves are made without a search:
   `draws` has what is drawn from, single sites or pairs, in all cases of a decision;
   `walk_in_place` goes through a turn without copies of frames, `drawn_moves` on the way that a
   number names, `counted_moves` first on all ways and then on one; `random_numbers` has the dice,
   and `searched_moves` the other moves. `playouts` plays random games, and `records` writes down
   what they came to.
9. `game_code` joins all that, and has the table of the functions.
10. `runtime`: `machine_code` compiles text, `apart` from who waits for it; each `part` of the code
    is compiled soon at first and well when that pays, and `compiled` has all code of a game;
    `kept_code` keeps on disk what was compiled. `exchange` brings positions there and back, `moves`
    moves; `packed_history` reads earlier positions when somebody asks for them. `calling` calls
    functions within what they may take, `threads` runs work that can be interrupted.
    `random_games` plays games at random, and has memory for what each of them came to;
    `games_of_a_worker` is random games sent to another process. `rules` is the evaluator.
"""
