"""Elaboration: from syntax trees to the core. Names are resolved, types checked, text inlined.

What things are: values, relations, scope, standing, limits. Expressions: coerce, builtins, past,
hand_words, piles, names, pair_numbers, formula, variables, calls, foreign_words, cases, copies,
alike_copies, families, directions, powers, domains, quantifiers, moments, joined_sets,
missing_parentheses, operators, expressions. Programs: move_words, named_pieces, pieces,
piece_statements, hand_effects, pile_effects, assignments, seats, phases, chosen_sets, in_common,
known_after, statements, together, endings, words_out_of_reach, foresight. The sections of a file:
sections, prelude, options, boards, pictures, state, setup, named_sites, kinds, hands, stacks,
teams, sight, definitions, tables, about, forms, looks, figures, display, captions, unused; game
puts all these into one, and vocabulary and origins are for what comes later: texts, and findings.
"""
