"""The examples of a game file, run: `run_examples`; and the position of one: `example_position`."""

from gdl.interpreter.positions.examples.run import (
    ExampleResult,
    Runner,
    example_name,
    example_position,
    run_examples,
)

__all__ = ["ExampleResult", "Runner", "example_name", "example_position", "run_examples"]
