"""What pieces and numbers of a game are worth: a text that anybody can read, and its estimate.

In: numbers by the names of the rules; or a file. Out: an `Estimate` of positions. What then holds:
a file is used only for the rules that it was made for; one that is damaged is as good as none.

    game: Mine
    digest: 4be1c6f5d0a31b22
    about: 20000 random games, 300 games of its own
    search: tree
    plies: 4
    on_turn: 0.21
    even: -0.02
    mobility: 0.03
    worth:
      White Man: {each: 0.53, at: {a2: -0.1, e7: 1.2}}
      store(South): 0.11
      rows of White with 3 of 4: {each: 0.5, at: {b3: 0.2}}
      rows of White or Black with 3 of 4, on turn: 0.3
      sites that White reaches first, in 1 move: 0.05
      sites that White reaches first, in 1 move, once all is parted: 0.6

There may be `first values` as well, of moves in a tree search: `first_values` tells of these.

The search is that of the two which plays better with it: `tree`, or `alpha-beta`. A worth is added
to the logarithm of the first side's odds: for each piece, wherever it stands, and for one on this
site besides; by alpha-beta, for each move that a side had more than the other when it was last on
turn (`mobility`). A row is one in which its side alone has pieces, here on three of its four sites;
where it lacks but one site, it may be worth more on that. What has `on turn` in its name is worth
so much to the side on turn, for each such row of either side. By tree search, sites that a side
reaches first are worth something (see `territory`): so much, and so much more by the share of sites
that one side alone can reach.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from gdl.core.digest import program_digest
from gdl.data_classes import dataclass
from gdl.diagnostic import wanted
from gdl.interpreter.search.evaluation.estimate import BYTE_VALUES, Estimate
from gdl.interpreter.search.evaluation.features import Feature
from gdl.interpreter.search.evaluation.open_rows import OpenRows
from gdl.interpreter.search.evaluation.outlook import no_outlook
from gdl.interpreter.search.evaluation.row_worth import row_table
from gdl.interpreter.search.evaluation.territory import TerritoryTable, no_territory
from gdl.interpreter.search.first_moves.first_values import FirstValues
from gdl.interpreter.search.machine.instructions import array
from gdl.kept import cache_folder
from gdl.load import games_folder, shipped_names
from gdl.model import Game

TREE, ALPHA_BETA = SEARCHES = "tree", "alpha-beta"
"""The two searches that an engine may play by."""
_DAMAGES = (
    *(yaml.YAMLError, KeyError, TypeError, AttributeError),
    *(OverflowError, RecursionError),
)
"""What comes of a file that is damaged."""
_MOST_BYTES = 8 << 20
_LEAST = 0.005
_MOST_PLIES = 1000


@dataclass(frozen=True)
class Worth:
    """What the features of a game are worth to the first side.

    `each` has what a site of a set, a unit of a number, or a row is worth; `at` what it is worth
    more on a site. A tree search plays so many `plies` at random before it looks at a position;
    None: it plays random games to their ends, and estimates nothing. `search` is TREE or
    ALPHA_BETA. A tree search may have `first` values of moves.
    """

    game: str
    digest: str
    about: str
    plies: int | None
    on_turn: float = 0.0
    even: float = 0.0
    each: Mapping[str, float] = field(default_factory=dict)
    at: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    search: str = TREE
    mobility: float = 0.0
    first: FirstValues | None = None

    @property
    def is_used(self) -> bool:
        """Whether an engine that searches as this says judges positions or moves by it."""
        is_first_used = self.first is not None and self.search == TREE
        return self.plies is not None or self.search == ALPHA_BETA or is_first_used

    @property
    def text(self) -> str:
        """The file, as text."""
        worth: dict[str, Any] = {}
        for name, each in self.each.items():
            at = {site: round(more, 3) for site, more in self.at.get(name, {}).items()}
            at = {site: more for site, more in at.items() if abs(more) >= _LEAST}
            worth[name] = {"each": round(each, 3), "at": at} if at else round(each, 3)
        told = {
            "game": self.game,
            "digest": self.digest,
            "about": self.about,
            "search": self.search,
            "plies": self.plies,
            "on_turn": round(self.on_turn, 3),
            "even": round(self.even, 3),
            **({"mobility": round(self.mobility, 4)} if self.mobility else {}),
            **({} if self.first is None else {"first values": self.first.told}),
            "worth": worth,
        }
        text: str = yaml.safe_dump(told, sort_keys=False, allow_unicode=True, width=100)
        return f"# Learned by gdl tune.\n{text}"

    @classmethod
    def of(cls, text: str) -> Worth:
        """Return what a file says. Raises ValueError if it is damaged, TypeError for no text."""
        wanted(text, str, "the text of a file")
        try:
            told = yaml.safe_load(text)
            each = {str(name): _each(value) for name, value in told["worth"].items()}
            at = {str(name): _at(value) for name, value in told["worth"].items()}
            plies = told["plies"]
            if plies is not None and not 0 <= int(plies) <= _MOST_PLIES:
                raise ValueError("plies")
            search = told.get("search", TREE)
            if search not in SEARCHES:
                raise ValueError("search")
            return cls(
                _text(told["game"]),
                _text(told["digest"]),
                _text(told["about"]),
                None if plies is None else int(plies),
                _number(told["on_turn"]),
                _number(told["even"]),
                each,
                {name: sites for name, sites in at.items() if sites},
                search,
                _number(told.get("mobility", 0)),
                FirstValues.of(told["first values"]) if "first values" in told else None,
            )
        except _DAMAGES as problem:
            raise ValueError(str(problem)) from problem

    def estimate(
        self,
        features: Sequence[Feature],
        sites: Sequence[str],
        rows: Sequence[OpenRows] = (),
        territory: TerritoryTable | None = None,
    ) -> Estimate:
        """Return the estimate that this is. Raises ValueError if a feature or a site is missing.

        Of open rows, nothing need be told: then they are worth nothing.
        """
        tables: list[tuple[int, list[float]]] = []
        for feature in features:
            each = self.each.get(feature.name)
            if each is None:
                raise ValueError(f"nothing is said of {feature.name}")
            more = self.at.get(feature.name, {})
            worths = [each + more.get(site, 0.0) for site in sites]
            tables += _of_set(feature, worths) if feature.is_set else _of_numbers(feature, worths)
        places, worth = array("Words", len(tables)), array("Floats", len(tables) * BYTE_VALUES)
        for n, (place, values) in enumerate(tables):
            places[n] = place
            for value, one in enumerate(values):
                worth[n * BYTE_VALUES + value] = one
        rows_worth = row_table(rows, self.each, self.at, sites)
        territory = no_territory() if territory is None else territory
        return Estimate(
            judges=bool(tables) or rows_worth.groups > 0 or territory.run != 0,
            bytes=len(tables),
            places=places,
            worth=worth,
            rows=rows_worth,
            territory=territory,
            outlook=no_outlook(),
            on_turn=self.on_turn,
            even=self.even,
            mobility=self.mobility,
            plies=self.plies or 0,
        )


def _text(value: Any) -> str:
    """Return a word or number as text; what refers to itself many times over would have no end."""
    if not isinstance(value, str | int | float):
        raise ValueError("no text")
    return str(value)


def _each(value: Any) -> float:
    return _number(value["each"] if isinstance(value, dict) else value)


def _at(value: Any) -> dict[str, float]:
    if not isinstance(value, dict):
        return {}
    return {str(site): _number(more) for site, more in value["at"].items()}


def _number(value: Any) -> float:
    found = float(value)
    if not math.isfinite(found):
        raise ValueError("no number")
    return found


def _of_set(feature: Feature, worths: Sequence[float]) -> Iterator[tuple[int, list[float]]]:
    """Yield each byte of a set, with what each of its values is worth."""
    for byte in range(feature.entry_bytes):
        here = worths[8 * byte : 8 * byte + 8]
        values = [0.0]
        for worth in (*here, *[0.0] * (8 - len(here))):
            values += [value + worth for value in values]
        if any(values):
            yield feature.offset + byte, values


def _of_numbers(feature: Feature, worths: Sequence[float]) -> Iterator[tuple[int, list[float]]]:
    """Yield each byte of numbers, with what each of its values is worth; the last has the sign."""
    for entry, worth in zip(range(feature.count), worths, strict=False):
        for byte in range(feature.entry_bytes):
            step = worth * BYTE_VALUES**byte
            is_last = byte == feature.entry_bytes - 1
            first = -BYTE_VALUES // 2 if is_last else 0
            values = [*range(first + BYTE_VALUES), *range(first, 0)]
            yield feature.offset + entry * feature.entry_bytes + byte, [v * step for v in values]


# ------------------------------------------------------------------------- files


@lru_cache(maxsize=16)
def rules_digest(game: Game) -> str:
    """Return what tells the rules of a game from others, however they are put."""
    sites = tuple(site.name for site in game.board.sites)
    return program_digest(game.program, sites, tuple(game.sides))


def folder() -> Path:
    """Return where what was tuned is kept: `GDL_TUNED`, or a folder in the user's cache."""
    return cache_folder("tuned", "GDL_TUNED")


