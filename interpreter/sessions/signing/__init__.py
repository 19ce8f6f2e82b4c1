"""What players sign by correspondence: keys, entries, and secrets that chance is drawn from."""
