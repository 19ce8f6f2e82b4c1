"""The passphrase of the user's key, where it has one."""

from __future__ import annotations

import os
import sys
from getpass import getpass

from gdl.codes import Code
from gdl.diagnostic import refused
from gdl.interpreter.sessions.signing.keys import Key, own_key

PASSPHRASE_VARIABLE = "GDL_PASSPHRASE"
"""The environment variable that may have the passphrase."""


def unlocked_key() -> Key:
    """Return the user's key. Raises GameError as `own_key` does, and where nobody can be asked."""
    return own_key(_passphrase)


def _passphrase() -> str:
    passphrase = os.environ.get(PASSPHRASE_VARIABLE)
    if passphrase is not None:
        return passphrase
    return asked_passphrase("Passphrase of your key: ")


def asked_passphrase(question: str) -> str:
    """Return what a person at the terminal types unseen. Raises GameError if there is none."""
    if not sys.stdin.isatty():
        hint = f"Set {PASSPHRASE_VARIABLE}, or call the command at a terminal."
        raise refused(Code.WRONG_PASSPHRASE, "Nobody is there to type the passphrase.", hint)
    return getpass(question)
