"""How each server does each task, as its documents say; where it does not do one, a reason stands in place of a way.

In a call, $PROJECT is the project's folder and $N the number of the round.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

__all__ = [
    "BIG",
    "CODING_SOLO",
    "EDITS",
    "GOPEAK",
    "GOPEAK_READY",
    "RUNTIME",
    "SATELLITE",
    "TREE_IN_EDITOR",
    "TREE_OF_FILE",
    "Call",
    "Calls",
    "Way",
    "Ways",
    "ours",
]

EDITS = 100
BIG = 4000
Call = tuple[str, dict[str, Any]]
Calls = list[Call]


@dataclass(frozen=True, slots=True)
class Way:
    """Calls that are timed together, and what the reply to the last must match."""

    calls: Calls
    expect: str = ""
    before: Calls | None = None
    after: Calls | None = None


Ways = dict[str, Way | str]
AT_PLAYER = r"position.{0,80}?1(\.0)?\D{1,14}2"
LAST = f"N{BIG - 1}"
BODY = "var speed: float = 4.0\n\n\nfunc _process(delta: float) -> void:\n\tposition.x += speeed * delta\n"
SCRIPT = f"extends Node2D\n\n{BODY}"
NODE = {"nodeType": "Node2D", "nodeName": "New$N"}
NO_FILES = "left on purpose to the agent's own file tools"
NO_TOOL = "there is no such tool"
EACH = range(EDITS)


PAGE = 500
TREE_OF_FILE = Way(
    [("get_node_tree", {"scenePath": "big.tscn", "limit": PAGE, "offset": at}) for at in range(0, BIG + 1, PAGE)], LAST
)
TREE_IN_EDITOR = Way(
    [("godot_get_scene", {"limit": 3000})],
    LAST,
    before=[("open_scene", {"scenePath": "big.tscn"})],
    after=[("open_scene", {"scenePath": "main.tscn"})],
)


def ours(read: Call, tree: Way, picture: Call) -> Ways:
    """The same tools with and without an editor, but that what it shows is read and pictured by tools of its own."""
    scene = {"scenePath": "main.tscn"}
    edits = [
        {"tool": "set_property", "args": {**scene, "nodePath": f"E{at}", "property": "position", "value": ["$N", at]}}
        for at in EACH
    ]
    return {
        "read": Way([read], AT_PLAYER),
        "create": Way([("add_node", {**scene, **NODE})], "New"),
        "edits": Way([("batch_operations", {"operations": edits, "atomic": True})]),
        "tree": tree,
        "picture": Way([picture]),
        "script": Way([("write_script", {"scriptPath": "s$N.gd", "content": SCRIPT})], "speeed"),
        "bad": Way([("get_node_properties", {**scene, "nodePath": "Playr"})]),
    }


def _read_satellite(node: str) -> Call:
    return "godot_node_read", {"action": "get_properties", "node_path": node}


def _open_satellite(scene: str) -> Call:
    return "godot_scene", {"action": "open", "scene_path": f"res://{scene}"}


SATELLITE: Ways = {
    "read": Way([_read_satellite("Player")], AT_PLAYER),
    "create": NO_FILES,
    "edits": Way(
        [
            (
                "godot_node_edit",
                {"action": "update", "node_path": f"E{at}", "properties": {"position": {"x": "$N", "y": at}}},
            )
            for at in EACH
        ]
    ),
    "tree": Way(
        [("godot_node_read", {"action": "get_scene_tree"})],
        LAST,
        before=[_open_satellite("big.tscn")],
        after=[_open_satellite("main.tscn")],
    ),
    "picture": Way([("godot_editor_read", {"action": "screenshot_editor", "viewport": "2d"})]),
    "script": NO_FILES,
    "bad": Way([_read_satellite("Playr")]),
}

MAIN = {"projectPath": "$PROJECT", "scenePath": "main.tscn"}
LARGE = {"projectPath": "$PROJECT", "scenePath": "big.tscn"}


def _set_gopeak(at: int) -> Call:
    properties = f'{{"position": {{"type": "Vector2", "x": $N, "y": {at}}}}}'
    is_last = at == EDITS - 1
    return "scene-node-set", {**MAIN, "nodePath": f"E{at}", "properties": properties, "saveScene": is_last}


GOPEAK_SCRIPT = {"projectPath": "$PROJECT", "scriptPath": "s$N.gd"}
GOPEAK_READY = Way([("scene-nodes", MAIN)], "Player")
GOPEAK: Ways = {
    "read": Way([("scene-node-properties", {**MAIN, "nodePath": "Player"})], AT_PLAYER),
    "create": Way([("scene-node-add", {**MAIN, **NODE, "parentNodePath": "."})], "New"),
    "edits": Way([_set_gopeak(at) for at in EACH]),
    "tree": Way([("scene-nodes", LARGE)], LAST),
    "picture": "its tool that runs a game runs it headless, so there is nothing to see",
    "script": Way(
        [
            ("script-create", {**GOPEAK_SCRIPT, "extends": "Node2D", "content": BODY}),
            ("lsp-diagnostics", GOPEAK_SCRIPT),
        ],
        "speeed",
    ),
    "bad": Way([("scene-node-properties", {**MAIN, "nodePath": "Playr"})]),
}

RUNTIME_EDITS = [{"nodePath": f"root/E{at}", "property": "position", "value": {"x": "$N", "y": at}} for at in EACH]
RUNTIME: Ways = {
    "read": Way([("get_node_properties", {**MAIN, "nodes": [{"nodePath": "root/Player"}]})], AT_PLAYER),
    "create": Way([("add_node", {**MAIN, **NODE})], "New"),
    "edits": Way([("set_node_properties", {**MAIN, "updates": RUNTIME_EDITS})]),
    "tree": Way([("get_scene_tree", LARGE)], LAST),
    "picture": Way(
        [("take_screenshot", {})],
        before=[("run_project", {"projectPath": "$PROJECT", "scene": "main.tscn"})],
        after=[("stop_project", {})],
    ),
    "script": Way([("validate", {"projectPath": "$PROJECT", "source": SCRIPT})], "speeed"),
    "bad": Way([("get_node_properties", {**MAIN, "nodes": [{"nodePath": "root/Playr"}]})]),
}

CODING_SOLO: Ways = {
    "read": NO_TOOL,
    "create": Way([("add_node", {**MAIN, **NODE, "parentNodePath": "root"})], "New"),
    "edits": "it adds nodes and changes none",
    "tree": NO_TOOL,
    "picture": NO_TOOL,
    "script": NO_TOOL,
    "bad": Way([("add_node", {**MAIN, **NODE, "parentNodePath": "root/Playr"})]),
}
