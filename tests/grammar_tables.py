"""The parser's tables beside the grammar, made anew.

In: the grammar. Out: the file of its tables. Run as `python tests/grammar_tables.py` where the
grammar has changed.
"""

from gdl.syntax.parser import Indentation, grammar_and_options
from gdl.syntax.tables import TABLES, packed_tables

if __name__ == "__main__":
    grammar, options = grammar_and_options()
    TABLES.write_bytes(packed_tables(grammar, **options, postlex=Indentation()))
