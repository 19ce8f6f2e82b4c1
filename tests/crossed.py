"""Crossed games: rule files put together of parts of shipped games, which have much sense each.

In: a source of chance. Out: the text of a game file. Its turns, phases, ends, stuck clauses, hidden
sets, definitions, state and kinds of pieces are those of two to four games, on another board, of
1 to 1,100 sites, for 2 to 6 sides. What then holds: nearly all of them load; what they lead to is
anybody's guess, for what a part takes for granted does not hold beside the others.

Where two games have a word of the same name, the part of one may use what the other one means by
it. Names of sides, kinds, sites, directions and regions that are not there stand for others. What
still has no meaning is replaced by a word that has one, or left out, until the file loads.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from random import Random

from generated_boards import Facts, draw_board, facts_of

from gdl.diagnostic import Diagnostic, GameError, Report, Source
from gdl.document import Mapping as Table
from gdl.document import Node, Scalar, apply_variants, load_document
from gdl.document import Sequence as Listing
from gdl.load import find_game, load_source, shipped_names

SIDES = ("White", "Black", "Red", "Blue", "Green", "Gold")
MOST_SITES = 1100
MOST_KINDS = 6
REPAIRS = 30
OF_WORDS = ("options", "relations", "regions", "define", "state", "actions")
SIZES = ((1, 4), (2, 6), (2, 6), (5, 12), (5, 12), (13, 33))
"""Between which bounds the numbers of a board are; most are small, so that much is played."""

_TOKEN = re.compile(r"[A-Za-z_]\w*")
_GO_TO = re.compile(r"\bgo to \w+")
_SIDE_OF_HEAD = re.compile(r"(\w+)\((\w+)(.*)")
_PLAIN = re.compile(r"[\w(](?:(?!: | #|:$).)*")
_LONGEST_REPLACED = 40
_NEEDED = ("game:", "players:", "board:")

Lines = list[str]


@dataclass
class Donor:
    """The parts of a game: `words` by name, each with its section, head and value."""

    sides: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    board: Lines = field(default_factory=list)
    facts: Facts | None = None
    words: dict[str, list[tuple[str, str, Node]]] = field(default_factory=dict)
    programs: list[Lines] = field(default_factory=list)
    phases: list[dict[str, Node]] = field(default_factory=list)
    clauses: dict[str, list[str]] = field(default_factory=lambda: {"end": [], "stuck": []})
    sees: dict[str, Node] = field(default_factory=dict)
    one_liners: dict[str, str] = field(default_factory=dict)


# ------------------------------------------------------------------- the parts of games


@cache
def donors() -> tuple[Donor, ...]:
    """Return the parts of all shipped games, and of each of their variants."""
    return tuple(found for name in shipped_names() for found in _donors_of(name))


def _donors_of(name: str) -> Iterator[Donor]:
    whole = load_document(find_game(name), Report(), lambda parent, _: find_game(parent))
    assert whole is not None
    yield _donor(whole)
    variants = whole.get("variants")
    for variant in variants.keys if isinstance(variants, Table) else ():
        yield _donor(apply_variants(whole, [variant], Report()))


def _donor(game: Table) -> Donor:
    donor = Donor()
    donor.sides = tuple(re.split(r"\s*,\s*", _text(game.get("players"))))
    pieces = game.get("pieces")
    kinds = pieces.keys if isinstance(pieces, Table) else _text(pieces).split(",")
    donor.kinds = tuple(kind.strip() for kind in kinds if kind.strip()) or ("Stone",)
    for section in OF_WORDS:
        for head, value in _entries(game.get(section)):
            if isinstance(value, Table) and "rows" in value.keys:
                continue  # a drawing of its own board alone
            name = head.split("(")[0].strip()
            donor.words.setdefault(name, []).append((section, head, _said(value)))
    board = game.get("board")
    donor.board = _yaml("board", board) if board is not None else []
    donor.programs += _programs(game)
    for _, phase in _entries(game.get("phases")):
        table = dict(_entries(phase)) if isinstance(phase, Table) else {"turn": phase}
        donor.programs += _programs(table)
        donor.phases.append(table)
        for section in ("end", "stuck"):
            donor.clauses[section] += _clauses(table.get(section))
    for section in ("end", "stuck"):
        donor.clauses[section] += _clauses(game.get(section))
    donor.sees = dict(_entries(game.get("sees")))
    for section in ("swap", "stacks"):
        if isinstance(value := game.get(section), Scalar):
            donor.one_liners[section] = value.text
    if "from hand" in " ".join(line for lines in donor.programs for line in lines):
        donor.one_liners["hands"] = ""
    return donor


def _text(node: Node | None) -> str:
    return node.text if isinstance(node, Scalar) else ""


def _entries(node: Node | None) -> Iterator[tuple[str, Node]]:
    if isinstance(node, Table):
        yield from ((key.text, value) for key, value in node.entries)


def _said(node: Node) -> Node:
    """Return what a word or clause is, without the words for it."""
    if isinstance(node, Table) and "says" in node.keys:
        return node.get("is") or node.get("clause") or node
    return node


def _programs(table: Table | Mapping[str, Node]) -> list[Lines]:
    found = []
    for key in ("turn", "together"):
        node = table.get(key)
        ways = [node] if isinstance(node, Scalar) else [way for _, way in _entries(node)]
        found += [_text(way).rstrip().split("\n") for way in ways]
    return found


def _clauses(node: Node | None) -> list[str]:
    if isinstance(node, Scalar):
        return [node.text]
    items = node.items if isinstance(node, Listing) else [value for _, value in _entries(node)]
    if isinstance(node, Table) and "clause" in node.keys:
        items = [node]
    return [_text(_said(item)) for item in items if _text(_said(item))]


def _yaml(key: str, node: Node) -> Lines:
    """Return the lines of an entry."""
    if isinstance(node, Table):
        lines = [line for name, value in node.entries for line in _yaml(name.text, value)]
        return [f"{key}:", *_indented(lines)]
    if isinstance(node, Listing):
        return [f"{key}:", *(f"  - {_quoted(_text(_said(item)))}" for item in node.items)]
    if "\n" in node.text.rstrip():
        return [f"{key}: |", *_indented(node.text.rstrip().split("\n"))]
    return [f"{key}: {_quoted(node.text.strip())}"]


def _quoted(text: str) -> str:
    return text if not text or _PLAIN.fullmatch(text) else json.dumps(text, ensure_ascii=False)


def _indented(lines: Iterable[str]) -> Lines:
    return [f"  {line}" for line in lines]


# -------------------------------------------------------------------------- the crossing


def crossed_text(random: Random) -> str:
    """Return the text of a crossed game, mended until it loads, or can't be mended."""
    crossing = _Crossing(random)
    return _mended(crossing.text(), random, crossing.atoms())


