"""Nodes made anew: what is changed is what the walks see, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from library_games import deep_games, shipped

from gdl.core import rebuild
from gdl.core.nodes import Block, Choose, Decide, Expression
from gdl.core.walk import blocks_of, expressions_in, expressions_of, program_statements
from gdl.load import shipped_names

SMALL = [name for name in shipped_names() if name != "trichet"]


def expressions(name: str) -> Iterator[Expression]:
    for statement in program_statements(shipped(name).program):
        for root in expressions_of(statement):
            yield from expressions_in(root)


@pytest.mark.parametrize("name", deep_games(SMALL))
def test_an_expression_is_made_anew_of_its_parts_in_their_order(name: str) -> None:
    for node in expressions(name):
        seen: list[Expression] = []

        def change(part: Expression, seen: list[Expression] = seen) -> Expression:
            seen.append(part)
            return part

        made = rebuild.with_parts(node, change)
        assert made == node
        assert [id(part) for part in seen] == [id(part) for part in node.parts()]


@pytest.mark.parametrize("name", deep_games(SMALL))
def test_a_statement_is_made_anew_of_its_expressions_and_blocks(name: str) -> None:
    for statement in program_statements(shipped(name).program):
        seen: list[Expression] = []
        blocks: list[Block] = []

        def change(part: Expression, seen: list[Expression] = seen) -> Expression:
            seen.append(part)
            return part

        def empty(block: Block, blocks: list[Block] = blocks) -> Block:
            blocks.append(block)
            return ()

        made = rebuild.with_expressions(statement, change)
        assert made == statement and made.span == statement.span
        assert [id(part) for part in seen] == [id(part) for part in expressions_of(statement)]
        emptied = rebuild.with_blocks(statement, empty)
        assert blocks == list(blocks_of(statement))
        assert all(block == () for block in blocks_of(emptied))
        for one in (made, emptied):
            if isinstance(one, Choose | Decide):
                assert isinstance(statement, Choose | Decide)
                assert one.decision is statement.decision


@pytest.mark.parametrize("name", deep_games(SMALL))
def test_a_program_without_a_change_is_the_same(name: str) -> None:
    program = shipped(name).program
    assert rebuild.change_expressions(program, lambda node: node) == program
    assert rebuild.change_turns(program, lambda block: block) == program
