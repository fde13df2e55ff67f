"""Godot 3 projects on their way to 4: a copy that the engine converts, and what it says of it."""
