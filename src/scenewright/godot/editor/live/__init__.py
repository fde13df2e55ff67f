"""Godot's editor, live: which scenes it has open, and how a change of a scene's text is made there."""
