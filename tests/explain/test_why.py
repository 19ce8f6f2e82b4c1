"""`why`: what the rules say, with places, values and witnesses; none of it is a guess."""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from command_line import gdl
from library_games import deep_games
from reached import after

from gdl.board.relation import bits
from gdl.core.types import SITES
from gdl.diagnostic import GameError, Source, Span
from gdl.interpreter.evaluation.moves import Move, MoveError, words
from gdl.interpreter.explain.answers import why
from gdl.interpreter.explain.explanation import Explanation
from gdl.interpreter.explain.legal import way_of
from gdl.interpreter.explain.moment import rules_of
from gdl.interpreter.explain.reasons import Reason, leaves_of
from gdl.interpreter.explain.telling import explanation_text
from gdl.interpreter.explain.turn import Turns
from gdl.interpreter.positions.position import Position, Rules
from gdl.interpreter.sessions.notation import unspelled
from gdl.load import OptionValue, load_game, load_source, shipped_names

SMALLER: dict[str, dict[str, OptionValue]] = {
    "trellis": {"size": 7},
    "trichet": {"tiles": 8},
    "tumbleweed": {"size": 3},
}
MOST_MOVES = 2500
ENOUGH = 20


def played(
    name: str, moves: str = "", variants: tuple[str, ...] = (), **options: OptionValue
) -> tuple[list[Position], list[Move]]:
    positions = [Rules(load_game(name, options, variants)).start()]
    made: list[Move] = []
    for text in filter(None, (part.strip() for part in moves.split(","))):
        made.append(positions[-1].parse(text))
        positions.append(positions[-1].play(made[-1]))
    return positions, made


def asked(
    name: str, text: str, moves: str = "", variants: tuple[str, ...] = (), **options: OptionValue
) -> Explanation:
    return why(*played(name, moves, variants, **options), text)[-1]


def names(told: Explanation, sites: int) -> set[str]:
    board = told.position.rules.game.board
    return {site.name for site in board.sites if sites >> site.index & 1}


def texts(told: Explanation) -> dict[str, str]:
    return {r.text: r.shown for reason in told.reasons() for r in leaves_of(reason)}


# ------------------------------------------------------------------------ legal or not


def test_a_condition_that_fails_is_told_with_its_parts() -> None:
    told = asked("troll", "a1", "d1, a4")
    assert told.about == "illegal"
    (ruling,) = told.rulings
    assert ruling.span is not None and ruling.span.line == 21
    assert ruling.text.startswith("choose s in empty where")
    found = texts(told)
    assert found["some caught(a1)"] == "no" and found["caught(a1)"] == "empty"
    assert found["a1 in corners"] == "yes"
    assert names(told, told.witness.sites) == {"a1"}
    assert told.nearest[0] in {move.text for move in told.position.moves()}


def test_an_occupied_site_is_not_among_the_empty_ones() -> None:
    told = asked("hex", "c3", "c3", size=5)
    assert texts(told) == {"c3 in empty": "no"}
    assert told.rulings[0].sentence == "`s` can't be c3, which is not one of these"


@pytest.mark.at_night("hive")
@pytest.mark.parametrize(
    ("name", "move", "moves", "told"),
    [
        ("troll", "a3", "", "a3 is on the left side or on the right side and there is no disc"),
        (
            "troll",
            "a1",
            "d1, a4",
            "a1 is in a corner, a1 is on the left side or on the right side and",
        ),
        ("hex", "c3", "c3", "c3 is not empty."),
        ("breakthrough", "a2 b4", "", "b4 is not directly north of a2"),
        ("chess", "e2 e5", "", "e5 is not a site that e2 can go to."),
        ("chess", "a2 a3", "e2 e4, e7 e5, d2 d3, f8 b4", "Something attacks your King."),
        ("go", "c2", "b1, c1, a2, d2, b3, c3, c2, b2", "This position has come up before."),
        ("twixt", "a12", "", "a12 is on the left side or on the right side."),
        ("quoridor", "e1 h", "e1 h", "A wall stands at e1."),
        ("quoridor", "d1 h", "e1 h", "A horizontal wall ends at d1."),
        ("ultimate-tic-tac-toe", "i9", "a1", "i9 is not a site that the last mark leads to."),
        ("santorini", "a1-a1", "a1 b2, d4 e5", "a1 is not empty."),
        ("hive", "l12 l14", "Ant l12, Ant l13", "You have a Queen in hand."),
        ("hive", "Queen l12", "", "At most one turn has been made."),
        ("hive", "Ant m13", "Ant l12, Ant m12", "m13 is not both beside own insects and beside"),
        (
            "draughts",
            "a3 b4",
            "c3 d4, f6 e5",
            "There is no site that a3 can jump to, and for one of your pieces, there is a site",
        ),
    ],
)
def test_a_player_is_told_in_words_what_is_so_instead(
    name: str, move: str, moves: str, told: str
) -> None:
    ruling = asked(name, move, moves).rulings[0]
    assert ruling.words.startswith(told)
    assert ruling.words in explanation_text(asked(name, move, moves))


