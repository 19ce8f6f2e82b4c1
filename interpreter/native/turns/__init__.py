"""Turns, cut at their decisions, and searches through all their ways; how games end."""
