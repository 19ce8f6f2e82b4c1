"""Sentences held against rules, in what either may say: own or enemy, most or least, up or down.

In: the texts of a game, and its rules as they are written. Out: notes. What then holds: a rule
names one pole of a dimension; the clauses of the texts that speak of the same things name only
another one, and no other rule does what they say. `spoken.py` has the dimensions. A stem weighs the
more, the fewer clauses have it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import log

from gdl.codes import Code
from gdl.diagnostic import Diagnostic, Span
from gdl.document.nodes import Node, Scalar
from gdl.elaborate.pieces.hand_words import HAND
from gdl.elaborate.sections.sections import readable
from gdl.interpreter.check.definitions import defined_names, variable_names, words_in
from gdl.interpreter.check.places import PROGRAMS, note, parsed_rules
from gdl.interpreter.check.rules.spoken import (
    DIGITS,
    IN_RULES,
    IN_TEXTS,
    NAMED,
    OF_NAMES,
    Clause,
    Rule,
    Rules,
    apart,
    claims_in,
    clauses_of,
    entries_of,
    number_of,
    numbers_said,
    poles_of,
    stems,
    with_names,
    without_values,
)
from gdl.interpreter.check.rules.texts import part_of, text_differs, texts_of_game
from gdl.model import Game
from gdl.syntax import tree as t
from gdl.syntax.tree.walk import nodes_in

# ---------------------------------------------------------------------------------------- comparing

_LEAST, _ALONE, _LEAST_OF_NUMBERS = 2.2, 1.8, 2.5
"""How well a rule must fit to a clause; if it fits to no other one nearly as well; for numbers."""
_NEAR, _LOOSELY, _BY_NAME = 0.9, 0.72, 0.6
"""From these parts of its best fit on a rule speaks of a clause, or may; so for what has names."""
_AS_WELL = 0.88
"""From this part of a rule's fit on, another rule does what the clause says."""
_THERE_ARE = re.compile(r"\b(?:there (?:are|is)|\w+ by \w+)\b", re.I)