@pytest.mark.parametrize(
    ("name", "move", "moves", "told"),
    [
        ("crazyhouse", "Knight e4", "", "You have no Knight in hand."),
        ("shogi", "Bishop e5", "", "You have no Bishop in hand."),
        ("chess", "pass", "", "You have a move to make, and can't pass."),
        ("othello", "pass", "", "You have a move to make, and can't pass."),
        ("tak", "Wall a1", "", "A move begins here with a site such as a1, b1 or c1, not with"),
        ("stratego", "a7", "", "A move begins here with a word such as Flag, Bomb or Spy, not"),
        ("quoridor", "e1-e2", "", "After `e1` comes h or v, not `e2`; `e2` alone is a move."),
        ("gobblet", "Tiny a1", "", "A move begins here with Huge, not with `Tiny`."),
        ("xiangqi", "c1-e5", "", "After `c1` comes a3 or e3, not `e5`."),
        ("makruk", "e3-e5", "", "After `e3` comes e4, not `e5`."),
        ("tak", "b2 north 2", "a1, b2", "After `b2 north` comes 1, not `2`."),
    ],
)
def test_what_comes_instead_of_a_wrong_word_is_told(
    name: str, move: str, moves: str, told: str
) -> None:
    assert asked(name, move, moves).rulings[0].words.startswith(told)


def test_a_whole_move_is_not_said_to_begin_none() -> None:
    assert "No legal move" not in explanation_text(asked("tak", "b2 north 2"))


def test_under_which_condition_other_words_are_asked_for_is_told() -> None:
    (ruling,) = asked("tak", "Wall a1").rulings
    assert ruling.sentence.endswith("because of `if turns < 2`, line 35")
    assert [reason.text for reason in ruling.reasons] == ["turns < 2"]


@pytest.mark.parametrize(
    ("name", "move", "moves", "told"),
    [
        (
            "chess",
            "e1-g1",
            "",
            "g1 is not a site that e1 can go to. White Bishop on f1 and White Knight on g1 are in "
            "the way.",
        ),
        (
            "chess",
            "a1-a5",
            "",
            "a5 is not a site that a1 can go to. White Pawn on a2 is in the way.",
        ),
        ("chess", "f1-b3", "", "b3 is not a site that f1 can go to."),
        ("chess", "a2-c4", "b2-b3, e7-e5", "c4 is not a site that a2 can go to."),
        ("hive", "Ant l12", "Ant l12", "l12 is not empty."),
        (
            "nine-mens-morris",
            "f6-f4",
            "f6",
            "A move begins here with an empty site, such as a1, d1 or g1; f6 is not empty.",
        ),
        (
            "bagh-chal",
            "a1-a2",
            "",
            "A move begins here with an empty site, such as b1, c1 or d1; a1 is not empty.",
        ),
        ("bagh-chal", "a1", "", "a1 is not empty."),
    ],
)
def test_what_is_in_the_way_is_told(name: str, move: str, moves: str, told: str) -> None:
    assert asked(name, move, moves).rulings[0].words == told


