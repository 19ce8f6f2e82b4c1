"""Each expression of the core as code."""
