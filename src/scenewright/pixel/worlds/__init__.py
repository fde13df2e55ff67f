"""Small worlds out of a sentence: land, tiles and things drawn by rules; the same seed gives the same bytes."""
