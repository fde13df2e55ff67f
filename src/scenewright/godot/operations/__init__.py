"""Godot's operations, one module per subject."""
