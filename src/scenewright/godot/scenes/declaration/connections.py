"""The connections of a declaration."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scenewright.core.faults import Invalid
from scenewright.godot.documents import connections
from scenewright.godot.documents.scene import Connection, Scene
from scenewright.godot.documents.variant import Variant
from scenewright.godot.project.workspace import node_path
from scenewright.godot.scenes.connection_requests import bound, check_ends, flag_bits
from scenewright.godot.scenes.declaration.draft import DeclarationStep, SceneDraft

if TYPE_CHECKING:
    from scenewright.godot.scenes.declared_scene import DeclaredWire

__all__ = ["connect_all"]

Ends = tuple[str, str, str, str]


def connect_all(draft: SceneDraft, wires: list[DeclaredWire] | None) -> None:
    """Make the connections match the declared ones."""
    wanted = [_new_connection(draft, wire) for wire in wires or []]
    for wire in wanted:
        known = next((existing for existing in draft.scene.connections if _ends_of(existing) == _new_ends(wire)), None)
        if known is not None and (known.flags, known.unbinds, known.binds) == (wire.flags, wire.unbinds, wire.binds):
            continue
        if known is not None:
            _disconnect(draft, known)
        problem = check_ends(draft.members, draft.tree, wire)
        draft.warnings += [problem] if problem else []
        changed = connections.connect(draft.scene, wire, tree=draft.foreign_tree)
        draft.take(changed, DeclarationStep("connect", wire.source, wire.signal, after=f"{wire.target}:{wire.method}"))
    if draft.remove_extra:
        kept = {_new_ends(wire) for wire in wanted}
        for existing in [existing for existing in draft.scene.connections if _ends_of(existing) not in kept]:
            _disconnect(draft, existing)


def _new_connection(draft: SceneDraft, wire: DeclaredWire) -> connections.NewConnection:
    if not wire.source:
        raise Invalid(
            f"The connection of '{wire.signal}' says no source.",
            path="input.connections",
            rule="required",
            hint="Name the node whose signal it is, or put the connection into that node's connections.",
        )
    source, target = node_path(draft.scene, wire.source), node_path(draft.scene, wire.target)
    binds: tuple[Variant, ...] = ()
    if wire.binds:
        document, binds = bound(draft.workspace, draft.members, draft.scene.document, draft.tree, target, wire.binds)
        draft.scene = Scene(document)
    return connections.NewConnection(
        wire.signal, source, target, wire.method, flags=flag_bits(wire.flags), binds=binds, unbinds=wire.unbinds
    )


def _disconnect(draft: SceneDraft, wire: Connection) -> None:
    changed = connections.disconnect(draft.scene, wire.signal, wire.source, wire.target, wire.method)
    draft.take(changed, DeclarationStep("disconnect", wire.source, wire.signal, before=f"{wire.target}:{wire.method}"))


def _ends_of(wire: Connection) -> Ends:
    return wire.signal, wire.source, wire.target, wire.method


def _new_ends(wire: connections.NewConnection) -> Ends:
    return wire.signal, wire.source, wire.target, wire.method
