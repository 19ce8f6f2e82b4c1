"""What the player of a page has to find, made by Python: positions as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from interpreter.positions.position import Position
from interpreter.render.scene import Mark


def mark_json(mark: Mark | None) -> dict[str, Any] | None:
    if mark is None:
        return None
    return {
        "side": mark.side,
        "kind": mark.kind,
        "symbol": mark.symbol,
        "count": mark.count,
        "under": [mark_json(part) for part in mark.under],
        "figure": mark.figure,
        "letters": mark.letters,
    }


def _by_site(found: Mapping[int, Any]) -> dict[str, Any]:
    return {str(site): value for site, value in sorted(found.items())}


def scene_json(position: Position, side: str | None = None) -> dict[str, Any]:
    """Return what is drawn of a position, as a side sees it; None: as it is."""
    view = None if side is None else position.view(side)
    scene = position.scene({}) if view is None else view.scene
    return {
        "marks": _by_site({site: mark_json(mark) for site, mark in scene.marks.items()}),
        "bases": _by_site({site: mark_json(mark) for site, mark in scene.bases.items()}),
        "beside": [
            {"text": one.text, "marks": [mark_json(mark) for mark in one.marks]}
            for one in scene.beside
        ],
        "areas": _by_site({site: list(names) for site, names in scene.areas.items()}),
        "signs": _by_site(scene.signs),
        "bonds": sorted(map(list, scene.bonds)),
        "tracks": sorted(map(list, scene.tracks)),
        "borders": sorted(map(list, scene.borders)),
        "tiles": _by_site({site: list(sides) for site, sides in scene.tiles.items()}),
        "last": sorted(scene.last),
        "changed": sorted(scene.changed),
        "way": list(scene.way),
        **(
            {}
            if view is None
            else {
                "told": list(view.told),
                "scores": dict(view.scores),
                "unseen": sorted(
                    site.index for site in scene.board.sites if site.name in set(view.unseen)
                ),
            }
        ),
    }
