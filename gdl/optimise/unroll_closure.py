"""Strides: two steps that a flood takes one after the other become one.

In: a program. Out: the same program, in which a flood that steps from what it has reached onto
some sites, and on from there in one direction, takes both steps at once; where the sites between
lead to is a set of its own, which the flood does not change. What then holds: no value has
changed; `common-subexpressions` can work out that set before the flood begins.

With R before S, and S leading from different sites to different sites, `S(R(x) & between)` is
`RS(x) & S(between)`. Chains of jumps are made of such steps.
"""

from __future__ import annotations

from gdl.board.relation import Relation
from gdl.core.nodes import Closure, Expression, Op, Program, Slot
from gdl.core.rebuild import change_expressions
from gdl.optimise.algebra.terms import Terms


def lengthen_strides(program: Program, terms: Terms) -> Program:
    """Take two steps at once in floods."""

    images = terms.kinds("image")

    def rule(node: Expression) -> Expression:
        if not isinstance(node, Closure):
            return node
        flood = terms.open(node)
        done: dict[int, Expression] = {}
        step = terms.rewrite(
            flood.step, lambda part: _stride(terms, part, flood.frontier) or part, done, images
        )
        return terms.closure(flood.seed, flood.frontier, step)

    known: dict[int, Expression] = {}
    kinds = terms.kinds(Closure)
    return change_expressions(
        program, lambda node: terms.rewrite(terms.intern(node), rule, known, kinds)
    )


def _stride(terms: Terms, node: Expression, frontier: Slot) -> Expression | None:
    """Return what is the same as a step onto some sites and on from there, if a node is that."""
    if not (isinstance(node, Op) and node.name == "image"):
        return None
    second = node.payload
    (onto,) = node.arguments
    if not (isinstance(second, Relation) and isinstance(onto, Op) and second.is_function):
        return None
    if onto.name not in ("intersection", "difference") or not second.inverse().is_function:
        return None
    steps = [part for part in onto.arguments if _is_step(part, frontier)]
    others = [part for part in onto.arguments if not _is_step(part, frontier)]
    if len(steps) != 1 or any(frontier in part.free for part in others):
        return None
    if onto.name == "difference" and onto.arguments[0] is not steps[0]:
        return None
    (step,) = steps
    assert isinstance(step, Op) and isinstance(step.payload, Relation), "a step is an image"
    both = step.payload.compose(second)
    if len(both.offset_classes) > len(step.payload.offset_classes):
        return None
    reached = terms.image(both, step.arguments[0])
    between = [terms.image(second, part) for part in others]
    if onto.name == "difference":
        return terms.difference(reached, between[0])
    return terms.intersection(reached, *between)


def _is_step(node: Expression, frontier: Slot) -> bool:
    return isinstance(node, Op) and node.name == "image" and frontier in node.free
