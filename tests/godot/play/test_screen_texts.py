"""What a game says on its screen is read and clicked as a player sees it: translated, in dialogs, menus, viewports."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller, MakeCaller

pytestmark = pytest.mark.anyio

SCRIPT = """extends Control

var starts: int = 0
var under: int = 0
var yes: int = 0
var chosen: String = ""
var tab: int = 0
var item: int = -1
var deep: int = 0


func _ready() -> void:
	var german: Translation = Translation.new()
	german.locale = "de"
	german.add_message("START_GAME", "Spiel starten")
	TranslationServer.add_translation(german)
	TranslationServer.set_locale("de")
	($Rich as RichTextLabel).append_text("[b]Hello[/b] you")
	($Start as Button).pressed.connect(func() -> void: starts += 1)
	($Under as Button).pressed.connect(func() -> void: under += 1)
	($Ask as ConfirmationDialog).confirmed.connect(func() -> void: yes += 1)
	($Tabs as TabBar).tab_changed.connect(func(at: int) -> void: tab = at)
	($List as ItemList).item_selected.connect(func(at: int) -> void: item = at)
	($View/Port/Deep as Button).pressed.connect(func() -> void: deep += 1)
	var menu: PopupMenu = ($Menu as MenuButton).get_popup()
	menu.add_item("New")
	menu.add_item("Load")
	menu.id_pressed.connect(func(id: int) -> void: chosen = menu.get_item_text(id))
	for name: String in ["Sword", "Shield"]:
		var _at: int = ($List as ItemList).add_item(name)
	for title: String in ["Sound", "Video"]:
		($Tabs as TabBar).add_tab(title)


func ask() -> void:
	($Ask as ConfirmationDialog).popup_centered()
"""
SCENE = """[gd_scene format=3]

[ext_resource type="Script" path="res://screen.gd" id="1"]

[node name="Screen" type="Control"]
custom_minimum_size = Vector2(480, 270)
script = ExtResource("1")
"""
NODES: tuple[tuple[str, str, str, tuple[int, int, int, int], str], ...] = (
    ("Start", "Button", ".", (10, 10, 100, 35), 'text = "START_GAME"'),
    ("Icon", "TextureButton", ".", (120, 10, 30, 30), ""),
    ("Rich", "RichTextLabel", ".", (160, 10, 100, 30), "bbcode_enabled = true"),
    ("Loud", "Label", ".", (270, 10, 60, 23), 'text = "loud"\nuppercase = true'),
    ("Typed", "Label", ".", (340, 10, 90, 23), 'text = "Once upon"\nvisible_characters = 4'),
    ("Faded", "Label", ".", (340, 40, 60, 23), 'text = "Faded"\nmodulate = Color(1, 1, 1, 0)'),
    ("Away", "Label", ".", (900, 40, 60, 23), 'text = "Away"'),
    ("Name", "LineEdit", ".", (10, 50, 100, 31), 'placeholder_text = "Your name"'),
    ("Music", "CheckBox", ".", (120, 50, 90, 31), 'text = "Music"\nbutton_pressed = true'),
    ("Under", "Button", ".", (10, 90, 100, 31), 'text = "Under"'),
    ("Cover", "ColorRect", ".", (0, 85, 115, 40), ""),
    ("Menu", "MenuButton", ".", (220, 50, 60, 31), 'text = "File"'),
    ("Tabs", "TabBar", ".", (120, 90, 200, 31), ""),
    ("List", "ItemList", ".", (10, 130, 100, 60), "auto_height = false"),
    ("View", "SubViewportContainer", ".", (200, 140, 200, 100), "stretch = true\nstretch_shrink = 2"),
    ("Port", "SubViewport", "View", (0, 0, 0, 0), "handle_input_locally = false"),
    ("Deep", "Button", "View/Port", (20, 5, 60, 31), 'text = "Deep"'),
    ("Ask", "ConfirmationDialog", ".", (0, 0, 0, 0), 'dialog_text = "Really?"'),
)
SIDES = ("left", "top", "right", "bottom")
CORNER = """extends CanvasLayer


func _ready() -> void:
	var label: Label = Label.new()
	label.name = "Fps"
	label.text = "60 fps"
	label.position = Vector2(430, 240)
	add_child(label)
"""
SETTINGS = """
[autoload]

Corner="*res://corner.gd"

[display]

