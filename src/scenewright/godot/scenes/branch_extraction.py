"""A branch of a scene as a scene of its own: what it needs goes along, and what names its nodes still finds them."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from scenewright.core.faults import Invalid
from scenewright.godot.documents import paths
from scenewright.godot.documents.document import Document, Source
from scenewright.godot.documents.edit_batch import Batch
from scenewright.godot.documents.references import references, resource_sections
from scenewright.godot.documents.resources import add_external_file, remove_sections, with_load_steps
from scenewright.godot.documents.scene import Connection, Scene
from scenewright.godot.documents.section import Section
from scenewright.godot.documents.variant import ExtResource

__all__ = ["Extraction", "extract_branch"]

_UNIQUE = re.compile(r'NodePath\("(?P<name>%[^"/:]+)(?P<rest>[^"]*)"\)')
# What an instance says of itself in the scene that has it; all else is its own scene's.
_OUTSIDE = ("name", "parent", "parent_id_path", "owner", "index", "unique_id")


class Extraction(msgspec.Struct, frozen=True):
    """Both scenes afterwards."""

    outer: Scene
    inner: Scene
    nodes: int
    shared: tuple[str, ...]  # ids of inner resources that both have now, each its own
    opened: bool  # connections lead to nodes inside, so that the instance is editable
    names: tuple[str, ...]  # unique names that are the new scene's now
    outward: tuple[str, ...]  # node paths of the branch that lead out of it


def extract_branch(scene: Scene, path: str, place: str, uid: str | None) -> Extraction:
    """Return a scene without a branch, which is an instance of the scene that it becomes.

    Raises:
        Invalid: the node is the root, or another scene brings it.
    """
    root = scene.node(path)
    if root.parent is None or root.is_override:
        why = "is the root of its scene" if root.parent is None else "belongs to another scene"
        raise Invalid(
            f"'{path}' {why}.", path="input.nodePath", rule="branch", hint="Name a node that this scene adds."
        )
    led = Scene(_lead_by_way(scene, root.path))
    inner = _inner_scene(led, root.path, uid)
    outer, opened = _outer_scene(led, root.path, place, uid)
    branch = scene.subtree(root.path)
    return Extraction(
        outer=outer,
        inner=inner,
        nodes=len(branch),
        shared=tuple(sorted(_declared_ids(outer.document) & _declared_ids(inner.document))),
        opened=opened,
        names=tuple(sorted(node.name for node in branch if node.unique_name and node.path != root.path)),
        outward=tuple(_outward_paths(led, root.path)),
    )


def _lead_by_way(scene: Scene, branch: str) -> Document:
    """Write %Names that would cross the border of the branch as ways from node to node."""
    batch = Batch(scene.document)
    for node in scene.nodes:
        for property_ in node.section.properties:
            if 'NodePath("%' not in property_.raw:
                continue

            def led(match: re.Match[str], start: str = node.path) -> str:
                target = scene.unique_names.get(match["name"][1:])
                if target is None or paths.is_within(start, branch) == paths.is_within(target, branch):
                    return match[0]
                return f'NodePath("{paths.relative(start, target)}{match["rest"]}")'

            changed = _UNIQUE.sub(led, property_.raw)
            if changed != property_.raw:
                batch.set_property(node.section, property_.name, Source(changed))
    return batch.done()


def _inner_scene(scene: Scene, branch: str, uid: str | None) -> Scene:
    gone = [node.section for node in scene.nodes if not paths.is_within(node.path, branch)]
    gone += [wire.section for wire in scene.connections if not _is_inside(wire, branch)]
    gone += [section for place, section in scene.editable.items() if place == branch or not _within(place, branch)]
    kept = Scene(_without_unused(scene.document, gone))
    batch = Batch(kept.document)
    header = kept.document.sections[0]
    batch.remove_attribute(header, "uid")
    if uid is not None:
        batch.set_attribute(header, "uid", uid)
    for node in kept.nodes:
        if node.path == branch:
            for name in ("parent", "parent_id_path", "owner", "index"):
                batch.remove_attribute(node.section, name)
            if node.section.find("unique_name_in_owner") is not None:
                batch.remove_property(node.section, "unique_name_in_owner")
        else:
            batch.set_attribute(node.section, "parent", _relative(node.parent or "", branch))
    for wire in kept.connections:
        batch.set_attribute(wire.section, "from", _relative(wire.source, branch))
        batch.set_attribute(wire.section, "to", _relative(wire.target, branch))
    for place, section in kept.editable.items():
        batch.set_attribute(section, "path", _relative(place, branch))
    return Scene(with_load_steps(batch.done()))


def _outer_scene(scene: Scene, branch: str, place: str, uid: str | None) -> tuple[Scene, bool]:
    document, file = add_external_file(scene.document, "PackedScene", place, uid)
    scene = Scene(document)
    batch = Batch(document)
    root = scene.node(branch)
    for attribute in root.section.attributes:
        if attribute.name not in _OUTSIDE:
            batch.remove_attribute(root.section, attribute.name)
    for property_ in root.section.properties:
        if property_.name != "unique_name_in_owner":
            batch.remove_property(root.section, property_.name)
    batch.set_attribute(root.section, "instance", ExtResource(file))
    scene = Scene(batch.done())
    inside = [node.section for node in scene.nodes if node.path != branch and paths.is_within(node.path, branch)]
    inside += [wire.section for wire in scene.connections if _is_inside(wire, branch)]
    inside += [section for marked, section in scene.editable.items() if _within(marked, branch)]
    scene = Scene(_without_unused(scene.document, inside))
    opened = any(_leads_in(end, branch) for wire in scene.connections for end in (wire.source, wire.target))
    if opened:
        last = scene.document.sections[-1]
        text = scene.document.new_section("editable", [("path", branch)])
        scene = Scene(scene.document.insert(text, last))
    return scene, opened


def _without_unused(document: Document, gone: list[Section]) -> Document:
    """Remove sections, and every resource that nothing needs any more but did before."""
    before = {name for section in document.sections for name in references(section.text)}
    left = remove_sections(document, gone) if gone else document
    while True:
        used = {name for section in left.sections for name in references(section.text)}
        free = [section for name, section in resource_sections(left).items() if name in before and name not in used]
        if not free:
            return left
        left = with_load_steps(left.remove(free))


def _declared_ids(document: Document) -> set[str]:
    return {section.string("id") or "" for section in document.tagged("sub_resource")}


def _outward_paths(scene: Scene, branch: str) -> Iterator[str]:
    for node in scene.subtree(branch):
        for match in re.finditer(r'NodePath\("([^"%/:][^":]*)', "".join(each.raw for each in node.section.properties)):
            target = paths.resolve(node.path, match[1], scene.unique_names)
            if target is not None and not paths.is_within(target, branch):
                yield f"{_relative(node.path, branch)}: {match[1]}"


def _is_inside(wire: Connection, branch: str) -> bool:
    return paths.is_within(wire.source, branch) and paths.is_within(wire.target, branch)


def _within(place: str, branch: str) -> bool:
    return paths.is_within(place, branch)


def _leads_in(place: str, branch: str) -> bool:
    return place != branch and paths.is_within(place, branch)


def _relative(place: str, branch: str) -> str:
    return "." if place == branch else place.removeprefix(f"{branch}/")
