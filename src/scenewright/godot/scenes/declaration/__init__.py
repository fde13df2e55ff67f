"""A scene that is declared as a whole: what it takes to make the file so."""

from scenewright.godot.scenes.declaration.draft import Draft, Step
from scenewright.godot.scenes.declaration.passes import make

__all__ = ["Draft", "Step", "make"]
