"""The command line as `python -m gdl.interpreter.cli`."""

from gdl.interpreter.cli import main

main()