class Comparison:
    """How well the rules of a game fit to the clauses of its texts."""

    def __init__(self, game: Game) -> None:
        """Read the texts and the rules of a game."""
        self._game = game
        self._in_rules, self._in_texts = with_names(game)
        self.clauses = list(clauses_of(game, self._in_texts))
        self.rules = list(Rules(game, self._in_rules))
        number = Counter(one for clause in self.clauses for one in clause.stems)
        self._weights = {one: log(1 + len(self.clauses) / n) for one, n in number.items()}
        self._fits = [[self._fit(rule, one) for one in self.clauses] for rule in self.rules]

    def _fit(self, rule: Rule, clause: Clause) -> float:
        """Return how well a rule fits to a clause, whatever they say in all dimensions."""
        total = 0.7 * rule.is_negative if rule.is_negative == clause.is_negative else -0.3
        for one, weight in rule.about.items():
            if one in clause.sentence:
                total += weight * self._weights[one] * (1 if one in clause.stems else 0.5)
        agreed = sum(_agreement(rule, clause, dimension) for dimension in rule.poles)
        return total + agreed + bool(rule.numbers & numbers_said(clause.text))

    def _row(self, at: int, but: str) -> list[float]:
        """Return how well a rule fits to each clause, without what they say in a dimension."""
        rule, fits = self.rules[at], self._fits[at]
        return [
            fit - _agreement(rule, clause, but)
            for fit, clause in zip(fits, self.clauses, strict=True)
        ]

    def opposites(self) -> Iterator[Diagnostic]:
        """Yield the rules that name one pole where the clauses that they fit name another one."""
        for dimension in self._in_rules if self.clauses else ():
            asking = [at for at, one in enumerate(self.rules) if one.reaches[dimension]]
            rows = {at: self._row(at, dimension) for at in asking}
            for at in asking:
                poles, text = self.rules[at].poles[dimension], self.rules[at].text
                is_default = dimension == "whose" and not _IS_WRITTEN.match(text)
                if is_default and not poles_of(_OF_MOVER.sub("", text), self._in_rules)["whose"]:
                    continue
                if len(poles) == 1:
                    (pole,) = poles
                    yield from self._opposite(dimension, pole, at, rows)

    def _opposite(
        self, dimension: str, pole: str, at: int, rows: Mapping[int, list[float]]
    ) -> Iterator[Diagnostic]:
        rule, row = self.rules[at], rows[at]
        best, second = sorted([0.0, *row])[:-3:-1]
        is_clear = best >= _LEAST or (best > _ALONE and second < _LOOSELY * best)
        said = [one.poles[dimension] for one in self.clauses]
        if not is_clear or any(
            fit >= (_BY_NAME if dimension in OF_NAMES else _LOOSELY) * best and pole in of
            for fit, of in zip(row, said, strict=True)
        ):
            return
        for which, (fit, of) in enumerate(zip(row, said, strict=True)):
            if fit < _NEAR * best or not of:
                continue
            is_of_other_end = (
                dimension == "side"
                and "win" in rule.about
                and "win" not in self.clauses[which].sentence
            )
            is_added = dimension == "which lines" and self.clauses[which].is_added
            if is_of_other_end or is_added:
                continue
            is_done = any(
                other != at
                and self.rules[other].reaches[dimension] & of
                and not _IS_CHOSEN.fullmatch(self.rules[other].text)
                and others[which] >= _AS_WELL * fit
                for other, others in rows.items()
            )
            if not is_done:
                clause = self.clauses[which]
                word = rule.word(self._in_rules[dimension][pole])
                other = next(p for p in self._in_texts[dimension] if p in of)
                found = self._in_texts[dimension][other].search(clause.text)
                said_of_it = found[0] if found else other
                yield text_differs(
                    f'This has `{word.text}`, and the text says "{said_of_it}" of it.',
                    word,
                    clause.place,
                )
                return

    def numbers(self) -> Iterator[Diagnostic]:
        """Yield rules with a number where the clauses that they fit count things otherwise."""
        rows = [self._row(at, "") for at in range(len(self.rules))]
        for at, rule in enumerate(self.rules):
            digits = {number for _, number in DIGITS.findall(rule.text)} - {"0"}
            best = max(rows[at], default=0)
            if len(digits) != 1 or digits == {"1"} or best < _LEAST_OF_NUMBERS:
                continue
            claims = [
                {
                    n
                    for n, of in claims_in(one.text)
                    if of == "times" or rule.about.get(of, 0) >= NAMED
                }
                for one in self.clauses
            ]
            near = [which for which, fit in enumerate(rows[at]) if fit >= best / 2]
            if any((claims[w] | numbers_said(self.clauses[w].text)) & rule.numbers for w in near):
                continue
            first = self.clauses[rows[at].index(best)]
            for which in near:
                clause, fit = self.clauses[which], rows[at][which]
                is_meant = fit >= _NEAR * best or clause.sentence == first.sentence
                is_far = (
                    rule.text in digits
                    and min(abs(n - int(rule.text)) for n in claims[which] or {99}) > 2
                )
                if not is_meant or not claims[which] or is_far or _THERE_ARE.search(clause.text):
                    continue
                if not any(
                    other != at and claims[which] & self.rules[other].numbers
                    and row[which] >= _LOOSELY * fit
                    for other, row in enumerate(rows)
                ):  # fmt: skip
                    yield text_differs(
                        f"This has {digits.pop()}, and the text says {min(claims[which])} of it.",
                        rule.place,
                        clause.place,
                    )
                    break

    def beside(self) -> Iterator[Diagnostic]:
        """Yield the rules beside which a caption, a comment or their own name says another pole."""
        defined = defined_names(self._game) | variable_names(self._game) | {*self._game.sides}
        for rule in self.rules:
            is_plain = rule.name is not None and not {*words_in(rule.text)} & defined
            comment = re.search(r"\s#(.*)", rule.place.source.line(rule.place.line))
            texts = [(without_values(rule.says.text), rule.says)] if rule.says else []
            texts += [(comment[1], rule.place)] if comment else []
            texts += [(apart(_head_word(rule.name)), rule.name)] if rule.name else []
            for text, place in texts:
                said = poles_of(text, IN_TEXTS)
                for dimension, of in said.items():
                    poles = rule.poles[dimension]
                    if dimension == "whose" and not is_plain:
                        continue
                    if len(poles) == 1 and of and not of & poles:
                        (pole,) = poles
                        word = rule.word(IN_RULES[dimension][pole])
                        yield text_differs(
                            f"This has `{word.text}`, and the text beside it says otherwise.",
                            word,
                            place,
                        )

    def given_back(self) -> Iterator[Diagnostic]:
        """Yield what goes into the mover's hand where the text says that it comes back."""
        for at, rule in enumerate(self.rules):
            to_mover = _TO_MOVERS_HAND.search(rule.text)
            row = self._row(at, "whose") if to_mover else []
            for fit, clause in zip(row, self.clauses, strict=False):
                if to_mover and fit >= max(row) / 2 and _COMES_BACK.search(clause.text):
                    yield text_differs(
                        "This goes into the hand of the side on turn; the text says that it comes"
                        " back.",
                        rule.word(_MOVERS_HAND),
                        clause.place,
                    )
                    break

    def distances(self) -> Iterator[Diagnostic]:
        """Yield places so many steps away, `d | d^2`, where the text says other numbers."""
        there = [(one, found) for one in self.rules for found in [_steps_in(one)] if found]
        sets = {steps for _, found in there for steps, _ in found}
        for rule, found in there:
            row = self._row(self.rules.index(rule), "")
            near = [
                (one, _steps_said(one.text))
                for fit, one in zip(row, self.clauses, strict=True)
                if fit >= _LOOSELY * max(row)
            ]
            meant = {steps: one for one, said in near for steps in said}
            for steps, span in found:
                others = [
                    one
                    for other, one in meant.items()
                    if len(other ^ steps) == 1 and other not in sets
                ]
                if steps not in meant and len(meant) == len(others) == 1:
                    yield text_differs(
                        "This leads to other distances than the text says.", span, others[0].place
                    )

    def unusual(self) -> Iterator[Diagnostic]:
        """Yield where the enemy's pieces are moved, or one's own taken off, and no text says so."""
        for rules in parsed_rules(self._game, PROGRAMS):
            nodes = list(nodes_in(rules))
            moved = {
                node.source.span.text
                for node in nodes
                if isinstance(node, t.MovePiece)
                and HAND not in words_in(node.destination.span.text)
            }
            for node in nodes:
                match node:
                    case t.Choose(variable=variable, domain=domain) if (
                        variable.name in moved and _ARE_ENEMIES.fullmatch(domain.span.text)
                    ):
                        found = "enemy", _MOVES, domain.span, "moves a piece of the enemy's"
                    case t.Remove(sites=sites) if {*words_in(sites.span.text)} & _SIDES == {"own"}:
                        found = "own", _TAKES, sites.span, "takes one's own pieces off"
                    case _:
                        continue
                pole, verbs, place, what = found
                if not any(pole in c.poles["whose"] and verbs & c.sentence for c in self.clauses):
                    yield note(
                        Code.TEXT_DIFFERS,
                        f"This {what}, and no text says so.",
                        place,
                        "Mend the rule, or let the text say so.",
                    )

    def unsaid(self) -> Iterator[Diagnostic]:
        """Yield what alone is counted for the enemy, where no text speaks of that."""
        counted = [
            (one, found[1], found[2])
            for one in self.rules
            if (found := _COUNTED.match(one.text)) is not None
        ]
        for rule, name, side in counted:
            others = [of for _, other, of in counted if other == name]
            strong = {one for one, weight in rule.about.items() if weight >= NAMED}
            if side != "enemy" or others.count("enemy") > 1 or len(others) < _FEWEST_COUNTED:
                continue
            if not any("enemy" in c.poles["whose"] and strong & c.sentence for c in self.clauses):
                yield note(
                    Code.TEXT_DIFFERS,
                    f"In all other places it is the side on turn for which `{name}` is counted, and"
                    " no text says that the enemy's is.",
                    rule.word(IN_RULES["whose"]["enemy"]),
                    "Mend the rule, or let the text say so.",
                )