@pytest.mark.parametrize(
    ("condition", "told"),
    [
        ("s in corners and s in top", "b1 is not in a corner and b1 is not on the top side."),
        ("s in bottom and s in corners", "b1 is not in a corner."),
        ("s in top or s in corners", "b1 is not on the top side and b1 is not in a corner."),
        ("not (s in bottom and not s in corners)", "b1 is on the bottom side and b1 is not in a"),
        ("not (s in corners or s in bottom)", "b1 is on the bottom side."),
        ("s in all - bottom", "b1 is on the bottom side."),
        ("s in (corners | top) & bottom", "b1 is not in a corner and b1 is not on the top side."),
        ("not s in bottom - corners", "b1 is on the bottom side and b1 is not in a corner."),
    ],
)
def test_only_what_decides_is_told_in_words(tmp_path: Path, condition: str, told: str) -> None:
    game = tmp_path / "where.yaml"
    game.write_text(
        "game: Where\nplayers: White, Black\nboard: square(3, 3)\nturn: |\n"
        f"  choose s in empty where {condition}\n  place Stone at s\nstuck: draw\n"
    )
    assert asked(str(game), "b1").rulings[0].words.startswith(told)


@pytest.mark.parametrize(
    ("condition", "told"),
    [
        ("s | d(s) in s | bottom", "Not all of b1 and the site directly north of b1 are b1 or on"),
        ("s | d(s) in bottom & all - left", "Not all of b1 and the site directly north of b1 are"),
        ("s | d(s) in all - bottom", "Not all of b1 and the site directly north of b1 are not on"),
        ("d(s) in goal(mover)", "The site directly north of b1 is not on the top side."),
        ("d(s) in ahead(mover)(s)", "The site directly north of b1 is not directly east or west"),
    ],
)
def test_of_several_sites_it_is_not_told_that_they_are_not_all_in_one_of_two_sets(
    tmp_path: Path, condition: str, told: str
) -> None:
    game = tmp_path / "where.yaml"
    game.write_text(
        "game: Where\nplayers: White, Black\nboard: square(3, 3)\n"
        "define:\n  goal: {White: top, Black: bottom}\n"
        "  ahead: {White: east | west, Black: south | north}\n"
        "turn: |\n  choose s in empty\n  choose d in north | west\n"
        f"  require {condition}\n  place Stone at s\nstuck: draw\n"
    )
    assert asked(str(game), "b1 north").rulings[0].words.startswith(told)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("b2 c3", "`stones` can't have b2, which is not one of these"),
        ("c3 b2", "`stones` can't have b2, which is not one of these"),
        ("a1 a1", "after `a1` `stones` can't have a1 twice"),
    ],
)
def test_one_of_several_sites_that_can_t_be_chosen_is_told(
    tmp_path: Path, text: str, told: str
) -> None:
    path = tmp_path / "pairs.yaml"
    path.write_text(
        "game: Pairs\nplayers: White, Black\nboard: square(3, 3)\nsetup: {White Stone: b2}\n"
        "turn: |\n  choose 2 stones in empty\n  place Stone at stones\nstuck: draw\n"
    )
    found = asked(str(path), text)
    assert [ruling.sentence for ruling in found.rulings] == [told]


def test_a_side_that_must_pass_is_told_why(tmp_path: Path) -> None:
    path = tmp_path / "stuck.yaml"
    path.write_text(
        "game: Stuck\nplayers: White, Black\nboard: square(2, 2)\n"
        "setup: {White Stone: a1, Black Stone: a2 | b1 | b2}\n"
        "turn: |\n  choose s in own\n  choose t in adjacent(s) & empty\n  move s to t\n"
        "end: draw when turns > 3\nstuck: passes\n"
    )
    assert asked(str(path), "").sentence == "White has no legal move."


def test_suicide_is_told_at_what_is_required() -> None:
    told = asked("go", "a1", "b1, d4, a2, d3, e5", size=5)
    (ruling,) = told.rulings
    assert ruling.text.startswith("require some liberties")
    assert texts(told)["liberties(connected(a1, adjacent, own))"] == "empty"


def test_superko_is_told_by_the_count_of_earlier_positions() -> None:
    ko = "b1, c1, a2, d2, b3, c3, d5, b2, c2"
    told = asked("go", "b2", ko, size=5)
    assert texts(told)["seen(board)"] == "1"
    assert "superko" in told.rulings[0].text


