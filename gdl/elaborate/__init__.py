"""Elaboration: from syntax trees to the core. Names are resolved, types checked, text inlined.

What things are: values, relations, scope. Expressions: coerce, words, pair_numbers, formula,
calls, domains, quantifiers, expressions. Programs: move_words, piece_words, pieces, statements,
endings. The sections of a file: sections, prelude, options, boards, pictures, setup, unused; game
puts them together.
"""
