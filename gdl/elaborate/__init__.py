"""Elaboration: from syntax trees to the core. Names are resolved, types checked, text inlined.

values (what a text can stand for), relations (relations that depend on the position),
scope (what names mean), expressions, words (built-in functions), statements, endings,
sections (the declarations of a file), boards, game (the whole).
"""
