"""Second looks: what is said of texts that can be read, but mean nothing where they stand.

In: the errors of a file. Out: the same, each with a better hint where its words are a known guess.
What then holds: a finding keeps its code, its place and its sentence; one that only follows from
another, such as that of a key which has another name here, is left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from gdl.diagnostic import Diagnostic, Span
from gdl.syntax.slips import entries, shapes, words
from gdl.syntax.slips.place import LONGEST, Place, Reads

_OF_A_SIDE = re.compile(
    r"Nothing here is called `[A-Z]|There is no piece `\w+ |`\w+` is no player|There is a piece `"
)
"""How sentences begin that may only say that the sides of a file are not known."""
_MOST = 60
"""How many findings are looked at: nobody reads more hints at once."""

_LOOKS: dict[str, tuple[Callable[[Place], str], ...]] = {
    "unknown-key": (entries.board_table, entries.of_display, entries.key),
    "missing-key": (entries.board_table,),
    "missing-value": (entries.braced,),
    "wrong-shape": (entries.pairs, entries.shape),
    "wrong-number-of-arguments": (
        words.chosen_from_hand,
        words.in_a_row,
        words.joined,
        words.per_site,
        words.indexed,
    ),
    "wrong-type": (
        entries.pairs,
        words.chosen_from_hand,
        words.side_for_condition,
        words.moved_from,
        words.exchanged_arguments,
        words.taken_from_number,
        words.from_hand,
        words.from_board,
        words.ranked_twice,
        words.joined,
        words.neutral,
        words.per_site,
        entries.flag_for_number,
    ),
    "name-taken": (entries.without_pieces, entries.described, words.given_anew),
    "not-a-variable": (words.set_phase, words.counted),
    "unknown-name": (
        words.no_value,
        words.next_side,
        entries.settings_of_word,
        words.each,
        words.per_site,
        words.counted,
        words.region,
        entries.flag_for_number,
        entries.hand,
    ),
    "duplicate-name": (entries.kinds,),
    "wrong-value": (entries.kinds,),
    "not-applicable": (words.applied,),
    "syntax": (
        entries.pairs,
        entries.swapped,
        entries.together,
        entries.placed_by_sides,
        entries.listed_in_setup,
        entries.clause_key,
        entries.site_first,
        entries.kind_first,
        words.per_site,
        entries.hand,
        entries.described,
    ),
}
"""Who looks at what is found again, by its code; the first that knows better is heard."""


def looked_at_again(found: Iterable[Diagnostic], reads: Reads) -> Iterator[Diagnostic]:
    """Yield the findings, with better hints where it is known what is meant.

    `reads` tells whether a text can be read from an entry point of the grammar.
    """
    told = _Told()
    for number, one in enumerate(found):
        if number >= _MOST or one.severity != "error" or not _is_short(one.span):
            yield one
            continue
        place = Place(one, reads)
        if told.causes(one) or _stands_there_as_key(one, place):
            continue
        hint = next((hint for look in _LOOKS.get(one.code, ()) if (hint := look(place))), "")
        if not told.says_already(one, hint, place):
            yield replace(one, hint=hint, replacement=None) if hint else one


def _is_short(span: Span | None) -> bool:
    """Return whether something is found in a line that is short enough to be looked at."""
    return span is not None and len(span.source.line(span.line)) <= LONGEST


def _stands_there_as_key(one: Diagnostic, place: Place) -> bool:
    """Return whether a key is told to be missing that stands where it can't be read."""
    missing = re.match(r"`(game|points)` is missing", one.message)
    return missing is not None and bool(re.search(rf"\b{missing[1]} *:", place.text))


class _Told:
    """What hints have told so far, and what other findings come of the same mistakes."""

    def __init__(self) -> None:
        self._words = set[str]()
        """What messages and hints of findings have in them that follow from what was told."""
        self._hints = set[tuple[int, str]]()
        """Hints by their lines."""
        self._lists_names = False
        """Whether it was told that `pieces` lists names alone."""
        self._has_no_sides = False
        """Whether it was told that the names of the sides can't be read."""

    def causes(self, one: Diagnostic) -> bool:
        """Return whether a finding only follows from what was told."""
        if self._has_no_sides and _OF_A_SIDE.match(one.message):
            return True
        return any(
            one.message.startswith(words) or one.message.endswith(words) or words in one.hint
            for words in self._words
        )

    def says_already(self, one: Diagnostic, hint: str, place: Place) -> bool:
        """Keep what a hint tells; return whether that, with what else is wrong there, was told."""
        self._words |= _words_of_consequences(one, hint, place)
        key = (one.span.line, hint) if one.span is not None and hint else None
        if key in self._hints or (place.section == "pieces" and self._lists_names):
            return True
        if key is not None:
            self._hints.add(key)
        self._lists_names |= hint.startswith(shapes.A_NAME_ALONE)
        is_unread = place.section == "players" and one.code in ("syntax", "wrong-shape")
        self._has_no_sides |= is_unread or one.message.startswith("A game needs `players`")
        return False


def _words_of_consequences(one: Diagnostic, hint: str, place: Place) -> set[str]:
    """Return words by which findings are known that come of the mistake that a hint tells of."""
    found = set[str]()
    if hint and one.code == "unknown-key" and one.span is not None:
        found.add(f"`{one.span.text}` should be")
    if hint.startswith(shapes.A_LATTICE):
        found.add("of a board.")
    elif hint and one.code == "duplicate-name":
        found |= {"What follows a kind of piece", "A kind of piece is declared under `pieces`"}
    if hint.startswith(shapes.A_NAME_ALONE):
        found |= {"What follows a kind of piece", "The pieces are: ", "The kinds are: "}
        found |= {f"`{side}` has a meaning already" for side in place.sides}
    return found
