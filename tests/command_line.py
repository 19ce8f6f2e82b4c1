"""The command line, called within the process of the tests."""

from __future__ import annotations

from click.testing import CliRunner, Result

from gdl.interpreter.cli.registry import make_app


def gdl(*arguments: object, typed: str | None = None) -> Result:
    return CliRunner().invoke(make_app(), [str(a) for a in arguments], input=typed)
