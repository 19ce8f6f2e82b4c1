"""The nodes of the core: expressions, statements, and the program of a game.

What holds of every program: names are resolved, types are right, definitions are inlined,
options are substituted, what runs over directions, sides or kinds is unrolled, and all that
can be known before play is a constant. Each program of a turn belongs to one side, so that a
side is a constant in it, too.
"""

from __future__ import annotations

from gdl.core.nodes.expressions import *
from gdl.core.nodes.program import *
from gdl.core.nodes.statements import *
