"""The syntax tree: what the author wrote, with the place of each part.

A class belongs to the rule of grammar.lark that has its name (`ForEach` to `for_each`); its fields
are the parts of the rule in their order. Every node has a `span`. Nothing is resolved here: a name
is a name, whatever it stands for. `Expression` and `Statement` are unions, so that who looks at
each kind of them by `match` is told by the type checker if one is missing.
"""

from __future__ import annotations

from gdl.syntax.tree.expressions import *
from gdl.syntax.tree.statements import *
from gdl.syntax.tree.texts import *
