"""The prelude is read word by word, when a game first uses one; all its words can be read."""

from __future__ import annotations

import pytest

from gdl.elaborate.expressions.names import PRELUDE
from gdl.elaborate.sections.prelude import prelude_definitions


@pytest.mark.parametrize("name", prelude_definitions())
def test_each_word_has_a_head_and_a_body(name: str) -> None:
    for definition in prelude_definitions()[name]:
        assert definition.head.name.name == name
        assert definition.body.span.source.name == PRELUDE
        assert definition.head is definition.head
        assert definition.from_prelude
