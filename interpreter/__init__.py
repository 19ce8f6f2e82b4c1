"""From a game's model to play."""
