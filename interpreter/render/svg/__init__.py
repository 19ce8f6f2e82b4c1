"""A position as an SVG picture, in passes: layout (where it falls on the plane, in pixels), board
(the ground, areas, borders, lines, labels), document (all of it in order, what stands on sites in
the shapes of figures). `elements` are what these are made of.
"""

from gdl.interpreter.render.svg.document import render_svg

__all__ = ["render_svg"]
