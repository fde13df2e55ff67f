"""A tree of nodes that is put into a scene in one go, with its scripts and connections.

Operations describe what they build as `PlannedNode`s; `Site` is where it is built.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from scenewright.core.calls.call import Call
from scenewright.core.faults import Conflict
from scenewright.godot.documents import connections, paths
from scenewright.godot.scenes.control_layout import UNCONTROLLED
from scenewright.godot.scenes.scene_edit import Addition, SceneEdit, Written

__all__ = ["PlannedNode", "Site", "Wire", "part", "resource", "script_text"]

_SCRIPTS = Path(__file__).parent / "scripts"


class PlannedNode(msgspec.Struct, frozen=True, kw_only=True):
    """A node to be, with what is below it."""

    kind: str  # of an instance: what its root is
    name: str
    instance: str | None = None
    properties: Mapping[str, Any] = {}
    children: tuple[PlannedNode, ...] = ()
    groups: tuple[str, ...] = ()


class Wire(msgspec.Struct, frozen=True):
    """A signal of a built node that calls a method of another; both by their paths from the built root."""

    source: str
    signal: str
    target: str
    method: str
    binds: tuple[Any, ...] = ()


def part(
    kind: str,
    name: str,
    *children: PlannedNode | None,
    unique: bool = False,
    groups: tuple[str, ...] = (),
    properties: Mapping[str, Any] | None = None,
    **more: Any,
) -> PlannedNode:
    """Return a part; in the names of `more` properties `__` stands for a slash."""
    given: dict[str, Any] = {"unique_name_in_owner": True} if unique else {}
    given |= {name.replace("__", "/"): value for name, value in more.items()} | dict(properties or {})
    below = tuple(each for each in children if each)
    return PlannedNode(kind=kind, name=name, properties=given, children=below, groups=groups)


def resource(kind: str, **properties: Any) -> dict[str, Any]:
    """Return a resource made in place."""
    return {"$resource": kind, "props": {name.replace("__", "/"): value for name, value in properties.items()}}


@cache
def script_text(name: str) -> str:
    """Return one of the scripts that parts have."""
    return (_SCRIPTS / name).read_text(encoding="utf-8")


class Site:
    """A scene that parts are put into; nothing is staged before the edit is saved, but for scripts."""

    def __init__(self, call: Call, edit: SceneEdit) -> None:
        self._call = call
        self.edit = edit

    def build(self, built: PlannedNode, parent: str, wires: Iterable[Wire] = ()) -> tuple[Written, list[str]]:
        """Add a part under a parent; return its root as it was written, and the paths of all its nodes.

        Raises:
            NotFound, Invalid, EditError: as for any node that is added.
            Conflict: another node has a unique name of the part's.
        """
        above = self.edit.node(parent, parameter="parentNodePath").path
        self._refuse_known(built)
        name = self.edit.free_name(above, built.name)
        root = self._add(msgspec.structs.replace(built, name=name), above)
        node_paths = [root.path, *self._add_children(built, root.path)]
        for wire in wires:
            self.connect(root.path, wire)
        return root, node_paths

    def fill(self, built: PlannedNode, wires: Iterable[Wire] = ()) -> tuple[Written, list[str]]:
        """Make the root of a new scene a part, with what is below it."""
        properties = dict(built.properties)
        if self.edit.index.is_a(built.kind, "Control"):
            properties = {"layout_mode": UNCONTROLLED} | properties
        if "script" in properties:
            self.edit.set(".", {"script": properties.pop("script")})  # its own properties exist only then
        root = self.edit.set(".", properties)
        node_paths = [".", *self._add_children(built, ".")]
        for wire in wires:
            self.connect(".", wire)
        return root, node_paths

    def connect(self, root: str, wire: Wire) -> None:
        source, target = (paths.join(root, end) if end != "." else root for end in (wire.source, wire.target))
        new = connections.NewConnection(wire.signal, source, target, wire.method, binds=wire.binds)
        self.edit.scene = connections.connect(self.edit.scene, new, tree=self.edit.tree)

    def script(self, given: str | None, name: str) -> str:
        """Stage one of our scripts, at a given path or beside the scene, and return its address.

        Raises:
            Conflict: another script has that place.
        """
        folder, _, _ = self.edit.workspace.place(self.edit.path).rpartition("/")
        place = self.edit.workspace.place(given or "/".join(filter(None, (folder, name))))
        if self.has_other_script(place, name):
            raise Conflict(
                f"'res://{place}' is another script already.", hint="Pass scriptPath with a free name.", retryable=False
            )
        self._call.files.write(place, script_text(name).encode())
        return f"res://{place}"

    def has_other_script(self, given: str, name: str) -> bool:
        """Return whether a place already has a script other than ours of that name."""
        place, files = self.edit.workspace.place(given), self._call.files
        return files.exists(place) and files.read(place) != script_text(name).encode()

    def _refuse_known(self, built: PlannedNode) -> None:
        known = {node.name for node in self.edit.tree.nodes.values() if node.unique_name and node.depth == 0}
        taken = sorted(known.intersection(_unique_names(built)))
        if taken:
            raise Conflict(
                f"'%{taken[0]}' is the unique name of another node of {self.edit.path}.",
                retryable=False,
                hint="Build it in a scene of its own and put an instance of that here.",
            )

    def _add_children(self, built: PlannedNode, path: str) -> Iterator[str]:
        for child in built.children:
            written = self._add(child, path)
            yield written.path
            yield from self._add_children(child, written.path)

    def _add(self, built: PlannedNode, parent: str) -> Written:
        properties = dict(built.properties)
        return self.edit.add(
            Addition(
                name=built.name,
                kind=None if built.instance else built.kind,
                instance=built.instance,
                parent=parent,
                properties=_script_first(properties),
                groups=built.groups,
            )
        )


def _unique_names(built: PlannedNode) -> Iterator[str]:
    if built.properties.get("unique_name_in_owner"):
        yield built.name
    for child in built.children:
        yield from _unique_names(child)


def _script_first(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {name: properties[name] for name in ("script", *properties) if name in properties}
