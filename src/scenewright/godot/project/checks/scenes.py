"""What is wrong with the nodes and connections of a scene, seen together with the scenes it is made of."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from scenewright.core.faults import did_you_mean
from scenewright.godot.documents.scene import Connection, Node, Scene
from scenewright.godot.documents.tree import Tree
from scenewright.godot.project.checks.documents import DocumentChecks
from scenewright.godot.project.checks.issues import Issue
from scenewright.godot.project.checks.lookup import Lookup, NodeKind
from scenewright.godot.project.checks.members import Members

__all__ = ["SceneChecks", "instancing_circles"]


class SceneChecks:
    """Looks at one scene after another."""

    def __init__(
        self, documents: DocumentChecks, members: Members, lookup: Lookup, expand: Callable[[Scene], Tree]
    ) -> None:
        self._documents = documents
        self._members = members
        self._lookup = lookup
        self._expand = expand

    def check(self, path: str, scene: Scene) -> Iterator[Issue]:
        for node in scene.nodes:
            yield from self._check_node(path, scene, node)
        for wire in scene.connections:
            yield from self._check_connection(path, scene, wire)

    def _check_node(self, path: str, scene: Scene, node: Node) -> Iterator[Issue]:
        issue = self._documents.class_issue(path, node.section, node.type or "", node.path)
        if issue is not None:
            yield issue
            return
        kind = self._lookup.find(path, node.path)
        if kind is None or not self._has_parent(path, node):
            if self._is_lost(scene, node):
                message = f"'{node.path}' is ignored: its parent, or the node it overrides, does not exist."
                yield Issue("warning", "missing_parent", path, message, node.section.line, node.path)
        elif kind.is_known:
            yield from self._documents.property_issues(path, node.section, kind.type, kind.script, node.path)

    def _is_lost(self, scene: Scene, node: Node) -> bool:
        """A node that was renamed where it comes from is still found by its ids, which only a whole tree tells."""
        return any(
            layer.node.section.index == node.section.index
            for layer in self._expand(scene).vanished
            if layer.node.section.document is scene.document
        )

    def _lacks_signal(self, node: NodeKind, name: str) -> bool:
        return node.is_known and self._members.has_signal(node.type, node.script, name) is False

    def _lacks_method(self, node: NodeKind, name: str) -> bool:
        return node.is_known and self._members.has_method(node.type, node.script, name) is False

    def _has_parent(self, path: str, node: Node) -> bool:
        return node.parent is None or self._lookup.find(path, node.parent) is not None

    def _check_connection(self, path: str, scene: Scene, wire: Connection) -> Iterator[Issue]:
        source, target = self._lookup.find(path, wire.source), self._lookup.find(path, wire.target)
        line = wire.section.line
        for end, kind in {wire.source: source, wire.target: target}.items():
            if kind is None:
                fix = did_you_mean(end, list(scene.by_path))
                yield Issue(
                    "error",
                    "missing_node",
                    path,
                    _describe_broken_connection(wire, f"there is no node '{end}'"),
                    line,
                    end,
                    fix,
                )
        if source is not None and self._lacks_signal(source, wire.signal):
            fix = did_you_mean(wire.signal, self._members.signals(source.type, source.script))
            message = _describe_broken_connection(wire, f"'{wire.source}' has no such signal")
            yield Issue("error", "missing_signal", path, message, line, wire.source, fix)
        if target is not None and self._lacks_method(target, wire.method):
            message = _describe_broken_connection(wire, f"'{wire.target}' has no such method")
            fix = f"Add the function to {target.script}." if target.script else "Give the node a script that has it."
            yield Issue("error", "missing_method", path, message, line, wire.target, fix)


def instancing_circles(uses: Mapping[str, set[str]]) -> Iterator[Issue]:
    """Yield an issue for each cycle of scenes that contain themselves, at the first of its scenes."""
    done: set[str] = set()
    for start in sorted(uses):
        circle = _way_back(start, uses) if start not in done else None
        if circle is not None:
            done.update(circle)
            message = "The scene contains itself: " + " → ".join([*circle, start])
            yield Issue("error", "cyclic_scene", start, message, fix="Remove one of these instances.")


def _way_back(start: str, uses: Mapping[str, set[str]]) -> list[str] | None:
    """The shortest way from a scene to itself."""
    came: dict[str, str] = {}
    waiting = [start]
    for here in waiting:
        for there in sorted(uses.get(here, ())):
            if there == start:
                way = [here]
                while way[-1] != start:
                    way.append(came[way[-1]])
                return way[::-1]
            if there not in came:
                came[there] = here
                waiting.append(there)
    return None


def _describe_broken_connection(wire: Connection, reason: str) -> str:
    return f"'{wire.signal}' of '{wire.source}' calls '{wire.method}' of '{wire.target}', but {reason}."
