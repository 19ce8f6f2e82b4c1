"""The shipped games: they load, and what their files say of themselves holds and means something.

A rule that no example needs could be lost without anyone's noticing; an entry of an example that
can't fail says nothing. So each rule is taken out here, and each entry falsified.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import pytest
from game_pages import plain
from library_games import deep_games, deep_marks, shipped

from gdl.core.types import FLAG, FRACTION, NUMBER, SITES
from gdl.diagnostic import GameError, Source, Span
from gdl.document.nodes import Mapping, Node, Scalar, Sequence
from gdl.interpreter.check import check_game
from gdl.interpreter.positions.examples import example_position, run_examples
from gdl.interpreter.positions.examples import run as running
from gdl.load import find_game, load_game, load_source, shipped_names
from gdl.model import Game

SHIPPED = shipped_names()
DEAR_EXAMPLES = {
    "catchup",
    "connect6",
    "dark-chess",
    "hive",
    "royal-game-of-ur",
    "tak",
    "trellis",
    "trichet",
    "twixt",
    "zertz",
}
"""Games whose examples take so long that they are held by day only after a change of the game."""
MOST_LINES = {"hex": 15, "breakthrough": 20, "othello": 25, "troll": 30, "taifas": 35}
MOST_LINES |= {"go": 40, "trichet": 60}


@pytest.mark.parametrize("name", deep_games(SHIPPED))
def test_there_is_nothing_to_find(name: str) -> None:
    assert check_game(name) == ()


@pytest.mark.parametrize("name", deep_games(SHIPPED))
def test_loads_with_each_number_at_its_least(name: str) -> None:
    for option in shipped(name).options:
        least = re.match(r"(\d+)\.\.", option.allowed)
        if least:
            assert load_game(name, {option.name: least[1]}).name == name


@pytest.mark.parametrize("name", SHIPPED)
def test_says_what_it_is(name: str) -> None:
    credits = shipped(name).credits
    assert credits["family"]
    assert credits["about"]
    assert credits["source"]


@pytest.mark.parametrize(("name", "most"), MOST_LINES.items())
def test_is_as_short_as_it_should_be(name: str, most: int) -> None:
    beside = r"^(?:examples|display|notation|rules):.*\n(?:[ \n].*\n?)*"
    rules = re.sub(beside, "", find_game(name).text, flags=re.MULTILINE)
    assert len(plain(rules).split("\n")[1:-1]) <= most


# --------------------------------------------------------------------- examples


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=deep_marks(name, frozenset()) if name in DEAR_EXAMPLES else [])
        for name in SHIPPED
    ],
)
def test_examples_hold(name: str) -> None:
    results = run_examples(shipped(name))
    assert results
    assert [d.message for result in results for d in result.diagnostics] == []


def scalar(text: str) -> Scalar:
    return Scalar(text, Span(Source("falsified", text), 0, len(text)))


def listed(node: Node) -> list[str]:
    if isinstance(node, Sequence):
        return [item.text for item in node.items if isinstance(item, Scalar)]
    assert isinstance(node, Scalar)
    return [part.strip() for part in node.text.split(",") if part.strip()]


def other_boards(game: Game, text: str) -> Iterator[str]:
    """Yield a picture with its first empty site filled, and one with its first piece taken."""
    if "." in text:
        yield text.replace(".", game.layers[0].symbol, 1)
    taken = re.sub(r"\([^()]*\)|[^./\s]", ".", text, count=1)
    if taken != text:
        yield taken


def other_value(game: Game, key: Scalar, text: str, side: int) -> str:
    kind = game.words.expression(key.span, side).type
    if kind.values and text not in kind.values:
        kind = SITES  # A side or a kind of piece stands for its pieces here.
    changed = {SITES: f"all - ({text})", FLAG: f"not ({text})"}
    changed |= {NUMBER: f"({text}) + 1", FRACTION: f"({text}) + 1"}
    if kind in changed:
        return changed[kind]
    return next(value for value in kind.values if value.lower() != text.lower())


def other_sights(node: Mapping) -> Iterator[Node]:
    """Yield entries of `sees` in which one side sees something else."""
    for side, told in node.entries:
        entries = [(None, told)] if isinstance(told, Scalar) else list(told.entries)  # type: ignore[union-attr]
        for key, value in entries:
            assert isinstance(value, Scalar)
            rows = key is None or key.text == "board"
            other = scalar(value.text.replace(value.text[0], "%") if rows else value.text + "1")
            inner = other if key is None else Mapping(((key, other),), node.span)
            yield Mapping(((side, inner),), node.span)


def falsified(game: Game, example: Mapping, side: int) -> Iterator[tuple[str, Node]]:
    """Yield entries that contradict those of the example."""
    for key, node in example.entries:
        text = node.text.strip() if isinstance(node, Scalar) else ""
        match key.text:
            case "after":
                assert isinstance(node, Mapping)
                yield from falsified(game, node, side)
            case "before":
                assert isinstance(node, Mapping)
                for name, other in falsified(game, node, side):
                    yield "before", Mapping(((scalar(name), other),), node.span)
            case "legal" | "illegal":
                opposite = {"legal": "illegal", "illegal": "legal"}[key.text]
                yield from ((opposite, scalar(move)) for move in listed(node))
            case "only":
                moves = listed(node)
                for left_out in moves:
                    others = tuple(scalar(move) for move in moves if move != left_out)
                    yield "only", Sequence(others, node.span)
            case "count":
                yield "count", scalar(str(int(text) + 1))
            case "winner":
                for winner in {*game.sides, "draw", "nobody"} - {text}:
                    yield "winner", scalar(winner)
            case "board":
                yield from (("board", scalar(other)) for other in other_boards(game, text))
            case "to_move":
                yield from (("to_move", scalar(name)) for name in game.sides if name != text)
            case "sees":
                assert isinstance(node, Mapping)
                yield from (("sees", other) for other in other_sights(node))
            case "stuck":
                yield "stuck", scalar({"yes": "no", "no": "yes"}[text])
            case "payoffs":
                assert isinstance(node, Mapping)
                for name, value in node.entries:
                    assert isinstance(value, Scalar)
                    other = scalar(f"({value.text}) + 1")
                    yield "payoffs", Mapping(((name, other),), node.span)
            case "values":
                assert isinstance(node, Mapping)
                for expression, value in node.entries:
                    assert isinstance(value, Scalar)
                    other = scalar(other_value(game, expression, value.text, side))
                    yield "values", Mapping(((expression, other),), node.span)


SETTING_UP = {"name", "options", "variant", "variants", "rows", "setup", "mover", "phase", "seats"}
SETTING_UP |= {"state", "turns", "passed"}


@pytest.mark.at_night("minichess", "troll")
@pytest.mark.parametrize("name", deep_games(SHIPPED))
def test_every_entry_of_an_example_can_fail(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = shipped(name)
    games: dict[str, Game] = {}

    def loaded(source: Source, options: object, variants: object) -> Game:
        key = repr((options, variants))
        if key not in games:
            games[key] = load_source(source, options, variants)  # type: ignore[arg-type]
        return games[key]

    monkeypatch.setattr(running, "load_source", loaded)
    for number, example in enumerate(usual.examples, start=1):
        setting_up = tuple(e for e in example.entries if e[0].text in SETTING_UP | {"play"})
        label = example.get("name")
        title = label.text if isinstance(label, Scalar) else str(number)
        position = example_position(usual, title)
        entries = list(falsified(position.rules.game, example, position.side))
        assert entries, f"{title}: nothing is expected"
        for key, node in entries:
            document = Mapping((*setting_up, (scalar(key), node)), example.span)
            (result,) = run_examples(replace(usual, examples=(document,)))
            assert {d.code for d in result.diagnostics} == {"example-failed"}, (title, key, node)


# ------------------------------------------------------------------ rules taken out

# Games whose examples need not show every clause of their ends and every statement of their turns.
UNSHOWN = {
    "abalone",
    "ataxx",
    "brandubh",
    "clobber",
    "dameo",
    "dvonn",
    "fox-and-geese",
    "halma",
    "havannah",
    "kalah",
    "konane",
    "lines-of-action",
    "minichess",
    "pente",
    "quoridor",
    "royal-game-of-ur",
    "twixt",
}
SHOWN = [name for name in SHIPPED if name not in UNSHOWN]

LONG_EXAMPLES = {"hive", "trellis", "trichet"}
LONG_TURNS = {"trichet"}  # Without some of its statements its loop goes round to the limit.

# Rules that stand inside an expression: the text, and what stays of it.
PARTS = [
    ("amazons", "choose b in slides(a, compass, empty)", "choose b in adjacent(a) & empty"),
    ("amazons", "slides(b, compass, empty)", "slides(b, compass, empty) - inverse(north)(b)"),
    ("arimaa", "own & adjacent(own) | own", "own"),
    ("arimaa", " - back(mover)(s & own & Rabbit)", ""),
    ("arimaa", " when step < 4", ""),
    ("arimaa", "if step = 1\n", "if step > 0\n"),
    ("arimaa", " - union k in kinds of k & adjacent(enemy & above(k))", ""),
    ("arimaa", "changed and ", ""),
    ("arimaa", " and seen(board, mover, step) < 2", ""),
    ("arimaa", " & free & above(kind(s))", " & free"),
    ("arimaa", "step = 1 and some own", "some own"),
    ("arimaa", "any wins when step = 1 and no enemy & Rabbit", "any wins when no all"),
    ("arimaa", "some own & Rabbit & goal(own)", "no all"),
    ("arimaa", "any wins when step = 1 and some", "mover wins when step = 1 and some"),
    ("blocs", "row(t) >= row(s) and ", ""),
    ("blocs", " and column(t) <= column(s)", ""),
    ("blocs", "row(t) <= row(s) and ", ""),
    ("blocs", " and column(t) >= column(s)", ""),
    ("blocs", "choose s in Black", "choose s in all"),
    ("blocs", "seen(board, mover) >= 2", "seen(board, mover) >= 1"),
    ("blocs", "seen(board, mover) >= 2", "seen(board) >= 2"),
    ("blocs", "seen(board, mover) >= 2", "no all"),
    ("breakthrough", " | (east | west)(ahead(mover)(a)) - own", ""),
    ("breakthrough", "no enemy or ", ""),
    ("breakthrough", " or some s in own where no ahead(own)(s)", ""),
    ("bridg-it", "diagonal | along(Black)", "along(Black)"),
    ("bridg-it", "above from upright | beside", "beside"),
    ("bridg-it", " | beside - (beside from upright)", ""),
    ("bridg-it", "diagonal | along(White)", "along(White)"),
    ("bridg-it", "beside from upright | above", "above"),
    ("bridg-it", " | above - (above from upright)", ""),
    ("connect-four", " & (bottom | north(occupied))", ""),
    ("connect-four", "north(occupied)", "occupied"),
    ("dameo", "(northwest, north, northeast)", "(northwest, northeast)"),
    ("dameo", "ways: orthogonal", "ways: compass"),
    ("dameo", "run(s, d, own & Man) | s", "s"),
    ("dameo", "run(s, d, own & Man) | s", "run(s, d, own) | s"),
    ("dameo", "slides(s, compass, empty)", "slides(s, orthogonal, empty)"),
    ("dark-chess", " & forward(own)(enemy)", ""),
    ("dark-chess", " when some d(run(s, d, empty)) & castling", ""),
    ("dark-chess", "step(s) | double(s) | ", ""),
    ("dark-chess", "(enemy | passing)", "enemy"),
    ("dark-chess", "compass(s) | castles(s)", "compass(s)"),
    ("dark-chess", "pieces: own | ", "pieces: "),
    ("dark-chess", " | reached", ""),
    ("dark-chess", " | passer", ""),
    ("dark-hex", "sees: {pieces: own | come_upon}\n", ""),
    ("dark-hex", "sees: {pieces: own | come_upon}", "sees: {pieces: own}"),
    ("dark-hex", "sees: {pieces: own | come_upon}", "sees: {pieces: come_upon}"),
    ("dark-hex", " - found(mover)", ""),
    ("draughts", " where some hops(a) or not taking", ""),
    ("draughts", "union d in diagonal of jump(s & King, d, enemy, empty)", "none"),
    ("draughts", " | diagonal(s & King)", ""),
    ("draughts", "jump(s, d, enemy, empty)", "jump(s, d, enemy | own, empty)"),
    ("frisian-draughts", ", upward, inverse(upward)", ""),
    ("frisian-draughts", ", rightward, inverse(rightward)", ""),
    ("frisian-draughts", "199", "200"),
    ("frisian-draughts", "199", "100"),
    ("frisian-draughts", " + count(spot & King)", ""),
    ("frisian-draughts", "tired(a) < 3 or no own & Man", "tired(a) < 3"),
    ("frisian-draughts", " and (tired(a) < 3 or no own & Man)", ""),
    ("frisian-draughts", " and not taking and some own & Man", " and some own & Man"),
    ("frisian-draughts", "no Man and ", ""),
    ("frisian-draughts", " or is_over(2, 4)", ""),
    ("frisian-draughts", "is_over(3, 14) or ", ""),
    ("backgammon", "a > b then White else Black", "a > b then Black else White"),
    ("backgammon", " where b != a", ""),
    ("backgammon", "if a = b then 4 else 2", "2"),
    ("backgammon", "height(s) > 1", "height(s) > 0"),
    ("backgammon", "hand(mover) = 0 and point(mover, man) <= back", "point(mover, man) <= back"),
    ("backgammon", " and point(mover, man) <= back", ""),
    ("backgammon", "          require used <= before         ", "          # "),
    ("backgammon", "used = back or used > back and back = hindmost", "used >= back"),
    ("backgammon", "used = back or used > back and back = hindmost", "used = back"),
    ("backgammon", "keep most pips", "keep most rest"),
    ("backgammon", " and men(enemy) = 15", ""),
    ("backgammon", "hand(enemy) > 0 or some enemy & home(mover)", "hand(enemy) > 0"),
    ("backgammon", "hand(enemy) > 0 or some enemy & home(mover)", "some enemy & home(mover)"),
    ("gipf", "(east, northeast, northwest)", "(east, northeast)"),
    ("gipf", "(east, northeast, northwest)", "(east, northwest)"),
    ("gipf", "(east, northeast, northwest)", "(northeast, northwest)"),
    ("gipf", " and some run(a, d, occupied) & last_of_four(d)", ""),
    ("gipf", "no opposite(d)(a) & occupied and ", ""),
    ("gipf", "no d(b) & occupied", "b in occupied"),
    ("gipf", "some line_on(s, t) & empty", "t in spots"),
    ("gipf", "shift pushed(s, t)", "shift t"),
    ("gipf", "stuck: loses", "stuck: passes"),
    ("gipf", " and not (a | run(a, d, occupied)) in kept", ""),
    ("gipf", "        add 2 * count(taken & own & Gipf) to hand(mover)\n", "\n"),
    ("gipf", "            add g to taken\n", "            add none to taken\n"),
    ("gipf", "require not opening(mover) or turns > 1", "require yes"),
    ("gipf", "require opening(mover) and", "require"),
    ("gipf", "          set opening(mover) = no\n", "\n"),
    ("gipf", "if tournament then reserve + 6 else reserve", "reserve"),
    ("gipf", "mover wins when turns > 1 and no enemy & Gipf", "mover wins when no all"),
    ("gipf", "mover loses when turns > 1 and no own & Gipf", "mover loses when no all"),
    ("gipf", " when not tournament", ""),
    ("go", "    require some liberties(connected(s, adjacent, own))\n", ""),
    ("go", "    require not superko or seen(board) = 0\n", ""),
    ("go", "count(Black) + count(reached(Black) - reached(White))", "count(Black)"),
    ("go", " - reached(White)", ""),
    ("go", " + komi", ""),
    ("goofspiel", "      pieces: prizes | (bottom when own = First)", "      pieces: prizes"),
    ("goofspiel", " | (top when own = Second)", " | top"),
    ("goofspiel", "points(own) - points(enemy)", "points(own)"),
    ("goofspiel", "values: prize, points(First), points(Second)", "values: prize"),
    ("gomoku", " - (longer(d) when exactly)", ""),
    ("gomoku", "(north, northeast, east, southeast)", "(north, east)"),
    ("gomoku", "0..4", "0..3"),
    ("hive", " - inverse(l)(H) & inverse(r)(H)", ""),
    ("hive", "step(b) - a - s", "step(b) - a"),
    ("hive", "max(height(s) - 1, height(t))", "9"),
    ("hive", "empty - adjacent(enemy)", "empty"),
    ("hive", "turns > 1 or queen_first", "yes"),
    ("hive", " or turns < 6", " or turns < 8"),
    ("hive", "height(s) > 1 or count", "count"),
    ("hive", "height(s) > 1 or count groups(occupied - s, adjacent) = 1", "yes"),
    ("hive", "where height(m) = 1 and some adjacent(m) & k", "where height(m) = 1"),
    ("hive", "where height(m) = 1 and some", "where some"),
    ("hive", "if height(s) > 1 then goals(Beetle, s) else\n        union", "union"),
    ("hive", " when some k & adjacent(s)", ""),
    ("hive", "copied(Mosquito, s): none", "copied(Mosquito, s): goals(Queen, s)"),
    ("hive", "adjacent(b) & empty where clear(b, t, height(b))", "adjacent(b) & empty"),
    ("hive", "occupied - s where clear(a, b, max(height(a), height(b)))", "occupied - s"),
    ("hive", "goals(Pillbug, s): slide(occupied - s)(s)", "goals(Pillbug, s): none"),
    ("hive", "moved when passed = 0", "moved"),
    ("hive", "own & like(Pillbug) - resting", "like(Pillbug) - resting"),
    ("hive", "own & like(Pillbug) - resting", "own & like(Pillbug)"),
    ("hive", "own & like(Pillbug)", "own & Pillbug"),
    ("hive", "empty where clear(p, t, 1)", "empty"),
    ("hive", "when height(s) = 1 and clear(s, p, 1)", "when clear(s, p, 1)"),
    ("hive", "when height(s) = 1 and clear(s, p, 1)", "when height(s) = 1"),
    ("hive", "choose s in occupied - resting where", "choose s in occupied where"),
    ("hive", " when s in own", ""),
    ("hex", "top, bottom, adjacent", "top, bottom, adjacent | adjacent^2"),
    ("hex", "left, right, adjacent", "left, right - top, adjacent"),
    ("hex", "pie and turns = 1", "no"),
    ("lasca", "some s in own where some hops(s, none)", "no all"),
    ("lasca", "jump(s, d, enemy - past, empty)", "jump(s, d, enemy, empty)"),
    ("lasca", "jump(s & Officer, d, enemy - past, empty)", "jump(s & Officer, d, enemy, empty)"),
    ("lasca", "(union d in diagonal of jump(s & Officer, d, enemy - past, empty))", "none"),
    ("lasca", " | diagonal(s & Officer)", ""),
    ("lasca", "move 1 of over under b", "remove 1 of over"),
    ("lasca", "move 1 of over under b", "move 1 of over onto b"),
    ("lasca", "move 1 of over under b", "move over under b"),
    ("nine-mens-morris", "if some loose then loose else mills(enemy)", "loose"),
    ("nine-mens-morris", "if some loose then loose else mills(enemy)", "enemy"),
    ("nine-mens-morris", "if count(own) = 3 then empty else adjacent(a) & empty", "empty"),
    ("nine-mens-morris", "if count(own) = 3 then empty else adjacent(a)", "adjacent(a)"),
    ("nine-mens-morris", " + hand(enemy)", ""),
    ("nine-mens-morris", " or quiet >= 100", ""),
    ("othello", "where some caught(s, enemy, own)", ""),
    ("pentago", "if not in_a_row(own, 5)", "if yes"),
    ("pentago", " and in_a_row(enemy, 5)", ""),
    ("pentago", "2 - (column(a) - 1) mod 3", "(column(a) - 1) mod 3"),
    ("phantom-tic-tac-toe", "sees: {pieces: own | come_upon}\n", ""),
    ("phantom-tic-tac-toe", "sees: {pieces: own | come_upon}", "sees: {pieces: own}"),
    ("phantom-tic-tac-toe", " - found(mover)", ""),
    ("quadrant-hex", "q - southeast(q), q - northwest(q)", "q - east(q), q - west(q)"),
    ("quadrant-hex", "q - east(q), q - west(q)", "q - southeast(q), q - northwest(q)"),
    ("quadrant-hex", "adjacent, Black & q", "adjacent, Black"),
    ("quadrant-hex", "adjacent, White & q", "adjacent, White"),
    ("quadrant-hex", ", all)\n", ")\n"),
    ("quadrant-hex", ">= 3", ">= 2"),
    ("quadrant-hex", ">= 3", ">= 4"),
    ("quadrant-hex", "swap: turns = 1", "swap: no"),
    ("quadrant-hex", "swap: turns = 1", "swap: turns >= 1"),
    ("stratego", "where count(own & k) < army(k)", ""),
    ("stratego", "camp(mover) & empty", "empty"),
    ("stratego", "camp(mover) & empty", "camp(mover)"),
    ("stratego", "if count own < strength\n      again\n    else if", "if"),
    ("stratego", "if count enemy = strength", "if no all"),
    ("stratego", "own - Bomb - Flag\n", "own - Flag\n"),
    ("stratego", "own - Bomb - Flag\n", "own - Bomb\n"),
    ("stratego", "(orthogonal(s) | far(s)) - own", "(orthogonal(s) | far(s)) & empty"),
    ("stratego", "(orthogonal(s) | far(s)) - own", "orthogonal(s) | far(s)"),
    ("stratego", "(orthogonal(s) | far(s)) - own", "far(s) - own"),
    ("stratego", "(orthogonal(s) | far(s)) - own", "orthogonal(s) - own"),
    ("stratego", " when s in Scout", ""),
    ("stratego", "if t in far(s)", "if s in Scout"),
    ("stratego", "ray(s, d, empty)) - orthogonal(s)", "ray(s, d, empty))"),
    ("stratego", "  beats(Spy, Marshal): yes\n", ""),
    ("stratego", "  beats(Miner, Bomb): yes\n", ""),
    ("stratego", "rank(a) > rank(b)", "rank(a) < rank(b)"),
    ("stratego", "add s | t to known", "add s to known"),
    ("stratego", "add s | t to known", "add t to known"),
    ("stratego", "(s when not victory)", "s"),
    ("stratego", " or equal)", ")"),
    ("stratego", "s = gone_to(own) and t", "t"),
    ("stratego", "where some orthogonal(s) - enemy", "where some orthogonal(s) & empty"),
    ("stratego", "where some orthogonal(s) - enemy", "where some all"),
    ("stratego", "kinds: own | known", "kinds: known"),
    ("stratego", "kinds: own | known", "kinds: own"),
    ("stratego", "values: hand, quiet", "values: quiet"),
    ("taifas", "if some p then sum", "if yes then sum"),
    ("taifas", "if some p then count", "if yes then count"),
    ("taifas", "gain > 0", "gain >= 0"),
    ("taifas", "gain > 0", "gain != 0"),
    ("taifas", "gain != 0", "gain > 0"),
    ("taifas", "1 / count(g)", "1"),
    ("taifas", "(all - p, orthogonal)", "(all - p, compass)"),
    ("taifas", "swap: turns = 1", "swap: no"),
    ("taifas", "swap: turns = 1", "swap: turns >= 1"),
    ("taifas", "swap: no}", "swap: turns = 1}"),
    ("tic-tac-toe", "row_of)", "3)"),
    ("trellis", "top, bottom, link(Black)", "top, bottom, orthogonal"),
    ("trellis", "top, bottom,", "top - corners, bottom,"),
    ("trellis", "left, right, link(White)", "left, right, orthogonal"),
    ("trellis", "orthogonal | diagonal - over_dark", "diagonal - over_dark"),
    ("trellis", "orthogonal | over_dark", "over_dark"),
    ("trellis", " = (corner = dark)", ""),
    ("trellis", " = gap", " = 3"),
    ("trellis", " & apart(a)", ""),
    ("trellis", " unordered with a", ""),
    ("trellis", "< 10", "< 9"),
    ("trellis", "< 10", "< 11"),
    ("trellis", "some dropped and ", ""),
    ("trellis", " when counted", ""),
    ("trellis", "else 0", "else mirrored(mover)"),
    ("trellis", "(quarter^2, quarter^2)", "(quarter^2, quarter)"),
    ("trellis", "(quarter, quarter^3)", "(quarter, quarter)"),
    ("trellis", ", chain(flipped, quarter^3)", ""),
    ("trellis", "{seat: 1, end: any wins when won(own),", "{seat: 1, end: draw when no all,"),
    ("trellis", "{seat: 1, end: any wins when won(own),", "{seat: 1,"),
    ("trellis", "turns = 2 go", "turns = 1 go"),
    ("trellis", "; next White", ""),
    ("trellis", "play: do drop(yes)", "play: do drop(no)"),
    ("trellis", "turn: do drop(yes), swap: turns = 1", "turn: do drop(yes)"),
    ("trellis", "turn: do drop(yes), swap: turns = 1", "turn: do drop(yes), swap: turns >= 1"),
    ("trellis", "place Stone at s, end: any wins", "place Stone at s, end: any loses"),
    ("trellis-original", "link(Black), Black & q", "link(Black), Black"),
    ("trellis-original", "link(White), White & q", "link(White), White"),
    ("trellis-original", "link(Black), Black & q", "orthogonal, Black & q"),
    ("trellis-original", " = (corner = dark)", ""),
    ("trellis-original", "half + 1, 2 * half + 1", "half + 2, 2 * half + 1"),
    ("trellis-original", "eastern, all)", "eastern)"),
    ("trellis-original", ">= 3", ">= 2"),
    ("trellis-original", ">= 3", ">= 4"),
    ("trichet", "known = 3 and mixed(t) or ", ""),
    ("trichet", "cells & adjacent(s)", "cells & touching(s)"),
    ("trichet", " * 2 + (if t in down then 1 else 0)", ""),
    ("trichet", "height(t) * 1000 + width(t)", "width(t) * 1000 + height(t)"),
    ("trichet", "min u in now", "max u in now"),
    ("trichet", "count(Tile) < tiles and ", ""),
    ("trichet", "no g & incident(cells - Tile) and ", ""),
    ("trichet", " and count(incident(g)) >= enough", ""),
    ("tak", "min(size, height(s))", "height(s)"),
    ("tak", " and held = 1", ""),
    ("tak", " and spot in Capstone", ""),
    ("tak", "some t - Wall - Capstone", "some t - Wall"),
    ("tak", "some t - Wall - Capstone", "some t - Capstone"),
    ("tak", "joined(left, right, adjacent, own - Wall)", "joined(left, right, adjacent, own)"),
    ("tak", " or joined(bottom, top, adjacent, own - Wall)", ""),
    ("tak", "own & Flat) + (if own = Black then komi else 0)", "own & Flat)"),
    ("tak", "count(own & Flat)", "count own"),
    ("tak", "where hand(p) = 0", "where hand(p, Flat) = 0"),
    ("tak", "full or ", ""),
    ("tak", "enemy Flat", "Flat"),
    ("troll", " or catch_opens and some caught(s)", ""),
    ("troll", " - corners - home(enemy)", ""),
    ("troll", " - home(enemy)", ""),
    ("troll", "stuck: loses", "stuck: passes"),
    ("tzaar", "height(t) <= height(s)", "yes"),
    ("tzaar", "ray(s, d, empty)", "d(s)"),
    ("tzaar", "not opening and ", ""),
    ("tzaar", " and every k in kinds has some enemy & k", ""),
    ("tzaar", " | met(a) & own", ""),
    ("tzaar", "some k in kinds where no own & k", "no all"),
    ("tzaar", "any loses", "enemy loses"),
    ("yinsh", "passed = 2 or ", ""),
    ("yinsh", " and no p in players where has_row(p)", ""),
    ("yinsh", "(east, northeast, northwest)", "(east, northeast)"),
    ("yinsh", "(east, northeast, northwest)", "(east, northwest)"),
    ("yinsh", "has_row(own) or not moved", "has_row(own)"),
    ("yinsh", "has_row(own) or not moved", "not moved"),
    ("yinsh", "run(s, d, empty) | d(jumped(s, d)) & empty", "run(s, d, empty)"),
    ("yinsh", "stuck: passes", "stuck: loses"),
    ("zertz", "occupied, vacant)", "occupied, empty)"),
    ("zertz", "(d(s) | turned(d)(s)) & rings", "d(s) & rings"),
    ("zertz", "sites s in vacant where some d", "sites s in empty where some d"),
    ("zertz", "if pooled then pool(k) else captured(mover, k)", "pool(k)"),
    ("zertz", "no g & empty", "some g & occupied"),
    ("zertz", "White: of_each + 1", "White: of_each"),
    ("zertz", "Grey: of_each + 2", "Grey: of_each + 3"),
    ("zertz", "Black: of_each + 3", "Black: of_each + 4"),
    ("zertz", ">= of_each", "> of_each"),
    ("y", "left, right, bottom", "left, right"),
    ("y", "left, right, bottom", "left, bottom"),
    ("y", "left, right, bottom", "right, bottom"),
]


def without(source: Source, old: str, new: str) -> Game:
    rules, marker, examples = source.text.partition("\nexamples:")
    assert rules.count(old) >= 1
    return load_source(Source(source.name, rules.replace(old, new) + marker + examples))


def cut(source: Source, span: Span, old: str) -> Game | None:
    """Return the game without this part of the span; None if it can't be loaded so."""
    start = source.text.index(old, span.start)
    assert start < span.end
    text = source.text[:start] + source.text[start + len(old) :]
    try:
        return load_source(Source(source.name, text))
    except GameError:
        return None


