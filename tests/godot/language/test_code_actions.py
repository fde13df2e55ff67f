"""Mends of a script that are listed and carried out by name."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.conftest import MakeCaller

pytestmark = pytest.mark.anyio

SCENE = """[gd_scene load_steps=2 format=3]

[ext_resource type="Script" path="res://menu.gd" id="1"]

[node name="Menu" type="Control"]
script = ExtResource("1")

[node name="Field" type="LineEdit" parent="."]

[node name="Area" type="Area2D" parent="."]

[connection signal="text_changed" from="Field" to="." method="_on_text"]
[connection signal="body_entered" from="Area" to="." method="_on_body" binds= [3]]
[connection signal="ready" from="." to="." method="_there"]
"""
MENU = """extends Control
# A menu.
class_name Menu
@tool
## Of the shop.

var open := false


func _there() -> void:
	pass
"""


@pytest.fixture
def menu(project: Path) -> Path:
    (project / "project.godot").write_text("config_version=5\n")
    (project / "menu.tscn").write_text(SCENE)
    (project / "menu.gd").write_text(MENU)
    return project / "menu.gd"


async def test_actions_are_listed_and_handlers_get_the_signals_parameters(menu: Path, make_caller: MakeCaller) -> None:
    caller = make_caller()
    found = await caller.result("code_actions", scriptPath="menu.gd")
    assert [each["name"] for each in found["actions"]] == [
        "organize_header",
        "add_handler:_on_body",
        "add_handler:_on_text",
    ]
    assert menu.read_text() == MENU
    await caller.result("code_actions", scriptPath="menu.gd", apply="add_handler:_on_text")
    await caller.result("code_actions", scriptPath="menu.gd", apply="add_handler:_on_body")
    text = menu.read_text()
    assert "\n\n\nfunc _on_text(new_text: String) -> void:\n\tpass" in text
    assert "\n\n\nfunc _on_body(body: Node2D, bound_1: Variant) -> void:\n\tpass" in text
    assert text.startswith(MENU)
    again = await caller.result("code_actions", scriptPath="menu.gd")
    assert [each["name"] for each in again["actions"]] == ["organize_header"]


@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["lf", "crlf"])
async def test_a_header_is_put_in_order(menu: Path, make_caller: MakeCaller, newline: str) -> None:
    menu.write_bytes(MENU.replace("\n", newline).encode())
    caller = make_caller()
    await caller.result("code_actions", scriptPath="menu.gd", apply="organize_header")
    ordered = "@tool\nclass_name Menu\nextends Control\n# A menu.\n## Of the shop.\n" + MENU.partition("shop.\n")[2]
    assert menu.read_bytes().decode() == ordered.replace("\n", newline)
    found = await caller.result("code_actions", scriptPath="menu.gd")
    assert "organize_header" not in [each["name"] for each in found["actions"]]


async def test_an_action_that_is_none_is_refused(menu: Path, make_caller: MakeCaller) -> None:
    reply = await make_caller().reply("code_actions", {"scriptPath": "menu.gd", "apply": "add_handler:_on_texts"})
    assert reply.structured is not None
    assert "_on_text" in reply.structured["error"]["suggestedFix"]
    assert menu.read_text() == MENU
