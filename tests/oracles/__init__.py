"""Second implementations of the source games, written from the documents alone."""