def test_the_mirror_rule_is_told_beside_what_else_the_move_could_become() -> None:
    mirrored = "a1, i9, c1, g9, e1, e9, g1, c9, i1, a9, a3, i7, c3, g7, e3, e7, g3, c7, i3"
    told = asked("trellis", "a7", mirrored, ("no-pie",), size=9)
    required, longer = told.rulings
    assert required.text == "require not mirror_rule or mirrored(mover) < 10"
    assert texts(told)["mirrored(mover)"] == "10"
    assert longer.sentence.startswith("after `a7` the turn goes on")


def test_a_capture_that_is_not_the_longest_is_compared(tmp_path: Path) -> None:
    game = tmp_path / "most.yaml"
    game.write_text(
        "game: Most\nplayers: White, Black\nboard: square(5, 5)\nturn: |\n"
        "  choose s in empty\n  place Stone at s\n  keep most row(s)\nstuck: draw\n"
    )
    told = asked(str(game), "a1")
    assert told.rulings[0].text == "keep most row(s)"
    assert texts(told)["row(a1)"] == "1"


def test_a_legal_move_is_told_effect_by_effect() -> None:
    told = asked("troll", "d2", "b2, c2")
    changes = [change for ruling in told.rulings for change in ruling.changes]
    assert changes == ["Black Disc on c2 becomes White Disc", "White Disc comes to d2"]
    assert told.rulings[0].sentence == "`s` is d2, which may be chosen"
    assert texts(told)["d2 in all - corners - home(enemy)"] == "yes"


def test_a_move_that_ends_the_game_says_so() -> None:
    told = asked("hex", "a3", "a1, b1, a2, b2", size=3)
    assert told.rulings[-1].sentence == "that ends the game: Red wins"


def test_a_word_that_is_none_is_refused() -> None:
    with pytest.raises(MoveError):
        asked("hex", "zz9")


# ----------------------------------------------------------------------------- endings


def test_of_what_there_is_none_of_any_more_it_is_told_where_it_was() -> None:
    text = (
        "game: Takes\nplayers: White, Black\npieces: Flag, Man\nboard: square(3, 3)\n"
        "setup: {White Flag: a1, White Man: b2, Black Flag: b3}\n"
        "turn: |\n  choose s in own\n  choose t in orthogonal(s) - own\n  move s to t\n"
        "end: {clause: mover wins when no enemy & Flag, says: the enemy's flag is taken}\n"
    )
    start = Rules(load_source(Source("takes.yaml", text))).start()
    move = next(move for move in start.moves() if move.text == "b2-b3")
    (told,) = why([start, start.play(move)], [move], "", unspelled)
    assert names(told, told.witness.sites) == {"b3"}
    assert texts(told)["enemy & Flag"] == "empty now; before the last move it was b3"
    assert explanation_text(told, for_players=True) == (
        "White wins.\n  White wins: the enemy's flag is taken\n"
        "  The last move has brought it about on b3."
    )


def test_the_path_that_joins_is_the_witness() -> None:
    told = asked("hex", "", "b1, c1, a2, c2, a3", size=3)
    assert told.sentence == "Red wins."
    assert names(told, told.witness.sites) == {"b1", "a2", "a3"}
    board = told.position.rules.game.board
    lines = {frozenset((board.sites[a].name, board.sites[b].name)) for a, b in told.witness.lines}
    assert lines == {frozenset({"b1", "a2"}), frozenset({"a2", "a3"})}


def test_the_row_is_the_witness() -> None:
    told = asked("tic-tac-toe", "", "a1, a2, b2, b3, c3")
    assert names(told, told.witness.sites) == {"a1", "b2", "c3"}


def test_what_is_counted_is_the_witness() -> None:
    told = asked("go", "", "a1, pass, pass", size=5)
    found = texts(told)
    assert found["points(own), for Black"] == "25"
    assert found["passed >= 2"] == "yes"


def test_a_game_that_goes_on_tells_each_clause() -> None:
    told = asked("hex", "", "a1", size=3)
    assert [ruling.sentence for ruling in told.rulings] == [
        "not yet: Red wins by this clause",
        "not yet: Blue wins by this clause",
    ]


