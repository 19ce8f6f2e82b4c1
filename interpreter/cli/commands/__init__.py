"""The commands, a module each: parameters from the command line in, a result on stdout out."""
