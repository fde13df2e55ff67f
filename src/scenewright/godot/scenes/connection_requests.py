"""Connections as they are asked for: flags by name, bound arguments in any form, and ends that are there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from scenewright.core.faults import Invalid, NotFound, did_you_mean
from scenewright.core.text.counts import count_noun
from scenewright.godot.documents.connections import PERSIST, NewConnection
from scenewright.godot.documents.document import Document
from scenewright.godot.documents.tree import Tree, TreeNode
from scenewright.godot.documents.variant import Variant
from scenewright.godot.project.checks.members import Members, script_of
from scenewright.godot.project.workspace import Workspace
from scenewright.godot.scenes.property_access import NodeProperties
from scenewright.godot.values.coercion import coerce
from scenewright.godot.values.elements import ANY
from scenewright.godot.values.placement import place

__all__ = ["bound", "check_ends", "flag_bits"]

_BITS: dict[str, int] = {"deferred": 1, "one_shot": 4, "reference_counted": 8, "append_source": 16}


def flag_bits(names: Iterable[str] | int | None) -> int:
    """Return the flags of a connection in a file.

    Raises:
        Invalid: a number has bits that are no flags.
    """
    if isinstance(names, int):
        if names & ~(PERSIST | sum(_BITS.values())):
            shown = ", ".join(f"{bit} {name}" for name, bit in _BITS.items())
            raise Invalid(
                f"{names} is not a set of flags.", path="input.flags", rule="enum", hint=f"The flags: {shown}."
            )
        return PERSIST | names
    return PERSIST | sum(_BITS[name] for name in set(names or ()))


def bound(
    workspace: Workspace, members: Members, document: Document, tree: Tree, target: str, arguments: Sequence[Any]
) -> tuple[Document, tuple[Variant, ...]]:
    """Return the arguments to bind, and the document with what they need.

    Raises:
        Invalid, NotFound: one cannot be a value.
    """
    binds: list[Variant] = []
    kind = tree.nodes[target].type or "" if target in tree.nodes else ""
    context = NodeProperties(workspace, members.index, tree=tree, path=target, kind=kind, script=None)
    for number, value in enumerate(arguments):
        wanted = msgspec.structs.replace(ANY, owner="connection", name=f"binds[{number}]")
        document, made = place(document, coerce(value, wanted, context))
        binds.append(made)
    return document, tuple(binds)


def check_ends(members: Members, tree: Tree, wire: NewConnection) -> str | None:
    """Return what is wrong with the method, which may still be written.

    Raises:
        NotFound: a node is not there, has no such signal, or no method that arguments could be bound to.
    """
    sender, receiver = _find_node(tree, wire.source), _find_node(tree, wire.target)
    kind, script = sender.type or "", script_of(sender)
    if members.has_signal(kind, script, wire.signal) is False:
        hint = did_you_mean(wire.signal, members.signals(kind, script), "list_signals shows those of a node.")
        raise NotFound(f"'{wire.source}' ({kind}) has no signal '{wire.signal}'.", hint=hint)
    if members.has_method(receiver.type or "", script_of(receiver), wire.method) is not False:
        return _describe_misfit(
            members.signal_argument_count(kind, script, wire.signal),
            members.method_argument_range(script_of(receiver), wire.method),
            wire,
        )
    missing = f"'{wire.target}' has no method '{wire.method}'"
    if wire.binds or wire.unbinds:
        raise NotFound(
            f"{missing}, and the engine does not load binds or unbinds of a method that does not exist.",
            hint="Write the method first.",
        )
    return f"{missing} yet; without it the connection fails when it is used."


def _describe_misfit(
    signal_arguments: int | None, method_arguments: tuple[int, int] | None, wire: NewConnection
) -> str | None:
    """What is wrong where a method takes fewer or more arguments than it will get."""
    if signal_arguments is None or method_arguments is None:
        return None
    count = max(signal_arguments + bool(wire.flags & _BITS["append_source"]) - wire.unbinds, 0) + len(wire.binds)
    fewest, most = method_arguments
    if fewest <= count <= most:
        return None
    takes = count_noun(most, "argument") if fewest == most else f"{fewest} to {most} arguments"
    return (
        f"'{wire.method}' of '{wire.target}' takes {takes} and gets {count}, so the call will fail; "
        "change its parameters, or use binds or unbinds."
    )


def _find_node(tree: Tree, path: str) -> TreeNode:
    node = tree.find(path)
    if node is None:
        raise NotFound(
            f"There is no node at '{path}'.",
            hint=did_you_mean(path, list(tree.nodes), "get_node_tree shows the nodes of a scene."),
        )
    return node
