"""Finds single nodes through instances and inheritance, without putting whole trees together.

A scene of scenes of scenes has as many nodes as the product of them all; a check asks for a few.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec

from scenewright.core.calls.deadline import check_deadline
from scenewright.core.faults import Fault
from scenewright.godot.documents import paths
from scenewright.godot.documents.scene import Node, Scene
from scenewright.godot.project.checks.members import script_file

__all__ = ["UNKNOWN", "Lookup", "NodeKind"]

_DEEPEST = 64  # scenes that contain themselves have no end


class NodeKind(msgspec.Struct, frozen=True):
    """A node's class and script; `is_known` is false where a scene that cannot be read would say."""

    type: str
    script: str | None = None
    is_known: bool = True


UNKNOWN = NodeKind("", None, is_known=False)


class Lookup:
    """Remembers what it found, per scene."""

    def __init__(self, load: Callable[[str], Scene]) -> None:
        self._load = load
        self._scenes: dict[str, Scene | None] = {}
        self._files: dict[str, dict[str, str]] = {}
        self._found: dict[tuple[str, str], NodeKind | None] = {}

    def scene(self, file: str) -> Scene | None:
        """Return a scene, None where it cannot be read."""
        if file not in self._scenes:
            try:
                scene = self._load(file)
                self._scenes[file] = scene if scene.nodes else None
                self._files[file] = {used.id: used.path for used in scene.external_files}
            except Fault:
                self._scenes[file] = None
        return self._scenes[file]

    def find(self, file: str, path: str, depth: int = 0) -> NodeKind | None:
        """Return the node at a path of a scene, None where there is none."""
        check_deadline()
        key = file, path
        if key not in self._found:
            scene = self.scene(file) if depth < _DEEPEST else None
            self._found[key] = UNKNOWN if scene is None else self._in_scene(file, scene, path, depth)
        return self._found[key]

    def instances(self, file: str) -> set[str]:
        """Return the scenes that a scene is made of: instances and what it inherits."""
        scene = self.scene(file)
        nodes = [node for node in scene.nodes if "instance=" in node.section.text] if scene is not None else []
        return {used for node in nodes if (used := self._instanced_file(file, node)) is not None}

    def _in_scene(self, file: str, scene: Scene, path: str, depth: int) -> NodeKind | None:
        node = scene.by_path.get(path)
        if node is not None and node.type is not None:
            return NodeKind(node.type, _script_of_node(node))
        if node is not None and node.placeholder is not None:
            return UNKNOWN
        kind = None
        for base, inside in self._brought_by(file, scene, path):
            kind = self.find(base, inside, depth + 1)
            if kind is not None:
                break
        if kind is not None and node is not None and node.section.find("script") is not None:
            return msgspec.structs.replace(kind, script=_script_of_node(node))
        return kind

    def _brought_by(self, file: str, scene: Scene, path: str) -> Iterator[tuple[str, str]]:
        """The scenes that may bring a node, and its path in each, the nearest instance first."""
        above, inside = path, "."
        while True:
            node = scene.by_path.get(above)
            base = self._instanced_file(file, node) if node is not None else None
            if base is not None:
                yield base, inside
            if above == ".":
                return
            name = paths.name_of(above)
            inside = name if inside == "." else f"{name}/{inside}"
            above = paths.parent_of(above)

    def _instanced_file(self, file: str, node: Node) -> str | None:
        name = node.instance if "instance=" in node.section.text else None
        return None if name is None else self._files[file].get(name, "")


def _script_of_node(node: Node) -> str | None:
    script = node.section.find("script")
    return script_file(script) if script is not None else None
