"""What a scene file says: its nodes, connections, resources and editable instances, as frozen records over the text.

A scene is a view of a document and edits nothing itself; `nodes`, `node_moves`, `connections` and `resources` do.
What other scenes contribute, by inheritance or instancing, is in `tree`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

import msgspec

from scenewright.core.faults import NotFound, did_you_mean
from scenewright.godot.documents import paths
from scenewright.godot.documents.document import Document
from scenewright.godot.documents.errors import EditError
from scenewright.godot.documents.references import declared_id
from scenewright.godot.documents.section import Section
from scenewright.godot.documents.variant import Array, ExtResource, PackedInt32Array, PackedStringArray, Variant

__all__ = ["Connection", "ExternalFile", "InnerResource", "Node", "Scene", "external_files", "inner_resources"]


# As the engine writes them; any other way goes through the attributes one by one.
_USUAL_HEAD = re.compile(
    r'\[node name="([^"\\]*+)"(?: type="([^"\\]*+)")?+(?: parent="([^"\\]*+)")?+(?= (?:parent_id_path|owner|index'
    r"|unique_id|node_paths|groups|instance)|\])(?![^\n]* (?:name|type|parent)=)"
)


class Node(msgspec.Struct, frozen=True, eq=False):
    """A `[node]`; `path` is where it is in the scene."""

    section: Section
    path: str
    name: str
    type: str | None
    parent: str | None

    @property
    def instance(self) -> str | None:
        """The id of the scene it is an instance of, or, for the root, inherits from."""
        value = self.section.known("instance")
        return value.id if isinstance(value, ExtResource) else None

    @property
    def placeholder(self) -> str | None:
        """The path or uid of the scene that is loaded only when asked for."""
        return self.section.string("instance_placeholder")

    @property
    def is_override(self) -> bool:
        """Whether it only changes a node that an instanced or inherited scene brings."""
        if self.type is not None:
            return False  # spares nearly every node of a big scene a look at its header
        head = self.section.chunk.attributes
        return self.parent is not None and "type" not in head and not {"instance", "instance_placeholder"} & head.keys()

    @property
    def owner(self) -> str | None:
        """The path of its owner where the file says it; else the root."""
        return self.section.string("owner")

    @property
    def groups(self) -> tuple[str, ...]:
        return _string_items(self.section.known("groups"))

    @property
    def index(self) -> int | None:
        """Its place among its siblings, said only where other scenes bring some of them."""
        text = self.section.string("index")
        return int(text) if text and text.isdecimal() else None

    @property
    def unique_id(self) -> int | None:
        if " unique_id=" not in self.section.text:  # asked of every node of a scene when one is added
            return None
        value = self.section.known("unique_id")
        return value if isinstance(value, int) else None

    @property
    def parent_ids(self) -> tuple[int, ...]:
        """The way to a parent that other scenes bring, by unique ids."""
        value = self.section.known("parent_id_path")
        return value.items if isinstance(value, PackedInt32Array) else ()

    @property
    def node_paths(self) -> tuple[str, ...]:
        """The properties whose NodePaths the engine turns into nodes."""
        return _string_items(self.section.known("node_paths"))

    @property
    def unique_name(self) -> bool:
        """Whether scripts reach it as `%Name`."""
        property_ = self.section.find("unique_name_in_owner")
        return property_ is not None and property_.raw == "true"


class Connection(msgspec.Struct, frozen=True, eq=False):
    """A `[connection]`: a signal of one node calls a method of another."""

    section: Section
    signal: str
    source: str
    target: str
    method: str

    @property
    def flags(self) -> int:
        value = self.section.known("flags")
        return value if isinstance(value, int) else 2

    @property
    def unbinds(self) -> int:
        value = self.section.known("unbinds")
        return value if isinstance(value, int) else 0

    @property
    def binds(self) -> tuple[Variant, ...]:
        value = self.section.known("binds")
        return value.items if isinstance(value, Array) else ()


class ExternalFile(msgspec.Struct, frozen=True, eq=False):
    """An `[ext_resource]`."""

    section: Section
    id: str
    type: str
    path: str
    uid: str | None


class InnerResource(msgspec.Struct, frozen=True, eq=False):
    """A `[sub_resource]`."""

    section: Section
    id: str
    type: str


class Scene:
    """A scene document with its nodes found; frozen like the document."""

    __slots__ = ("_by_path", "_unique", "document", "nodes")

    def __init__(self, document: Document) -> None:
        if not document.tagged("gd_scene"):
            raise EditError(f"{document.path or 'This text'} is not a scene: it has no [gd_scene].")
        self.document = document
        self.nodes = _read_nodes(document)
        self._by_path: dict[str, Node] | None = None
        self._unique: dict[str, str] | None = None

    @classmethod
    def parse(cls, source: str | bytes, path: str | None = None) -> Scene:
        """Read a scene file."""
        return cls(Document.parse(source, path or "scene.tscn"))

    @property
    def root(self) -> Node:
        if not self.nodes:
            raise EditError("The scene has no nodes.")
        return self.nodes[0]

    @property
    def by_path(self) -> Mapping[str, Node]:
        if self._by_path is None:
            self._by_path = {node.path: node for node in reversed(self.nodes)}
        return self._by_path

    def node(self, path: str) -> Node:
        """Return the node that this file has at a path.

        Raises:
            NotFound: it has none there.
        """
        node = self.by_path.get(paths.normal(path))
        if node is None:
            hint = did_you_mean(paths.normal(path), list(self.by_path)) or "List the scene's nodes to see their paths."
            raise NotFound(f"The scene has no node at '{path}'.", hint=hint)
        return node

    def children(self, path: str) -> tuple[Node, ...]:
        """Return the nodes this file has directly below a path, in order."""
        wanted = paths.normal(path)
        return tuple([node for node in self.nodes if node.parent == wanted])

    def subtree(self, path: str) -> tuple[Node, ...]:
        """Return the nodes this file has at or below a path."""
        wanted = paths.normal(path)
        return tuple([node for node in self.nodes if paths.is_within(node.path, wanted)])

    @property
    def is_inherited(self) -> bool:
        return bool(self.nodes) and self.nodes[0].instance is not None

    @property
    def unique_names(self) -> Mapping[str, str]:
        """The paths of the nodes that scripts reach as `%Name`."""
        if self._unique is None:
            self._unique = {
                node.name: node.path
                for node in self.nodes
                if "unique_name_in_owner" in node.section.text and node.unique_name
            }
        return self._unique

    @property
    def connections(self) -> tuple[Connection, ...]:
        """The connections, but for those that lack one of their four ends."""
        connections = (_read_connection(section) for section in self.document.tagged("connection"))
        return tuple([connection for connection in connections if connection is not None])

    @property
    def editable(self) -> Mapping[str, Section]:
        """The instances whose inner nodes this scene may change."""
        marks = ((section.string("path"), section) for section in self.document.tagged("editable"))
        return {paths.normal(path): section for path, section in marks if path is not None}

    @property
    def external_files(self) -> tuple[ExternalFile, ...]:
        return external_files(self.document)

    @property
    def inner_resources(self) -> tuple[InnerResource, ...]:
        return inner_resources(self.document)


def external_files(document: Document) -> tuple[ExternalFile, ...]:
    """Return the files a scene or resource uses."""
    return tuple(
        [
            ExternalFile(section, declared_id(section), section.string("type") or "", path, section.string("uid"))
            for section in document.tagged("ext_resource")
            if (path := section.string("path")) is not None
        ]
    )


def inner_resources(document: Document) -> tuple[InnerResource, ...]:
    """Return the resources inside a scene or resource."""
    return tuple(
        [
            InnerResource(section, declared_id(section), section.string("type") or "")
            for section in document.tagged("sub_resource")
        ]
    )


def _read_connection(section: Section) -> Connection | None:
    signal, method = section.string("signal"), section.string("method")
    source, target = section.string("from"), section.string("to")
    if signal is None or method is None or source is None or target is None:
        return None
    return Connection(section, signal, paths.normal(source), paths.normal(target), method)


def _string_items(value: Variant) -> tuple[str, ...]:
    items: Iterable[Variant] = value.items if isinstance(value, Array | PackedStringArray) else ()
    return tuple([item for item in items if isinstance(item, str)])


def _read_nodes(document: Document) -> tuple[Node, ...]:
    nodes: list[Node] = []
    for section in document.tagged("node"):
        match = _USUAL_HEAD.match(section.chunk.text)
        if match is not None:
            name, kind, parent = match.groups()
        else:
            name, kind, parent = section.string("name") or "", section.string("type"), section.string("parent")
        if parent is None:
            path = "." if not nodes else name
        else:
            parent = parent if "." not in parent and parent else paths.normal(parent)
            path = name if parent == "." else f"{parent}/{name}"
        nodes.append(Node(section, path, name, kind, parent))
    return tuple(nodes)