_MOVES = stems("move push pull swap drag shift carry throw exchange slide step displace rotate")
_TAKES = stems("take capture remove sacrifice lose kill return give leave cost bear bring discard")
"""What texts say where the enemy's pieces are moved, and where one's own are taken."""
_IS_WRITTEN, _OF_MOVER = re.compile(r"(?:add|set)\b"), re.compile(r"\((?:own|mover)\b")
"""What is asked of the side on turn, as of nearly all variables, is hardly ever a slip."""
_IS_CHOSEN = re.compile(r"own(?: & \w+)?")
"""What nearly all turns begin with: a text says it nowhere, or everywhere."""
_TO_MOVERS_HAND, _MOVERS_HAND = re.compile(r"move\b.*\bto hand\(mover\b"), re.compile(r"\bmover\b")
_COMES_BACK = re.compile(r"\bback\b|\breturn", re.I)
_ARE_ENEMIES, _SIDES = re.compile(r"enemy(?: & \w+)*"), {"own", "enemy", "mover"}
_COUNTED = re.compile(r"add .* to (\w+)\((mover|own|enemy)\b")
_FEWEST_COUNTED = 3
_BETWEEN = re.compile(r"\b([a-z]+|\d+) (?:or|to) ([a-z]+|\d+)\b", re.I)
_AT_MOST = re.compile(r"\b(?:at most|up to|not more than) ([a-z]+|\d+)\b", re.I)


