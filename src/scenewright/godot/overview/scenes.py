"""Scenes as short trees: a line for each node, alike neighbours on one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress

from scenewright.core.faults import Fault
from scenewright.core.projects.overview import Item, Scope, Section, Thing
from scenewright.core.text.counts import count_noun
from scenewright.core.text.short_trees import Branch, lines_of
from scenewright.godot.documents.scene import Node, Scene
from scenewright.godot.documents.variant import ExtResource
from scenewright.godot.overview.configuration import main_scene_of
from scenewright.godot.overview.set_values import lines_of_values, place_of, values_of_resource, values_of_scene
from scenewright.godot.project.configuration import Configuration
from scenewright.godot.project.workspace import ROOT, Workspace

__all__ = ["resource_section", "scene_section"]

_MOST_NODES = 3_000  # of all scenes together that are remembered
_MISSING = " MISSING"
_FEW_NODES = 60  # of a scene that may be told with what is set in it


def scene_section(workspace: Workspace, settings: Configuration, scope: Scope) -> Section:
    """Return the scenes, the main one first."""
    main = main_scene_of(workspace, settings)
    paths = [path for path in workspace.listing(".tscn") if scope.covers(path)]
    ordered = sorted(paths, key=lambda path: (path != main, path.startswith("addons/"), path.count("/"), path))
    room = [_MOST_NODES]
    items = [_item(workspace, path, scope, room, first=path == main) for path in ordered[: scope.most_items]]
    told = [item for item in items if item.name not in scope.before or item.name not in scope.values]
    return Section(name="scenes", items=told, more="get_node_tree {scenePath}", unread=ordered[scope.most_items :])


def resource_section(workspace: Workspace, scope: Scope) -> Section:
    """Return the resource files that are new, and put into the scope what is set in each."""
    paths = [path for path in workspace.listing(".tres") if scope.covers(path) and not path.startswith("addons/")]
    for path in paths[: scope.most_items]:
        with suppress(Fault):
            scope.values[path] = values_of_resource(workspace.document(path))
    new = [path for path in scope.values if path in paths and path not in scope.before]
    items = [Item(path, ("\n".join(lines_of_values(scope.values[path])),)) for path in new]
    return Section(
        name="resources", items=items if scope.changed is not None else [], more="read_resource {resourcePath}"
    )


def _item(workspace: Workspace, path: str, scope: Scope, room: list[int], *, first: bool) -> Item:
    """Return a scene at three lengths, and put into the scope what is set in it; `room` is for how many nodes more."""
    try:
        scene = workspace.scene(path)
        root = scene.root
    except Fault as problem:
        return Item(path, (f"cannot be read: {problem.message}",))
    lines = _Lines(scene, workspace)
    counted = f"{lines.kind(root)}, {count_noun(len(scene.nodes), 'node')}"
    connections = list(lines.connections())
    lengths = [counted, "\n".join([*lines.tree(), *connections])]
    room[0] -= len(scene.nodes)
    if room[0] >= 0:
        kinds = {node.path: lines.kind(node) for node in scene.nodes}
        scope.values[path] = values_of_scene(scene, kinds, connections, lines.gone)
        if len(scene.nodes) <= _FEW_NODES:
            told = {node.path: scope.values[path][place_of(node)] for node in scene.nodes}
            lengths.append("\n".join([*lines.tree(told), *connections]))
    return Item(path, tuple(dict.fromkeys(lengths if len(scene.nodes) > 1 else lengths[1:])), first)


def _named(path: str, workspace: Workspace) -> str:
    is_gone = path.startswith(ROOT) and not workspace.files.exists(path.removeprefix(ROOT))
    return f"{path.removeprefix(ROOT)}{_MISSING}" if is_gone else path.removeprefix(ROOT)


class _Lines:
    """The lines of one scene."""

    def __init__(self, scene: Scene, workspace: Workspace) -> None:
        self._scene = scene
        self._files = {file.id: _named(file.path, workspace) for file in scene.external_files}
        self.gone = {ROOT + name.removesuffix(_MISSING) for name in self._files.values() if name.endswith(_MISSING)}

    def tree(self, values: Mapping[str, Thing] | None = None) -> Iterator[str]:
        """Yield a line for each node, with what is set of it where that is given by its path."""
        branches = {node.path: Branch(node.name, self._told(node, values)) for node in self._scene.nodes}
        for node in self._scene.nodes[1:]:
            branch, above = branches[node.path], branches.get(node.parent or ".")
            if above is None:  # it stands below what another scene brings
                branch.name, above = node.path, branches["."]
            above.children.append(branch)
        return lines_of([branches["."]])

    def connections(self) -> Iterator[str]:
        """A line for each connection, such as `Player.hit -> game_over()`; the root's own methods stand alone."""
        for wire in self._scene.connections:
            source = self._scene.root.name if wire.source == "." else wire.source
            target = "" if wire.target == "." else f"{wire.target}."
            yield f"{source}.{wire.signal} -> {target}{wire.method}()"

    def _told(self, node: Node, values: Mapping[str, Thing] | None) -> str:
        told = values[node.path].values if values else {}
        return " ".join([self.kind(node), *(f"{name}={value}" for name, value in told.items())])

    def kind(self, node: Node) -> str:
        """Its class, or the scene it is an instance of; its script, unique name and groups."""
        instance = self._files.get(node.instance or "", "?") if node.instance else node.placeholder
        kind = (instance or "").removeprefix(ROOT) or node.type or "(changed here)"
        marks = [self._script(node), "unique" if node.unique_name else "", *(f"group {name}" for name in node.groups)]
        said = ", ".join(mark for mark in marks if mark)
        return f"{kind} ({said})" if said else kind

    def _script(self, node: Node) -> str:
        script = node.section.find("script")
        if script is None:
            return ""
        value = script.value
        return self._files.get(value.id, "?") if isinstance(value, ExtResource) else "built-in script"
