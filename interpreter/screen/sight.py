"""What may be shown of a game on a screen that several people look at, one after the other.

In: a session, and who looks. Out: scenes, texts and moves that those who look may see. What then
holds: until the game has once been over, nothing is told that the rules hide from who looks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from gdl.diagnostic import GameError
from gdl.visible import visible
from interpreter.evaluation.evaluator import RuleError
from interpreter.evaluation.moves import MoveError
from interpreter.positions.information import Information, information, told_moves
from interpreter.positions.last import NO_MOVE
from interpreter.positions.position import Position
from interpreter.positions.position_text import hands_text, state_lines
from interpreter.positions.view import View
from interpreter.render.scene import Scene
from interpreter.sessions.audience import Audience
from interpreter.sessions.session import Session
from interpreter.sessions.typed import typed_move

WITHHELD = "?"
"""What stands for a move that is not told."""


class Sight:
    """What is shown of one session."""

    def __init__(self, session: Session, audience: Audience | None = None) -> None:
        """Show what the `audience` may see; without one, everything."""
        self._session = session
        self._audience = audience
        self._told: tuple[Position, Scene | None] | None = None

    @property
    def is_limited(self) -> bool:
        """Whether something may be hidden; no more once the game has been over."""
        if self._audience is not None and self._session.outcome is not None:
            self._audience = None
        return self._audience is not None and self._audience.side(self._session) is not None

    @property
    def view(self) -> View | None:
        """What the side that looks sees; None if everything may be seen."""
        if not self.is_limited or self._audience is None:
            return None
        side = self._audience.side(self._session)
        return None if side is None else self._session.position.view(side)

    @property
    def must_change(self) -> bool:
        """Whether another person than the one who looks is on turn."""
        is_limited, audience = self.is_limited, self._audience
        return is_limited and audience is not None and audience.must_change(self._session)

    def known(self) -> Information | None:
        """Return what the side knows that looks; None if everything may be seen."""
        view, session = self.view, self._session
        return None if view is None else information(session.positions, session.moves, view.side)

    def change(self) -> None:
        """Let the person on turn look."""
        if self._audience is not None:
            self._audience.change(self._session)

    def scene(self) -> Scene:
        """Return the drawing of the position, with the last move marked that a seat has made."""
        view = self.view
        if view is not None:
            return view.scene
        scene = self._session.position.scene()
        if scene.last or scene.changed:
            return scene
        pairs = pairwise(reversed(self._session.positions))
        made = next((after.last for after, before in pairs if before.seat is not None), NO_MOVE)
        return replace(scene, last=made.sites, changed=made.changed, way=made.way)

    def reason(self) -> Scene | None:
        """Return the position with what ended the game marked: the chain, the row, the group."""
        position = self._session.position
        if position.outcome is None:
            return None
        if self._told is None or self._told[0] is not position:
            self._told = position, self.why("")[1]
        return self._told[1]

    def why(self, text: str) -> tuple[str, Scene | None]:
        """Return what the rules say of a move, a site, or the position, and what it is about."""
        if self.is_limited:
            return "In this game a reason could tell what you are not to see.", None
        if self._session.ended_early and not text.strip():
            return self._session.ended_early, None
        from interpreter.explain.answers import why
        from interpreter.explain.telling import explanation_scene, explanation_text

        try:
            found = why(self._session.positions, self._session.moves, text, typed_move)
        except (MoveError, RuleError, GameError) as problem:
            return visible(str(problem)), None
        scenes = [explanation_scene(told) for told in found if told.witness.sites]
        told = "\n".join(map(explanation_text, found))
        return visible(told), scenes[-1] if scenes else None

    def pieces(self) -> Mapping[str, str]:
        """Return what is seen to stand on sites, by name."""
        view = self.view
        return self._session.position.pieces() if view is None else dict(view.pieces)

    def scores(self) -> Mapping[str, str]:
        """Return the scores that are seen."""
        view = self.view
        return self._session.position.scores() if view is None else dict(view.scores)

    def state_lines(self) -> Sequence[str]:
        """Return what is to be said of hands and state that are not drawn."""
        view, position = self.view, self._session.position
        if view is not None:
            return view.told
        return tuple(filter(None, (hands_text(position), *state_lines(position))))

    def move_texts(self) -> Sequence[str]:
        """Return the moves of the line as they may be told."""
        session, view = self._session, self.view
        texts = [move.text for _, move in session.line]
        if view is None:
            return texts
        told = told_moves(session.positions, session.moves, view.side)
        return [WITHHELD if text is None else text for text in told]

    def newly_told(self) -> str:
        """Return which moves others have made since, as far as they are told; perhaps nothing."""
        if not self.is_limited or self._audience is None:
            return ""
        told = self._audience.newly_told(self._session)
        return " ".join(f"{mover or 'Chance'}: {move}." for mover, move in told)
