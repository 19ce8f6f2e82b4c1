"""Machine code from a game's program: rooms, in the order in which data goes through them.

In: a program, after the passes of `gdl.optimise`, and what `gdl.analysis` knows of it. Out:
`runtime.rules.NativeRules`, an evaluator. What then holds: it plays as the reference interpreter
does. Each room tells what its modules have.

| module or room | has                                                                       |
|----------------|---------------------------------------------------------------------------|
| `choices`      | the ways of writing code that may be left out                             |
| `emit`         | instructions, functions and values in LLVM's text                         |
| `memory`       | where a position lies, and what a search knows while it runs              |
| `sets`         | what can be done with sets                                                |
| `expressions`  | each node of the core that has a value                                    |
| `races`        | floods that tell which of two sides reaches a site first                  |
| `seen`         | positions as planes of bytes and scalars                                  |
| `asked`        | what is asked of positions besides moves: what is drawn, seen or counted   |
| `views`        | what is kept beside a position while a game is played                     |
| `turns`        | turns cut at their decisions, searches through their ways, ends           |
| `games`        | random games                                                              |
| `game_code`    | all of that for one game, and the table of its functions                  |
| `runtime`      | text compiled and called, positions brought there and back, the evaluator |
| `wasm`         | the same code as a module of WebAssembly                                  |
"""
