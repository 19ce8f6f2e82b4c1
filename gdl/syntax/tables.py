"""The parser's tables: made of the grammar, or read from where they are kept as data.

In: the grammar, and the options of lark. Out: lark's parser. What then holds: it is the same
whether its tables were made or read, and nothing that is read is run. To make them takes ten times
as long as to read them.

Kept are lark's own plain data (`memo_serialize`) as JSON. Most of it is the table of states: for
each state, an action at each of some tokens. Equal sets of tokens and equal actions are written
once, and a state is the number of its set, then the number of its action, or those of its actions
if there are several.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from lark import Lark, __version__
from lark.grammar import Rule
from lark.lexer import TerminalDef

from gdl.kept import cache_folder, keep_file, kept_file

_FORMAT = "tables 1"
_MOST_BYTES = 1 << 22
_PYTHON = sys.implementation.cache_tag or sys.implementation.name


def parser_of(grammar: str, **options: Any) -> Lark:
    """Return the LALR parser of a grammar, with tables that were kept if there are any.

    Of the options, `postlex` is no part of the tables.
    """
    made_of = {name: value for name, value in options.items() if name != "postlex"}
    source = json.dumps([_FORMAT, __version__, sys.version_info[:2], made_of, grammar])
    file = tables_file()
    data = kept_file(file, source, _MOST_BYTES)
    if data is not None:
        return Lark.load(_read(data, options))
    made = Lark(grammar, **options)
    keep_file(file, source, _written(made, made_of))
    return made


def tables_file() -> Path:
    """Return where the tables are kept, of this Python."""
    return cache_folder("grammar") / _PYTHON


def _written(parser: Lark, options: dict[str, Any]) -> bytes:
    """Return the tables of a parser as JSON."""
    data, memo = parser.memo_serialize([TerminalDef, Rule])
    table = data["parser"]["parser"]
    tokens: dict[tuple[int, ...], int] = {}
    actions: dict[str, int] = {}
    states: list[Any] = []
    for _, state in sorted(table["states"].items()):
        does = [actions.setdefault(json.dumps(one), len(actions)) for one in state.values()]
        states.append(tokens.setdefault(tuple(state), len(tokens)))
        states.append(does[0] if len({*does}) == 1 else does)
    table |= {
        "tokens": list(table["tokens"].values()),
        "token_sets": list(tokens),
        "actions": [json.loads(one) for one in actions],
        "states": states,
    }
    data["options"] = options
    whole = {"data": data, "memo": list(memo.values())}
    return json.dumps(whole, separators=(",", ":")).encode()


def _read(data: bytes, options: dict[str, Any]) -> Any:
    """Return what lark loads of tables that were written."""
    whole = json.loads(data)
    table = whole["data"]["parser"]["parser"]
    sets, action = table["token_sets"], table["actions"].__getitem__
    numbers, do = table["states"][::2], table["states"][1::2]
    # Lark looks up states and rules by numbers, which are no keys of JSON.
    table["states"] = {
        state: dict.fromkeys(sets[tokens], action(does))
        if type(does) is int
        else dict(zip(sets[tokens], map(action, does), strict=True))
        for state, (tokens, does) in enumerate(zip(numbers, do, strict=True))
    }
    whole["data"]["options"] = options
    whole["memo"] = dict(enumerate(whole["memo"]))
    return whole
