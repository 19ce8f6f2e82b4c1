"""Second looks: what is said of texts that can be read, but mean nothing where they stand.

In: the errors of a file. Out: the same, each with a better hint where its words are a known guess.
What then holds: a finding keeps its code, its place and its sentence; one that only follows from
another, such as that of a key which has another name here, is left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from gdl.diagnostic import Diagnostic
from gdl.syntax.slips import entries, shapes, words
from gdl.syntax.slips.place import LONGEST, Place, Reads

_MOST = 60
"""How many findings are looked at: nobody reads more hints at once."""

_LOOKS: dict[str, tuple[Callable[[Place], str], ...]] = {
    "unknown-key": (entries.board_table, entries.of_display, entries.key),
    "missing-key": (entries.board_table,),
    "missing-value": (entries.braced,),
    "wrong-shape": (entries.shape,),
    "wrong-number-of-arguments": (
        words.chosen_from_hand,
        words.in_a_row,
        words.joined,
        words.per_site,
        words.indexed,
    ),
    "wrong-type": (
        words.side_for_condition,
        words.moved_from,
        words.exchanged_arguments,
        words.taken_from_number,
        words.from_hand,
        words.joined,
        words.neutral,
        words.per_site,
        entries.flag_for_number,
    ),
    "name-taken": (entries.without_pieces,),
    "not-a-variable": (words.set_phase, words.counted),
    "unknown-name": (
        words.no_value,
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
    told, given = set[str](), set[tuple[int, str]]()
    for number, one in enumerate(found):
        if one.span is None or one.severity != "error" or number >= _MOST:
            yield one
            continue
        if len(one.span.source.line(one.span.line)) > LONGEST:
            yield one
            continue
        if any(
            one.message.startswith(before) or one.message.endswith(before) or before in one.hint
            for before in told
        ):
            continue
        place = Place(one, reads)
        missing = re.match(r"`(game|points)` is missing", one.message)
        if missing is not None and re.search(rf"\b{missing[1]} *:", place.text):
            continue
        hint = next((hint for look in _LOOKS.get(one.code, ()) if (hint := look(place))), "")
        if hint and one.code == "unknown-key":
            told.add(f"`{one.span.text}` should be")
        if hint.startswith(shapes.A_LATTICE):
            told.add("of a board.")
        elif hint and one.code == "duplicate-name":
            told |= {"What follows a kind of piece", "A kind of piece is declared under `pieces`"}
        if hint.startswith(shapes.A_NAME_ALONE):
            told |= {"What follows a kind of piece", "The pieces are: "}
            told |= {f"`{side}` has a meaning already" for side in place.sides}
        if hint and (one.span.line, hint) in given:
            continue
        if place.section == "pieces" and any(
            told_before.startswith(shapes.A_NAME_ALONE) for _, told_before in given
        ):
            continue
        given.add((one.span.line, hint))
        yield replace(one, hint=hint, replacement=None) if hint else one
