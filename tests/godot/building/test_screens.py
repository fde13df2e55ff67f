"""Ready-made screens in the real engine: laid out in the window, and their scripts at work."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller
from tests.godot.catalogue.played_scenes import Play, called, play, refused
from tests.support.gdscript_runner import make_project

pytestmark = [pytest.mark.anyio, pytest.mark.godot, pytest.mark.xdist_group("godot-operations")]

WORLD = '[gd_scene format=3]\n\n[node name="World" type="Node2D"]\n\n[node name="Foe" type="Node2D" parent="."]\n'
# Values must be said with their types, and nothing may go unused.
STRICT = """config_version=5

[application]

config/name="Sample"

[debug]

gdscript/warnings/untyped_declaration=2
gdscript/warnings/unused_parameter=2
gdscript/warnings/unused_variable=2
gdscript/warnings/unsafe_property_access=2
gdscript/warnings/return_value_discarded=0
"""


@pytest.fixture
def game(project: Path) -> Path:
    made = make_project(project, {"world.tscn": WORLD})
    (made / "project.godot").write_text(STRICT)
    return made


def _press(name: str) -> str:
    return f'heard.press(get_node("%{name}"))'


def _rect(path: str) -> str:
    return f'get_node("{path}").get_global_rect()'


async def _shown(caller: Caller, project: Path, template: str, *steps: str | int, **options: Any) -> list[str]:
    """A template as a scene of its own; what the steps that ask something say."""
    made = await called(caller, "create_ui_template", scenePath="ui/it.tscn", template=template, **options)
    assert made["nodePath"] == "."
    (reply,) = play(project, Play("ui/it.tscn", "get_rect()", *steps))
    assert reply.complaints == []
    assert reply.value[0] == "Rect2(0, 0, 1000, 600)"
    return [each for each in reply.value[1:] if each != "null"]


def _inside(text: str) -> list[float]:
    return [float(part) for part in text[len("Rect2(") : -1].split(",")]


async def test_the_main_menu_tells_what_is_pressed(game: Path, caller: Caller) -> None:
    said = await _shown(
        caller,
        game,
        "main_menu",
        'heard.to(self, "play_pressed")',
        'heard.to(self, "settings_pressed")',
        _press("PlayButton"),
        _press("SettingsButton"),
        "heard.heard",
        _rect("Center/Panel"),
        'get_node("%MainMenuTitle").text',
        'get_node("%PlayButton").has_focus()',
        'get_node("%MainMenuTitle").get_theme_font_size("font_size")',
        _rect("%PlayButton"),
        title="Star Hunt",
    )
    assert said[0] == 'Array[String](["play_pressed", "settings_pressed"])'
    assert said[2:5] == ['"Star Hunt"', "true", "40"]
    x, y, wide, high = _inside(said[1])
    assert (x + wide / 2, y + high / 2) == pytest.approx((500, 300), abs=1)
    assert _inside(said[5])[2:] >= [240, 48]


async def test_the_pause_menu_stops_the_game_while_it_shows(game: Path, caller: Caller) -> None:
    said = await _shown(
        caller,
        game,
        "pause_menu",
        "visible",
        'heard.to(self, "resumed")',
        "open()",
        2,
        "get_tree().paused",
        "visible",
        _rect("Shade"),
        _press("ResumeButton"),
        "get_tree().paused",
        "visible",
        "heard.heard",
    )
    assert said == ["false", "true", "true", "Rect2(0, 0, 1000, 600)", "false", "false", 'Array[String](["resumed"])']


async def test_the_end_of_the_game_shows_the_score(game: Path, caller: Caller) -> None:
    said = await _shown(
        caller,
        game,
        "game_over",
        'set("reloads", false)',
        'heard.to(self, "retry_pressed")',
        'heard.to(self, "menu_pressed")',
        "open(120)",
        'get_node("%FinalScore").text',
        _press("MenuButton"),
        _press("RetryButton"),
        "visible",
        "heard.heard",
        'get_node("%GameOverTitle").text',
        title="You won",
    )
    assert said == ['"Score: 120"', "false", 'Array[String](["menu_pressed", "retry_pressed"])', '"You won"']


async def test_the_hud_shows_health_score_and_messages(game: Path, caller: Caller) -> None:
    said = await _shown(
        caller,
        game,
        "hud",
        "set_health(30, 60)",
        "set_score(7)",
        'get_node("%HudHealth").ratio',
        'get_node("%HudScore").text',
        'show_message("Go", 0.1)',
        'get_node("%HudMessage").visible',
        20,
        'get_node("%HudMessage").visible',
        _rect("Top"),
        _rect("%HudScore"),
        "mouse_filter",
        title="Coins",
    )
    assert said[0:2] == ["0.5", '"Coins: 7"']
    shown = [each for each in said[2:] if each in ("true", "false")]
    assert shown == ["true", "false"]
    top, score = (_inside(each) for each in said if each.startswith("Rect2"))
    assert top[:3] == [0, 0, 1000]
    assert score[0] + score[2] == pytest.approx(1000 - 16, abs=1)
    assert said[-1] == "2"


async def test_a_dialogue_shows_its_lines_one_after_the_other(game: Path, caller: Caller) -> None:
    said = await _shown(
        caller,
        game,
        "dialogue_box",
        'heard.to(self, "line_shown")',
        'heard.to(self, "finished")',
        'say("Ann", PackedStringArray(["Hello there, traveller", "Bye"]))',
        "visible",
        10,
        'get_node("%DialogueText").visible_ratio < 1.0',
        'get_node("%DialogueSpeaker").text',
        60,
        'get_node("%DialogueText").visible_ratio',
        'get_node("%DialogueMore").visible',
        "advance()",
        'get_node("%DialogueText").text',
        "advance()",
        "advance()",
        "visible",
        "heard.heard",
        _rect("Edge"),
    )
    assert said[:9] == [
        "true",
        "true",
        '"Ann"',
        "1.0",
        "true",
        '"Bye"',
        "false",
        'Array[String](["line_shown", "line_shown", "finished"])',
        said[8],
    ]
    x, y, wide, high = _inside(said[8])
    assert (x, wide, y + high) == (0, 1000, 600)


async def test_an_inventory_holds_things_in_its_slots(game: Path, caller: Caller) -> None:
    slots = 'get_node("%InventorySlots")'
    said = await _shown(
        caller,
        game,
        "inventory",
        'heard.to(self, "slot_pressed")',
        'heard.to(self, "closed")',
        "open()",
        2,
        f"{slots}.get_child(3).position",
        f"{slots}.get_child_count()",
        f"{slots}.columns",
        'add_item("apple", null, 3)',
        'add_item("pear")',
        'add_item("apple")',
        'count_noun("apple")',
        f"{slots}.get_child(0).text",
        'remove_item("pear", 2)',
        'remove_item("pear")',
        'count_noun("pear")',
        f"heard.press({slots}.get_child(1))",
        _press("InventoryClose"),
        "visible",
        "heard.heard",
        slots=6,
        columns=3,
    )
    assert said == [
        "Vector2(0, 72)",
        "6",
        "3",
        "0",
        "1",
        "0",
        "4",
        '"4"',
        "false",
        "true",
        "0",
        "false",
        'Array[String](["slot_pressed", "closed"])',
    ]


async def test_settings_change_the_volume_and_are_kept(game: Path, caller: Caller) -> None:
    file = 'set("file", "res://kept.cfg")'
    said = await _shown(
        caller,
        game,
        "settings",
        file,
        'heard.to(self, "changed")',
        'heard.to(self, "closed")',
        'get_node("%MasterVolume").set_value(0.5)',
        "heard.heard",
        _press("SettingsBack"),
        "visible",
    )
    assert said == ['Array[String](["changed"])', "false"]
    assert "volume=0.5" in (game / "kept.cfg").read_text()


async def test_a_screen_in_a_game_gets_a_layer_and_a_theme(game: Path, caller: Caller) -> None:
    await called(caller, "create_theme", themePath="look.tres", defaultFontSize=33)
    made = await called(
        caller,
        "godot_builder_manager",
        action="create_ui_template",
        scenePath="world.tscn",
        template="hud",
        nodeName="Shown",
        themePath="look.tres",
        scriptPath="code/shown.gd",
    )
    assert made["nodePath"] == "ShownLayer/Shown"
    assert made["scriptPath"] == "res://code/shown.gd"
    await called(
        caller, "create_ui_template", scenePath="world.tscn", template="main_menu", layer=False, parentNodePath="Foe"
    )
    (reply,) = play(
        game,
        Play(
            "world.tscn",
            'get_node("ShownLayer").get_class()',
            _rect("ShownLayer/Shown"),
            'get_node("ShownLayer/Shown").theme.default_font_size',
            'get_node("Foe/MainMenu").get_class()',
        ),
    )
    assert reply.complaints == []
    assert reply.value == ['"CanvasLayer"', "Rect2(0, 0, 1000, 600)", "33", '"Control"']


async def test_a_health_bar_fills_and_tells_of_the_end(game: Path, caller: Caller) -> None:
    made = await called(
        caller,
        "create_health_bar_ui",
        scenePath="world.tscn",
        nodeName="Life",
        maxHealth=50,
        health=40,
        size=[300, 30],
        color="#00ff00",
        anchorsPreset="top_right",
    )
    assert made["nodePath"] == "LifeLayer/Life"
    await called(
        caller,
        "create_health_bar_ui",
        scenePath="world.tscn",
        parentNodePath="Foe",
        layer=False,
        showNumbers=False,
        scriptPath="foe_bar.gd",
    )
    bar = 'get_node("LifeLayer/Life")'
    (reply,) = play(
        game,
        Play(
            "world.tscn",
            f'heard.to({bar}, "depleted")',
            f"{bar}.value",
            f'{bar}.get_node("Value").text',
            f"{bar}.get_rect()",
            f'{bar}.get_theme_stylebox("fill").bg_color.to_html(false)',
            f"{bar}.set_health(10)",
            30,
            f"{bar}.value",
            f"{bar}.set_health(0)",
            f"{bar}.set_health(-5)",
            "heard.heard",
            f"{bar}.set_health(20, 80)",
            f'{bar}.get_node("Value").text',
            'get_node("Foe/HealthBar/Value").visible',
            'get_node("Foe/HealthBar").value',
            'get_node("Foe/HealthBar").get_script().resource_path',
            'get_node("Foe/HealthBar").position',
        ),
    )
    assert reply.complaints == []
    assert [each for each in reply.value if each != "null"] == [
        "40.0",
        '"40 / 50"',
        "Rect2(684, 16, 300, 30)",
        '"00ff00"',
        "10.0",
        'Array[String](["depleted"])',
        '"20 / 80"',
        "false",
        "100.0",
        '"res://foe_bar.gd"',
        "Vector2(0, 0)",
    ]


@pytest.mark.parametrize(
    ("tool", "arguments", "says"),
    [
        ("create_ui_template", {"template": "main_menue"}, "main_menu"),
        ("create_ui_template", {"template": "hud", "themePath": "gone.tres"}, "gone.tres"),
        ("create_ui_template", {"template": "hud", "parentNodePath": "Gone"}, "Gone"),
        ("create_health_bar_ui", {"maxHealth": 0}, "maxHealth"),
        ("create_health_bar_ui", {"maxHealth": 5, "health": 6}, "input.health"),
        ("create_health_bar_ui", {"anchorsPreset": "top"}, "anchorsPreset"),
        ("create_health_bar_ui", {"color": "rde"}, "red"),
    ],
)
async def test_what_cannot_be_built_is_refused_and_changes_nothing(
    game: Path, caller: Caller, tool: str, arguments: dict[str, Any], says: str
) -> None:
    assert says in await refused(caller, tool, scenePath="world.tscn", **arguments)
    assert (game / "world.tscn").read_text() == WORLD
    assert not list(game.glob("*.gd"))


@pytest.mark.parametrize("arguments", [{"parentNodePath": "Menus"}, {"layer": True}])
async def test_a_scene_that_is_not_there_yet_has_no_place_for_the_screen(
    game: Path, caller: Caller, arguments: dict[str, Any]
) -> None:
    said = await refused(caller, "create_ui_template", scenePath="new.tscn", template="hud", **arguments)
    assert f"input.{next(iter(arguments))}" in said
    assert not (game / "new.tscn").exists()


async def test_the_same_screen_twice_in_a_scene_is_refused(game: Path, caller: Caller) -> None:
    await called(caller, "create_ui_template", scenePath="world.tscn", template="hud")
    before = (game / "world.tscn").read_bytes()
    assert "scene of its own" in await refused(caller, "create_ui_template", scenePath="world.tscn", template="hud")
    assert (game / "world.tscn").read_bytes() == before
