"""The whole tree of a scene: what it inherits and what its instances bring, put together as the engine does it.

Other scenes come through a function of the caller's; what it cannot give stays an unresolved branch and stops nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import msgspec

from scenewright.core.calls.deadline import check_deadline
from scenewright.core.faults import Fault
from scenewright.godot.documents import paths
from scenewright.godot.documents.document import Document
from scenewright.godot.documents.scene import Connection, Node, Scene
from scenewright.godot.documents.section import SectionProperty

__all__ = ["Layer", "Load", "Tree", "TreeNode", "Wire", "expand"]

Load = Callable[[str], Document]
"""The document of a scene by its path, `res://player.tscn`."""

MOST_NODES = 100_000
_DEEPEST = 64


class Layer(msgspec.Struct, frozen=True):
    """What one scene file says about a node."""

    scene: str | None
    node: Node


class TreeNode(msgspec.Struct, frozen=True, eq=False):
    """A node of the finished tree."""

    name: str
    path: str
    type: str | None
    layers: tuple[Layer, ...]
    """What the scenes say about it, the expanded one last."""
    children: tuple[TreeNode, ...]
    owner: str | None
    """The path of the root of the scene file it comes from; none for the root itself."""
    depth: int
    """How many instances it is inside of; 0 belongs to the expanded scene or to what that inherits."""
    instance: str | None
    """The scene it is an instance of or, for the root, inherits from."""
    unresolved: str | None
    """Why that scene could not be read."""

    @property
    def unique_id(self) -> int | None:
        return _last_id(self.layers)

    @property
    def groups(self) -> tuple[str, ...]:
        """The groups it is in, of all layers."""
        return tuple(dict.fromkeys(group for layer in self.layers for group in layer.node.groups))

    @property
    def unique_name(self) -> bool:
        property_ = self.find("unique_name_in_owner")
        return property_ is not None and property_.raw == "true"

    @property
    def properties(self) -> dict[str, SectionProperty]:
        """Every property that some layer sets, as the last one to set it does."""
        return {property_.name: property_ for layer in self.layers for property_ in layer.node.section.properties}

    def find(self, name: str) -> SectionProperty | None:
        """Return a property, where it was set last."""
        properties = (layer.node.section.find(name) for layer in reversed(self.layers))
        return next((property_ for property_ in properties if property_ is not None), None)

    def walk(self) -> Iterator[TreeNode]:
        """Yield the node and everything below it, in the order of the tree."""
        pending = [self]
        while pending:
            node = pending.pop()
            yield node
            pending.extend(reversed(node.children))


class Wire(msgspec.Struct, frozen=True):
    """A connection of the finished tree: paths from its root, and the file that makes it."""

    source: str
    target: str
    connection: Connection
    scene: str | None


class Tree(msgspec.Struct, frozen=True, eq=False):
    """A finished tree."""

    root: TreeNode
    nodes: dict[str, TreeNode]
    """Every node by its path."""
    wires: tuple[Wire, ...]
    vanished: tuple[Layer, ...]
    """What is said about nodes whose parent or base is not there any more."""
    left_out: tuple[str, ...] = ()
    """The scenes whose instances were not put together, since there would be too many nodes."""

    def find(self, path: str) -> TreeNode | None:
        """Return a node by its path from the root."""
        return self.nodes.get(paths.normal(path))

    def id_path(self, node: TreeNode) -> tuple[int, ...]:
        """Return the way to a node by unique ids, one per instance it is inside of; empty if one has none."""
        own = node.unique_id
        if own is None:
            return ()
        if node.depth == 0 or node.owner is None:
            return (own,)
        above = self.id_path(self.nodes[node.owner])
        return (*above, own) if above else ()


def expand(scene: Scene, load: Load) -> Tree:
    """Expand a scene with everything it inherits and instances."""
    builder = _Builder(load)
    draft = builder.build(scene, scene.document.path, ())
    draft.place(".")
    root = _freeze(draft)
    nodes = {node.path: node for node in root.walk()}
    return Tree(root, nodes, tuple(builder.wires()), tuple(builder.vanished), tuple(sorted(builder.left_out)))


class _Draft:
    """A node while the tree grows."""

    __slots__ = ("children", "depth", "instance", "layers", "name", "owner", "parent", "path", "type", "unresolved")

    def __init__(self, name: str, kind: str | None = None, layers: tuple[Layer, ...] = ()) -> None:
        self.name = name
        self.type = kind
        self.layers = list(layers)
        self.children: dict[str, _Draft] = {}
        self.parent: _Draft | None = None
        self.owner: _Draft | None = None
        self.depth = 0
        self.instance: str | None = None
        self.unresolved: str | None = None
        self.path = ""

    @property
    def id_path(self) -> tuple[int, ...]:
        own = _last_id(self.layers)
        if own is None:
            return ()
        if self.depth == 0 or self.owner is None:
            return (own,)
        above = self.owner.id_path
        return (*above, own) if above else ()

    def to(self, path: str) -> _Draft | None:
        draft: _Draft | None = self
        for part in () if path == "." else path.split("/"):
            if draft is None:
                return None
            draft = draft.parent if part == ".." else draft.children.get(part)
        return draft

    def below(self) -> Iterator[_Draft]:
        pending = list(self.children.values())
        while pending:
            node = pending.pop()
            yield node
            pending.extend(node.children.values())

    def add(self, child: _Draft, index: int | None) -> None:
        child.parent = self
        self.children[child.name] = child
        if index is not None and index < len(self.children) - 1:
            order = list(self.children.values())[:-1]
            order.insert(index, child)
            self.children = {node.name: node for node in order}

    def place(self, path: str) -> None:
        """Set the path of the node and of everything below it."""
        self.path = path
        pending = [self]
        while pending:
            node = pending.pop()
            for child in node.children.values():
                child.path = paths.join(node.path, child.name)
                pending.append(child)


def _freeze(draft: _Draft) -> TreeNode:
    """The drafts as frozen nodes, children first, without recursion: scenes may be deep."""
    order = [draft, *draft.below()]
    done: dict[int, TreeNode] = {}
    for node in sorted(order, key=lambda node: node.path.count("/") + (node is not draft), reverse=True):
        done[id(node)] = TreeNode(
            node.name,
            node.path,
            node.type,
            tuple(node.layers),
            tuple([done[id(child)] for child in node.children.values()]),
            None if node.owner is None else node.owner.path,
            node.depth,
            node.instance,
            node.unresolved,
        )
    return done[id(draft)]


class _Builder:
    def __init__(self, load: Load) -> None:
        self._load = load
        self._scenes: dict[str, Scene] = {}
        self._files: dict[int, dict[str, str]] = {}
        self._made: list[tuple[_Draft, Scene, str | None]] = []
        self.vanished: list[Layer] = []
        self.left_out: set[str] = set()
        self._size = 0

    def build(self, scene: Scene, file: str | None, chain: tuple[str, ...]) -> _Draft:
        """Return a scene's own tree."""
        layer = Layer(file, scene.root)
        root = self._build_instance(scene, layer.node, chain)
        if root is None:
            root = _Draft(layer.node.name, layer.node.type)
        root.name = layer.node.name
        root.layers.append(layer)
        self._size += 1
        for node in scene.nodes[1:]:
            check_deadline()
            self._size += 1
            self._add_node(root, scene, Layer(file, node), chain)
        self._made.append((root, scene, file))
        return root

    def _add_node(self, root: _Draft, scene: Scene, layer: Layer, chain: tuple[str, ...]) -> None:
        node = layer.node
        parent = root.to(node.parent or ".") or _by_ids(root, node.parent_ids)
        if node.type is None and node.is_override:
            self._apply_override(root, parent, layer)
        elif parent is None:
            self.vanished.append(layer)
        else:
            made = self._build_instance(scene, node, chain) if node.type is None else None
            if made is None:
                made = _Draft(node.name, node.type or ("InstancePlaceholder" if node.placeholder else None))
            for inner in made.below():
                inner.depth += 1
            made.name = node.name
            made.layers.append(layer)
            owner = node.owner if "owner" in node.section.text else None
            made.owner = root if owner is None else root.to(paths.normal(owner))
            parent.add(made, node.index if "index" in node.section.text else None)

    def _apply_override(self, root: _Draft, parent: _Draft | None, layer: Layer) -> None:
        """Finds the node by its name, or wherever it is now by its id."""
        draft = parent.children.get(layer.node.name) if parent is not None else None
        for ids in _possible_ids(root, parent, layer.node) if draft is None else ():
            draft = draft or _by_ids(root, ids)
        if draft is None:
            self.vanished.append(layer)
        else:
            draft.layers.append(layer)

    def _build_instance(self, scene: Scene, node: Node, chain: tuple[str, ...]) -> _Draft | None:
        """The tree of the scene that a node is an instance of, if it is one."""
        if node.instance is None:
            return None
        path = self._file_paths(scene).get(node.instance, "")
        try:
            made = self._build_file(path, chain)
        except Fault as problem:
            made = _Draft(node.name)
            made.unresolved = problem.message
        made.instance = path
        return made

    def _file_paths(self, scene: Scene) -> dict[str, str]:
        if id(scene) not in self._files:
            self._files[id(scene)] = {file.id: file.path for file in scene.external_files}
        return self._files[id(scene)]

    def _build_file(self, path: str, chain: tuple[str, ...]) -> _Draft:
        if path in chain:
            made = _Draft("")
            made.unresolved = f"{path} contains itself."
            return made
        if self._size > MOST_NODES or len(chain) > _DEEPEST:
            self.left_out.add(path)
            made = _Draft("")
            made.unresolved = "the scene is too large to be put together"
            return made
        if path not in self._scenes:
            self._scenes[path] = Scene(self._load(path))
        return self.build(self._scenes[path], path, (*chain, path))

    def wires(self) -> Iterator[Wire]:
        """Yield every connection, as seen from the finished root."""
        for top, scene, file in self._made:
            check_deadline()
            for connection in scene.connections if top.path else ():
                source, target = top.to(connection.source), top.to(connection.target)
                if source is not None and target is not None:
                    yield Wire(source.path, target.path, connection, file)


def _last_id(layers: Sequence[Layer]) -> int | None:
    return next((unique_id for layer in reversed(layers) if (unique_id := layer.node.unique_id) is not None), None)


def _possible_ids(root: _Draft, parent: _Draft | None, node: Node) -> list[tuple[int, ...]]:
    """The id path that a node of another scene has, by what is known of its parent."""
    if node.unique_id is None:
        return []
    if parent is None:
        return [(*node.parent_ids[:-1], node.unique_id), (*node.parent_ids, node.unique_id)]
    if parent is not root and parent.instance is not None:
        return [(*parent.id_path, node.unique_id)]
    return [(*(parent.id_path[:-1] if parent.depth else ()), node.unique_id)]


def _by_ids(root: _Draft, ids: tuple[int, ...]) -> _Draft | None:
    check_deadline()
    return next((node for node in root.below() if node.id_path == ids), None) if ids else None
