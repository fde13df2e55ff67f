"""Shaders, materials, lighting and particles as values of the engine's classes."""
