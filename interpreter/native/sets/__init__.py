"""Sets of sites: registers, or arrays of words on large boards.

In: sets, as expressions ask for them. Out: code for them. What then holds: both kinds of sets can
do the same (`Sites`), by methods of the same names.

| module        | has                                               |
|---------------|---------------------------------------------------|
| `registers`   | a set is one register                             |
| `arrays`      | a set is an array of words in memory              |
| `word_arrays` | such arrays word by word: what `arrays` stands on |
| `any_sets`    | what registers and arrays share                   |
| `cut_sites`   | without which sites of a set the others hang together |
"""

from gdl.interpreter.native.sets.arrays import ArraySets
from gdl.interpreter.native.sets.registers import RegisterSets

SetCode = RegisterSets | ArraySets