window/size/viewport_width=480
window/size/viewport_height=270
window/size/window_width_override=960
window/size/window_height_override=540
window/stretch/mode="canvas_items"
"""


@pytest.fixture
def screen(level: Path) -> Path:
    nodes = ""
    for name, kind, parent, (left, top, width, height), more in NODES:
        nodes += f'\n[node name="{name}" type="{kind}" parent="{parent}"]\n'
        if width:
            rect = zip(SIDES, (left, top, left + width, top + height), strict=True)
            nodes += "".join(f"offset_{side} = {value}.0\n" for side, value in rect)
        nodes += f"{more}\n" if more else ""
    for file, text in (("screen.tscn", SCENE + nodes), ("screen.gd", SCRIPT), ("corner.gd", CORNER)):
        (level / file).write_text(text)
    with (level / "project.godot").open("a") as settings:
        settings.write(SETTINGS)
    return level


async def value(caller: Caller, expression: str) -> str:
    return str((await caller.result("play_evaluate", expressions=[expression]))["values"][0])


async def warned(caller: Caller, tool: str, **arguments: Any) -> str:
    outcome = await caller.run(tool, arguments)
    assert outcome.fault is None, outcome.fault
    return " ".join(outcome.call.warnings)


@pytest.mark.usefixtures("screen")
async def test_a_screen_is_read_and_clicked_as_a_player_sees_it(make_caller: MakeCaller) -> None:
    caller = make_caller()
    begun = await caller.result("play_begin", scenePath="screen.tscn")
    await caller.result("play_step", frames=2)  # lists and tabs are laid out as they are drawn
    texts = (await caller.result("play_digest"))["digest"]["texts"]
    read = {line.partition(" [")[0]: line.rpartition("]")[2].strip() for line in texts}
    assert (
        read.items()
        >= {
            "/root/Corner/Fps '60 fps'": "",
            "Start 'Spiel starten'": "",
            "Icon TextureButton": "",
            "Rich 'Hello you'": "",
            "Loud 'LOUD'": "",
            "Typed 'Once'": "",
            "Name 'Your name'": "placeholder",
            "Music 'Music'": "on",
            "Tabs 'Sound'": "",
            "List 'Shield'": "",
            "View/Port/Deep 'Deep'": "",
        }.items()
    )
    assert not any("Faded" in line or "Away" in line or "Really" in line for line in texts)
    assert begun["digest"]["state"]["."].startswith("starts=0")
    assert "Icon TextureButton [240, 20, 60, 60]" in texts  # in the window, where a mouse goes
    click = {"event": "Left Mouse Button", "position": [240 + 30, 20 + 30]}
    pressed = await caller.result(
        "play_step", frames=3, inputs=[click, {**click, "frame": 1, "pressed": False}], signals=["Icon.pressed"]
    )
    assert pressed["signals"][0]["times"] == 1

    for text, expression, expected in (
        ("Spiel starten", "starts", "1"),
        ("Video", "tab", "1"),
        ("Shield", "item", "1"),
        ("Deep", "deep", "1"),
        ("Music", "$Music.button_pressed", "false"),
    ):
        assert await warned(caller, "play_click", text=text) == ""
        assert await value(caller, expression) == expected, text
    missed = await caller.result("play_expect", text="HELLO")
    assert missed["met"] is False
    assert missed["found"].startswith("To be read are: '60 fps', 'Spiel starten', 'Hello you', 'LOUD'")
    await caller.result("play_click", text="File")
    assert (await caller.result("play_expect", text="Load"))["met"]
    await caller.result("play_click", text="Load")
    assert await value(caller, "chosen") == '"Load"'

    assert "did not come to 'Under'" in await warned(caller, "play_click", text="Under")
    assert await value(caller, "under") == "0"
    assert "outside the window" in await warned(caller, "play_click", node="Away")
    assert "no 'Quit' to click; to be read were '60 fps'" in await warned(
        caller, "play_step", frames=3, inputs=[{"click": "Quit"}]
    )
    await caller.result("play_call", calls=[{"method": "ask"}])
    assert (await caller.result("play_expect", text="Really?", within=5))["met"]
    assert "did not come to" in await warned(caller, "play_click", text="Spiel starten")
    await caller.result("play_click", text="OK")
    assert [await value(caller, "yes"), await value(caller, "starts")] == ["1", "1"]
    near = (await caller.result("play_look", near="Start", radius=80))["nodes"]
    assert near[0]["path"] == "Name"  # controls too
    saved = await caller.result("play_save_tape", path="screen.tape.json")
    assert saved["repeats"]
