"""Sets of sites: registers, or arrays of words on large boards."""
