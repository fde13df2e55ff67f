"""What an editor must do so that its scene means what a text means: one list of primitive edits.

Edits name nodes by their path in the new scene; `was` has where those that exist already are now. Values and new
nodes are not in the list: the editor takes them from the new text itself, so that they arrive exactly.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import msgspec

from scenewright.core.faults import Unsupported
from scenewright.core.text.counts import with_article
from scenewright.godot.documents import paths
from scenewright.godot.documents.references import resource_sections
from scenewright.godot.documents.scene import Connection, Node, Scene
from scenewright.godot.documents.variant import SubResource
from scenewright.godot.editor.live.excerpt import pointed_at
from scenewright.godot.editor.live.shared_resources import kept_resources
from scenewright.godot.scenes.comparison import Meaning, compare, pair_nodes

__all__ = ["SceneEdits", "edits_between"]

# Graphs refuse to lose a node by a property, and a player does not notice that its library's content has changed.
_WHOLE = ("AnimationNode", "AnimationLibrary")


class SceneEdits(msgspec.Struct, frozen=True):
    """The edits, in the order they are to be made."""

    edits: list[dict[str, Any]]
    was: dict[str, str]
    resources: dict[str, tuple[str, str]]  # those that only stay: which node and property holds each


def edits_between(old: Scene, new: Scene) -> SceneEdits:
    """Return the edits that turn the old scene into the new one.

    Raises:
        Unsupported: a node of an instanced scene is to become one of another class, or the base scene another.
    """
    work = _Work(old, new)
    edits = list(work.edits())
    was = {path: before for path in work.named if (before := work.before(path)) != path}
    return SceneEdits(edits, was, work.resources)


class _Work:
    def __init__(self, old: Scene, new: Scene) -> None:
        self._old, self._new = old, new
        self._pairs = pair_nodes(old, new)
        self._replaced = self._take_replaced()
        self._after = {before: after for after, before in self._pairs.items()}
        self._added = {node.path for node in new.nodes if node.path not in self._pairs and not node.is_override}
        self.named: set[str] = set()
        self.resources = kept_resources(old, new)

    def edits(self) -> Iterator[dict[str, Any]]:
        wires_gone, wires_new = self._wires()
        yield from wires_gone
        moved = list(self._moves())
        yield from ({"op": "detach", "path": self._name(path)} for path in moved)
        yield from ({"op": "remove", "was": path} for path in self._removed())
        for node in self._new.nodes:  # parents come first
            if node.path in self._added and node.path == ".":
                yield {"op": "root", "path": ".", "without": moved, "shared": self._shared(".")}
            elif node.path in moved:
                yield {"op": "attach", "path": self._name(node.path), "parent": self._name(node.parent or ".")}
            elif node.path in self._added and (node.parent or ".") not in self._added:
                inside = [path for path in moved if paths.is_within(path, node.path)]
                yield {
                    "op": "add",
                    "path": node.path,
                    "parent": self._name(node.parent or "."),
                    "without": inside,
                    "shared": self._shared(node.path),
                }
        yield from ({"op": "rename", "path": self._name(path)} for path in self._renamed() if path not in moved)
        yield from self._orders(set(moved))
        yield from self._values()
        yield from wires_new

    def before(self, path: str) -> str:
        """Where a node of the new scene is in the old one."""
        above = path
        while above != "." and above not in self._pairs:
            above = paths.parent_of(above)
        return paths.rebased(path, above, self._pairs.get(above, above))

    def _name(self, path: str) -> str:
        if path not in self._added:
            self.named.add(path)
        return path

    def _take_replaced(self) -> dict[str, str]:
        """Nodes that get another class: new ones in the place of the old, which take over what was below these."""
        replaced: dict[str, str] = {}
        self._differences = compare(self._old, self._new, self._pairs)
        for difference in self._differences:
            if difference.kind == "retyped":
                if self._new.node(difference.node).is_override or (difference.node == "." and self._is_inherited()):
                    raise Unsupported(
                        f"'{difference.node}' would become {with_article(difference.after)}"
                        f" instead of {with_article(difference.before)},"
                        " which the open editor cannot do in place.",
                        hint="Close the scene in the editor, or change it there by hand.",
                    )
                replaced[difference.node] = self._pairs.pop(difference.node)
        if replaced:
            self._differences = compare(self._old, self._new, self._pairs)
        return replaced

    def _is_inherited(self) -> bool:
        return any(scene.node(".").type is None for scene in (self._old, self._new))

    def _removed(self) -> list[str]:
        """Nodes that go, without those that go with the one above; an old root keeps what is not moved out of it."""
        gone = {node.path for node in self._old.nodes if node.path not in self._after and not node.is_override}
        return [path for path in gone if path != "." and paths.parent_of(path) not in gone]

    def _moves(self) -> Iterator[str]:
        """Nodes that get another parent, as new paths."""
        for node in self._new.nodes:
            was = self._pairs.get(node.path)
            if was is None or was == "." or node.is_override:
                continue
            if node.parent in self._replaced or (
                self._pairs.get(node.parent or ".", "\0") != paths.parent_of(was)
                and (self.before(node.parent or ".") != paths.parent_of(was))
            ):
                yield node.path

    def _shared(self, top: str) -> dict[str, list[str]]:
        """Properties of a new node, and of those below it, that hold a resource the scene has already."""
        shared: dict[str, list[str]] = {}
        for node in self._new.nodes if self.resources else ():
            if paths.is_within(node.path, top) and self._comes_along(node.path):
                values = node.section.values().items()
                names = [name for name, held in values if isinstance(held, SubResource) and held.id in self.resources]
                shared |= {node.path: names} if names else {}
        return shared

    def _renamed(self) -> list[str]:
        return [difference.node for difference in self._differences if difference.kind == "renamed"]

    def _orders(self, moved: set[str]) -> Iterator[dict[str, Any]]:
        """Parents whose children would not stand as they should with every new one at the end."""
        wanted, held = _children(self._new), _children(self._old)
        for parent, children in wanted.items():
            if parent in self._added:
                natural = sorted(children, key=lambda path: path in moved)  # what comes along, then what moves in
                if children != natural:
                    yield _order(parent, children)
                continue
            come = [path for path in children if path in self._added or path in moved]
            stay = [path for path in children if path not in self._added and path not in moved]
            before = held.get(self.before(parent), [])
            kept = {self._pairs[path]: path for path in stay if path in self._pairs}
            natural = [kept[path] for path in before if path in kept] + come
            if children != natural:
                yield _order(self._name(parent), children)

    def _values(self) -> Iterator[dict[str, Any]]:
        names: dict[str, list[str]] = defaultdict(list)
        for difference in self._differences:
            if difference.kind == "property" and not self._comes_along(difference.node):
                names[difference.node].append(self._settable(difference.node, difference.name))
            elif difference.kind == "groups" and not self._comes_along(difference.node):
                before, after = set(difference.before or ()), set(difference.after or ())
                yield {
                    "op": "groups",
                    "path": self._name(difference.node),
                    "add": sorted(after - before),
                    "remove": sorted(before - after),
                }
            elif difference.kind == "editable" and not self._comes_along(difference.node):
                yield {"op": "editable", "path": self._name(difference.node), "on": bool(difference.after)}
        for node in self._reset():
            names[self._moved(node.path)] += list(node.section.values())
        for path, name in self._holders():
            names[path].append(name)
        for path, found_names in names.items():
            # A script brings its properties along, so it comes first.
            ordered = sorted(dict.fromkeys(found_names), key=lambda name: (name != "script", name))
            if ordered:
                yield {"op": "set", "path": self._name(path), "names": ordered}

    def _holders(self) -> Iterator[tuple[str, str]]:
        """Properties that hold a node, and would hold one of the text, or one that another has taken the place of."""
        for node in self._new.nodes if self._added else ():
            comes = self._comes_along(node.path)
            for name, held in pointed_at(self._new, node):
                if (held in self._replaced and not comes) or (comes and not self._comes_along(held)):
                    yield node.path, name

    def _settable(self, path: str, name: str) -> str:
        """A property as the editor can set it: inside a resource, or the resource as a whole."""
        first, colon, _ = name.partition(":")
        node = self._new.by_path.get(path)
        value = node.section.value(first) if colon and node is not None else None
        section = resource_sections(self._new.document).get(value) if isinstance(value, SubResource) else None
        kind = (section.string("type") or "") if section is not None else ""
        return first if kind.startswith(_WHOLE) else name

    def _comes_along(self, path: str) -> bool:
        """Whether a node is part of a new one, which brings its values."""
        while path not in self._pairs and path not in self._added:
            path = paths.parent_of(path)
        return path in self._added

    def _reset(self) -> list[Node]:
        """Nodes of instanced scenes whose changes are gone, while the nodes themselves stay."""
        removed = self._removed()
        return [
            node
            for node in self._old.nodes
            if node.is_override
            and node.path not in self._after
            and not any(paths.is_within(node.path, gone) for gone in removed)
        ]

    def _moved(self, path: str) -> str:
        above = path
        while above != "." and above not in self._after:
            above = paths.parent_of(above)
        return paths.rebased(path, above, self._after.get(above, above))

    def _wires(self) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        old_meaning, new_meaning = Meaning(self._old.document), Meaning(self._new.document)
        old = {self._key(wire, old_meaning, moved=True): wire for wire in self._old.connections}
        new = {self._key(wire, new_meaning, moved=False): wire for wire in self._new.connections}
        gone = [
            {
                "op": "disconnect",
                "signal": wire.signal,
                "was": wire.source,
                "target_was": wire.target,
                "method": wire.method,
            }
            for key, wire in old.items()
            if key not in new
        ]
        come = [
            {
                "op": "connect",
                "signal": wire.signal,
                "path": self._name(wire.source),
                "target": self._name(wire.target),
                "method": wire.method,
            }
            for key, wire in new.items()
            if key not in old
        ]
        return gone, come

    def _key(self, wire: Connection, meaning: Meaning, *, moved: bool) -> tuple[str, ...]:
        source, target = wire.source, wire.target
        if moved:
            source, target = self._moved(source), self._moved(target)
        binds = str([meaning.shown(value) for value in wire.binds])
        gone = self._replaced.values() if moved else ()
        end = "gone" if wire.source in gone or wire.target in gone else ""  # it ends at another node then
        return wire.signal, source, target, wire.method, str(wire.flags), str(wire.unbinds), binds, end


def _children(scene: Scene) -> dict[str, list[str]]:
    children: dict[str, list[str]] = {}
    for node in scene.nodes:
        if node.parent is not None and not node.is_override:
            children.setdefault(node.parent, []).append(node.path)
    return children


def _order(parent: str, children: list[str]) -> dict[str, Any]:
    return {"op": "order", "path": parent, "children": [paths.name_of(path) for path in children]}
