"""A scene that is declared as a whole: what it takes to make the file so."""

from scenewright.godot.declared.draft import Draft, Step
from scenewright.godot.declared.making import make

__all__ = ["Draft", "Step", "make"]