def test_a_position_is_not_one_of_those_before_it() -> None:
    back = "b1-b3, a2-c2, b3-b1, c2-a2"
    for moves, times in (("", 0), ("b1-b3", 0), (back, 1), (f"{back}, b1-b3", 1)):
        told = asked("lines-of-action", "", moves)
        assert texts(told)["seen(board, mover)"] == str(times)
        assert all(ruling.sentence.startswith("not yet") for ruling in told.rulings)


def test_nobody_is_said_to_move_where_chance_does() -> None:
    assert asked("royal-game-of-ur", "").sentence == "The game goes on: chance is to move."
    told = asked("royal-game-of-ur", "h2-h3")
    assert told.sentence == "`h2-h3` can't be played now: chance is to move."
    part = asked("backgammon", "6")
    assert part.sentence == "`6` is only a part of what chance brings." and part.nearest


def test_of_the_few_that_a_stuck_side_might_choose_it_is_told_why_it_cannot(tmp_path: Path) -> None:
    game = tmp_path / "alone.yaml"
    game.write_text(
        "game: Alone\nplayers: White, Black\nboard: square(2, 2)\nturn: |\n"
        "  choose s in empty where no orthogonal(s) & occupied\n  place Stone at s\nstuck: loses\n"
    )
    told = asked(str(game), "", "a1, b2")
    assert told.rulings[0].sentence == "none of these may be chosen"
    reasons = {reason.text: reason.value for reason in told.rulings[0].reasons}
    assert reasons["no orthogonal(a2) & occupied"] is False
    assert reasons["no orthogonal(b1) & occupied"] is False


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("nim", ["if First has no move, First loses by this clause"]),
        ("bagh-chal", ["if Goats have no move, Goats lose by this clause"]),
        (
            "chess",
            [
                "if White has no move, the game is a draw by this clause",
                "if Black has no move, the game is a draw by this clause",
                "if Black has no move, Black loses by this clause",
            ],
        ),
        ("troll", []),
    ],
)
def test_what_a_side_without_a_move_comes_to_is_among_what_is_needed(
    name: str, told: list[str]
) -> None:
    sentences = [ruling.sentence for ruling in asked(name, "").rulings]
    assert {f"not yet: {one}" for one in told} <= set(sentences)
    assert any("has no move" in one or "have no move" in one for one in sentences) is bool(told)


def test_a_stuck_side_is_told_by_its_dead_ends(tmp_path: Path) -> None:
    game = tmp_path / "apart.yaml"
    game.write_text(
        "game: Apart\nplayers: White, Black\nboard: square(2, 2)\nturn: |\n"
        "  choose s in empty where no orthogonal(s) & own\n  place Stone at s\nstuck: loses\n"
    )
    told = asked(str(game), "", "a1, b1, b2, a2")
    assert told.sentence == "Black wins."
    assert [ruling.sentence for ruling in told.rulings] == [
        "there is nothing to choose",
        "White loses by this clause",
    ]
    assert texts(told)["empty"] == "empty"


def test_what_forbids_the_moves_of_a_stuck_side_is_told_first() -> None:
    told = asked("chess", "", "f2-f3, e7-e5, g2-g4, d8-h4")
    assert told.rulings[0].text == "require safe(own & King)"
    assert told.rulings[1].sentence.endswith("there is nothing to choose")


# -------------------------------------------------------------------------------- sites


def test_a_site_tells_what_stands_there_since_when() -> None:
    positions, moves = played("troll", "b2, c2, d2")
    told = why(positions, moves, "c2")[0]
    assert told.sentence == "c2: White Disc, since move 3, `d2`."
    assert [ruling.text for ruling in told.rulings] == ["flip caught(d2)", "place Disc at c2"]


