"""Crossed games by the thousand: native code held against the reference interpreter.

Run as `python tests/crossed_nightly.py -n 10000 --processes 2` in the project's folder. Each game
is `crossed_text(Random(seed))` of a seed of its own: parts of shipped games, put together on
another board for other sides. All else is as in `generated_nightly.py`.
"""

from __future__ import annotations

import sys

from crossed import crossed_text
from generated_nightly import script
from nightly import main

SCRIPT = script(crossed_text, "games")

if __name__ == "__main__":
    sys.exit(main(SCRIPT, __doc__, 10_000))
