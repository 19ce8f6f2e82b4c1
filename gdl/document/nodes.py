"""The tree of a game file: text, mappings and sequences, each knowing where it stands.

In: what the reader found in one file. Out: immutable nodes. What then holds: a scalar is always
text (`no`, `1.0` and `2000-06-01` have no meaning here), and every node has the span of the
source in which it was written, also after files and variants were merged.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import Literal, TypeAlias

from gdl.data_classes import dataclass
from gdl.diagnostic import Span

Style = Literal["plain", "block", "folded", "quoted"]


@dataclass(frozen=True)
class Scalar:
    """A text. An absent value (`key:`) is the empty plain text.

    `span` covers the content alone: without quotes; of a block scalar, from the start of the
    line after its header to the end of its last line that is not blank.
    `exact` says that the span's characters are `text`, up to white space; it is false where
    escapes, such as a doubled quote, make the two differ.
    """

    text: str
    span: Span
    style: Style = "plain"
    exact: bool = True


@dataclass(frozen=True)
class Mapping:
    """Keys with their values, in the order of the file; no two keys are the same.

    `span` reaches from the first key to the end of the last value, of a mapping in braces from
    brace to brace.
    """

    entries: tuple[tuple[Scalar, Node], ...]
    span: Span

    @cached_property
    def _index(self) -> dict[str, tuple[Scalar, Node]]:
        return {key.text: (key, value) for key, value in reversed(self.entries)}

    def get(self, key: str) -> Node | None:
        """Return the value of the key with this text, or None."""
        found = self._index.get(key)
        return None if found is None else found[1]

    def entry(self, key: str) -> tuple[Scalar, Node] | None:
        """Return the key with this text and its value, or None."""
        return self._index.get(key)

    @property
    def keys(self) -> tuple[str, ...]:
        """The texts of the keys, in the order of the file."""
        return tuple(key.text for key, _ in self.entries)


@dataclass(frozen=True)
class Sequence:
    """A list; `span` reaches from its first dash or bracket to the end of its last item."""

    items: tuple[Node, ...]
    span: Span


Node: TypeAlias = Scalar | Mapping | Sequence

_SPACE_NEXT_TO_A_SIGN = re.compile(r"\s*([^\w\s])\s*")


def key_identity(text: str) -> str:
    """Return what two spellings of one key share: white space that separates no words is left out.

    >>> key_identity("home( White )") == key_identity("home(White)")
    True
    """
    return _SPACE_NEXT_TO_A_SIGN.sub(r"\1", " ".join(text.split()))
