"""Arguments that cannot be meant: every refusal says what to do instead, and no file changes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller
from tests.support.gdscript_runner import make_project

pytestmark = pytest.mark.anyio

MAIN = """[gd_scene format=3]

[node name="Main" type="Node2D"]

[node name="Coin" type="Sprite2D" parent="."]
"""
IN: dict[str, Any] = {"scenePath": "main.tscn"}
WIRE: dict[str, Any] = {**IN, "fromNodePath": ".", "signal": "draw", "toNodePath": ".", "method": "a"}
COIN: dict[str, Any] = {**IN, "nodePath": "Coin"}
STRANGE: list[tuple[str, dict[str, Any], str]] = [
    ("get_node_tree", {"scenePath": "a\0b"}, "project's root"),
    ("get_node_tree", {"scenePath": "qq/qq/qq/qqqqqqqqqqqqqq.tscn"}, "list_assets"),
    ("get_node_tree", {"scenePath": "../../etc/passwd"}, "project"),
    ("load_sprite", {**COIN, "texturePath": "qqqqqq.png"}, "list_assets"),
    ("edit_node", {**IN, "nodePath": "Zzzzzz", "properties": {}}, "get_node_tree"),
    ("move_node", {**COIN, "newParentPath": "Zzzzzz"}, "get_node_tree"),
    ("add_node", {**IN, "nodeType": "Node", "nodeName": "A", "parentNodePath": "Zzzzzz"}, "get_node_tree"),
    ("add_node", {**IN, "nodeType": "Node", "nodeName": "A", "before": "Zzzzzz"}, "get_node_tree"),
    ("add_node", {**IN, "nodeType": "Qqqqqqqqqq", "nodeName": "A"}, "search_docs"),
    ("add_node", {**IN, "nodeType": "x" * 100_000, "nodeName": "A"}, "search_docs"),
    ("add_node", {**IN, "nodeType": "Area2D", "nodeName": "A", "collisionLayer": [33]}, "1 to 32"),
    ("edit_node", {**COIN, "properties": {"qqqqqq": 1}}, "list_properties"),
    ("edit_node", {**COIN, "properties": {"texture": "qqqqqq.png"}}, "list_assets"),
    ("set_property", {**COIN, "property": "qqqqqq", "value": 1}, "list_properties"),
    ("connect_signal", {**WIRE, "fromNodePath": "Zzzz"}, "get_node_tree"),
    ("connect_signal", {**WIRE, "signal": "qqqqqq"}, "list_signals"),
    ("disconnect_signal", WIRE, "list_connections"),
    ("create_resource", {"resourcePath": "a.tres", "resourceType": "Qqqqqqqqqq"}, "search_docs"),
    ("list_resources", {"type": "Qqqqqqqqqq"}, "search_docs"),
    ("list_input_actions", {"name": "qqqqqq"}, "list_input_actions"),
    ("remove_input_action", {"name": "qqqqqq"}, "list_input_actions"),
    ("remove_autoload", {"name": "qqqqqq"}, "list_autoloads"),
    ("get_method_docs", {"className": "Timer", "methodName": "qqqqqq"}, "get_class_docs"),
    ("import_asset", {"sourcePath": "/nowhere/at/all.png", "destinationPath": "a.png"}, "SCENEWRIGHT_ROOTS"),
    ("diff_scenes", {**IN, "entry": 1e308}, "entry"),
    ("diff_scenes", {**IN, "entry": 10**18}, "history_list"),
    ("generate_terrain_mesh", {**IN, "amplitude": 1e308}, "amplitude"),
    ("generate_terrain_mesh", {**IN, "uvScale": 1e308}, "uvScale"),
]


@pytest.mark.parametrize(("tool", "arguments", "says"), STRANGE)
async def test_a_refusal_says_what_to_do_and_changes_nothing(
    project: Path, caller: Caller, tool: str, arguments: dict[str, Any], says: str
) -> None:
    make_project(project, {"main.tscn": MAIN, "a.gd": "extends Node\n"})
    await caller.run("write_script", {"scriptPath": "b.gd", "content": "extends Node\n"})  # so that there is a history
    before = {path.name: path.read_bytes() for path in project.iterdir() if path.is_file()}
    outcome = await caller.run(tool, arguments, meta={"approved": True})
    assert outcome.fault is not None
    assert outcome.fault.kind in ("invalid", "not_found", "denied")
    assert says in str(outcome.fault.hint)
    assert len(outcome.fault.message) < 400
    assert {path.name: path.read_bytes() for path in project.iterdir() if path.is_file()} == before
