"""The language: from a game's text to its model."""
