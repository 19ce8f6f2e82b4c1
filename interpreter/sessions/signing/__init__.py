"""What players sign by correspondence: the protocol, keys, entries, and secrets for chance."""
