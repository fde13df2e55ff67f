"""What goes with a script that a node loses: values and connections that nothing else on the node takes.

The engine complains about connections of signals that are not there, and forgets the values when it saves the scene.
"""

from __future__ import annotations

import msgspec

from scenewright.core.faults import Invalid
from scenewright.godot.documents import connections, nodes
from scenewright.godot.documents.scene import Scene
from scenewright.godot.documents.tree import Tree, Wire
from scenewright.godot.project.checks.members import Members, script_of

__all__ = ["Released", "release"]


class Released(msgspec.Struct, frozen=True):
    """The scene without them, and what they were."""

    scene: Scene
    values: list[str]
    wires: list[str]


def release(members: Members, scene: Scene, tree: Tree, path: str, script: str | None) -> Released:
    """Prepare a node for another script, or for none; the caller changes the script itself.

    Raises:
        Invalid: another scene connects a signal that only the script until now has.
    """
    node = tree.nodes[path]
    before, kind = script_of(node), node.type or ""
    scene = nodes.override_node(scene, path, tree)
    if before is None or before == script or members.scripts.script_at(before) is None:
        return Released(scene, [], [])
    exported = {property_.name for property_ in members.scripts.exported(before)}
    here = [property_.name for property_ in scene.node(path).section.properties]
    lost = [name for name in here if name in exported and members.has_property(kind, script, name) is False]
    if lost:
        scene = nodes.remove_properties(scene, path, lost)
    return _disconnect_lost(members, Released(scene, lost, []), tree, path, script)


def _disconnect_lost(members: Members, so_far: Released, tree: Tree, path: str, script: str | None) -> Released:
    scene, gone = so_far.scene, list[str]()
    for wire in tree.wires:
        missing = _find_missing_member(members, tree, wire, path, script)
        if missing is None:
            continue
        if wire.scene != scene.document.path:
            raise Invalid(
                f"'{wire.scene}' connects {missing} of '{path}', which goes away with the current script.",
                path="input.scriptPath",
                rule="connection",
                hint="Declare it in the new script too.",
            )
        ends = wire.connection
        scene = connections.disconnect(scene, ends.signal, ends.source, ends.target, ends.method)
        gone.append(f"{ends.source}:{ends.signal} -> {ends.target}:{ends.method}")
    return Released(scene, so_far.values, gone)


def _find_missing_member(members: Members, tree: Tree, wire: Wire, path: str, script: str | None) -> str | None:
    """What a connection needs of a node that will not be there any more, where the engine complains of that."""
    kind, ends = tree.nodes[path].type or "", wire.connection
    if wire.source == path and members.has_signal(kind, script, ends.signal) is False:
        return f"the signal '{ends.signal}'"
    # The engine makes other connections also to methods that are not there, until the signal is sent.
    is_bound = bool(ends.binds or ends.unbinds)
    if is_bound and wire.target == path and members.has_method(kind, script, ends.method) is False:
        return f"to the method '{ends.method}'"
    return None
