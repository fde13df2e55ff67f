"""What is asked of a scene's tree, and a row of the answer."""

from __future__ import annotations

from typing import Annotated

from scenewright.core.operations.model import Inputs, Record, about
from scenewright.godot.project.openers import ScenePath

__all__ = ["TreeQuery", "TreeRow"]


class TreeQuery(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    root_path: Annotated[str, about("Only this node and what is below it.")] | None = None
    max_depth: Annotated[int, about("Levels below the first node.", ge=0, le=100)] = 20
    expand: Annotated[bool, about("Show what instanced and inherited scenes bring.")] = False
    include_properties: Annotated[bool, about("Add the properties that the files set, as they write them.")] = False
    limit: Annotated[int, about("Nodes per page.", ge=1, le=5000)] = 200
    offset: Annotated[int, about("Nodes to skip, from nextOffset.", ge=0)] = 0


class TreeRow(Record, frozen=True, kw_only=True):
    path: Annotated[str, about("Path from the scene's root, '.' for the root itself.")]
    name: Annotated[str, about("Name.")]
    type: Annotated[str, about("Class; empty if its scene cannot be read.")] = ""
    instance: Annotated[str, about("Scene it is an instance of or inherits.")] | None = None
    script: Annotated[str, about("Its script.")] | None = None
    groups: Annotated[list[str], about("Groups.")] | None = None
    unique_name: Annotated[bool, about("Whether scripts reach it as %Name.")] = False
    inside: Annotated[bool, about("Whether another scene brings it.")] = False
    properties: Annotated[dict[str, str], about("Properties as the files write them; long values cut.")] | None = None
    hidden_children: Annotated[int, about("Children left out by maxDepth.")] | None = None