@pytest.mark.parametrize(
    ("name", "moves", "site", "sentence", "told"),
    [
        (
            "shogi",
            "c3-c4, g7-g6, b2-h8",
            "h8",
            "h8: Black Bishop, since move 3, `b2-h8`.",
            ["White Bishop leaves h8", "Black Bishop goes from b2 to h8"],
        ),
        (
            "oware",
            "a1, f2",
            "a1",
            "a1: seeds 0, since move 1, `a1`.",
            ["seeds(a1): 4 becomes 0"],
        ),
        (
            "oware",
            "a1, f2",
            "b1",
            "b1: seeds 5, since move 1, `a1`.",
            ["seeds(b1): 4 becomes 5"],
        ),
        (
            "lasca",
            "a3-b4, c5-a3",
            "a3",
            "a3: Black Soldier upon White Soldier, since move 2, `c5-a3`.",
            ["Black Soldier goes from c5 to a3", "height(a3): 1 becomes 2"],
        ),
    ],
)
def test_all_that_a_move_did_to_a_site_is_told(
    name: str, moves: str, site: str, sentence: str, told: list[str]
) -> None:
    found = why(*played(name, moves), site)[0]
    changes = [change for ruling in found.rulings for change in ruling.changes]
    assert found.sentence == sentence
    assert [change for change in changes if change in told] == told


def test_a_piece_that_is_put_under_another_does_not_leave(tmp_path: Path) -> None:
    path = tmp_path / "piles.yaml"
    path.write_text(
        "game: Piles\nplayers: White, Black\nboard: square(3, 1)\nstacks: 3\nsetup:\n"
        "  White Stone: a1\n  Black Stone: b1\nturn: |\n  choose s in own\n"
        "  choose t in adjacent(s) & occupied\n"
        "  move s onto t\nstuck: loses\n"
    )
    (ruling,) = why(*played(str(path), "a1 b1"), "b1")[0].rulings
    assert ruling.changes == (
        "Black Stone on b1 is covered",
        "White Stone goes from a1 to b1",
        "height(b1): 1 becomes 2",
    )


def test_what_is_set_is_told_by_its_name() -> None:
    told = asked("oware", "a1")
    assert "set last = onward(a1)" in [ruling.text for ruling in told.rulings]


def test_a_site_without_a_change_stands_since_the_beginning() -> None:
    positions, moves = played("breakthrough")
    assert why(positions, moves, "a1")[0].sentence.endswith("since the beginning.")


# ------------------------------------------------------------------- nothing is guessed


def told_again(told: Explanation, text: str) -> Iterator[tuple[Reason, object]]:
    """Yield each reason of an illegal move, and what its text is worth where the turn stops."""
    position = told.position
    if told.about != "illegal":
        return
    rules = rules_of(position)
    stops = sorted(Turns(rules).attempt(position.state, text).stops, key=lambda s: s.why == "more")
    for ruling, stop in zip(told.rulings, stops, strict=False):
        for reason in ruling.reasons:
            for part in leaves_of(reason):
                span = Span(Source("test", part.text), 0, len(part.text))
                try:
                    expression = rules.game.words.expression(span, position.side)
                except GameError:
                    continue
                yield part, rules.machine.value_in(stop.frame, expression)


def is_pieces_of_a_side(part: Reason) -> bool:
    """Whether a set is told by the name of a side or kind, which alone is no set."""
    return part.type == SITES and part.text.isidentifier()


@pytest.mark.parametrize("name", deep_games(shipped_names()))
def test_what_is_told_reads_back_with_the_same_value(name: str) -> None:
    """Each text that is told is an expression, and the reference gives it the value told."""
    chance = random.Random(name)
    rules = Rules(load_game(name, SMALLER.get(name)))
    position, compared = rules.start(), 0
    for _ in range(20):
        moves = position.moves()
        if len(moves) > MOST_MOVES:
            pytest.skip("there are too many moves to list often")
        if not moves or compared >= ENOUGH:
            break
        names = [site.name for site in rules.game.board.sites]
        occupied = list(position.pieces()) or names
        *before, _ = words(chance.choice(moves).text)
        for text in (
            chance.choice(names),
            chance.choice(occupied),
            " ".join((*before, chance.choice(occupied))),
        ):
            try:
                told = why([position], [], text)[-1]
            except MoveError:
                continue
            for part, again in told_again(told, text):
                compared += 1
                assert again == part.value or is_pieces_of_a_side(part), part.text
        position = position.play(chance.choice(moves))
    assert compared


