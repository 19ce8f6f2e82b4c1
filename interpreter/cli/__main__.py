"""The command line as `python -m interpreter.cli`."""

from interpreter.cli import main

main()
