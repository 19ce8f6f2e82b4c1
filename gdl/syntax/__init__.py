"""Syntax: from the texts inside a game's file to trees (grammar, indentation, parser, builder).

tree has the classes of the nodes, advice what to say of slips of the pen.
"""
