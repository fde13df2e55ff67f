"""What operations that build ready-made parts have in common: where to, and what came of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any

from scenewright.core.calls.call import Call
from scenewright.core.operations.model import Compiled, Inputs, about
from scenewright.core.text.counts import count_noun
from scenewright.godot.project.openers import ScenePath, open_edit
from scenewright.godot.ui.operations.controls import Parent

if TYPE_CHECKING:
    from scenewright.godot.building.node_tree import PlannedNode, Site, Wire

__all__ = ["Built", "PartName", "PartPlacement", "Position", "ScriptPlace", "built", "open_site"]

PartName = Annotated[str, about("Name; a default one if left out.", min_length=1, max_length=200)]
Position = Annotated[list[float], about("Position in the parent: [x, y] or [x, y, z].", min_length=2, max_length=3)]
ScriptPlace = Annotated[str, about("Where the script goes; beside the scene if left out.", min_length=1)]


class PartPlacement(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    node_name: PartName | None = None
    parent_node_path: Parent = "."


class Built(Compiled, frozen=True, kw_only=True):
    scene_path: Annotated[str, about("res:// path.")]
    node_path: Annotated[str, about("The part, from the scene's root.")]
    nodes: Annotated[list[str], about("All nodes that were added.")]
    script_path: Annotated[str, about("Script of the part.")] | None = None
    files: Annotated[list[str], about("Other files that were written.")] | None = None
    actions: Annotated[list[str], about("Input actions that were added.")] | None = None


def open_site(call: Call, scene_path: str) -> Site:
    """Open a scene that parts are put into."""
    from scenewright.godot.building.node_tree import Site

    return Site(call, open_edit(call, scene_path))


def built(call: Call, site: Site, part: PlannedNode, parent: str, wires: Iterable[Wire] = (), **also: Any) -> Built:
    """Build a part, stage the scene, and report it."""
    written, nodes = site.build(part, parent, wires)
    site.edit.save()
    call.summary = f"Built '{written.path}' of {count_noun(len(nodes), 'node')}."
    return Built(scene_path=site.edit.path, node_path=written.path, nodes=nodes, **also)
