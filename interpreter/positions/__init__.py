"""Positions as people see and write them: drawn, described, numbered, held against examples."""