@pytest.mark.at_night("othello")
@pytest.mark.parametrize("name", deep_games(shipped_names()))
def test_clauses_hold_just_when_they_are_told_to(name: str) -> None:
    """No clause that is told to be open holds, and the one that ended a game does."""
    chance = random.Random(name)
    positions = [Rules(load_game(name, SMALLER.get(name))).start()]
    moves: list[Move] = []
    for _ in range(40):
        legal = positions[-1].moves()
        if not legal or len(legal) > MOST_MOVES:
            break
        moves.append(chance.choice(legal))
        positions.append(positions[-1].play(moves[-1]))
    told = why(positions, moves)[-1]
    outcome = positions[-1].outcome
    if outcome is None:
        assert told.about == "open"
        return
    assert told.about == "over"
    assert told.rulings[-1].span == outcome.span
    assert all(reason.value for reason in told.rulings[-1].reasons[:1])


# ------------------------------------------------------------------------- the commands


def test_the_command_tells_places_and_values() -> None:
    shown = gdl("why", "troll", "a1", "--after", "d1, a4").stdout
    assert "`a1` is not a legal move of White." in shown
    assert "troll.yaml:21:3  choose s in empty where" in shown
    assert "caught(a1) (the discs that a disc on a1 encloses) is empty" in shown


def test_the_command_prints_json() -> None:
    told = json.loads(
        gdl("why", "hex", "--option", "size=2", "--after", "a1, b1, a2", "--json").stdout
    )
    (over,) = told["explanations"]
    assert over["about"] == "over" and over["sites"] == ["a1", "a2"]
    assert over["lines"] == [["a1", "a2"]]
    assert over["rulings"][0]["line"] == 14


def test_the_command_draws_lines_between_sites(tmp_path: Path) -> None:
    picture = tmp_path / "why.svg"
    gdl("why", "hex", "--option", "size=2", "--after", "a1, b1, a2", "--svg", picture)
    (drawn,) = ElementTree.parse(picture).getroot().iterfind('{*}g[@stroke-opacity="0.7"]')
    assert len(list(drawn)) == 1


def test_a_word_that_is_none_is_wrong_use() -> None:
    assert gdl("why", "hex", "zz99").exit_code == 2


def test_why_can_be_asked_in_play() -> None:
    shown = gdl("play", "hex", "--option", "size=3", typed="a1\nwhy a1\nwhy zz9\nquit\n").stdout
    assert "a1 is not empty." in shown
    assert "`zz9` is neither a site" in shown


@pytest.mark.at_night("chess--Nf3")
@pytest.mark.parametrize(
    ("name", "moves", "typed", "meant", "side"),
    [
        ("chess", "", "e4", "e2-e4", "White"),
        ("chess", "", "Nf3", "g1-f3", "White"),
        ("chess", "e2-e4, d7-d5", "exd5", "e4-d5", "White"),
        ("crazyhouse", "e2-e4, d7-d5, e4-d5, d8-d5", "Pawn e4", "put Pawn e4", "White"),
        ("connect-four", "", "d", "d1", "Yellow"),
    ],
)
def test_why_reads_what_play_reads(
    name: str, moves: str, typed: str, meant: str, side: str
) -> None:
    shown = gdl("why", name, typed, "--after", moves).stdout
    assert f"`{typed}` means `{meant}`, which is a legal move of {side}." in shown
    lines = "".join(f"{move.strip()}\n" for move in filter(None, moves.split(",")))
    in_play = gdl("play", name, typed=f"{lines}why {typed}\nquit\n").stdout
    assert f"`{typed}` means `{meant}`, which is a legal move of {side}." in in_play


def test_why_tells_of_a_text_with_which_moves_begin_that_it_goes_on() -> None:
    assert "After `e2` the turn goes on" in gdl("why", "chess", "e2").stdout


# ---------------------------------------------------------------------------- captions

APART = """\
game: Apart
players: White, Black
board: square(3, 3)
define:
  lonely(s):
    is: no compass(s) & own
    says: nothing of one's own stands beside {s}
turn: |
  choose s in empty where lonely(s)
  place Stone at s
stuck:
  clause: loses
  says: who can't play has lost
end:
  - clause: mover wins when count own = 2
    says: "{own} has two stones apart"
"""


