"""A scene as a caller declares it: nodes with what is below them, and signal connections."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from scenewright.core.operations.model import Inputs, about

__all__ = ["DeclaredNode", "DeclaredWire", "FlagName"]

FlagName = Literal["deferred", "one_shot", "reference_counted", "append_source"]


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


class DeclaredWire(Inputs, frozen=True, kw_only=True):
    source: Annotated[str, about("Node whose signal it is.", min_length=1)]
    signal: Annotated[str, about("Signal.", min_length=1)]
    target: Annotated[str, about("Node whose method is called.", min_length=1)]
    method: Annotated[str, about("Method.", min_length=1)]
    flags: Annotated[list[FlagName] | None, about("How it is called.")] = None
    binds: Annotated[list[Any] | None, about("Values that the method gets after the signal's own.")] = None
    unbinds: Annotated[int, about("Arguments of the signal to leave out.", ge=0, le=16)] = 0
