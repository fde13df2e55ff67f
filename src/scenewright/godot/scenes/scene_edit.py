"""One scene that a call changes: nodes added and given values one after the other, then staged once.

Every operation that puts nodes into a scene goes through this, so that values, defaults, node paths, instances and
released resources are treated the same everywhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from scenewright.core.faults import Invalid, did_you_mean
from scenewright.core.text.counts import with_article
from scenewright.godot.classes.index import ClassIndex
from scenewright.godot.documents import nodes, paths
from scenewright.godot.documents.connections import set_editable
from scenewright.godot.documents.document import Document, Source
from scenewright.godot.documents.errors import EditError
from scenewright.godot.documents.node_placement import check_editable
from scenewright.godot.documents.references import references
from scenewright.godot.documents.resources import add_external_file
from scenewright.godot.documents.scene import Scene
from scenewright.godot.documents.section import Section, SectionProperty
from scenewright.godot.documents.tree import Tree, TreeNode
from scenewright.godot.documents.variant import NodePath, PackedStringArray
from scenewright.godot.documents.variant_writer import write_variant
from scenewright.godot.project.checks.members import script_of
from scenewright.godot.project.workspace import Workspace, no_node, node_path
from scenewright.godot.scenes.instance_cycles import check_no_circle
from scenewright.godot.scenes.outline import SceneOutline
from scenewright.godot.scenes.property_access import NodeProperties, Placed

__all__ = ["Addition", "SceneEdit", "Written"]


# These start at another node than the one that has them.
_FROM_ELSEWHERE = ("root_motion_track",)


class Addition(msgspec.Struct, frozen=True, kw_only=True):
    """A node to be added: of a class, or an instance of a scene."""

    name: str
    kind: str | None = None
    instance: str | None = None
    parent: str = "."
    before: str | None = None
    properties: Mapping[str, Any] = {}
    groups: tuple[str, ...] = ()


class Written(msgspec.Struct, frozen=True):
    """Where a node is, and the values that were set as they arrived."""

    path: str
    values: dict[str, Any]
    unwritten: list[str] = []  # values that are the default, which files leave out


class SceneEdit:
    """The scene so far. Nothing is staged before `save`."""

    def __init__(self, workspace: Workspace, index: ClassIndex, path: str, scene: Scene | None = None) -> None:
        self.workspace = workspace
        self.index = index
        self.path = workspace.resource_path(path)
        self.scene = workspace.scene(path) if scene is None else scene
        self.notes = workspace.notes
        self._expanded: tuple[Document, Tree] | None = None
        self._ways: dict[tuple[str, str], NodePath] = {}

    @property
    def document(self) -> Document:
        return self.scene.document

    @document.setter
    def document(self, changed: Document) -> None:
        self.scene = Scene(changed)

    @property
    def tree(self) -> Tree:
        """The scene with what others bring."""
        if self._expanded is None or self._expanded[0] is not self.scene.document:
            self._expanded = self.scene.document, self.workspace.tree(self.scene)
        return self._expanded[1]

    def node(self, written: str, *, wanted: str = "Node", parameter: str = "nodePath") -> TreeNode:
        """Return a node of a class, of the scene or of what it instances, by its path in any form.

        Raises:
            NotFound: there is none.
            Invalid: it is of another class.
        """
        path = node_path(self.scene, written)
        node = self.tree.find(path)
        if node is None:
            raise no_node(written, path, self.path, self.tree.nodes)
        if wanted != "Node" and not (node.type in self.index and self.index.is_a(node.type or "", wanted)):
            alike = [
                candidate.path
                for candidate in self.tree.nodes.values()
                if candidate.type in self.index and self.index.is_a(candidate.type or "", wanted)
            ]
            raise Invalid(
                f"'{node.path}' is {with_article(node.type or 'Node')}, not {with_article(wanted)}.",
                path=f"input.{parameter}",
                rule="class",
                hint=f"The scene has: {', '.join(alike[:8])}." if alike else f"Add {with_article(wanted)} first.",
            )
        return node

    def free_name(self, parent: str, name: str) -> str:
        """Return the name, with the next free number if a child of the parent has it, as the engine counts."""
        node = self.tree.find(node_path(self.scene, parent))
        taken = {child.name for child in node.children} if node is not None else set()
        return paths.free_name(name, taken)

    def add(self, node: Addition) -> Written:
        """Add a node, its values coerced by their declared types.

        Raises:
            NotFound: there is no such parent, sibling, class, scene or property.
            Invalid: a value does not fit, or the node cannot be there.
        """
        parent = node_path(self.scene, node.parent)
        path = paths.join(parent, node.name)
        kind, script = self._class_and_script(node)
        if script is not None and node.instance is None:
            node = msgspec.structs.replace(node, properties={"script": script, **node.properties})
        document, instance = self.document, None
        if node.instance is not None:
            document, instance = self._declare_scene(node.instance)
        properties = self._properties_of(path, kind, script)
        implied = properties.layout_beside(node.properties, is_new=node.instance is None)
        placed = properties.place(document, {**implied, **node.properties}, keep_defaults=node.instance is not None)
        made = nodes.NewNode(
            name=node.name,
            type=kind if instance is None else None,
            instance=instance,
            properties=_without_defaults(placed),
            groups=node.groups,
            node_paths=tuple(placed.nodes),
        )
        before = paths.join(parent, node.before) if node.before else None
        self.scene = nodes.add_node(Scene(placed.document), made, parent, before=before, tree=self.tree)
        self._remember_ways(path, placed)
        return _written(path, placed, implied)

    def set(self, written: str, values: Mapping[str, Any], *, reset: Iterable[str] = ()) -> Written:
        """Set properties of a node, also of one that an editable instance brings.

        Raises:
            NotFound: there is no such node or property.
            Invalid: a value does not fit.
        """
        node = self.node(written)
        properties = self._properties_of(node.path, node.type or "", script_of(node))
        scene = nodes.override_node(self.scene, node.path, self.tree)
        own = scene.node(node.path)
        inherits = own.instance is not None or own.is_override
        implied = properties.layout_beside(values, is_new=False)
        placed = properties.place(scene.document, {**implied, **values}, keep_defaults=inherits)
        moved = _kept_layout(own.section, placed)
        kept = {name: value for name, value in moved.items() if name not in placed.values} | _without_defaults(placed)
        # A resource inside the file that only the old value used goes with it.
        released = [*moved, *(name for name in kept if _releases(own.section.find(name), placed))]
        changed = nodes.remove_properties(Scene(placed.document), node.path, released)
        changed = nodes.set_properties(changed, node.path, kept, rank=placed.rank)
        changed = _with_node_paths(changed, node.path, placed)
        present = {property_.name for property_ in changed.node(node.path).section.properties}
        gone = [name for name in (*reset, *placed.defaults) if name in present]
        self.scene = nodes.remove_properties(changed, node.path, gone)
        self._remember_ways(node.path, placed)
        return _written(node.path, placed, implied)

    def set_editable(self, written: str, *, editable: bool) -> str:
        """Let this scene change what is inside an instance, or no longer; return the instance's path.

        Raises:
            NotFound: there is no such node.
            EditError: it is no instance, is inside one that is closed, or changes inside it would be lost.
        """
        node = self.node(written)
        if node.path == "." or node.instance is None:
            raise EditError(f"'{node.path}' is not an instance of a scene.", hint="Leave editableChildren out.")
        check_editable(self.scene, node)
        self.scene = set_editable(self.scene, node.path, editable=editable)
        return node.path

    def save(self) -> None:
        """Stage the scene."""
        self.notes += filter(None, (self._describe_lost_path(*at, way.text) for at, way in self._ways.items()))
        self.workspace.save(self.path, self.document)

    def _remember_ways(self, node: str, placed: Placed) -> None:
        """Paths to other nodes are looked at when the scene is whole, as what they lead to may come later."""
        for name, value in placed.values.items():
            if isinstance(value, NodePath) and value.text and name not in (*placed.nodes, *_FROM_ELSEWHERE):
                self._ways[node, name] = value

    def _describe_lost_path(self, node: str, name: str, text: str) -> str | None:
        """What is to be said of a path that leads to no node of the scene; nothing where it leads out of it."""
        unique = {other.name: other.path for other in self.tree.nodes.values() if other.unique_name}
        way = text.partition(":")[0]
        target = paths.resolve(node, way, unique)
        if target is None or self.tree.find(node) is None or self.tree.find(target) is not None:
            return None
        known = [paths.relative(node, other) for other in self.tree.nodes if other != node]
        hint = did_you_mean(way, known)
        return f"There is no node at '{way}' from '{node}' yet, for its {name}.{f' {hint}' if hint else ''}"

    def _class_and_script(self, node: Addition) -> tuple[str, str | None]:
        """The class and script that the new node will have; its properties go by them."""
        script = node.properties.get("script")
        given_script = script if isinstance(script, str) else None
        if node.instance is not None:
            outline = SceneOutline(self.workspace, node.instance)
            root = outline.node(".")
            return root.type or "", given_script or outline.script(root)
        kind, own = self.workspace.scripts(self.index).node_class(node.kind or "")
        return kind, given_script or own

    def _declare_scene(self, scene: str) -> tuple[Document, str]:
        check_no_circle(self.workspace, self.path, scene)
        return add_external_file(
            self.document, "PackedScene", self.workspace.resource_path(scene), self.workspace.scene_uid(scene)
        )

    def _properties_of(self, path: str, kind: str, script: str | None) -> NodeProperties:
        return NodeProperties(self.workspace, self.index, tree=self.tree, path=path, kind=kind, script=script)


def _written(path: str, placed: Placed, implied: Mapping[str, Any]) -> Written:
    """What was asked for, without what the editor writes beside it."""
    return Written(path, placed.shown(without=implied), [name for name in placed.defaults if name not in implied])


def _without_defaults(placed: Placed) -> dict[str, Any]:
    return {name: value for name, value in placed.values.items() if name not in placed.defaults}


# The engine sets properties in the order of the file. Some undo others: the mode of a layout sets the anchors, and a
# preset the offsets, so that what they mean in detail has to follow them.
_LAYOUT = re.compile(r"layout_mode|anchors_preset|(anchor|offset)_(left|top|right|bottom)|grow_\w+")
_FIRST = ("layout_mode", "anchors_preset")


def _kept_layout(section: Section, placed: Placed) -> dict[str, Any]:
    """What the file says of the layout, where a new mode or preset would undo it."""
    if not any(name in placed.values for name in _FIRST):
        return {}
    return {
        property_.name: Source(property_.raw) for property_ in section.properties if _LAYOUT.fullmatch(property_.name)
    }


def _releases(property_: SectionProperty | None, placed: Placed) -> bool:
    """Whether a value that is replaced holds a resource that no new value holds."""
    if property_ is None or not property_.raw.startswith("SubResource("):
        return False
    held = references(property_.raw)
    return not any(held & references(write_variant(value)) for value in placed.values.values())


def _with_node_paths(scene: Scene, path: str, placed: Placed) -> Scene:
    """The scene with the properties that hold nodes listed, as the engine wants them."""
    if not placed.nodes:
        return scene
    node = scene.node(path)
    listed = tuple(dict.fromkeys([*node.node_paths, *placed.nodes]))
    return Scene(scene.document.set_attribute(node.section, "node_paths", PackedStringArray(listed)))
