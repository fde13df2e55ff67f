"""The part of a scene's text that an editor needs to carry out some edits of it.

A node and its values are taken from an instance of the text. Of a big scene that is nearly always a few nodes, and an
instance of all the others would hold the editor up.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from scenewright.godot.documents import paths
from scenewright.godot.documents.references import Reference, references, resource_sections
from scenewright.godot.documents.scene import Node, Scene
from scenewright.godot.documents.section import Section
from scenewright.godot.documents.variant import Array, Dictionary, NodePath, Variant

__all__ = ["excerpt", "pointed_at"]


def excerpt(scene: Scene, edits: Iterable[dict[str, Any]]) -> str:
    """Return a scene of the nodes that these edits take something from, with what they hold and their parents."""
    kept = _nodes(scene, edits)
    sections = [node.section for node in scene.nodes if node.path in kept]
    sections += [section for path, section in scene.editable.items() if path in kept]
    sections += [wire.section for wire in scene.connections if wire.source in kept and wire.target in kept]
    sections += _resources(scene, sections)
    sections.append(scene.document.tagged("gd_scene")[0])
    return "".join(section.text.rstrip() + "\n\n" for section in sorted(sections, key=lambda section: section.index))


def _nodes(scene: Scene, edits: Iterable[dict[str, Any]]) -> set[str]:
    kept: set[str] = set()
    waiting = [".", *_sources(scene, edits)]
    while waiting:
        path = waiting.pop()
        if path in kept:
            continue
        kept.add(path)
        waiting.append(paths.parent_of(path))
        waiting += (target for _, target in pointed_at(scene, scene.by_path.get(path)))
    return kept


def _sources(scene: Scene, edits: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Nodes of the text that the edits take something from."""
    for edit in edits:
        if edit["op"] == "set":
            yield edit["path"]
        elif edit["op"] == "connect":
            yield from (edit["path"], edit["target"])
        elif edit["op"] in ("add", "root"):
            inside = [node.path for node in scene.subtree(edit["path"])]
            yield from (path for path in inside if not any(paths.is_within(path, out) for out in edit["without"]))


def pointed_at(scene: Scene, node: Node | None) -> Iterator[tuple[str, str]]:
    """Return properties of a node that hold nodes, and which; the engine finds those while it makes an instance."""
    if node is None or "node_paths" not in node.section.chunk.text:
        return
    for name in node.node_paths:
        for path in _paths_in(node.section.value(name)):
            target = paths.resolve(node.path, path.partition(":")[0], scene.unique_names)
            if target is not None:
                yield name, target


def _paths_in(value: Variant) -> Iterator[str]:
    if isinstance(value, NodePath):
        yield value.text
    elif isinstance(value, Array):
        for item in value.items:
            yield from _paths_in(item)
    elif isinstance(value, Dictionary):
        for entry in value.entries:
            for item in entry:
                yield from _paths_in(item)


def _resources(scene: Scene, sections: list[Section]) -> list[Section]:
    """The resources that sections refer to, and those that these refer to."""
    declared = resource_sections(scene.document)
    needed: dict[Reference, Section] = {}
    waiting = [reference for section in sections for reference in references(section.text)]
    while waiting:
        reference = waiting.pop()
        if reference in declared and reference not in needed:
            needed[reference] = declared[reference]
            waiting += references(declared[reference].text)
    return list(needed.values())
