"""Roblox: place and model files, Rojo projects, the engine's classes, and the tools over them."""
