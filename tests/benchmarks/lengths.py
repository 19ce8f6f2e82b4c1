"""How long the shipped games are: words and characters of their rules.

Run as `python -m tests.benchmarks.lengths [GAME…]` in the project's folder; `--table` writes the
table of `docs/lengths.md` anew, in which the figures of Ludii's files stay as they are.

In: games. Out: for each how many words its rules have, and how many characters that are not blank.
What then holds: counted is what makes the rules, and nothing else: no credits, options, variants,
examples, display and notation, no comments and captions.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from gdl.load import find_game, shipped_names

PAGE = Path(__file__).parents[2] / "docs" / "lengths.md"
_CREDITS = ("also", "author", "year", "source", "family", "about", "rules")
_BESIDE = (*_CREDITS, "fine", "options", "variants", "examples", "display", "notation")
_SECTION = re.compile(rf"^(?:{'|'.join(_BESIDE)}):.*\n(?:[ \n].*\n?)*", re.MULTILINE)
_COMMENT = re.compile(r"(^|[ \t])#.*$", re.MULTILINE)
_SAYS = re.compile(r"^ *says:.*\n|, says: (?:\"[^\"]*\"|[^,}\n]*)", re.MULTILINE)
_WORD = re.compile(r"\w+")
_ROW = re.compile(r"^\| ([\w-]+) \| [\d,]+ \| ([\d,]+) \| [\d,]+ \| ([\d,]+) \|.*$", re.MULTILINE)


def rules_of(name: str) -> str:
    """Return the text of a game that makes its rules."""
    text = _SECTION.sub("", find_game(name).text)
    return _SAYS.sub("", _COMMENT.sub("", text))


def length_of(text: str) -> tuple[int, int]:
    """Return how many words a text has, and how many characters that are not blank."""
    return len(_WORD.findall(text)), len("".join(text.split()))


def row(name: str, words: str, characters: str) -> str:
    """Return a game's row of the table; the words and characters of the other file are given."""
    own_words, own_characters = length_of(rules_of(name))
    ratio = own_characters / int(characters.replace(",", ""))
    return f"| {name} | {own_words:,} | {words} | {own_characters:,} | {characters} | {ratio:.2f} |"


def with_lengths(page: str) -> str:
    """Return a page with the rows of its table as the games are now."""
    return _ROW.sub(lambda m: row(m[1], m[2], m[3]), page)


def main(arguments: list[str]) -> None:
    """Print the lengths of games, or write those of the table anew."""
    if arguments == ["--table"]:
        PAGE.write_text(with_lengths(PAGE.read_text("utf-8")), "utf-8")
        return
    for name in arguments or sorted(shipped_names()):
        words, characters = length_of(rules_of(name))
        print(f"{name:24}{words:6,} words{characters:8,} characters")


if __name__ == "__main__":
    main(sys.argv[1:])
