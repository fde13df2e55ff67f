"""What a task is made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

__all__ = ["Call", "Task", "held", "node", "probe", "scene", "script"]


_PARTS = {"script": "script", "groups": "groups", "instance": "instance", "unique_name": "uniqueName"}


@dataclass(frozen=True)
class Call:
    tool: str
    arguments: dict[str, Any]


@dataclass(frozen=True)
class Task:
    """What someone asks for, and the calls that do it."""

    wish: str
    calls: tuple[Call, ...]


def script(path: str, source: str) -> Call:
    return Call("godot_code_manager", {"action": "script.create", "scriptPath": path, "content": source})


def scene(path: str, tree: dict[str, Any], *wires: tuple[str, str, str, str]) -> Call:
    """A scene declared as a whole; a wire is source, signal, target and method."""
    ends = ("source", "signal", "target", "method")
    connections = [dict(zip(ends, wire, strict=True)) for wire in wires]
    declared = {"scenePath": path, "tree": tree, "connections": connections, "mode": "apply"}
    return Call("godot_scene_manager", {"action": "apply_scene", **declared})


def node(name: str, kind: str, *children: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A declared node; what is no part of a declaration is a property."""
    declared: dict[str, Any] = {"name": name, **({"type": kind} if kind else {})}
    for key, said in _PARTS.items():
        if key in more:
            declared[said] = more.pop(key)
    return declared | ({"properties": more} if more else {}) | ({"children": list(children)} if children else {})


def probe(path: str, steps: int, *checks: str, **more: Any) -> Call:
    return Call(
        "godot_scene_manager", {"action": "probe", "scenePath": path, "steps": steps, "checks": list(checks), **more}
    )


def held(action: str, start: int, end: int) -> list[dict[str, Any]]:
    """An action pressed at one frame and let go at another."""
    return [{"frame": start, "action": action}, {"frame": end, "action": action, "pressed": False}]
