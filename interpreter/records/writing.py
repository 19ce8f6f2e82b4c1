"""Games as texts in the formats of others: PGN, PDN, SGF.

In: the positions and the moves of a game, and what is said of it. Out: a text. What then holds: it
is read as the same moves, from the same position.

After S. J. Edwards, "Portable Game Notation Specification", 1994, and A. Hollosi, "SGF File Format
FF[4]", 2006.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from textwrap import fill

from gdl.codes import Code
from gdl.data_classes import dataclass
from gdl.diagnostic import refused
from gdl.interpreter.evaluation.moves import PASS, Move
from gdl.interpreter.positions.position import Position
from gdl.interpreter.records.headers import OPTIONS, SMART, colour_of
from gdl.interpreter.records.recorded import BLACK, DRAW, FORMATS_BY_NAME, WHITE
from gdl.model import Game, Notation

FORMATS = ("pgn", "pdn", "sgf")
_ROSTER = {"Event": "gdl", "Site": "?", "Date": "????.??.??", "Round": "?"}
_WIDTH = 79
_OWN_TAGS = ("Result", "FEN", "SetUp", "PlyCount", "Software", "Variant", "GameType", OPTIONS)
_OTHER = {WHITE: BLACK, BLACK: WHITE}
_RESULTS = {WHITE: "1-0", BLACK: "0-1", DRAW: "1/2-1/2", "": "*"}

Line = Sequence[tuple[Move, Position]]


@dataclass(frozen=True)
class Told:
    """A game to be written: `positions` from the first to the last, and the moves between.

    `winner` is a side, `draw`, or empty while nobody has won; it `is_early` where the rules have
    not ended the game. `players` are names by side, `remarks` texts by how many moves come before,
    `variations` other lines from the first position, each move with the position after it, and
    `asides` their remarks. `headers` are those of the record that the game was read from, by
    their names in PGN.
    """

    positions: Sequence[Position]
    moves: Sequence[Move]
    winner: str = ""
    is_early: bool = False
    players: Mapping[str, str] = field(default_factory=dict)
    remarks: Mapping[int, str] = field(default_factory=dict)
    variations: Sequence[Line] = ()
    asides: Sequence[Mapping[int, str]] = ()
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def sides(self) -> Sequence[str]:
        """The sides of the game."""
        return self.positions[0].rules.sides


def told(
    positions: Sequence[Position],
    moves: Sequence[Move],
    result: str = "",
    players: Mapping[str, str] | None = None,
    remarks: Mapping[int, str] | None = None,
    variations: Sequence[Line] = (),
    asides: Sequence[Mapping[int, str]] = (),
    headers: Mapping[str, str] | None = None,
) -> Told:
    """Return a game to be written; where the rules have not ended it, `result` says who won."""
    sides, ended = positions[0].rules.sides, positions[-1].outcome
    if ended is not None:
        winner = DRAW if not ended.winners else ended.winners[0]
    else:
        winner = _winner_by(result, sides)
    said = players or {}, remarks or {}
    return Told(positions, moves, winner, ended is None, *said, variations, asides, headers or {})


def _winner_by(result: str, sides: Sequence[str]) -> str:
    said = result.lower()
    for side in sides:
        if re.search(rf"\b{re.escape(side.lower())}\s+(?:wins?|won)\b", said):
            return side
    return DRAW if "draw" in said else ""


def text_of(game: Told, format: str) -> str:
    """Return a game in one of `FORMATS`. Raises GameError where the game can't be written so."""
    return _smart(game) if format == "sgf" else _portable(game, format)


def _notation(game: Told, format: str) -> Notation | None:
    """Return the notation of the game for a format, or the first."""
    notations = game.positions[0].rules.game.notations
    return next((n for n in notations if n.name == format), next(iter(notations), None))


# ---------------------------------------------------------------------------------- portable games


