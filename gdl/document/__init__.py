"""The document layer: from a YAML file to a merged, shape-checked tree with exact positions.

| module   | has                                                                           |
|----------|-------------------------------------------------------------------------------|
| `files`  | files read within limits                                                      |
| `nodes`  | the tree                                                                      |
| `reader` | from a text to a tree; also without a line that YAML can't read               |
| `shape`  | whether a tree has a shape                                                    |
| `schema` | the shapes of a game and its parts                                            |
| `merge`  | games that extend others, and variants                                        |
| `parts`  | parts of sections by their names: clauses, ways of a turn, what is taken away |
"""

from gdl.document.files import read_source
from gdl.document.merge import apply_variants, extend, load_document
from gdl.document.nodes import Mapping, Node, Scalar, Sequence, Style, key_identity
from gdl.document.reader import read_document
from gdl.document.schema import check_shape

__all__ = [
    "Mapping",
    "Node",
    "Scalar",
    "Sequence",
    "Style",
    "apply_variants",
    "check_shape",
    "extend",
    "key_identity",
    "load_document",
    "read_document",
    "read_source",
]