def _agreement(rule: Rule, clause: Clause, dimension: str) -> float:
    """Return by how much a rule fits better to a clause for what both say in a dimension."""
    one, other = rule.poles.get(dimension), clause.poles.get(dimension)
    if dimension in OF_NAMES or not one or not other:
        return 0
    return 1 if one & other else -0.5


def _head_word(name: Span) -> str:
    return name.text.partition("(")[0]


def _steps_in(rule: Rule) -> list[tuple[frozenset[int], Span]]:
    """Return the sets of numbers of steps in a rule, `d | d^2` being one and two."""
    found: list[tuple[frozenset[int], Span]] = []
    if "^" in rule.text and "|" in rule.text:
        for match in _STEPS.finditer(rule.text):
            parts = [part.strip().partition("^") for part in match[0].split("|")]
            if len({name for name, _, _ in parts}) == 1:
                begin = rule.place.start + match.start()
                place = Span(rule.place.source, begin, begin + len(match[0]))
                found.append((frozenset(int(n or 1) for _, _, n in parts), place))
    return found


_STEPS = re.compile(r"\b[A-Za-z_]\w*(?:\^\d+)?(?: \| [A-Za-z_]\w*(?:\^\d+)?)+")


def _steps_said(text: str) -> Iterator[frozenset[int]]:
    """Yield the sets of numbers of steps that a text may name: `two or three`, `at most two`."""
    for low, high in _BETWEEN.findall(text):
        if 0 < number_of(low) < number_of(high):
            yield frozenset(range(number_of(low), number_of(high) + 1))
    for most in _AT_MOST.findall(text):
        if number_of(most):
            yield frozenset(range(1, number_of(most) + 1))


# ------------------------------------------------------------------------- what needs no comparison

_SITE = r"[a-z]\d{1,2}"
_SITES_SAID = re.compile(rf"\b{_SITE}(?:(?:, and|,| and| or)\s+{_SITE})+\b")
_SITES_THERE = re.compile(rf"\b{_SITE}(?: \| {_SITE})+\b")


