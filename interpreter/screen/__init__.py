"""The full-screen player: a board that stays; mouse, arrow keys and typing move on it."""
