"""The small game that most of these tests work on, and its scenes by name."""

from __future__ import annotations

from pathlib import Path

from scenewright.core.faults import NotFound
from scenewright.godot.documents.document import Document
from scenewright.godot.documents.scene import Scene
from scenewright.godot.documents.tree import Tree, expand

__all__ = ["FILES", "load", "scene", "tree_of"]

_FOLDER = Path(__file__).parents[1] / "fixtures" / "game"
FILES = {path.name: path.read_bytes() for path in sorted(_FOLDER.iterdir())}


def load(path: str) -> Document:
    """A document of the game, by its path in the project."""
    name = path.removeprefix("res://")
    if name not in FILES:
        raise NotFound(f"There is no {path}.")
    return Document.parse(FILES[name], path)


def scene(name: str) -> Scene:
    return Scene(load(f"res://{name}.tscn"))


def tree_of(which: Scene) -> Tree:
    return expand(which, load)