def an_example_fails(game: Game) -> bool:
    one_each = (replace(game, examples=(example,)) for example in game.examples)
    return any(not result.passed for one in one_each for result in run_examples(one))


def test_parts_that_are_taken_out_stand_in_their_games() -> None:
    assert [part for part in PARTS if part[1] not in find_game(part[0]).text] == []


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        pytest.param(
            *part, marks=deep_marks(part[0]) + [pytest.mark.slow] * (part[0] in LONG_EXAMPLES)
        )
        for part in PARTS
    ],
)
def test_every_part_of_a_rule_is_needed(name: str, old: str, new: str) -> None:
    assert an_example_fails(without(find_game(name), old, new))


def clauses(document: Mapping) -> Iterator[tuple[Span, str]]:
    """Yield each clause that ends the game: its span, and the text to take out."""
    phases = document.get("phases")
    tables = [document]
    if isinstance(phases, Mapping):
        tables += [phase for _, phase in phases.entries if isinstance(phase, Mapping)]
    for table, section in product(tables, ("stuck", "end")):
        entry = table.entry(section)
        if entry is None:
            continue
        key, node = entry
        if isinstance(node, Sequence) and len(node.items) > 1:
            source = node.span.source
            for item in node.items:
                written = source.text[item.span.start : item.span.end]
                before = source.text[: item.span.start]
                dash = re.search(r"\n *- $", before)
                if dash is not None:
                    yield key.span.to(node.span), dash[0] + written
                else:
                    following = source.text[item.span.end :]
                    comma = re.match(r",\s*", following)
                    text = written + comma[0] if comma else written
                    yield key.span.to(node.span), text
        else:
            whole = key.span.to(node.span)
            yield whole, whole.text


