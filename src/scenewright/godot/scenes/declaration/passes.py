"""Goes through a declaration in passes: the nodes and scripts, their values, the animations, the connections.

Values come after all nodes, because they may name nodes that are declared later.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import msgspec

from scenewright.core.faults import Invalid, naming
from scenewright.godot.documents import paths
from scenewright.godot.scenes.declaration.animations import set_animations
from scenewright.godot.scenes.declaration.connections import connect_all
from scenewright.godot.scenes.declaration.draft import SceneDraft
from scenewright.godot.scenes.declaration.repetition import repeated
from scenewright.godot.scenes.declaration.structure import Structure
from scenewright.godot.scenes.declaration.values import set_values

if TYPE_CHECKING:
    from scenewright.godot.scenes.declared_scene import DeclaredNode, DeclaredWire

__all__ = ["make"]


def make(draft: SceneDraft, root: DeclaredNode, wires: list[DeclaredWire] | None) -> None:
    """Make a draft match the declaration."""
    declared = dict(_walk_declared(repeated(draft, root)))
    draft.workspace.named.collect([node.properties for node in declared.values()])
    Structure(draft, declared).build()
    draft.settle()
    for path, node in declared.items():
        with naming(f"'{path}'"):
            set_values(draft, path, node)
    for path, node in declared.items():
        if node.animations is not None:
            with naming(f"'{path}'"):
                set_animations(draft, path, node.animations)
    connect_all(draft, [*(wires or []), *_own_wires(declared)])


def _own_wires(declared: Mapping[str, DeclaredNode]) -> Iterator[DeclaredWire]:
    """The connections that stand with the nodes whose signals they are of."""
    for path, node in declared.items():
        for wire in node.connections or []:
            yield wire if wire.source else msgspec.structs.replace(wire, source=path)


def _walk_declared(root: DeclaredNode) -> Iterator[tuple[str, DeclaredNode]]:
    """Every declared node with its path, parents first.

    Raises:
        Invalid: two children of one node have the same name.
    """
    seen: set[str] = set()
    waiting = [(".", root)]
    while waiting:
        path, node = waiting.pop()
        paths.check_name(node.name)
        if path in seen:
            raise Invalid(f"'{path}' is declared twice.", path="input.tree", rule="unique")
        seen.add(path)
        yield path, node
        waiting += [(paths.join(path, child.name), child) for child in reversed(node.children or [])]
