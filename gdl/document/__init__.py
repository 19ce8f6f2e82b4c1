"""The document layer: from a YAML file to a merged, shape-checked tree with exact positions."""

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
