"""`gdl explain`: what a diagnostic's code means."""

from __future__ import annotations

from typing import Annotated

from gdl.codes import Code
from gdl.diagnostic import refused, suggest
from gdl.interpreter.cli import completion
from gdl.interpreter.cli.declarations import argument
from gdl.interpreter.cli.output import write, write_json
from gdl.interpreter.cli.parameters import AsJson
from gdl.interpreter.library.diagnostics import entry_of, explained_codes

DiagnosticCode = Annotated[
    str,
    argument(
        "CODE", help="The code of a diagnostic, as in `error[CODE]`.", offers=completion.codes
    ),
]


def explain(code: DiagnosticCode, as_json: AsJson = False) -> None:
    """Explain the code of a diagnostic."""
    wanted = code.strip().strip("`[]").lower()
    text = entry_of(wanted)
    if text is None:
        hint = str(suggest(wanted, explained_codes()) or "`gdl check` tells codes: `error[CODE]`.")
        raise refused(Code.UNKNOWN_CODE, f"There is no diagnostic `{wanted[:60]}`.", hint)
    if as_json:
        write_json({"code": wanted, "text": text})
    else:
        write(f"{wanted}\n\n{text}")
