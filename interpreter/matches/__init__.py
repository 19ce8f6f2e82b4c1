"""Matches between players: many games, counted, rated and kept; on one machine or several."""
