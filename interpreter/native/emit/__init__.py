"""Text of LLVM's intermediate representation, and the values in it."""