def test_a_table_is_told_as_it_is_written(tmp_path: Path) -> None:
    game = tmp_path / "cards.yaml"
    game.write_text("""\
game: Cards
players: A, B
board: square(1, 1)
state: {card: name in (hidden, King) = King, n: number}
define:
  rank: {King: 3, hidden: 0}
turn: add 1 to n
end: mover wins when rank(card) = 3 and n > 1
""")
    told = texts(asked(str(game), "", "pass, pass"))
    assert told["rank(card)"] == told["{King: 3, hidden: 0}"] == "3"


def test_what_a_let_stands_for_and_the_if_around_are_told(tmp_path: Path) -> None:
    game = tmp_path / "foul.yaml"
    game.write_text("""\
game: Foul
players: Black, White
board: square(3, 3)
options: {forfeit: no}
define:
  forbidden(s):
    is: s in corners and turns > 0
    says: "{s} is forbidden"
turn: |
  choose s in empty
  let foul = s in corners
  if forbidden(s)
    require foul = forfeit
  place Stone at s
stuck: draw
""")
    told = asked(str(game), "a1", "b2")
    assert told.rulings[0].sentence.endswith("because of `if forbidden(a1)`, line 12")
    assert texts(told)["foul"] == texts(told)["a1 in corners"] == "yes"
    assert told.rulings[0].reasons[1].caption == "a1 is forbidden"


def test_captions_are_told(tmp_path: Path) -> None:
    game = tmp_path / "apart.yaml"
    game.write_text(APART)
    told = asked(str(game), "b2", "a1, c3")
    assert told.rulings[0].reasons[0].caption == "nothing of one's own stands beside b2"
    over = asked(str(game), "", "a1, a3, c1")
    assert over.rulings[0].caption == "White has two stones apart"


def test_captions_change_no_rule(tmp_path: Path) -> None:
    told, bare = tmp_path / "told.yaml", tmp_path / "bare.yaml"
    told.write_text(APART)
    bare.write_text(
        APART.replace("\n    is: ", " ")
        .replace("\n    says: nothing of one's own stands beside {s}", "")
        .replace("\n  clause: loses\n  says: who can't play has lost", " loses")
        .replace("clause: mover", "mover")
        .replace('\n    says: "{own} has two stones apart"', "")
    )
    assert load_game(str(told)).digest == load_game(str(bare)).digest


def test_captions_stand_for_goals(tmp_path: Path) -> None:
    game = tmp_path / "apart.yaml"
    game.write_text(APART)
    told = gdl("about", game).stdout
    assert "The side that has just moved wins when it has two stones apart." in told
    assert "Who can't play has lost." in told


def _named_way(position: Position, text: str) -> str:
    sites = position.rules.game.board.sites
    return " ".join(sites[site].name for site in way_of(position, position.parse(text)))


def test_a_way_that_is_not_straight_is_told_in_its_order() -> None:
    loops, empty = Rules(load_game("surakarta")), "/. . . . . ."
    taking = loops.from_rows(f"{(empty * 3)[1:]}/O O . . . ./. X . . . .{empty}")
    assert _named_way(taking, "b2-b3") == "b2 a2 b1 b2 b3"
    assert _named_way(taking, "b2-c3") == ""
    across = loops.from_rows(f". . . O . .{empty}/. . X . . .{empty * 3}")
    assert _named_way(across, "c4-d6") == "c4 d4 e4 f4 d6"
    assert _named_way(after("chess", "e2-e4 e7-e5"), "d1-h5") == ""
    assert _named_way(after("chess", "e2-e4 e7-e5"), "g1-f3") == ""


def test_what_captions_of_conditions_tell_is_told_first_with_what_makes_it_so() -> None:
    checked = after("chess", "e2-e4 f7-f6 d1-h5")
    (told,) = why([checked], [])
    assert told.rulings[0].words == "Black's King is in check."
    shown = {checked.rules.game.board.sites[site].name for site in bits(told.witness.sites)}
    assert shown >= {"e8", "h5"}
    (told,) = why([checked], [], "a7-a6")
    assert told.rulings[0].words == "Something attacks your King. See the White Queen on h5."
