"""A scene that is declared as a whole: what it takes to make the file so."""

from scenewright.godot.scenes.declaration.draft import DeclarationStep, SceneDraft
from scenewright.godot.scenes.declaration.passes import make

__all__ = ["DeclarationStep", "SceneDraft", "make"]
