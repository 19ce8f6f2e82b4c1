"""Mistakes that authors make, seeded into any game by general changes of its text.

`kinds.py` has a function for each kind; `seeding.py` puts them into a file; `judging.py` says
whether `gdl check` told one at the right place.
"""
