"""`gdl key`: the key that a player signs moves by correspondence with."""

from __future__ import annotations

import os
from typing import Annotated

from gdl.codes import Code
from gdl.diagnostic import refused
from gdl.interpreter.cli.declarations import option
from gdl.interpreter.cli.output import print_message, write, write_json
from gdl.interpreter.cli.parameters import AsJson
from gdl.interpreter.cli.passphrase import PASSPHRASE_VARIABLE, asked_passphrase, unlocked_key
from gdl.interpreter.sessions.signing.keys import Key, key_file, make_key


def key(
    name: Annotated[
        str | None,
        option(
            help="Make the key, for a player of this name, who is told so to others.",
            show_default=False,
        ),
    ] = None,
    passphrase: Annotated[
        bool,
        option(
            "--passphrase", help="With --name: ask for a passphrase without which it is of no use."
        ),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Make or show the key that signs your moves by correspondence.

    What is printed may be mailed to others. The key itself stays in a file that only you can read.
    """
    if passphrase and name is None:
        raise refused(Code.WRONG_OPTION, "A key gets its passphrase when it is made.")
    if name is not None and key_file().exists():
        hint = "Without `--name` it is shown. Games that it has joined go on with it alone."
        raise refused(Code.FILE_EXISTS, f"There is a key already: `{key_file()}`.", hint)
    own = unlocked_key() if name is None else _made(name, passphrase)
    if as_json:
        write_json({"name": own.name, "key": own.public, "file": str(key_file())})
        return
    write(f"{own.name} {own.public}")


def _made(name: str, has_passphrase: bool) -> Key:
    phrase = ""
    if has_passphrase:
        phrase = os.environ.get(PASSPHRASE_VARIABLE) or _typed_twice()
    made = make_key(name, phrase)
    print_message(f"Kept in {key_file()}: who has that file can move for you. Keep a copy of it.")
    return made


def _typed_twice() -> str:
    phrase = asked_passphrase("A passphrase: ")
    if not phrase or phrase != asked_passphrase("The same again: "):
        raise refused(Code.WRONG_PASSPHRASE, "These were two different ones, or none.")
    return phrase