@pytest.mark.parametrize("name", deep_games(SHOWN))
def test_every_end_is_needed(name: str) -> None:
    source = find_game(name)
    tried = 0
    for span, text in clauses(shipped(name).document):
        if span.source.name != source.name:
            continue
        game = cut(source, span, text)
        if game is not None:
            tried += 1
            assert an_example_fails(game), f"no example needs `{text.strip()}`"
    assert tried


def programs(node: Node, inside: bool = False) -> Iterator[Scalar]:
    """Yield the texts of the turns and actions in a game's document."""
    if isinstance(node, Mapping):
        for key, value in node.entries:
            if key.text not in ("examples", "variants"):
                yield from programs(value, inside or key.text in ("turn", "actions", "phases"))
    elif isinstance(node, Scalar) and inside and "\n" in node.text:
        yield node


def statements(program: Scalar) -> Iterator[str]:
    """Yield the lines of a program that are a whole statement each."""
    lines = [line for line in program.span.text.splitlines() if line.strip()]
    indents = [len(line) - len(line.lstrip()) for line in lines]
    for line, indent, following in zip(lines, indents, [*indents[1:], 0], strict=True):
        if following <= indent:
            yield line


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=deep_marks(name) + [pytest.mark.slow] * (name in LONG_TURNS))
        for name in SHOWN
    ],
)
def test_every_statement_is_needed(name: str) -> None:
    source = find_game(name)
    for program in programs(shipped(name).document):
        if program.span.source.name != source.name:
            continue
        written = list(statements(program))
        for line in written:
            game = cut(source, program.span, line)
            if game is not None and written.count(line) == 1:
                assert an_example_fails(game), f"no example needs `{line.strip()}`"