def _portable(game: Told, format: str) -> str:
    notation = _notation(game, format)
    name = "" if notation is None else notation.name
    rules, sides = game.positions[0].rules, game.sides
    colours = {colour_of(side, sides, format): side for side in sides}
    result = _RESULTS.get(colour_of(game.winner, sides, format), "*")
    headers = _kept_headers(game)
    for colour in (WHITE, BLACK):  # in this order: the points are of whom they name first
        named = headers.pop(colour, "?")
        headers[colour] = game.players.get(colours.get(colour, ""), named)
    headers["Result"] = result
    is_foreign = name in FORMATS_BY_NAME and name != format
    own = {} if notation is None or is_foreign else notation.tags
    headers |= {tag: values[0] for tag, values in own.items() if values[0] != "none"}
    by_tags = {} if is_foreign else _told_by_options(rules.game, notation)
    headers |= by_tags
    if not own:
        headers["Variant"] = rules.game.title
    if not by_tags:
        headers |= _options(rules.game)
    if game.positions[0] != rules.start():
        start = game.positions[0]
        is_listed = format == "pdn" and name == "pdn"
        headers |= {"SetUp": "1", "FEN": _listed(start) if is_listed else start.fen()}
    words = [*_words(game, name), result]
    lines = (f'[{tag} "{_escaped(value)}"]' for tag, value in headers.items())
    moves = fill(" ".join(words), _WIDTH, break_long_words=False, break_on_hyphens=False)
    return "\n".join((*lines, "", moves, ""))


def _told_by_options(game: Game, notation: Notation | None) -> Mapping[str, str]:
    """Return tags that have the values which stand for the options of a game."""
    values = {option.name: option.value for option in game.options}
    told = {} if notation is None else notation.options
    return dict(
        tag.split(" ", 1)
        for tag, (names, value) in told.items()
        if " " in tag and all(values.get(name) == value for name in names)
    )


def _options(game: Game) -> Mapping[str, str]:
    """Return the header with the options of a game that are not as usual, if there are any."""
    told = ", ".join(f"{o.name}={o.value}" for o in game.options if not o.is_usual)
    return {OPTIONS: told} if told else {}


def _kept_headers(game: Told) -> dict[str, str]:
    """Return the headers that a game had, or else the usual ones.

    Where they name another event, it comes after a header that tells by what this was written.
    """
    kept = {
        tag: value
        for tag, value in game.headers.items()
        if tag not in _OWN_TAGS and value.strip("?. ")
    }
    if kept.get("Event", _ROSTER["Event"]) == _ROSTER["Event"]:
        return _ROSTER | kept
    return {"Software": "gdl"} | _ROSTER | kept


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')


def _words(game: Told, notation: str) -> Iterator[str]:
    """Yield the moves with their numbers, remarks and variations."""
    others = branches(game.moves, game.variations, game.asides)
    moves = zip(game.positions, game.moves, strict=False)
    texts = [here.notate(move, notation) for here, move in moves]
    each = _is_each_numbered(game, notation, texts)
    needs_number = True
    start = game.positions[0]
    is_second = len(game.sides) == 2 and start.side == 1 and start != start.rules.start()
    if 0 in game.remarks:
        yield f"{{{_remark(game.remarks[0])}}}"
    for number, (here, text) in enumerate(zip(game.positions, texts, strict=False)):
        yield from _numbered(number + is_second, text, needs_number)
        needs_number = each
        if remark := game.remarks.get(number + 1):
            yield f"{{{_remark(remark)}}}"
            needs_number = True
        for line, told in others.get(number, ()):
            yield "("
            at, needs_number = here, True
            for place in range(number, len(line)):
                made, after = line[place]
                yield from _numbered(place + is_second, at.notate(made, notation), needs_number)
                at, needs_number = after, each
                if remark := told.get(place + 1):
                    yield f"{{{_remark(remark)}}}"
                    needs_number = True
            yield ")"
            needs_number = True
    if each and (len(game.moves) + is_second) % 2:
        yield f"{(len(game.moves) + is_second) // 2 + 1}..."


def _is_each_numbered(game: Told, notation: str, texts: Sequence[str]) -> bool:
    """Return whether each move has its number, since a move may have blanks between its words.

    All words from one number to the next are one move then. If the first side has made the last
    move, a number such as `8...`, with no move behind it, says where that ends.
    """
    if any(" " in text for text in texts):
        return True
    return not notation and any(
        " " in move.text for here in game.positions for move in here.moves()
    )


def branches(
    moves: Sequence[Move], variations: Sequence[Line], asides: Sequence[Mapping[int, str]]
) -> Mapping[int, Sequence[tuple[Line, Mapping[int, str]]]]:
    """Return other lines, each with its remarks, by how many moves of the game they begin with.

    One that only goes on behind the end is left out, and one that is a part of the game.
    """
    found: dict[int, list[tuple[Line, Mapping[int, str]]]] = {}
    for line, told in zip(variations, asides or [{}] * len(variations), strict=True):
        number = _common(moves, line)
        if number < min(len(moves), len(line)):
            found.setdefault(number, []).append((line, told))
    return found


