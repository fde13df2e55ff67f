"""The connections of a declaration."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scenewright.core.faults import NotFound, did_you_mean
from scenewright.godot.checks.members import script_of
from scenewright.godot.declared.draft import Draft, Step
from scenewright.godot.text import wiring
from scenewright.godot.text.scene import Connection
from scenewright.godot.text.tree import TreeNode
from scenewright.godot.workspace import node_path

if TYPE_CHECKING:
    from scenewright.godot.operations.declaring import DeclaredWire

__all__ = ["connect_all"]

Ends = tuple[str, str, str, str]
_BITS = {"deferred": 1, "one_shot": 4}


def connect_all(draft: Draft, wires: list[DeclaredWire] | None) -> None:
    """Makes the connections those that are declared."""
    wanted = [_asked(draft, wire) for wire in wires or []]
    for wire in wanted:
        known = next((found for found in draft.scene.connections if _ends(found) == _new_ends(wire)), None)
        if known is not None and (known.flags, known.unbinds) == (wire.flags, wire.unbinds):
            continue
        if known is not None:
            _disconnect(draft, known)
        _check(draft, wire)
        changed = wiring.connect(draft.scene, wire, tree=draft.foreign_tree)
        draft.take(changed, Step("connect", wire.source, wire.signal, after=f"{wire.target}:{wire.method}"))
    if draft.remove_extra:
        kept = {_new_ends(wire) for wire in wanted}
        for found in [found for found in draft.scene.connections if _ends(found) not in kept]:
            _disconnect(draft, found)


def _asked(draft: Draft, wire: DeclaredWire) -> wiring.NewConnection:
    source, target = node_path(draft.scene, wire.source), node_path(draft.scene, wire.target)
    flags = wiring.PERSIST | sum(_BITS[flag] for flag in set(wire.flags or ()))
    return wiring.NewConnection(wire.signal, source, target, wire.method, flags=flags, unbinds=wire.unbinds)


def _check(draft: Draft, wire: wiring.NewConnection) -> None:
    source, target = _node(draft, wire.source), _node(draft, wire.target)
    kind, script = source.type or "", script_of(source)
    if draft.members.has_signal(kind, script, wire.signal) is False:
        hint = did_you_mean(wire.signal, draft.members.signals(kind, script))
        raise NotFound(f"'{wire.source}' ({kind}) has no signal '{wire.signal}'.", hint=hint)
    if draft.members.has_method(target.type or "", script_of(target), wire.method) is False:
        draft.warnings.append(
            f"'{wire.target}' has no method '{wire.method}' yet; without it the connection fails when it is used."
        )


def _node(draft: Draft, path: str) -> TreeNode:
    found = draft.tree.find(path)
    if found is None:
        raise NotFound(f"There is no node at '{path}'.", hint=did_you_mean(path, list(draft.tree.nodes)))
    return found


def _disconnect(draft: Draft, wire: Connection) -> None:
    changed = wiring.disconnect(draft.scene, wire.signal, wire.source, wire.target, wire.method)
    draft.take(changed, Step("disconnect", wire.source, wire.signal, before=f"{wire.target}:{wire.method}"))


def _ends(wire: Connection) -> Ends:
    return wire.signal, wire.source, wire.target, wire.method


def _new_ends(wire: wiring.NewConnection) -> Ends:
    return wire.signal, wire.source, wire.target, wire.method
