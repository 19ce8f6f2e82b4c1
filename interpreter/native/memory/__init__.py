"""Where a position lies in memory, and what a search knows while it runs."""
