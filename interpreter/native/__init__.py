"""Machine code from a game's program: analysis, layout, code of each node, LLVM, binding.

`ranges` and `singles` learn what values can be; `layout` places a position in memory; `sets`,
`expressions`, `turns`, `past`, `course` and `many` write code, from the smallest part to whole
games; `engine` compiles it; `exchange` and `rules` bind it to Python.
"""
