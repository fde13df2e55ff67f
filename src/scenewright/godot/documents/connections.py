"""Connections of a scene, and which instances may be changed inside."""

from __future__ import annotations

import msgspec

from scenewright.core.faults import NotFound, did_you_mean
from scenewright.godot.documents import paths
from scenewright.godot.documents.document import Source
from scenewright.godot.documents.errors import EditError
from scenewright.godot.documents.node_placement import Attributes
from scenewright.godot.documents.resources import remove_sections
from scenewright.godot.documents.scene import Connection, Node, Scene
from scenewright.godot.documents.section import Section
from scenewright.godot.documents.tree import Tree
from scenewright.godot.documents.variant import Array, Variant

__all__ = ["PERSIST", "NewConnection", "connect", "disconnect", "set_editable"]

PERSIST = 2
"""The flag that every connection in a file has; alone it is not written."""


class NewConnection(msgspec.Struct, frozen=True):
    """A signal of one node that is to call a method of another; both by their paths from the root."""

    signal: str
    source: str
    target: str
    method: str
    flags: int = PERSIST
    binds: tuple[Variant, ...] = ()
    unbinds: int = 0


def connect(scene: Scene, wire: NewConnection, *, tree: Tree | None = None) -> Scene:
    """Connect a signal.

    Raises:
        NotFound: a node is not there.
        EditError: the connection is.
    """
    source, target = (_check_node(scene, path, tree) for path in (wire.source, wire.target))
    if _find_same(scene, wire.signal, source, target, wire.method):
        raise EditError(f"'{wire.signal}' of '{source}' is connected to '{wire.method}' of '{target}' already.")
    attributes: Attributes = [("signal", wire.signal), ("from", source), ("to", target), ("method", wire.method)]
    if wire.flags | PERSIST != PERSIST:
        attributes.append(("flags", wire.flags | PERSIST))
    if wire.unbinds:
        attributes.append(("unbinds", wire.unbinds))
    if wire.binds:
        attributes.append(("binds", Source(" " + scene.document.write(Array(wire.binds)))))  # the engine's own space
    text = scene.document.new_section("connection", attributes)
    return Scene(scene.document.insert(text, _place_for(scene, source)))


def disconnect(scene: Scene, signal: str, source: str, target: str, method: str) -> Scene:
    """Remove a connection.

    Raises:
        NotFound: there is none like it.
    """
    matches = _find_same(scene, signal, paths.normal(source), paths.normal(target), method)
    if not matches:
        known = [f"{wire.signal} of {wire.source} to {wire.method} of {wire.target}" for wire in scene.connections]
        raise NotFound(
            f"'{signal}' of '{source}' is not connected to '{method}' of '{target}'.",
            hint=did_you_mean(
                f"{signal} of {source} to {method} of {target}", known, "list_connections shows those there are."
            ),
        )
    return Scene(remove_sections(scene.document, [wire.section for wire in matches]))


def set_editable(scene: Scene, path: str, *, editable: bool) -> Scene:
    """Let this scene change what is inside an instance, or no longer.

    Raises:
        EditError: it is no instance, or this file has changes inside it that would be lost.
    """
    path = paths.normal(path)
    marked = scene.editable.get(path)
    if not editable:
        inside = [node.path for node in scene.subtree(path) if node.path != path and _is_inside(scene, node)]
        if inside:
            raise EditError(
                f"'{inside[0]}' is a change inside '{path}' that would be lost.",
                hint="Take it back or remove it first, with reset or remove_node.",
            )
        return scene if marked is None else Scene(scene.document.remove([marked]))
    known = scene.by_path.get(path)
    if known is not None and known.instance is None and not known.is_override:
        raise EditError(f"'{path}' is not an instance of a scene.")
    if marked is not None:
        return scene
    text = scene.document.new_section("editable", [("path", path)])
    return Scene(scene.document.insert(text, scene.document.sections[-1]))


def _is_inside(scene: Scene, node: Node) -> bool:
    """Whether a node changes another scene's nodes, or hangs on one of them that is not the instance itself."""
    above = scene.by_path.get(node.parent or ".")
    return node.is_override or above is None or above.is_override


def _check_node(scene: Scene, path: str, tree: Tree | None) -> str:
    path = paths.normal(path)
    if tree is None:
        return scene.node(path).path
    if tree.find(path) is None:
        raise NotFound(
            f"There is no node at '{path}'.",
            hint=did_you_mean(path, list(tree.nodes), "get_node_tree shows the nodes of a scene."),
        )
    return path


def _find_same(scene: Scene, signal: str, source: str, target: str, method: str) -> list[Connection]:
    wanted = (signal, source, target, method)
    return [wire for wire in scene.connections if (wire.signal, wire.source, wire.target, wire.method) == wanted]


def _place_for(scene: Scene, source: str) -> Section:
    """Connections stand in the order of their source nodes."""
    order = {node.path: number for number, node in enumerate(scene.nodes)}
    wires = scene.connections
    earlier = [wire for wire in wires if order.get(wire.source, len(order)) <= order.get(source, len(order))]
    if earlier:
        return earlier[-1].section
    if wires:
        return scene.document.sections[wires[0].section.index - 2]
    return scene.nodes[-1].section
