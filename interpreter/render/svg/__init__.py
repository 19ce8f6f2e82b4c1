"""A position as an SVG picture, in passes: layout (where it falls on the plane, in pixels), board
(the ground, areas, borders, lines, labels), pieces (what stands on sites, in the shapes of
figures), document (all of it in order). `elements` are what these are made of.
"""

from interpreter.render.svg.document import render_svg

__all__ = ["render_svg"]
