"""The words of a game, for texts that come after it: what examples ask for, positions described.

In: the scope of a game's file as a whole, all of which is read. Out: what such a text means in
its words. What then holds: no text changes what the next one means, and texts may be read in
several threads at a time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from gdl.codes import Code
from gdl.core import build
from gdl.core.nodes import Const, Expression, Phase, Slot
from gdl.data_classes import dataclass
from gdl.diagnostic import GameError, Report, Span
from gdl.document.nodes import Mapping as Document
from gdl.elaborate.expressions import expressions as ex
from gdl.elaborate.names.can_depth import Foresight
from gdl.elaborate.names.limits import within_limits
from gdl.elaborate.names.scope import Declarations, Problem, Scope
from gdl.elaborate.names.values import describe
from gdl.elaborate.pieces.piles import lying_under
from gdl.elaborate.sections import sections
from gdl.elaborate.sections.setup import read_arrangement


@dataclass(frozen=True)
class DeclaredWords:
    """The words of a file, in the scope of the whole of it.

    `initial` are the values of slots at the start, `kept` the slots of a position, and `phases` the
    turns to look at.
    """

    document: Document
    scope: Scope
    initial: Mapping[Slot, object]
    kept: frozenset[Slot]
    phases: tuple[Phase, ...]

    @property
    def declarations(self) -> Declarations:
        """What the file declares."""
        return self.scope.declarations

    def questions(self, report: Report | None = None) -> Scope:
        """Return a scope in which texts are read that change nothing of what the file says."""
        return replace(self.scope, elaboration=self.scope.elaboration.fork(report))

    def expression(self, span: Span, side: int | None) -> Expression:
        """Return the expression of a text, in which `own` and `mover` are the side by number.

        Raises GameError.
        """
        report = Report()
        with within_limits(report, span):
            node = sections.parsed_span(span, "expression", report)
            report.raise_errors()
            try:
                value = ex.elaborate(node, replace(self.questions(report), mover=side, own=side))
            except Problem as error:
                raise GameError((error.diagnostic,)) from None
        if isinstance(value, Expression):
            foresight = Foresight(self.phases, self.declarations.system.phase)
            for found in foresight.of_value(value):
                report.add(found)
            report.raise_errors()
            value = self._with_initial_values(value)
        if isinstance(value, Expression) and value.free <= self.kept:
            return value
        if isinstance(value, Expression):
            report.error(
                Code.WRONG_TYPE,
                "This has no value in a position: the rules never ask for it.",
                span,
                "Positions keep what the rules ask for, and no more.",
            )
            raise GameError(report.diagnostics)
        report.error(
            Code.WRONG_TYPE,
            f"This should have a value in a position, but it is {describe(value)}.",
            span,
            "Ask for a condition, a number, a side or a set of sites.",
        )
        raise GameError(report.diagnostics)

    def arrangement(self, section: Document) -> Mapping[Slot, object]:
        """Return what a section like `setup` gives to slots, all layers of pieces among them.

        Raises GameError.
        """
        report = Report()
        found: dict[Slot, object] = dict.fromkeys(self.declarations.layers.values(), 0)
        with within_limits(report, section.span):
            found |= read_arrangement(section, self.document, self.questions(report))
        report.raise_errors()
        return found

    def _with_initial_values(self, value: Expression) -> Expression:
        """Return the value, in which what no position keeps is as it was at the start."""
        piles = self.declarations.piles
        if piles is not None and {piles.height, piles.under} <= self.kept:
            for layer, beneath in piles.beneath.items():
                if beneath in value.free - self.kept:
                    found = lying_under(layer, self.questions().pieces(), piles)
                    value = build.let(beneath, found, value)
        for slot in value.free - self.kept - frozenset(() if piles is None else piles.slots):
            at_start = self.initial.get(slot)
            if isinstance(at_start, int | Fraction):
                value = build.let(slot, Const(at_start, slot.type), value)
        return value