def _listed_sites(game: Game) -> Iterator[Diagnostic]:
    """Yield a list of sites that differs in one from a list of the text that no rule has."""
    names = {site.name for site in game.board.sites}
    there = [
        (frozenset(match[0].split(" | ")), part_of(body.span, match))
        for section in ("define", "regions", "setup")
        for _, body in entries_of(game.document.get(section))
        for match in _SITES_THERE.finditer(body.span.text)
    ]
    said: dict[frozenset[str], Span] = {}
    for about in texts_of_game(game) if there else ():
        for match in _SITES_SAID.finditer(about.text):
            said[frozenset(re.findall(_SITE, match[0]))] = part_of(about, match)
    for sites, place in said.items():
        if not sites <= names or any(sites <= of for of, _ in there):
            continue
        for of, span in there:
            if len(of) == len(sites) == len(of & sites) + 1 and of not in said:
                yield text_differs("The text lists these sites but for one.", span, place)


_SCALES = {
    "strength power force might rank": "weak strong mighti high low",
    "height level storey floor": "high low tall short",
    "size length extent total": "larg small great long short bigg",
    "weight": "heavi light",
    "speed": "fast slow",
    "wealth value worth": "rich poor great high low",
}
"""What a definition measures, by words of its name, and what texts then say of more or less."""
_AS_MUCH = re.compile(
    r"\b(?:at (?:least|most)|as \w+|equal\w*|(?:or|no|not|one) \w+er|same|tied?|ties)\b",
    re.I,
)


def _measured(game: Game) -> Iterator[Diagnostic]:
    """Yield where a measure lets equal ones pass, or does not, unlike the text.

    Such as `strength(a) >= strength(b)`, where the text says "weaker" alone.
    """
    compared: dict[str, list[t.Operation]] = {}
    for key in ("turn", "phases", "actions", "define"):
        for text in _rule_scalars(game.document.get(key)):
            for node in nodes_in(_readable(text, key)):
                match node:
                    case t.Operation(
                        operator=">" | "<" | ">=" | "<=",
                        operands=(
                            t.Call(function=t.Name(name=one)),
                            t.Call(function=t.Name(name=other)),
                        ),
                    ) if one == other:
                        compared.setdefault(one, []).append(node)
    for name, nodes in compared.items():
        words = next(
            (w for names, w in _SCALES.items() if {*apart(name).split()} & {*names.split()}), ""
        )
        is_strict = {node.operator in "<>" for node in nodes}
        if not words or len(is_strict) != 1:
            continue
        said = re.compile(rf"\b(?:{'|'.join(words.split())})er\b", re.I)
        sentences = [
            part_of(about, found)
            for about in texts_of_game(game)
            for found in re.finditer(r"[^.;:,]+", about.text)
            if said.search(found[0])
        ]
        loose = [bool(_AS_MUCH.search(one.text)) for one in sentences]
        if sentences and (all(loose) if True in is_strict else not any(loose)):
            what = "leaves out" if True in is_strict else "includes"
            yield text_differs(
                f"This {what} what is equal, unlike the text.", nodes[0].span, sentences[0]
            )


def _rule_scalars(node: Node | None) -> Iterator[Scalar]:
    if isinstance(node, Scalar):
        yield node
    for head, body in entries_of(node):
        if head.text not in ("says", "end", "stuck", "seat"):
            yield from _rule_scalars(body)


def _readable(text: Scalar, key: str) -> Sequence[t.Node]:
    found = readable(text, "expression" if key == "define" else "program")
    return found if isinstance(found, tuple) else (found,) if isinstance(found, t.Node) else ()


def check_prose(game: Game) -> Iterator[Diagnostic]:
    """Yield the rules that say one thing where the texts say the other."""
    comparison = Comparison(game)
    beside = {one.span: one for one in comparison.beside()}
    yield from beside.values()
    if comparison.clauses:
        yield from (one for one in comparison.opposites() if one.span not in beside)
        yield from comparison.numbers()
        yield from comparison.given_back()
        yield from comparison.distances()
        yield from comparison.unsaid()
        yield from comparison.unusual()
        yield from _listed_sites(game)
        yield from _measured(game)
