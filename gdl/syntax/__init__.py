"""Syntax: from the texts inside a game's file to trees (grammar, indentation, parser, builder)."""
