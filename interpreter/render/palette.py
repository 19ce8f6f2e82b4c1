"""Colours of sides and boards.

In: the sides' names. Out: a colour a side, for pictures and for terminals. A side named after a
colour gets it. In a terminal, where characters have no outline, sides are darker or lighter than
the board, and no two sides are equally bright.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple


class Colour(NamedTuple):
    """An sRGB colour, each channel from 0 to 255."""

    red: int
    green: int
    blue: int

    @property
    def hex(self) -> str:
        """The colour as `#rrggbb`."""
        return f"#{self.red:02x}{self.green:02x}{self.blue:02x}"

    @property
    def luminance(self) -> float:
        """Relative luminance, 0 (black) to 1 (white)."""
        red, green, blue = (_linear(channel) for channel in self)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    @property
    def grey(self) -> Colour:
        """The grey that is as bright."""
        return Colour(*3 * (_encoded(self.luminance),))

    def contrast(self, other: Colour) -> float:
        """Contrast ratio of two colours, 1 (equally bright) to 21."""
        high, low = sorted((self.luminance, other.luminance), reverse=True)
        return (high + 0.05) / (low + 0.05)

    def mixed(self, other: Colour, share: float) -> Colour:
        """The colour with so large a share of another one, 0 to 1."""
        parts = zip(self, other, strict=True)
        return Colour(*(round(own + (theirs - own) * share) for own, theirs in parts))

    def toned(self, luminance: float) -> Colour:
        """The same hue made exactly as bright as asked, by mixing in black or white light."""
        own = self.luminance
        channels = [_linear(channel) for channel in self]
        if luminance <= own:
            factor = luminance / own if own else 0.0
            return Colour(*(_encoded(channel * factor) for channel in channels))
        share = (luminance - own) / (1 - own)
        return Colour(*(_encoded(channel + (1 - channel) * share) for channel in channels))


def colour(text: str) -> Colour:
    """The colour written `#rrggbb`."""
    return Colour(int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16))


_NAMED = {
    "black": colour("#1d1a17"),
    "white": colour("#fbf7ee"),
    "red": colour("#b3271e"),
    "blue": colour("#4f8fd0"),
    "green": colour("#1f7a44"),
    "yellow": colour("#f2cb4b"),
    "purple": colour("#6f3c8f"),
    "orange": colour("#e8873a"),
    "brown": colour("#5d3a1e"),
    "grey": colour("#8a8a8a"),
    "pink": colour("#efa6bd"),
    "teal": colour("#5cb8b2"),
    "silver": colour("#c4c8cc"),
    "gold": colour("#d9a520"),
}
_FOR_COLOUR_BLIND = {
    "red": colour("#d55e00"),
    "blue": colour("#0072b2"),
    "green": colour("#009e73"),
    "yellow": colour("#f0e442"),
    "purple": colour("#cc79a7"),
    "orange": colour("#e69f00"),
    "teal": colour("#56b4e9"),
}  # M. Okabe and K. Ito, "Color Universal Design", 2008
_OTHER_NAMES = {"gray": "grey", "dark": "black", "light": "white", "violet": "purple"}
_UNNAMED = ("black", "white", "red", "blue", "yellow", "green", "purple", "orange", "teal", "pink")
_DARKEST, _DARK, _LIGHT = 0.015, 0.09, 0.7  # luminance of characters on wood, which has 0.27
_ALONE = 0.05  # luminance of the only dark side
_MOST_OF_A_TONE = 3  # sides that are dark, or light, by their own colours
_SOFTENED = 0.5  # the share of the ground in the colour of an area
_DARKEST_AREA, _BRIGHTEST_AREA = 0.19, 0.36  # luminance
_MOST_KNOWN = 256  # lists of sides whose colours are kept
_STEP, _FAR_STEP = 1.35, 1.6  # least contrast between two sides in a picture

WOOD = colour("#af875f")
"""The board in a terminal; one of the 256 colours that most terminals have."""
ACCENT = colour("#ffffaf")
"""Brackets of the last move and highlights in a terminal."""


def area_colour(
    name: str,
    sides: Sequence[str],
    ground: Colour,
    colours: Sequence[Colour] = (),
    *,
    colour_blind: bool = False,
) -> Colour:
    """The colour of an area of a board: that of the side of this name, or of a colour, softened.

    `colours` are those of the sides, if they are not the usual ones.
    """
    if name in sides:
        wanted = (colours or side_colours(sides, colour_blind=colour_blind))[sides.index(name)]
    else:
        wanted = _palette(colour_blind)[_named(name) or ""]
    return wanted.mixed(ground, _SOFTENED)


def terminal_area(
    name: str, sides: Sequence[str], wood: Colour = WOOD, *, colour_blind: bool = False
) -> Colour:
    """The colour of an area in a terminal: about as bright as `wood`, so that pieces stand out."""
    return _terminal_area(name, tuple(sides), wood, colour_blind)


@lru_cache(maxsize=_MOST_KNOWN)
def _terminal_area(name: str, sides: Sequence[str], wood: Colour, colour_blind: bool) -> Colour:
    mixed = area_colour(name, sides, wood, colour_blind=colour_blind)
    return mixed.toned(min(_BRIGHTEST_AREA, max(_DARKEST_AREA, mixed.luminance)))


def side_colours(sides: Iterable[str], *, colour_blind: bool = False) -> tuple[Colour, ...]:
    """A colour for each side, in order, no two equally bright: its name's, else the next unused.

    With `colour_blind`, they are colours that are told apart by people who see few, and further
    apart in brightness.
    """
    return _side_colours(tuple(sides), colour_blind)


@lru_cache(maxsize=_MOST_KNOWN)
def _side_colours(sides: tuple[str, ...], colour_blind: bool) -> tuple[Colour, ...]:
    palette = _palette(colour_blind)
    names = [_named(side) for side in sides]
    spare = [name for name in _UNNAMED if name not in names]
    colours: list[Colour] = []
    for index, name in enumerate(names):
        wanted = name if name is not None else (spare.pop(0) if spare else None)
        base = palette[wanted] if wanted else palette["grey"].toned((index % 17 + 1) / 19)
        colours.append(_apart(base, colours, _FAR_STEP if colour_blind else _STEP))
    return tuple(colours)


def terminal_colours(sides: Iterable[str], *, colour_blind: bool = False) -> tuple[Colour, ...]:
    """The sides' colours made to stand out from `WOOD`: by rank of brightness, dark to light.

    A colour that is darker than wood becomes darker still, so that it keeps its hue; where that
    would make too many dark, or light, half of them are either.
    """
    return _terminal_colours(tuple(sides), colour_blind)


@lru_cache(maxsize=_MOST_KNOWN)
def _terminal_colours(sides: tuple[str, ...], colour_blind: bool) -> tuple[Colour, ...]:
    colours = side_colours(sides, colour_blind=colour_blind)
    ranked = sorted(range(len(colours)), key=lambda index: colours[index].luminance)
    dark = sum(colour.luminance <= WOOD.luminance for colour in colours)
    if max(dark, len(ranked) - dark) > _MOST_OF_A_TONE:
        dark = (len(ranked) + 1) // 2
    light = len(ranked) - dark
    tones: dict[int, float] = {}
    for rank, index in enumerate(ranked):
        own = colours[index].luminance
        if rank < dark:
            most = _DARKEST + (_DARK - _DARKEST) * rank / (dark - 1) if dark > 1 else _ALONE
            tones[index] = min(own, most)
        else:
            tones[index] = max(own, _LIGHT + (1 - _LIGHT) * (rank - dark) / light)
    return tuple(colours[index].toned(tones[index]) for index in range(len(colours)))


def colour_in(name: str, *, colour_blind: bool = False) -> Colour | None:
    """The colour that a word of a name means, such as `small_red`; None if there is none.

    >>> colour_in("small_red") == colour_in("Red"), colour_in("Pebble")
    (True, None)
    """
    found = (_named(word) for word in name.split("_"))
    return next((_palette(colour_blind)[word] for word in found if word is not None), None)


def ink_on(background: Colour) -> Colour:
    """Black or white, whichever is read better on `background`."""
    return max(_NAMED["black"], _NAMED["white"], key=background.contrast)


def _named(side: str) -> str | None:
    word = side.lower()
    word = _OTHER_NAMES.get(word, word)
    return word if word in _NAMED else None


def _palette(colour_blind: bool) -> Mapping[str, Colour]:
    return {**_NAMED, **_FOR_COLOUR_BLIND} if colour_blind else _NAMED


def _apart(wanted: Colour, taken: list[Colour], step: float) -> Colour:
    """`wanted`, or the nearest tone of it that is not as bright as any colour taken."""
    own = wanted.luminance
    tones = sorted((part / 40 for part in range(41)), key=lambda tone: abs(tone - own))
    for candidate in (wanted, *(wanted.toned(tone) for tone in tones)):
        if all(candidate.contrast(other) >= step for other in taken):
            return candidate
    return wanted


def _linear(channel: int) -> float:
    value = channel / 255
    return value / 12.92 if value <= 0.04045 else float(((value + 0.055) / 1.055) ** 2.4)


def _encoded(value: float) -> int:
    light = max(0.0, min(1.0, value))
    encoded = light * 12.92 if light <= 0.0031308 else 1.055 * light ** (1 / 2.4) - 0.055
    return round(encoded * 255)
