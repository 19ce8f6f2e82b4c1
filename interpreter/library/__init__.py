"""The shipped games as a list, what there is to say about one, and a first file of one's own."""
