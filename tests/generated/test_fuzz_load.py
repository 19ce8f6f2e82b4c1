"""Any text is a game or a GameError, soon and in little room; nothing else ever comes out.

In: shipped games damaged at random, and random YAML. What then holds: `load_source` returns a
`Game` or raises a `GameError` whose findings lie inside their sources, within seconds.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from memory import peak_grows_by_less_than

from gdl.diagnostic import GameError, Source
from gdl.document import read_source
from gdl.load import games_folder, load_source, shipped_names
from gdl.syntax.parser import keywords

SECONDS = 10.0
MOST_MEMORY = 500 << 20
LARGEST = 6000

GAMES = tuple(
    text
    for name in shipped_names()
    if len(text := read_source(games_folder() / f"{name}.yaml").text) <= LARGEST
)
WORDS = (
    *sorted(keywords()),
    *("own", "enemy", "mover", "empty", "all", "none", "adjacent", "orthogonal", "row", "column"),
    *("reach", "groups", "first", "owner", "kind", "seen", "board", "inverse", "chain", "top"),
    *("0", "1", "99", "999999999999999999", "(", ")", ",", "..", "=", "|", "&", "-", "/", "^", ";"),
    *("game:", "turn: |", "define:", "end:", "\n", "\n  ", ": ", "- ", "#", "&a ", "*a", "!t "),
)

FEW = settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def outcome(text: str) -> str:
    """Load a text; return `game` or the codes of its errors, after a look at time and places."""
    start = time.process_time()
    try:
        load_source(Source("game.yaml", text))
        result = "game"
    except GameError as error:
        assert error.diagnostics
        for found in error.diagnostics:
            assert found.to_text() and found.to_json()
            for span in (found.span, *(span for _, span in found.related)):
                assert span is None or 0 <= span.start <= span.end <= len(span.source.text)
        result = " ".join(found.code for found in error.diagnostics)
    assert time.process_time() - start < SECONDS
    return result


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """Draw a shipped game with one to four damages."""
    text = draw(st.sampled_from(GAMES))
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, max(0, len(text) - 1)))
        length = draw(st.integers(1, 30))
        kind = draw(st.sampled_from(("flip", "delete", "double", "insert", "word", "lines")))
        if kind == "flip":
            text = text[:at] + draw(st.characters()) + text[at + 1 :]
        elif kind == "delete":
            text = text[:at] + text[at + length :]
        elif kind == "double":
            text = text[: at + length] + text[at:]
        elif kind == "insert":
            text = f"{text[:at]} {draw(st.sampled_from(WORDS))} {text[at:]}"
        elif kind == "word":
            text = _with_word(text, at, draw(st.sampled_from(WORDS)))
        else:
            lines = text.split("\n")
            one, two = (draw(st.integers(0, len(lines) - 1)) for _ in range(2))
            lines[one], lines[two] = lines[two], lines[one]
            text = "\n".join(lines)
    return text


def _with_word(text: str, at: int, word: str) -> str:
    """Put another word in the place of the one that stands at or behind an offset."""
    while at < len(text) and not text[at].isalnum():
        at += 1
    end = at
    while end < len(text) and (text[end].isalnum() or text[end] == "_"):
        end += 1
    while at > 0 and (text[at - 1].isalnum() or text[at - 1] == "_"):
        at -= 1
    return text[:at] + word + text[end:]


@given(damaged())
@FEW
def test_a_damaged_game(text: str) -> None:
    assert outcome(text)


FORMULAS = st.recursive(
    st.sampled_from(WORDS),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(("|", "&", "-", "+", "^", "=", "<", "and", "from")), inner)
        .map(" ".join),
        st.tuples(st.sampled_from(("count", "some", "no", "not", "-")), inner).map(" ".join),
        st.tuples(st.sampled_from(("adjacent", "reach", "groups", "row", "own", "d")), inner, inner)
        .map(lambda parts: f"{parts[0]}({parts[1]}, {parts[2]})"),
        st.tuples(st.sampled_from(("union", "sum", "max", "product")), inner, inner)
        .map(lambda parts: f"({parts[0]} x in {parts[1]} of {parts[2]})"),
        st.tuples(st.sampled_from(("some", "every", "sites", "count")), inner, inner)
        .map(lambda parts: f"({parts[0]} x in {parts[1]} where {parts[2]} & x)"),
        inner.map(lambda part: f"({part})"),
    ),
    max_leaves=8,
)  # fmt: skip


@given(FORMULAS, FORMULAS, FORMULAS, st.sampled_from(("end", "turn", "state", "setup", "board")))
@FEW
def test_a_game_of_random_formulas(one: str, two: str, three: str, where: str) -> None:
    one, two, three = (" ".join(part.split()) for part in (one, two, three))
    parts = {
        "game": "Random",
        "players": "Black, White",
        "board": f"square({one}, 3)" if where == "board" else "square(3, 3)",
        "define": f"\n  'd(x)': '{two}'",
        "state": f"\n  score: 'number = {one}'" if where == "state" else "\n  score: number",
        "setup": f"\n  Black Stone: '{one}'" if where == "setup" else "\n  Black Stone: a1",
        "turn": f"|\n  choose s in {one if where == 'turn' else 'empty'}\n  place Stone at s"
        f"\n  set score = {three}",
        "end": f"'draw when {three if where == 'end' else 'full'}'",
    }
    assert outcome("".join(f"{key}: {value}\n" for key, value in parts.items()))


@given(
    st.text(alphabet=" \n\t:-?,[]{}#&*!|>'\"%@`ab1é\x00()", max_size=80)
    | st.lists(st.sampled_from(WORDS), max_size=40).map(" ".join)
)
@FEW
def test_random_text(text: str) -> None:
    assert outcome(text) != "game"


@given(st.binary(max_size=120) | st.sampled_from(GAMES).map(lambda text: text.encode("utf-16")))
@FEW
def test_random_bytes(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.yaml"
        path.write_bytes(data)
        try:
            source = read_source(path)
        except GameError as error:
            assert [found.code for found in error.diagnostics] == ["not-utf8"]
            return
    assert outcome(source.text) != "game"


# ------------------------------------------------------------------------- bombs

HEAD = "game: Bomb\nplayers: Black, White\n"
TURN = "turn: |\n  choose s in empty\n  place Stone at s\n"
SMALL = f"{HEAD}board: square(3, 3)\n{TURN}"
LARGE = f"{HEAD}board: square(140, 140)\n{TURN}"


def _laughs(depth: int) -> str:
    lines = [f"  twice{n}(s): twice{n - 1}(s) | twice{n - 1}(all - s)" for n in range(1, depth)]
    return "\n".join(["define:", "  twice0(s): adjacent(s)", *lines])


BOMBS = {
    "aliases": "a: &a [x]\n" + "".join(f"b{n}: &b{n} [*a, *a, *a]\n" for n in range(60)),
    "deep lists": f"game: {'[' * 5000}",
    "deep settings": "".join(f"{' ' * n}a:\n" for n in range(400)),
    "deep parentheses": f"{SMALL}end: draw when {'(' * 9000}full",
    "many nots": f"{SMALL}end: draw when {'not ' * 9000}full",
    "many minuses": f"{SMALL}end: draw when turns = {'- ' * 9000}1",
    "many ifs": f"{SMALL}end: draw when {'if full then full else ' * 3000}full",
    "many powers": f"{SMALL}end: draw when turns = {'9^' * 3000}9",
    "many unions": f"{SMALL}end: draw when some ({'own | ' * 8000}own)",
    "deep blocks": SMALL
    + "".join(f"{' ' * n}if full\n" for n in range(2, 400))
    + " " * 400
    + "pass",
    "definitions": f"{SMALL}{_laughs(60)}\nend: draw when some twice59(own)",
    "huge number": f"{SMALL}end: draw when turns = {'9' * 100_000}",
    "huge decimal": f"{SMALL}end: draw when turns = 0.{'9' * 100_000}",
    "huge power": f"{SMALL}end: draw when turns = 9^999999999999999999",
    "huge range": f"{SMALL}end: draw when some n in 0..999999999999999999 where n > 5",
    "huge sum": f"{SMALL}end: draw when turns = (sum n in 0..999999999999999 of n)",
    "huge board": f"{HEAD}board: square(999999999, 999999999)\n{TURN}",
    "thin board": f"{HEAD}board: square(999999999999999999, 1)\n{TURN}",
    "all kinds": f"{HEAD}board: cells and vertices and edges of hex hexagon(9999)\n{TURN}",
    "far pairs": f"{LARGE}relations:\n  far: pairs a, b where row(a) + column(b) = 5\n",
    "far sites": f"{LARGE}regions:\n  far: sites a in all where some b in all where a = b\n",
    "long chains": f"{LARGE}relations:\n  far: chain(adjacent, adjacent)^64\n"
    "end: draw when some far(own)",
    "wide relations": f"{LARGE}relations:\n  far: (adjacent | identity)^40\n"
    "end: draw when some far(own)",
    "many indices": f"{SMALL}state:\n  level({', '.join(['0..60'] * 40)}): number\n",
    "wide bounds": f"{SMALL}state:\n  level: number per site in 0..999999999999999999\n",
    "many options": f"{SMALL}options:\n" + "".join(f"  option{n}: {n}\n" for n in range(3000)),
    "many clauses": f"{SMALL}end:\n" + "  - draw when full\n" * 1500,
    "many rounds": f"{SMALL.rstrip()}\n" + "  for each x in 1..60\n    for each z in 1..60\n"
    "      for each w in 1..60\n        remove s\n",
    "many alternatives": f"{SMALL.rstrip()}\n"
    + "".join(f"  choose x{n} in (a1, b1, c1)\n" for n in range(30)),
    "own action": f"{SMALL}actions:\n  again_and_again: do again_and_again\n",
    "actions": f"{HEAD}board: square(3, 3)\nturn: do act30\nactions:\n  act0: pass\n"
    + "".join(f"  act{n}: |\n    do act{n - 1}\n    do act{n - 1}\n" for n in range(1, 31)),
}


@pytest.mark.at_night("far pairs")
@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb(name: str) -> None:
    with peak_grows_by_less_than(MOST_MEMORY):
        assert outcome(BOMBS[name])
