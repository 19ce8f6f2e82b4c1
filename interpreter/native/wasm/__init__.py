"""Native code as WebAssembly: what any browser, any server and Python can run.

In: a game. Out: a module, and an evaluator that plays by it. What then holds: the same as of
machine code.

A host needs to know no more than this. The module imports nothing and exports `memory`, its
functions (the table in `interpreter/native/game_code.py`; addresses are `i32`, other numbers `i64`,
what `stuck` gives `i32`), `__indirect_function_table`, and `__heap_base`: from there on all memory
is the host's, which lays out worlds and positions in it as `World` and `Exchange` do. Before each
call comes `prepare`, with the work that a turn may take and the bytes of stack up to the test of
how deep a turn goes, which are less than the stack's 1 MiB by what `GameCode.stack` says lies
below. A host that catches a trap sets `__stack_pointer` back to `__heap_base`: it is a turn too
deep.

| module    | has                                                        |
|-----------|------------------------------------------------------------|
| `support` | functions that LLVM calls, in its own text                 |
| `target`  | WebAssembly as a machine that code is written for          |
| `packing` | data made short, which a module makes whole when it begins |
| `linking` | object files made modules                                  |
| `module`  | the module of a game                                       |
| `rules`   | the evaluator, by wasmtime                                 |
"""
