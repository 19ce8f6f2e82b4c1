"""What can be done with sets of sites in code, however they are kept.

In: nothing. Out: `SetCode`, a register for each set (`registers`) or an array of words (`arrays`).
What then holds: both can do the same with sets (`Sites`), by methods of the same names.
"""

from interpreter.native.sets.arrays import ArraySets
from interpreter.native.sets.registers import RegisterSets

SetCode = RegisterSets | ArraySets
