"""The display: what pieces look like in drawings and in rows of characters.

In: the `display` section and the declarations. Out: the layers with their symbols, each another
one; the section's texts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from string import ascii_lowercase

from gdl.diagnostic import first_names, suggest
from gdl.document.nodes import Mapping as Document
from gdl.document.nodes import Scalar
from gdl.elaborate.forms import PIECES, Forms
from gdl.elaborate.scope import Declarations
from gdl.model import Layer

_Layer = tuple[int, int | None]
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"


def display_layers(document: Document, d: Declarations) -> tuple[Layer, ...]:
    """Return the layers of the position, each with its symbol and name.

    A symbol is that of a piece, as `White Knight`, or that of a kind: then the first side has it in
    upper case and the second in lower case. Where the file says none, both have one letter so, if
    there is one left: the first of the kind's name, or another.
    """
    symbols = display_table(document, "symbols")
    names = {layer: slot.name for layer, slot in d.layers.items()}
    chosen: dict[_Layer, str] = {}
    for layer, name in names.items():
        of_kind = symbols.get(d.kinds[layer[0]].name, "")
        if name in symbols:
            chosen[layer] = symbols[name]
        elif of_kind:
            chosen[layer] = _in_case(of_kind, layer, d)
    _choose_symbols([layer for layer in names if layer not in chosen], chosen, d)
    return tuple(
        Layer(slot, layer[0], layer[1], chosen[layer], names[layer])
        for layer, slot in d.layers.items()
    )


def _in_case(symbol: str, layer: tuple[int, int | None], d: Declarations) -> str:
    kind, side = layer
    if len(d.kinds[kind].sides) < 2:
        return symbol
    return symbol.upper() if side == 0 else symbol.lower() if side == 1 else str(side)


def _choose_symbols(missing: Sequence[_Layer], chosen: dict[_Layer, str], d: Declarations) -> None:
    """Choose symbols for layers that have none.

    First for all whose first choice is left, then for both sides of a kind together.
    """
    is_single = sum(not kind.is_neutral for kind in d.kinds) == 1
    wanted = {layer: _wanted(layer, d, is_single) for layer in missing}
    groups: list[list[_Layer]] = []
    for layer in missing:
        if layer[1] == 1 and groups[-1:] == [[(layer[0], 0)]] and not is_single:
            groups[-1].append(layer)
        else:
            groups.append([layer])
    for group in groups:
        _choose_free(group, [[wanted[layer][0] for layer in group]], chosen)
    for group in groups:
        if len(group) == 2 and group[0] not in chosen:
            letters = f"{d.kinds[group[0][0]].name}{ascii_lowercase}"
            pairs = [[letter.upper(), letter.lower()] for letter in letters if letter.isalpha()]
            _choose_free(group, pairs, chosen)
    for layer in missing:
        if layer not in chosen:
            _choose_free([layer], [[char] for char in (*wanted[layer], *_LETTERS, "")], chosen)


def _choose_free(
    group: Sequence[_Layer], choices: Iterable[Sequence[str]], chosen: dict[_Layer, str]
) -> None:
    """Give layers the first of some choices of which nothing is taken, if there is one."""
    taken = set(chosen.values()) - {""}
    free = next((choice for choice in choices if taken.isdisjoint(choice)), ())
    chosen.update(zip(group, free, strict=False))


def _wanted(layer: _Layer, d: Declarations, is_single: bool) -> str:
    """Return the symbols that would suit a layer, the best first."""
    kind, side = layer
    if side is None:
        return d.kinds[kind].name[0].lower() + "*#+%"
    if is_single:
        return "XOABCDEF"[side] + "XO" + d.sides[side][0]
    letter = d.kinds[kind].name[0]
    return letter.upper() if side == 0 else letter.lower() if side == 1 else str(side)


def check_symbols(
    document: Document, layers: tuple[Layer, ...], d: Declarations, forms: Forms
) -> None:
    """Report pieces without a symbol or with that of another, and symbols of what is no piece."""
    seen: dict[str, Layer] = {}
    for layer in layers:
        first = seen.setdefault(layer.symbol, layer)
        if not layer.symbol:
            d.report.error(
                "too-large",
                f"`{layer.name}` has no symbol: letters and digits are taken by other pieces.",
                d.kinds[layer.kind].span,
                "Name fewer kinds, or give other symbols to pieces under `display`.",
            )
            break
        if first is not layer:
            d.report.error(
                "wrong-value",
                f"`{first.name}` and `{layer.name}` have the same symbol, `{layer.symbol}`.",
                (_table(document, "symbols") or document).span,
                "Give each its own, as in `White King: K`. Of a kind's letter the first side has"
                " the upper case, the second the lower.",
            )
            break
    pieces = {*(layer.name for layer in layers), *(kind.name for kind in d.kinds)}
    table = _table(document, "symbols")
    for key, _ in () if table is None else table.entries:
        if key.text not in pieces and not forms.have(key.text, key.span, PIECES):
            d.report.error(
                "unknown-name",
                f"There is no piece and no kind `{key.text}`.",
                key.span,
                suggest(key.text, pieces) or f"The kinds are: {first_names(d.kind_type.values)}.",
            )


def display_text(document: Document, key: str) -> str:
    """Return a text of the `display` section, or an empty one."""
    display = document.get("display")
    node = display.get(key) if isinstance(display, Document) else None
    return node.text.strip() if isinstance(node, Scalar) else ""


def display_table(document: Document, key: str) -> dict[str, str]:
    """Return a table of the `display` section."""
    table = _table(document, key)
    entries = () if table is None else table.entries
    return {k.text: v.text.strip() for k, v in entries if isinstance(v, Scalar)}


def _table(document: Document, key: str) -> Document | None:
    display = document.get("display")
    table = display.get(key) if isinstance(display, Document) else None
    return table if isinstance(table, Document) else None
