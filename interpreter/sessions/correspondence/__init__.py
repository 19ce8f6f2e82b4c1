"""What a player by correspondence does: acting in a signed game, noting it, mailing it."""
