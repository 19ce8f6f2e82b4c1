"""Boards: from a shape and its sizes to sites, the relations between them, and named sets."""