def _common(moves: Sequence[Move], line: Line) -> int:
    pairs = enumerate(zip(moves, line, strict=False))
    return next((n for n, (move, (other, _)) in pairs if move != other), len(line))


def _numbered(number: int, text: str, is_asked: bool) -> Iterator[str]:
    if number % 2 == 0:
        yield f"{number // 2 + 1}."
    elif is_asked:
        yield f"{number // 2 + 1}..."
    yield text


def _remark(text: str) -> str:
    return text.replace("{", "(").replace("}", ")")


# --------------------------------------------------------------------------------------- smart game


def _smart(game: Told) -> str:
    start = game.positions[0]
    rules, sides = start.rules, game.sides
    notation = next((n for n in rules.game.notations if n.name == "sgf"), None)
    if notation is None or len(sides) != 2:
        raise refused(
            Code.WRONG_OPTION,
            f"Nothing says how {rules.name} is written in smart game format.",
            "A file says so under `notation`, by `sgf`. Name a file that ends in .pgn.",
        )
    properties = {"FF": "4", "CA": "UTF-8", "AP": "gdl"}
    properties |= {tag: values[0] for tag, values in notation.tags.items()}
    values = {option.name: option.value for option in rules.game.options}
    for tag, (names, _) in notation.options.items():
        if not tag.isupper():
            continue  # a move that sets the option by itself
        sizes = dict.fromkeys(values[name] for name in names if name in values)
        properties[tag] = ":".join(sizes)
    letters = {side: colour_of(side, sides, "sgf")[:1] for side in sides}
    for tag, value in game.headers.items():
        colour = next((one for one in _OTHER if tag.startswith(one)), "")
        if colour and colour not in sides:  # Black begins here, and White in portable games
            tag = _OTHER[colour] + tag[len(colour) :]
        if tag in SMART and value.strip("?. "):
            properties.setdefault(SMART[tag], value)
    properties |= {f"P{letters[side]}": name for side, name in game.players.items()}
    if game.winner:
        by = letters.get(game.winner)
        properties["RE"] = f"{by}+{'R' * game.is_early}" if by else "0"
    told = "".join(f"{key}[{_smart_text(value)}]" for key, value in properties.items())
    text = f"(;{told}{_set_up(start, letters)}{_remark_of(game, 0)}\n"
    for number, (here, move) in enumerate(zip(game.positions, game.moves, strict=False)):
        where = here.notate(move, "sgf")
        text += f";{letters[here.mover]}[{'' if move.text == PASS else _smart_text(where)}]"
        text += _remark_of(game, number + 1)
        text += "\n" * (number % 10 == 9)
    return f"{text.rstrip()})\n"


def _remark_of(game: Told, number: int) -> str:
    remark = game.remarks.get(number)
    return f"C[{_smart_text(remark)}]" if remark else ""


def _smart_text(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]")


def _set_up(start: Position, letters: Mapping[str, str]) -> str:
    """Return what is set up before the first move. Raises GameError."""
    if start == start.rules.start():
        return ""
    told = ""
    for side, letter in letters.items():
        places = [f"[{piece}]" for piece in _standing(start, side, "sgf")]
        told += f"A{letter}{''.join(places)}" if places else ""
    return f"{told}PL[{letters[start.mover]}]"


def _listed(start: Position) -> str:
    """Return a position as PDN has it, such as `W:W18,K24:B12`. Raises GameError."""
    colours = {side: colour_of(side, start.rules.sides, "pdn")[:1] for side in start.rules.sides}
    lists = (
        f"{letter}{','.join(_standing(start, side, 'pdn'))}" for side, letter in colours.items()
    )
    return ":".join((colours[start.mover], *lists))


def _standing(start: Position, side: str, format: str) -> Iterator[str]:
    """Yield a side's pieces: the letter of each, if its kind has one, and its site."""
    rules, writing = start.rules, start.rules.writings[format]
    letters = writing.notation.letters
    plain = [kind for kind in rules.game.kinds if not letters.get(kind)]
    for index, layer in start.occupied():
        if layer.side is None or rules.sides[layer.side] != side:
            continue
        kind = rules.game.kinds[layer.kind]
        if kind in plain[1:]:
            raise refused(
                Code.WRONG_OPTION,
                f"Nothing says by which letter a {kind} is written.",
                f"A file says so under `notation`, by `letters` of `{format}`.",
            )
        yield letters.get(kind, "") + writing.names[index]
