"""Theme files as the real engine reads them, and who gets them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller
from tests.godot.catalogue.played_scenes import Play, called, play, refused
from tests.support.gdscript_runner import make_project

pytestmark = [pytest.mark.anyio, pytest.mark.godot, pytest.mark.xdist_group("godot-operations")]

UI = """[gd_scene format=3]

[node name="Ui" type="Control"]

[node name="Button" type="Button" parent="."]

[node name="Title" type="Label" parent="."]
theme_type_variation = &"Title"

[node name="Part" type="Panel" parent="."]

[node name="Inner" type="Button" parent="Part"]

[node name="Thing" type="Node2D" parent="."]
"""
FLAT = {"$resource": "StyleBoxFlat", "props": {"bg_color": "#ff0000", "corner_radius_top_left": 5}}
TYPES = {
    "Button": {
        "colors": {"font_color": "#00ff00"},
        "constants": {"h_separation": 9},
        "styles": {"normal": FLAT},
        "fontSizes": {"font_size": 33},
        "icons": {"icon": {"$resource": "GradientTexture2D"}},
        "fonts": {"font": {"$resource": "SystemFont", "props": {"font_names": ["Sans"]}}},
    },
    "Title": {"base": "Label", "font_sizes": {"font_size": 44}},
}


@pytest.fixture
def game(project: Path) -> Path:
    font = '[gd_resource type="SystemFont" format=3]\n\n[resource]\nfont_names = PackedStringArray("Serif")\n'
    return make_project(project, {"ui.tscn": UI, "font.tres": font})


def _asked(project: Path, *expressions: str) -> list[str]:
    (reply,) = play(project, Play("ui.tscn", *expressions))
    assert reply.complaints == []
    found: list[str] = reply.value
    return found


async def test_a_theme_gives_controls_what_it_says(game: Path, caller: Caller) -> None:
    await called(
        caller,
        "create_theme",
        themePath="ui/theme.tres",
        types=TYPES,
        defaultFont="res://font.tres",
        defaultFontSize=21,
        defaultBaseScale=2,
    )
    await called(caller, "apply_theme", themePath="ui/theme.tres", scenePath="ui.tscn")
    button, title = 'get_node("Button")', 'get_node("Title")'
    assert _asked(
        game,
        f'{button}.get_theme_color("font_color")',
        f'{button}.get_theme_constant("h_separation")',
        f'{button}.get_theme_stylebox("normal").corner_radius_top_left',
        f'{button}.get_theme_font_size("font_size")',
        f'{button}.get_theme_icon("icon").get_class()',
        f'{button}.get_theme_font("font").font_names',
        f'{title}.get_theme_font_size("font_size")',
        "theme.default_font_size",
        "theme.default_base_scale",
        "theme.default_font.font_names",
        'theme.get_type_variation_base("Title")',
        f'{title}.get_theme_font("font").font_names',
    ) == [
        "Color(0, 1, 0, 1)",
        "9",
        "5",
        "33",
        '"GradientTexture2D"',
        'PackedStringArray("Sans")',
        "44",
        "21",
        "2.0",
        'PackedStringArray("Serif")',
        '&"Label"',
        'PackedStringArray("Serif")',
    ]


async def test_an_edit_changes_and_removes_only_what_it_names(game: Path, caller: Caller) -> None:
    await called(caller, "create_theme", themePath="theme.tres", types=TYPES, defaultFontSize=21)
    await called(
        caller,
        "edit_theme",
        themePath="theme.tres",
        defaultFontSize=22,
        types={"Title": {"colors": {"font_color": "red"}}},
        remove=["Button/colors/font_color"],
    )
    await called(
        caller, "godot_ui_manager", action="apply_theme", themePath="theme.tres", scenePath="ui.tscn", nodePath="Part"
    )
    inner = 'get_node("Part/Inner")'
    assert _asked(
        game,
        f'{inner}.theme == null and {inner}.get_theme_font_size("font_size") == 33',
        'get_node("Part").theme.has_color("font_color", "Button")',
        'get_node("Part").theme.get_color("font_color", "Title")',
        'get_node("Part").theme.default_font_size',
        'get_node("Button").get_theme_font_size("font_size") == 33',
    ) == ["true", "false", "Color(1, 0, 0, 1)", "22", "false"]


async def test_an_edit_changes_the_defaults_of_a_theme(game: Path, caller: Caller) -> None:
    await called(caller, "create_theme", themePath="theme.tres", defaultFontSize=21)
    await called(caller, "edit_theme", themePath="theme.tres", defaultFont="res://font.tres", defaultBaseScale=1.5)
    await called(caller, "apply_theme", themePath="theme.tres", scenePath="ui.tscn")
    assert _asked(game, "theme.default_font.resource_path", "theme.default_base_scale") == ['"res://font.tres"', "1.5"]


async def test_the_whole_project_can_have_a_theme(game: Path, caller: Caller) -> None:
    await called(caller, "create_theme", themePath="theme.tres", types=TYPES)
    assert (await called(caller, "apply_theme", themePath="theme.tres"))["setting"] == "gui/theme/custom"
    assert _asked(game, 'get_node("Button").get_theme_font_size("font_size")') == ["33"]


async def test_an_existing_theme_is_only_replaced_when_asked(game: Path, caller: Caller) -> None:
    await called(caller, "create_theme", themePath="theme.tres", defaultFontSize=21)
    before = (game / "theme.tres").read_text()
    assert "exists" in await refused(caller, "create_theme", themePath="theme.tres", defaultFontSize=5)
    assert (game / "theme.tres").read_text() == before
    await called(caller, "create_theme", themePath="theme.tres", defaultFontSize=5, overwrite=True)
    assert "default_font_size = 5" in (game / "theme.tres").read_text()


@pytest.mark.parametrize(
    ("tool", "arguments", "says"),
    [
        ("create_theme", {"themePath": "new.tres", "types": {"Buton": {}}}, "Button"),
        ("create_theme", {"themePath": "new.tres", "types": {"Big": {"colors": {}}}}, "base"),
        ("create_theme", {"themePath": "new.tres", "types": {"Button": {"colors": {"font_colr": 1}}}}, "font_color"),
        ("create_theme", {"themePath": "new.tres", "types": {"Button": {"colours": {}}}}, "colors"),
        ("create_theme", {"themePath": "new.tres", "types": {"Button": {"colors": {"font_color": "rde"}}}}, "Color"),
        ("create_theme", {"themePath": "new.txt"}, ".tres"),
        ("create_theme", {"themePath": "new.theme"}, ".tres"),
        ("edit_theme", {"themePath": "font.tres", "defaultFontSize": 3}, "not a theme"),
        ("edit_theme", {"themePath": "theme.tres"}, "Give types"),
        ("edit_theme", {"themePath": "theme.tres", "remove": ["Button/colors/x"]}, "has no"),
        ("apply_theme", {"themePath": "font.tres"}, "not a theme"),
        ("apply_theme", {"themePath": "theme.tres", "nodePath": "Thing"}, "scenePath"),
        ("apply_theme", {"themePath": "gone.tres", "scenePath": "ui.tscn"}, "gone.tres"),
        ("apply_theme", {"themePath": "theme.tres", "scenePath": "ui.tscn", "nodePath": "Thing"}, "no theme"),
    ],
)
async def test_what_is_no_theme_item_is_refused(
    game: Path, caller: Caller, tool: str, arguments: dict[str, Any], says: str
) -> None:
    await called(caller, "create_theme", themePath="theme.tres", defaultFontSize=21)
    before = {path: path.read_bytes() for path in game.rglob("*.t*")}
    assert says in await refused(caller, tool, **arguments)
    assert {path: path.read_bytes() for path in game.rglob("*.t*")} == before
