"""The classes of the syntax tree and the rules of the grammar belong together."""

from __future__ import annotations

import inspect
from dataclasses import fields

import pytest
from lark import Tree
from lark.ast_utils import AsList, camel_to_snake

from gdl.diagnostic import Source, Span
from gdl.syntax import parser, tree
from gdl.syntax.parser import TreeBuilder, parse

NODES = {
    camel_to_snake(name): found
    for name, found in inspect.getmembers(tree, inspect.isclass)
    if issubclass(found, tree.Node) and found is not tree.Node
}
RULES = parser._machinery().lark.rules
MADE_BY_METHODS = {
    "borrowed_name",
    "number",
    "operation",
    "entry",
    "table_of",
    "drawing_of",
    "path_of",
}
"""No rules have these names: `builder.py` makes the nodes of words, or of other rules.

Those of tables and drawings are made of sections of the file, by `definitions.py`.
"""

OF_ONE_PART = {"label", "otherwise"}
"""Rules that stand for the one part that is left of them without their words."""


def made(text: str, entry: str) -> object:
    return parse(Span(Source("a text", text), 0, len(text)), entry)


def test_each_rule_has_a_class_or_a_method() -> None:
    builder = TreeBuilder()
    nameless = {
        name
        for rule in RULES
        if not (name := rule.alias or rule.origin.name).startswith("_")
        and not (rule.options.expand1 and not rule.alias and len(rule.expansion) == 1)
        and not hasattr(builder, name)
    }
    assert nameless == OF_ONE_PART


def test_each_class_has_a_rule() -> None:
    names = {rule.alias or rule.origin.name for rule in RULES}
    assert set(NODES) - names == MADE_BY_METHODS


@pytest.mark.parametrize("name", sorted(set(NODES) - MADE_BY_METHODS))
def test_a_class_of_many_parts_has_one_field_for_them(name: str) -> None:
    parts = [field.name for field in fields(NODES[name]) if field.name != "span"]
    assert len(parts) == 1 or not issubclass(NODES[name], AsList)


def test_a_rule_without_a_class_would_be_found() -> None:
    assert isinstance(TreeBuilder().transform(Tree("unheard_of", [])), Tree)


def test_parentheses_belong_to_what_is_around_them() -> None:
    found = made("count (own)", "expression")
    assert isinstance(found, tree.Operation)
    assert (found.operator, found.span.text) == ("count", "count (own)")
    assert found.operands[0].span.text == "own"


def test_a_line_to_the_left_of_its_block_is_indented_wrongly() -> None:
    with pytest.raises(parser.SyntaxProblem) as raised:
        made("  choose s in empty\n place Stone at s\n", "program")
    assert raised.value.diagnostic.code == "indentation"
