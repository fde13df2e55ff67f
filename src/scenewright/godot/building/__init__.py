"""Ready-made parts of a game as trees of nodes: what they are made of, and putting them into a scene."""
