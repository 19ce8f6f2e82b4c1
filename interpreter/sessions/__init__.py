"""Games that people play: who sits where, what was played, how it is kept in a file."""
