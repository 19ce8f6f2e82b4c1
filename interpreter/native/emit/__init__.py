"""Text of LLVM's intermediate representation, and the values in it.

In: instructions, as other rooms ask for them. Out: functions as text. What then holds: a register
is told apart from others by what it holds, and a number is as wide as it has to be.

| module       | has                                                     |
|--------------|---------------------------------------------------------|
| `blocks`     | instructions, branches and loops                        |
| `target`     | the machine that code is written for                    |
| `ir`         | functions, and the module that they make                |
| `kinds`      | what registers hold: numbers, flags, addresses, sets    |
| `values`     | where a value is: in registers, known, or listed        |
| `arithmetic` | numbers with bounds: made wider, narrower, and combined |
| `stack`      | how much of the stack functions need                    |
"""
