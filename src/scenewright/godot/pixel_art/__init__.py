"""Pixel art in a Godot project: Aseprite files and what is made of them."""
