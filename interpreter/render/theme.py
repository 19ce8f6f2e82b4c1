"""Themes: the colours of everything that a picture shows besides the sides' own.

In: the name of a theme, and whether the colours should be told apart by colour-blind people. Out: a
`Theme`. What then holds: on the board of each theme, and on each of its areas, a piece of any side
is seen by its colour or by its rim.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from gdl.data_classes import dataclass
from gdl.interpreter.render.palette import (
    Colour,
    area_colour,
    colour,
    colour_in,
    ink_on,
    side_colours,
    terminal_area,
    terminal_colours,
)

_VISIBLE = 2.0
"""The least contrast of a piece, or else of its rim, with what it stands on."""


@dataclass(frozen=True)
class Theme:
    """The colours of a picture.

    `frame` surrounds the `board`, `line` and `label` are drawn on them, `last` marks the last move,
    `advice` one that is meant,
    `neutral` are pieces of no side, `dark` and `light` the squares of a chequer. `wood` is the
    board in a terminal, with lines in `grain`. With `in_greys` sides have no hue, for printing;
    with `colour_blind` they have hues and brightness that everybody tells apart.
    """

    name: str
    frame: Colour
    board: Colour
    line: Colour
    label: Colour
    last: Colour
    advice: Colour
    neutral: Colour
    dark: Colour
    light: Colour
    wood: Colour
    grain: Colour
    in_greys: bool = False
    colour_blind: bool = False

    def sides(self, names: Iterable[str]) -> tuple[Colour, ...]:
        """Return the colour of each side."""
        colours = side_colours(names, colour_blind=self.colour_blind)
        return _greys(colours) if self.in_greys else colours

    def in_terminal(self, names: Iterable[str]) -> tuple[Colour, ...]:
        """Return the colour of each side's characters, all of which stand out from the wood."""
        colours = terminal_colours(names, colour_blind=self.colour_blind)
        return tuple(tone.grey for tone in colours) if self.in_greys else colours

    def area_in_terminal(self, name: str, sides: Sequence[str]) -> Colour:
        """Return the ground of an area in a terminal, on which those characters are seen, too."""
        if name in _CHEQUER and name not in sides:
            return self.wood.toned(_CHEQUER[name] * self.wood.luminance)
        found = terminal_area(name, sides, self.wood, colour_blind=self.colour_blind)
        return found.grey if self.in_greys else found

    def nobody(self, kind: str) -> Colour:
        """Return the colour of a neutral piece: the one that its kind has in its name, if any."""
        found = colour_in(kind, colour_blind=self.colour_blind) or self.neutral
        return found.grey if self.in_greys else found

    def nobody_in_terminal(self, kind: str) -> Colour:
        """Return the colour of a neutral piece's character."""
        found = colour_in(kind, colour_blind=self.colour_blind)
        if found is None:
            return ink_on(self.wood)
        found = found.grey if self.in_greys else found
        return found if found.contrast(self.wood) >= _VISIBLE else found.toned(_SHADE)

    def area(self, name: str, sides: Sequence[str], ground: Colour | None = None) -> Colour:
        """Return the colour of an area that has the name of a side or of a colour."""
        chequer = {"dark": self.dark, "light": self.light}
        if name in chequer and name not in sides:
            return chequer[name]
        ground = self.board if ground is None else ground
        found = area_colour(name, sides, ground, self.sides(sides), colour_blind=self.colour_blind)
        found = found.toned(max(_DARKEST, found.luminance))
        return found.grey if self.in_greys else found

    def strong(self, name: str, sides: Sequence[str]) -> Colour:
        """Return the colour of a bar that has the name of a side or of a colour: not softened."""
        if name in sides:
            return self.sides(sides)[sides.index(name)]
        return self.nobody(name)

    def rim(self, piece: Colour, ground: Colour | None = None) -> Colour:
        """Return the outline of a piece: it is seen on the ground where the piece itself is not."""
        ground = self.board if ground is None else ground
        usual = piece.toned(piece.luminance * 0.25 if piece.luminance > 0.05 else 0.02)
        if max(piece.contrast(ground), usual.contrast(ground)) >= _VISIBLE:
            return usual
        return max(_BLACK, _WHITE, key=ground.contrast)


_SHADE = 0.06
"""How bright a character is that would not be seen in its own colour."""
_CHEQUER = {"dark": 0.5, "light": 1.1}
"""How bright the squares of a chequer are in a terminal, in the brightness of the wood: thin
characters of either side are read on both."""
_DARKEST = 0.12
"""How bright an area is at least, so that dark pieces are seen on it."""
_BLACK, _WHITE = colour("#14110f"), colour("#f4efe6")

LIGHT = Theme(
    name="light",
    frame=colour("#f6ecd6"),
    board=colour("#e9d3a8"),
    line=colour("#7d6138"),
    label=colour("#6b512c"),
    last=colour("#c2410c"),
    advice=colour("#15703a"),
    neutral=colour("#8b8378"),
    dark=colour("#bd9363"),
    light=colour("#efdfbd"),
    wood=colour("#af875f"),
    grain=colour("#5f3700"),
)
DARK = Theme(
    name="dark",
    frame=colour("#211d1a"),
    board=colour("#8c7558"),
    line=colour("#40321f"),
    label=colour("#d8c7a3"),
    last=colour("#ff9a4d"),
    advice=colour("#9be8a8"),
    neutral=colour("#c2bbae"),
    dark=colour("#6d573f"),
    light=colour("#a68f6d"),
    wood=colour("#5f8787"),
    grain=colour("#1c3030"),
)
PAPER = Theme(
    name="paper",
    frame=colour("#ffffff"),
    board=colour("#ffffff"),
    line=colour("#000000"),
    label=colour("#000000"),
    last=colour("#5a5a5a"),
    advice=colour("#000000"),
    neutral=colour("#9a9a9a"),
    dark=colour("#cfcfcf"),
    light=colour("#ffffff"),
    wood=colour("#8a8a8a"),
    grain=colour("#262626"),
    in_greys=True,
)
THEMES = {theme.name: theme for theme in (LIGHT, DARK, PAPER)}


def theme_named(name: str, *, colour_blind: bool = False) -> Theme:
    """Return one of `THEMES`; raises KeyError for another name."""
    return replace(THEMES[name], colour_blind=colour_blind)


def _greys(colours: Sequence[Colour]) -> tuple[Colour, ...]:
    """Return greys from black to white, in the order in which the colours are bright."""
    ranked = sorted(range(len(colours)), key=lambda index: colours[index].luminance)
    most = max(1, len(colours) - 1)
    shades = {index: round(255 * rank / most) for rank, index in enumerate(ranked)}
    return tuple(Colour(*3 * (shades[index],)) for index in range(len(colours)))