def usual_path(game: Game) -> Path:
    """Return the file that has what was tuned of a game, if there is one."""
    return folder() / f"{rules_digest(game)}.yaml"


def shipped_folder() -> Path:
    """Return where what was tuned of shipped games is: files by the game's name, and by options.

    `mine.yaml` is for the usual options, `mine.size-5.yaml` for those that it names.
    """
    return games_folder() / "tuned"


def _read(path: Path) -> str:
    """Return the text of a plain file. Raises OSError, ValueError."""
    if not path.is_file():
        raise FileNotFoundError(path)
    with path.open("rb") as file:
        return file.read(_MOST_BYTES).decode("utf-8")


OWN, SHIPPED = "own", "shipped"
"""Whose values an engine is tuned by: the user's own, or those that are shipped with the game."""


def kept_worth(game: Game) -> Worth | None:
    """Return what was tuned of a game, if it was: by the user, or as it is shipped."""
    found = kept_worth_of(game)
    return None if found is None else found[0]


def kept_worth_of(game: Game) -> tuple[Worth, str] | None:
    """Return what was tuned of a game, and whether it is the user's `OWN` or `SHIPPED`."""
    paths: list[tuple[Path, str]] = []
    if folder().is_dir():
        paths.append((usual_path(game), OWN))
    if game.name in shipped_names():
        paths.append((shipped_folder() / f"{game.name}.yaml", SHIPPED))
        others = sorted(shipped_folder().glob(f"{game.name}.*.yaml"))
        paths += [(path, SHIPPED) for path in others]
    for path, whose in paths:
        try:
            worth = Worth.of(_read(path))
        except (OSError, ValueError):
            continue
        if worth.digest == rules_digest(game):
            return worth, whose
    return None
