"""Elaboration: from syntax trees to the core. Names are resolved, types checked, text inlined.

What things are: values, relations, scope, limits. Expressions: coerce, builtins, names,
pair_numbers, formula, variables, calls, domains, quantifiers, moments, operators, expressions.
Programs: move_words, named_pieces, pieces, assignments, seats, statements, endings, foresight. The
sections of a file: sections, prelude, options, boards, pictures, state, setup, named_sites, about,
unused; game puts them together, and vocabulary is for the texts that come later.
"""
