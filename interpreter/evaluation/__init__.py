"""What every evaluator of a game offers, and what is done with any: moves, counts, random games."""
