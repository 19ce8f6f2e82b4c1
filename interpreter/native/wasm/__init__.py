"""Native code as WebAssembly: what any browser, any server and Python can run.

In: a game. Out: a module, and an evaluator that plays by it. What then holds: the same as of
machine code.

| module    | has                                                        |
|-----------|------------------------------------------------------------|
| `support` | functions that LLVM calls, in its own text                 |
| `target`  | WebAssembly as a machine that code is written for          |
| `packing` | data made short, which a module makes whole when it begins |
| `linking` | object files made modules                                  |
| `module`  | the module of a game                                       |
| `rules`   | the evaluator, by wasmtime                                 |
"""
