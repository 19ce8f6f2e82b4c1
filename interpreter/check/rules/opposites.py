"""Whether what stands beside a rule, or the text, says the opposite of it.

In: a game. Out: notes. What then holds: a rule names one of two opposites, and its caption, its
name or a comment beside it names the other one alone; or a list of sites, or what is said of equal
ones, is another than the text's.

Sentences of the whole text were laid beside the rules that share most words with them, too: of 48
mistakes in games that nobody had looked at one was told by that, and something false of seven games
without a mistake of twelve (docs/mistakes.md).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from gdl.diagnostic import Diagnostic, Span
from gdl.document.nodes import Mapping, Node, Scalar
from gdl.document.nodes import Sequence as Items
from gdl.interpreter.check.definitions import defined_names, variable_names, words_in
from gdl.interpreter.check.places import PROGRAMS, parsed_rules, rule_texts, without_comments
from gdl.interpreter.check.rules.texts import (
    PLACEHOLDER,
    part_of,
    text_differs,
    texts_of_game,
)
from gdl.model import Game
from gdl.syntax import tree as t
from gdl.syntax.tree.walk import nodes_in

_OPPOSITES: dict[str, dict[str, tuple[str, str]]] = {
    "whose": {
        "own": (
            r"own|mover|(?<!following\()owner(?=\()",
            r"own(?! sides?\b)|one's|friend(?:ly|s)?|himself|itself|of the same (?:side|colou?r)"
            r"|yours?|you|whose|of (?:its|his|her|their) side",
        ),
        "enemy": (
            r"enemy|following(?=\()",
            r"enem(?:y|ies)|opponents?|opposing|hostile|rivals?|foes?|another side"
            r"|(?<!each )other(?:'s)?(?! own\b| \w+s\b)",
        ),
    },
    "which counts": {
        "most": (
            r"highest|most|max(?!\()",
            r"most|more|highest|(?<!next )higher|largest|larger|greatest|greater|biggest|longest"
            r"|best",
        ),
        "least": (
            r"lowest|least|min(?!\()",
            r"least|less|lowest|(?<!next )lower|smallest|smaller|fewest|fewer|shortest",
        ),
    },
    "up or down": {
        "up": (r"top|north", r"top|up|upper|uppermost|upwards?|north\w*|highest row"),
        "down": (r"bottom|south", r"bottom|down|lower|lowermost|downwards?|south\w*|lowest row"),
    },
    "left or right": {
        "left": (r"left|west", r"left(?! over)|west\w*"),
        "right": (r"right|east", r"right|east\w*"),
    },
}
"""By pole: the words of rules, and the words of texts, that name it."""
_IN_RULES, _IN_TEXTS = (
    {
        dimension: {pole: re.compile(rf"\b(?:{of[at]})\b", re.I) for pole, of in poles.items()}
        for dimension, poles in _OPPOSITES.items()
    }
    for at in (0, 1)
)
_COMMENT = re.compile(r"\s#(.*)")


def check_opposites(game: Game) -> Iterator[Diagnostic]:
    """Yield the rules that say one thing where what stands beside them says the other."""
    yield from _beside(game)
    yield from _listed_sites(game)
    yield from _measured(game)


def _beside(game: Game) -> Iterator[Diagnostic]:
    """Yield the definitions and ends beside which a text names the other pole.

    Whose pieces are meant, only what names no other definition tells by itself.
    """
    defined = defined_names(game) | variable_names(game) | {*game.sides}
    for rule, texts in _rules(game):
        code = without_comments(rule.text)
        is_plain = not {*words_in(code)} & defined
        for text, place in texts:
            for dimension, words in _IN_TEXTS.items():
                said = {pole for pole, named in words.items() if named.search(text)}
                found = {
                    pole: match
                    for pole, named in _IN_RULES[dimension].items()
                    if (match := named.search(code))
                }
                if len(found) != 1 or not said or said & found.keys():
                    continue
                if dimension != "whose" or is_plain:
                    (match,) = found.values()
                    yield text_differs(
                        f"This has `{match[0]}`, and what stands beside it says otherwise.",
                        part_of(rule, match),
                        place,
                    )


def _rules(game: Game) -> Iterator[tuple[Span, list[tuple[str, Span]]]]:
    """Yield definitions and clauses, each with the texts beside it and where these stand."""
    define = game.document.get("define")
    for head, body in define.entries if isinstance(define, Mapping) else ():
        rule, says = (
            (body.get("is"), body.get("says")) if isinstance(body, Mapping) else (body, None)
        )
        if isinstance(rule, Scalar):
            name = Span(head.span.source, head.span.start, head.span.start + len(head.text))
            words = re.sub(r"(?<=[a-z])(?=[A-Z])|[_\d]", " ", head.text.partition("(")[0])
            yield rule.span, [*_said(says), (words, name), *_comment(rule.span)]
    for key in ("end", "stuck"):
        yield from _clauses(game.document.get(key))


def _clauses(node: Node | None) -> Iterator[tuple[Span, list[tuple[str, Span]]]]:
    for one in node.items if isinstance(node, Items) else (node,):
        rule, says = (
            (one.get("clause"), one.get("says")) if isinstance(one, Mapping) else (one, None)
        )
        if isinstance(rule, Scalar):
            yield rule.span, [*_said(says), *_comment(rule.span)]


def _said(says: Node | None) -> list[tuple[str, Span]]:
    return [] if says is None else [(PLACEHOLDER.sub(" ", says.span.text), says.span)]


def _comment(rule: Span) -> list[tuple[str, Span]]:
    found = _COMMENT.search(rule.source.line(rule.line))
    return [] if found is None else [(found[1], rule)]


_SITE = r"[a-z]\d{1,2}"
_SITES_SAID = re.compile(rf"\b{_SITE}(?:(?:, and|,| and| or)\s+{_SITE})+\b")
_SITES_THERE = re.compile(rf"\b{_SITE}(?: \| {_SITE})+\b")


def _listed_sites(game: Game) -> Iterator[Diagnostic]:
    """Yield a list of sites that differs in one from a list of the text that no rule has."""
    names = {site.name for site in game.board.sites}
    there = [
        (frozenset(match[0].split(" | ")), part_of(rule.span, match))
        for section in ("define", "regions", "setup")
        for rule in rule_texts(game.document.get(section))
        for match in _SITES_THERE.finditer(rule.span.text)
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
    r"\b(?:at\s+(?:least|most)|as\s+\w+|equal\w*|(?:or|no|one)\s+\w+er|(?:not|\w+n't)\s+(?:\w+\s+)?\w+er|same"
    r"|tied?|ties)\b",
    re.I,
)


def _measured(game: Game) -> Iterator[Diagnostic]:
    """Yield where a measure lets equal ones pass, or does not, unlike the text.

    Such as `strength(a) >= strength(b)`, where the text says "weaker" alone.
    """
    compared: dict[str, list[t.Operation]] = {}
    for rules in parsed_rules(game, {**PROGRAMS, "define": "expression"}):
        for node in nodes_in(rules):
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
            (w for names, w in _SCALES.items() if {*name.split("_")} & {*names.split()}), ""
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
