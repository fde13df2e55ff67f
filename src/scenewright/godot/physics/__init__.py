"""Collision shapes by name and size, and sizes taken from what a node shows."""