class _Crossing:
    """Puts one game together, section by section."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.donors = random.sample(donors(), random.randint(2, 4))
        self.board, self.facts = _draw_board(random)
        self.sides = SIDES[: random.choice((2, 2, 2, 3, 4, 5, 6))]
        kinds = list(dict.fromkeys(kind for donor in self.donors for kind in donor.kinds))
        self.kinds = tuple(kinds[:MOST_KINDS])
        self.used: list[tuple[int, str]] = []
        self.names: dict[tuple[int, str], str] = {}
        self.said: dict[str, dict[str, Lines]] = {section: {} for section in OF_WORDS}
        self.maps = [self._map(donor) for donor in self.donors]
        self.phases = tuple(f"phase{n}" for n in range(random.choice((0, 0, 0, 2, 3))))

    def text(self) -> str:
        """Return the whole file, as it is put together."""
        random = self.random
        lines = ["game: Crossed", f"players: {', '.join(self.sides)}", *self.board]
        lines += [f"pieces: {', '.join(self.kinds)}"]
        if len(self.sides) == 4 and self._chance(30):
            a, b, c, d = self.sides
            lines.append(f"teams: {a} and {c}, {b} and {d}")
        if stacks := self._one_liner("stacks", 20):
            lines.append(f"stacks: {random.choice((stacks, '3', '12'))}")
        if self._one_liner("hands", 15) is not None:
            lines.append("hands:")
            lines += [f"  {kind}: {random.randint(0, 9)}" for kind in self.kinds]
        parts = [*self._play(), *self._clauses("stuck", 2), *self._clauses("end", 4)]
        parts += self._sees()
        self._follow_words()
        for section, said in self.said.items():
            entries = [line for one in said.values() for line in one]
            lines += [f"{section}:", *_indented(entries)] if entries else []
        return "\n".join([*lines, *self._setup(), *parts, ""])

    def atoms(self) -> tuple[str, ...]:
        """Return words that mean something in this game."""
        facts = self.facts
        known = [name.split("(")[0] for said in self.said.values() for name in said]
        return (
            *("own", "enemy", "empty", "occupied", "all", "mover", "turns", "1", "2"),
            *facts.sites[:3],
            *facts.regions,
            *facts.relations,
            *facts.numbers,
            *self.kinds,
            *self.sides,
            *known,
        )

    def _chance(self, percent: int) -> bool:
        return self.random.randrange(100) < percent

    def _one_liner(self, section: str, percent: int) -> str | None:
        """Return what one of the games has there; or some game, once in a while."""
        having = [one.one_liners for one in self.donors if section in one.one_liners]
        if not having and self._chance(percent):
            having = [one.one_liners for one in donors() if section in one.one_liners]
        return self.random.choice(having)[section] if having else None

    def _map(self, donor: Donor) -> dict[str, str]:
        """Return what the names of a game stand for in this one."""
        random, facts = self.random, self.facts
        sides = [*self.sides] if self._chance(70) else random.sample(self.sides, len(self.sides))
        found = dict(zip(donor.sides, sides * len(donor.sides), strict=False))
        found |= {kind: random.choice(self.kinds) for kind in donor.kinds if kind not in self.kinds}
        theirs = _facts_of(donor)
        if theirs is not None:
            for old, new in (
                (theirs.directions, facts.directions),
                (theirs.symmetric, facts.symmetric),
                (theirs.regions, facts.regions),
                (theirs.numbers, facts.numbers),
                (theirs.sites, facts.sites),
            ):
                found |= {word: random.choice(new) for word in old if new and word not in new}
        return found

    def _mapped(self, number: int, text: str) -> str:
        """Return a text of a donor in the words of this game; its words are noted as used."""
        words, names = self.donors[number].words, self.maps[number]

        def word(found: re.Match[str]) -> str:
            name = found[0]
            if name not in words:
                return names.get(name, name)
            if (number, name) not in self.names:
                taken = {self.names[one] for one in self.used}
                is_other = name in taken and self._chance(50)
                self.names[number, name] = f"{name}_{number}" if is_other else name
                self.used.append((number, name))
            return self.names[number, name]

        return _TOKEN.sub(word, text)

    def _follow_words(self) -> None:
        """Write down all words that are used, and those that they use."""
        done: set[str] = set()
        for number, name in self.used:  # grows while it is gone through
            own = self.names[number, name]
            if own in done:
                continue
            done.add(own)
            for section, head, value in self.donors[number].words[name]:
                lines = [self._mapped(number, line) for line in _yaml(head, value)]
                self.said[section].setdefault(lines[0].split(":")[0], lines)
        for said in self.said.values():
            self._for_all_sides(said)

    def _for_all_sides(self, said: dict[str, Lines]) -> None:
        """Say what is said of one side of the others, too."""
        for head, lines in list(said.items()):
            found = _SIDE_OF_HEAD.match(head)
            if found is None or found[2] not in self.sides:
                continue
            for side in self.sides:
                other = f"{found[1]}({side}{found[3]}"
                said.setdefault(other, [other + lines[0][len(head) :], *lines[1:]])

    def _program(self) -> Lines:
        number = self.random.choice([n for n, one in enumerate(self.donors) if one.programs])
        return self._of_program(number, self.random.choice(self.donors[number].programs))

    def _of_program(self, number: int, lines: Lines) -> Lines:
        lines = [self._mapped(number, line.split(" #")[0]) for line in lines]
        return [_GO_TO.sub(self._go_to, line) for line in lines if line.strip()] or ["pass"]

    def _go_to(self, found: re.Match[str]) -> str:
        return f"go to {self.random.choice(self.phases)}" if self.phases else "again"

    def _turn(self) -> Lines:
        """Return a turn: of one game, or of two, one behind or beside the other."""
        style = self.random.choice(
            ("one", "one", "one", "ways", "after", "either", "if", "optionally", "mover")
        )
        one = self._program()
        if style == "one":
            return ["turn: |", *_indented(one)]
        other = self._program()
        if style == "ways":
            ways = [("this", one), ("that", other)]
            lines = [line for name, way in ways for line in (f"{name}: |", *_indented(way))]
            return ["turn:", *_indented(lines)]
        joined = {
            "after": [*one, *other],
            "either": ["either", *_indented(one), "or", *_indented(other)],
            "if": ["if turns mod 2 = 0", *_indented(one), "else", *_indented(other)],
            "optionally": [*one, "optionally", *_indented(other)],
            "mover": ["if mover = White", *_indented(one), "else", *_indented(other)],
        }[style]
        return ["turn: |", *_indented(joined)]

    def _play(self) -> Lines:
        """Return the turn, or the phases, and whether sides may swap."""
        lines = []
        if len(self.sides) == 2 and self._chance(30):
            lines.append(f"swap: {self._one_liner('swap', 0) or 'turns = 1'}")
        if not self.phases:
            if self._chance(4):
                return ["together: |", *_indented(self._program())]
            return [*lines, *self._turn()]
        lines.append("phases:")
        for name in self.phases:
            number = self.random.randrange(len(self.donors))
            phase = self.random.choice([*self.donors[number].phases, {}])
            settings = self._turn()
            if isinstance(seat := phase.get("seat"), Scalar):
                settings.append(f"seat: {seat.text}")
            if self._chance(40):
                settings += self._clauses("stuck", 1)
            elif self._chance(20):
                settings += [f"stuck: passes then go to {self.random.choice(self.phases)}"]
            lines += [f"  {name}:", *_indented(_indented(settings))]
        return lines

    def _clauses(self, section: str, most: int) -> Lines:
        every = [(n, text) for n, one in enumerate(self.donors) for text in one.clauses[section]]
        chosen = self.random.sample(every, min(len(every), self.random.randint(1, most)))
        said = [self._mapped(n, " ".join(text.split())) for n, text in chosen]
        said = [_GO_TO.sub(self._go_to, text) for text in said]
        if section == "stuck" and self._chance(60):
            said.append("draw")
        return [f"{section}:", *(f"  - {_quoted(text)}" for text in said)] if said else []

    def _sees(self) -> Lines:
        for number, donor in enumerate(self.donors):
            if donor.sees and self._chance(70):
                lines = [line for key, value in donor.sees.items() for line in _yaml(key, value)]
                return ["sees:", *_indented(self._mapped(number, line) for line in lines)]
        return []

    def _setup(self) -> Lines:
        """Return a first position: pieces on a share of all sites, of each side one at least."""
        random, sites = self.random, self.facts.sites
        share = random.choice((0, 5, 15, 30, 60))
        number = min(len(sites), max(len(sites) * share // 100, len(self.sides)))
        if share == 0:
            return []
        pieces: dict[str, list[str]] = {}
        for n, site in enumerate(random.sample(sites, number)):
            piece = f"{self.sides[n % len(self.sides)]} {random.choice(self.kinds)}"
            pieces.setdefault(piece, []).append(site)
        return ["setup:", *(f"  {piece}: {' | '.join(at)}" for piece, at in pieces.items())]


# ---------------------------------------------------------------------------- the board


@cache
def _boards() -> tuple[Lines, ...]:
    return tuple(donor.board for donor in donors() if donor.board)


def _draw_board(random: Random) -> tuple[Lines, Facts]:
    """Return a board of a shipped game in another size, or a small one of any sort."""
    while True:
        if random.randrange(4) == 0:
            text, facts = draw_board(random)
            return f"board: {text}".split("\n"), facts
        lines = _sized(random.choice(_boards()), random)
        found = facts_of(_section(lines))
        if found is not None and 1 <= len(found.sites) <= MOST_SITES:
            return lines, found


def _section(lines: Lines) -> str:
    """Return the value of `board` as it may stand behind its key."""
    return "\n".join([lines[0].removeprefix("board:").strip(), *lines[1:]])


def _sized(board: Lines, random: Random) -> Lines:
    """Return a board with other numbers in its first parentheses."""
    bounds = random.choice(SIZES)

    def sizes(found: re.Match[str]) -> str:
        return f"({', '.join(str(random.randint(*bounds)) for _ in found[1].split(','))})"

    return [re.sub(r"\(([^()]*)\)", sizes, board[0], count=1), *board[1:]]


def _facts_of(donor: Donor) -> Facts | None:
    """Return the words of a game's own board, whatever its size."""
    if not donor.board:
        return None
    return facts_of(_section(_sized(donor.board, Random(1)))) or facts_of("square(8, 8)")


