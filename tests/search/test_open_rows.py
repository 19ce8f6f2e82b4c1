"""Rows that one side can still fill: found in rules, counted, and judged natively."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from random import Random

import numpy as np
import pytest

from gdl.board.relation import bits
from gdl.interpreter import load
from gdl.interpreter.positions.position import Position, Rules
from gdl.interpreter.search.engine import Engine
from gdl.interpreter.search.evaluation.open_rows import OpenRows
from gdl.interpreter.search.evaluation.row_worth import (
    HELD,
    UNITS,
    RowTable,
    changed_rows_worth,
    of_turn,
    row_table,
    rows_worth,
    without_turn,
)
from gdl.interpreter.search.machine.compiled import Compiled
from gdl.interpreter.search.machine.instructions import Record, Words, array, native
from gdl.interpreter.search.worth import Worth, rules_digest

GAMES = (
    *("connect-four", "tic-tac-toe", "gomoku", "qubic", "yavalath", "pentago"),
    *("gobblet", "ultimate-tic-tac-toe"),
)


class Two(Record):
    """Two positions, one after the other, each of so many words, and room for sets."""

    words: Words
    length: int
    held: Words


@native
def whole_of(table: RowTable, two: Two) -> int:
    """Return what the rows of the second position are worth."""
    return rows_worth(table, two.words, two.length, two.held)


@native
def change_of(table: RowTable, two: Two) -> int:
    """Return by how much they are worth more than those of the first."""
    return changed_rows_worth(table, two.words, 0, two.length, two.held)


def games(rules: Rules, many: int, seed: int) -> Iterator[list[Position]]:
    """Yield random games, each as its positions."""
    chance = Random(seed)
    for _ in range(many):
        played = [rules.start()]
        while not played[-1].over and len(played) < 120:
            played.append(played[-1].play(chance.choice(played[-1].moves())))
        yield played


def sites_in(words: Sequence[int], which: Sequence[int], size: int) -> set[int]:
    """Return the sites of some sets of a position."""
    return {
        64 * place + site
        for word in which
        for place in range(-(-size // 64))
        for site in bits(words[word + place] % (1 << 64))
    }


def by_hand(rows: OpenRows, words: Sequence[int], sites: Sequence[str]) -> Counter[object]:
    """Return how many rows there are of each name, and how often a site is lacked."""
    own = [sites_in(words, which, rows.size) for which in rows.own]
    nobodys = sites_in(words, rows.nobodys, rows.size)
    found: Counter[object] = Counter()
    for row in rows.rows:
        line = set(bits(row))
        for side, mine in enumerate(own):
            others = nobodys.union(*(o for n, o in enumerate(own) if n != side))
            many = len(line & mine)
            if line & others or not 0 < many < rows.length:
                continue
            found[rows.names(side)[many - 1]] += 1
            found[rows.turn_names[many - 1]] += 1
            if many == rows.length - 1:
                (site,) = line - mine
                found[rows.names(side)[many - 1], sites[site]] += 1
    return found


def drawn(
    all_rows: Sequence[OpenRows], sites: Sequence[str], seed: str
) -> tuple[dict[str, float], dict[str, dict[str, float]]]:
    """Return any worths."""
    chance = Random(seed)
    each, at = dict[str, float](), dict[str, dict[str, float]]()
    for rows in all_rows:
        for name, more in rows.told:
            each[name] = chance.randint(-900, 900) / UNITS
            at[name] = {site: chance.randint(-90, 90) / UNITS for site in sites[:more]}
    return each, at


def worth_by_hand(
    found: Mapping[object, int], each: Mapping[str, float], at: Mapping[str, Mapping[str, float]]
) -> tuple[int, int]:
    """Return what rows are worth to the first side, and to the side on turn."""
    first = turn = 0
    for name, many in found.items():
        if isinstance(name, tuple):
            first += many * round(UNITS * at[name[0]][name[1]])
        elif str(name).endswith("on turn"):
            turn += many * round(UNITS * each[str(name)])
        else:
            first += many * round(UNITS * each[str(name)])
    return first, turn


@pytest.mark.at_night("gomoku", "gobblet", "pentago", "ultimate-tic-tac-toe")
@pytest.mark.parametrize("name", GAMES)
def test_rows_are_worth_what_plain_counting_says(name: str) -> None:
    rules = load(name)
    engine = Engine(rules)
    sites = [site.name for site in rules.game.board.sites]
    all_rows = engine.binding.rows
    assert {side for rows in all_rows for side in rows.sides} == set(rules.sides)
    each, at = drawn(all_rows, sites, name)
    table = row_table(all_rows, each, at, sites)
    compiled = Compiled(whole_of, change_of)
    seen = 0
    for game in games(rules, 3, 1):
        two: Two | None = None
        before = 0, 0
        for position in game:
            words = engine.binding.seat(position.state, 0, 0, 1).desk.words
            length = len(words)
            is_first = two is None
            if two is None:
                room = array("Words", HELD * length)
                two = Two(words=array("Words", 2 * length), length=length, held=room)
            two.words[length:] = words
            found = Counter[object]()
            for rows in all_rows:
                found += by_hand(rows, words, sites)
            expected = worth_by_hand(found, each, at)
            whole, change = (compiled(of, table, two) for of in (whole_of, change_of))
            assert (without_turn(whole), of_turn(whole)) == expected
            if not is_first:
                told = without_turn(change), of_turn(change)
                assert told == (expected[0] - before[0], expected[1] - before[1])
            before = expected
            two.words[:length] = words
            seen += any(found.values())
    assert seen > 10


def test_what_rows_are_worth_is_read_as_it_was_written() -> None:
    rules = load("connect-four")
    engine = Engine(rules)
    sites = [site.name for site in rules.game.board.sites]
    each, at = drawn(engine.binding.rows, sites, "text")
    each |= {feature.name: 0.0 for feature in engine.binding.features}
    worth = Worth("connect-four", rules_digest(rules.game), "by hand", 0, each=each, at=at)
    again = Worth.of(worth.text)
    assert again.text == worth.text
    assert "rows of Yellow with 3 of 4:\n    each:" in worth.text
    assert "rows of Yellow or Red with 2 of 4, on turn:" in worth.text
    one, other = (
        w.estimate(engine.binding.features, sites, engine.binding.rows) for w in (worth, again)
    )
    assert list(one.rows.worth) == list(other.rows.worth)
    assert any(one.rows.worth) and any(one.rows.lacking)


def test_where_nothing_is_told_of_rows_they_are_worth_nothing() -> None:
    rules = load("connect-four")
    engine = Engine(rules)
    sites = [site.name for site in rules.game.board.sites]
    each = {feature.name: 0.5 for feature in engine.binding.features}
    worth = Worth("connect-four", rules_digest(rules.game), "by hand", 0, each=each)
    found = worth.estimate(engine.binding.features, sites, engine.binding.rows)
    assert found.rows.groups == 0 and found.bytes > 0


@pytest.mark.parametrize("search", ["tree", "alpha-beta"])
def test_both_searches_judge_by_rows(search: str) -> None:
    """A row of three is worth much: so that is what is made, before anything else is known."""
    rules = load("connect-four", {"row_of": "5"})
    engine = Engine(rules)
    for side, sign in (("Yellow", 1), ("Red", -1)):
        each = {feature.name: 0.0 for feature in engine.binding.features}
        each |= {f"rows of {side} with 3 of 5": 3.0 * sign}
        worth = Worth("c", rules_digest(rules.game), "by hand", 0, each=each, search=search)
        player = Engine(rules, worth=worth, seed=1)
        position = rules.start()
        for move in ("a1", "g1", "a2", "g2"):
            position = position.play(position.parse(move))
        if side == "Red":
            position = position.play(position.parse("d1"))
        found = player.analyse(position, iterations=60).best_move
        assert str(found) == ("a3" if side == "Yellow" else "g3")


@pytest.mark.at_night("gobblet")
@pytest.mark.parametrize("name", ["connect-four", "gomoku", "gobblet", "ultimate-tic-tac-toe"])
def test_alpha_beta_judges_what_follows_as_it_judges_it_alone(name: str) -> None:
    rules = load(name)
    binding = Engine(rules).binding
    sites = [site.name for site in rules.game.board.sites]
    each, at = drawn(binding.rows, sites, name)
    each |= {feature.name: 0.125 for feature in binding.features}
    worth = Worth(name, rules_digest(rules.game), "by hand", None, 0.25, 0.5, each, at)
    deepening = Engine(rules, worth=worth, search="alpha-beta", memory=1 << 24)._deepening
    assert deepening is not None
    (game,) = games(rules, 1, 3)
    for position in game[2:12:3]:
        deepening.analyse(position, seconds=None, iterations=1)
        walk = deepening._walk
        told = list(walk.values[1 : 1 + len(position.moves())])
        for move, value in list(zip(position.moves(), told, strict=True))[:12]:
            after = position.play(move)
            if not after.over:
                deepening.analyse(after, seconds=None, iterations=1)
                assert walk.values[0] == value, move


@pytest.mark.at_night("gomoku", "gobblet", "pentago", "ultimate-tic-tac-toe")
@pytest.mark.parametrize("name", GAMES)
def test_columns_count_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gdl.interpreter.search.evaluation.open_rows._AT_ONCE", 7)
    rules = load(name)
    engine = Engine(rules)
    sites = [site.name for site in rules.game.board.sites]
    (game,) = games(rules, 1, 2)
    seats = [engine.binding.seat(position.state, 0, 0, 1) for position in game]
    size = engine.binding.fields.bytes
    data = np.array([list(seat.desk.position[:size]) for seat in seats], np.uint8)
    signs = np.array([[1 if p.mover == rules.sides[0] else -1] for p in game], np.float32)
    for rows in engine.binding.rows:
        columns = rows.columns(data, signs)
        names: list[object] = []
        for name_of, more in rows.told:
            names += [name_of, *((name_of, site) for site in sites[:more])]
        whole = np.concatenate(columns, axis=1)
        assert whole.shape == (len(game), len(names))
        for number, seat in enumerate(seats):
            found = by_hand(rows, seat.desk.words, sites)
            for column, named in enumerate(names):
                sign = signs[number, 0] if str(named).endswith("on turn") else 1
                assert whole[number, column] == sign * found[named], named
