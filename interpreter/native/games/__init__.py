"""Random games: moves drawn and made in place, or by search; many games, counted."""