# --------------------------------------------------------------------------- the mending


def _mended(text: str, random: Random, atoms: tuple[str, ...]) -> str:
    """Replace or leave out what is wrong, until nothing is, or too much was."""
    for _ in range(REPAIRS):
        try:
            load_source(Source("crossed.yaml", text))
            return text
        except GameError as error:
            mended = _without_mistakes(text, error.diagnostics, random, atoms)
            if mended == text:
                return text
            text = mended
    return text


def _without_mistakes(
    text: str, found: Iterable[Diagnostic], random: Random, atoms: tuple[str, ...]
) -> str:
    if any(one.code == "missing-key" for one in found):
        return f"{text}turn: |\n  choose s in empty\n  place {random.choice(atoms)} at s\n"
    errors = [one for one in found if one.severity == "error"]
    spans = {one.span.start: (one.code, one.span) for one in errors if one.span is not None}
    before = len(text)
    for start, (code, span) in sorted(spans.items(), reverse=True):
        if span.source.text[:before] != text[:before] or span.end > before:
            continue
        part = text[start : span.end]
        is_word = code in ("unknown-name", "wrong-type") and _TOKEN.fullmatch(part)
        if is_word and len(part) < _LONGEST_REPLACED and random.randrange(3):
            text = text[:start] + random.choice(atoms) + text[span.end :]
            before = start
        else:
            before, end = _entry_at(text, start)
            if not text[before:end].startswith(_NEEDED):
                text = text[:before] + text[end:]
    return text


def _entry_at(text: str, place: int) -> tuple[int, int]:
    """Return where the entry or statement begins that has a place, and where its block ends."""
    begin = text.rfind("\n", 0, place) + 1
    while begin > 0 and not text[begin:].partition("\n")[0].strip():
        begin = text.rfind("\n", 0, begin - 1) + 1
    lines = text[begin:].splitlines(keepends=True)
    depth = len(lines[0]) - len(lines[0].lstrip())
    end = begin + len(lines[0])
    for line in lines[1:]:
        if line.strip() and len(line) - len(line.lstrip()) <= depth:
            break
        end += len(line)
    return begin, end
