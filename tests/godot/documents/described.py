"""What the real engine makes of scene and resource files: the tree, asked-for values, connections."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.support.gdscript_runner import Reply, run_jobs

from scenewright.godot.documents.tree import Tree

__all__ = ["ask", "describe", "nodes_of", "wires_of"]

SCRIPT = """
func run(job: Variant) -> Variant:
	var packed: PackedScene = ResourceLoader.load(job.scene, "PackedScene", ResourceLoader.CACHE_MODE_IGNORE_DEEP)
	if packed == null:
		return null
	var root: Node = packed.instantiate()
	var reply: Dictionary = {"nodes": [], "values": {}, "connections": []}
	tell(root, root, reply)
	for path: String in job.values:
		var node: Node = root.get_node_or_null(path)
		var told: Dictionary = {}
		for name: String in job.values[path]:
			told[name] = "no node" if node == null else shown(root, node.get_indexed(name))
		reply.values[path] = told
	root.free()
	return reply


func tell(root: Node, node: Node, reply: Dictionary) -> void:
	var path: String = str(root.get_path_to(node))
	var groups: Array = node.get_groups().map(func(group: StringName) -> String: return str(group))
	groups.sort()
	var owner_path: Variant = null if node.owner == null else str(root.get_path_to(node.owner))
	reply.nodes.append([path, node.get_class(), groups, owner_path, node.unique_name_in_owner])
	for info: Dictionary in node.get_signal_list():
		for found: Dictionary in node.get_signal_connection_list(info.name):
			var to: Callable = found.callable
			var target: Node = to.get_object() as Node
			if target != null and found.flags & CONNECT_PERSIST:
				var ends: Array = [str(info.name), path, str(root.get_path_to(target)), str(to.get_method())]
				ends.append_array([found.flags & ~32, to.get_unbound_arguments_count(), to.get_bound_arguments()])
				reply.connections.append(ends)
	for child: Node in node.get_children():
		tell(root, child, reply)


func shown(root: Node, value: Variant) -> Variant:
	if value is Node:
		return "-> " + str(root.get_path_to(value))
	if value is Resource:
		return value.get_class()
	if value is Array and value.any(func(item: Variant) -> bool: return item is Object):
		return value.map(func(item: Variant) -> Variant: return shown(root, item))
	if value is Dictionary and value.values().any(func(item: Variant) -> bool: return item is Object):
		var told: Dictionary = {}
		for key: Variant in value:
			told[str(key)] = shown(root, value[key])
		return told
	return var_to_str(value)
"""


def ask(scene: str, values: Mapping[str, Iterable[str]] | None = None) -> dict[str, Any]:
    """A job for `describe`: a scene by its path, and properties to show by the path of their node."""
    return {"scene": scene, "values": {path: list(names) for path, names in (values or {}).items()}}


def describe(project: Path, jobs: Sequence[Mapping[str, Any]]) -> list[Reply]:
    """What the engine makes of scenes."""
    return run_jobs(project, SCRIPT, jobs)


def nodes_of(tree: Tree) -> list[list[Any]]:
    """Our nodes as the engine's answer has them."""
    return [[node.path, node.type, sorted(node.groups), node.owner, node.unique_name] for node in tree.root.walk()]


def wires_of(tree: Tree) -> list[tuple[Any, ...]]:
    """Our connections as the first five parts of the engine's answer."""
    return sorted(
        (wire.connection.signal, wire.source, wire.target, wire.connection.method, wire.connection.flags | 2)
        for wire in tree.wires
    )
