"""Drawings of positions: a `scene.Scene` comes in, terminal text or an SVG picture goes out."""
