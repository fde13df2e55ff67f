"""A scene as a caller declares it: nodes with what is below them, their signal connections and animations."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from scenewright.core.operations.model import Inputs, about
from scenewright.godot.animation.requests import TrackTable

__all__ = ["DeclaredAnimation", "DeclaredNode", "DeclaredWire", "FlagName"]

FlagName = Literal["deferred", "one_shot", "reference_counted", "append_source"]


class DeclaredWire(Inputs, frozen=True, kw_only=True):
    signal: Annotated[str, about("Signal.", min_length=1)]
    source: Annotated[str, about("Node whose signal it is; of a node's own connections that node.", min_length=1)] = ""
    target: Annotated[str, about("Node whose method is called.", min_length=1)]
    method: Annotated[str, about("Method.", min_length=1)]
    flags: Annotated[list[FlagName] | None, about("How it is called.")] = None
    binds: Annotated[list[Any] | None, about("Values that the method gets after the signal's own.")] = None
    unbinds: Annotated[int, about("Arguments of the signal to leave out.", ge=0, le=16)] = 0


class DeclaredAnimation(Inputs, frozen=True, kw_only=True):
    name: Annotated[str, about("Name, or 'library/name'.", min_length=1, max_length=200)]
    length: Annotated[float, about("Seconds; up to the last key if left out, else 1.", gt=0)] | None = None
    loop: Annotated[bool | Literal["none", "linear", "pingpong"], about("none, linear (as true) or pingpong.")] = "none"
    step: Annotated[float, about("Snap interval of the editor in seconds.", ge=0)] | None = None
    tracks: Annotated[list[TrackTable] | None, about("Keyframe tables; paths start at the scene's root.")] = None


class DeclaredNode(Inputs, frozen=True, kw_only=True):
    name: Annotated[str, about("Name.", min_length=1, max_length=200)]
    type: Annotated[str, about("Class of the engine or of the project; or give instance.")] | None = None
    instance: Annotated[str, about("Scene to be an instance of; for the root, to inherit from.")] | None = None
    properties: Annotated[dict[str, Any], about("Values as edit_node takes them.")] | None = None
    groups: Annotated[list[str] | None, about("Exactly these groups; left alone if not given.")] = None
    children: Annotated[list[DeclaredNode] | None, about("Nodes below it, in order.")] = None
    script: Annotated[str, about("Script file.")] | None = None
    unique_name: Annotated[bool, about("Whether scripts reach it as %Name.")] | None = None
    was: Annotated[str, about("Path of the node until now, to move or rename it.")] | None = None
    count: Annotated[int, about("That many: Name1, Name2, …; {n} in texts is the number.", ge=1, le=1000)] | None = None
    step: Annotated[dict[str, Any], about('Added from copy to copy: {"position": [64, 0]}.')] | None = None
    each: Annotated[dict[str, list[Any]], about('A value for each copy: {"text": ["A", "B"]}.')] | None = None
    connections: Annotated[list[DeclaredWire] | None, about("Of its signals; targets from the scene's root.")] = None
    animations: Annotated[list[DeclaredAnimation] | None, about("Of an AnimationPlayer.")] = None
