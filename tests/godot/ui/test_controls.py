"""Containers, controls and anchors, laid out by the real engine in a window of a known size."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller
from tests.godot.catalogue.played_scenes import Play, called, play, refused
from tests.support.gdscript_runner import make_project

pytestmark = [pytest.mark.anyio, pytest.mark.godot, pytest.mark.xdist_group("godot-operations")]

UI = '[gd_scene format=3]\n\n[node name="Ui" type="Control"]\nlayout_mode = 3\nanchors_preset = 15\nanchor_right = 1.0\nanchor_bottom = 1.0\n'  # noqa: E501
WORLD = '[gd_scene format=3]\n\n[node name="World" type="Node2D"]\n'


@pytest.fixture
def game(project: Path) -> Path:
    return make_project(project, {"ui.tscn": UI, "world.tscn": WORLD})


async def _all(caller: Caller, tool: str, *calls: dict[str, Any]) -> None:
    for arguments in calls:
        await called(caller, tool, scenePath="ui.tscn", **arguments)


def _asked(project: Path, *expressions: str) -> list[str]:
    (reply,) = play(project, Play("ui.tscn", *expressions))
    assert reply.complaints == []
    found: list[str] = reply.value
    return found


async def test_containers_lay_their_children_out_as_asked(game: Path, caller: Caller) -> None:
    fill = {"properties": {"custom_minimum_size": [10, 10]}}
    await _all(
        caller,
        "create_ui_container",
        {"containerType": "Margin", "nodeName": "Edge", "anchorsPreset": "full_rect", "margins": [10, 20, 30, 40]},
        {
            "containerType": "VBoxContainer",
            "nodeName": "Column",
            "parentNodePath": "Edge",
            "separation": 7,
            "sizeFlags": ["shrink_end", "fill"],
            "properties": {"custom_minimum_size": [200, 0]},
        },
        {
            "containerType": "grid",
            "nodeName": "Table",
            "parentNodePath": "Edge/Column",
            "columns": 2,
            "separation": 3,
            "sizeFlags": "shrink_center",
        },
    )
    await _all(
        caller,
        "create_control",
        *(
            {"controlType": "ColorRect", "nodeName": name, "parentNodePath": "Edge/Column/Table", **fill}
            for name in ("A", "B", "C")
        ),
        {
            "controlType": "ColorRect",
            "nodeName": "Rest",
            "parentNodePath": "Edge/Column",
            "sizeFlags": ["fill", "expand_fill"],
            "minSize": [0, 30],
        },
    )
    assert _asked(
        game,
        'get_node("Edge").get_rect()',
        'get_node("Edge/Column").get_global_rect()',
        'get_node("Edge/Column/Table").get_rect()',
        'get_node("Edge/Column/Table/B").position',
        'get_node("Edge/Column/Table/C").position',
        'get_node("Edge/Column/Rest").get_rect()',
        'get_node("Edge").layout_mode',
        'get_node("Edge/Column").layout_mode',
        'get_node("Edge").anchors_preset',
    ) == [
        "Rect2(0, 0, 1000, 600)",
        "Rect2(770, 20, 200, 540)",
        "Rect2(88, 0, 23, 23)",
        "Vector2(13, 0)",
        "Vector2(0, 13)",
        "Rect2(0, 30, 200, 510)",
        "1",
        "2",
        "15",
    ]


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("HBox", "HBoxContainer"),
        ("VBox", "VBoxContainer"),
        ("Grid", "GridContainer"),
        ("Margin", "MarginContainer"),
        ("Center", "CenterContainer"),
        ("Panel", "PanelContainer"),
        ("Scroll", "ScrollContainer"),
        ("Tab", "TabContainer"),
        ("HSplit", "HSplitContainer"),
        ("VSplit", "VSplitContainer"),
        ("HFlow", "HFlowContainer"),
        ("VFlow", "VFlowContainer"),
        ("AspectRatio", "AspectRatioContainer"),
    ],
)
async def test_every_container_goes_by_its_short_name(game: Path, caller: Caller, name: str, kind: str) -> None:
    done = await called(
        caller, "godot_ui_manager", action="create_ui_container", scenePath="ui.tscn", containerType=name
    )
    assert done["nodePath"] == kind
    assert f'[node name="{kind}" type="{kind}" parent="."]' in (game / "ui.tscn").read_text()


async def test_controls_have_their_text_size_tooltip_and_overrides(game: Path, caller: Caller) -> None:
    await _all(
        caller,
        "create_control",
        {
            "controlType": "Button",
            "nodeName": "Play",
            "text": "Play!",
            "tooltip": "Starts",
            "minSize": [200, 50],
            "anchorsPreset": "bottom_right",
            "themeOverrides": {
                "colors": {"font_color": "red"},
                "fontSizes": {"font_size": 30},
                "styles": {"normal": {"$resource": "StyleBoxFlat", "props": {"bg_color": "blue"}}},
            },
        },
        {"controlType": "LineEdit", "text": "typed"},
        {"controlType": "RichTextLabel", "text": "rich", "properties": {"bbcode_enabled": True}},
        {"controlType": "Label"},
        {"controlType": "Label"},
    )
    assert _asked(
        game,
        'get_node("Play").get_rect()',
        'get_node("Play").text',
        'get_node("Play").tooltip_text',
        'get_node("Play").get_theme_color("font_color")',
        'get_node("Play").get_theme_font_size("font_size")',
        'get_node("Play").get_theme_stylebox("normal").bg_color',
        'get_node("LineEdit").text',
        'get_node("RichTextLabel").text',
        'get_node("RichTextLabel").bbcode_enabled',
        'get_node("Label2").get_class()',
    ) == [
        "Rect2(800, 550, 200, 50)",
        '"Play!"',
        '"Starts"',
        "Color(1, 0, 0, 1)",
        "30",
        "Color(0, 0, 1, 1)",
        '"typed"',
        '"rich"',
        "true",
        '"Label"',
    ]


PRESETS = {
    "top_left": (0, 0),
    "top_right": (900, 0),
    "bottom_left": (0, 560),
    "bottom_right": (900, 560),
    "center_left": (0, 280),
    "center_top": (450, 0),
    "center_right": (900, 280),
    "center_bottom": (450, 560),
    "center": (450, 280),
    "left_wide": (0, 0, 100, 600),
    "top_wide": (0, 0, 1000, 40),
    "right_wide": (900, 0, 100, 600),
    "bottom_wide": (0, 560, 1000, 40),
    "vcenter_wide": (450, 0, 100, 600),
    "hcenter_wide": (0, 280, 1000, 40),
    "full_rect": (0, 0, 1000, 600),
}


async def test_all_sixteen_presets_put_a_sized_control_where_they_say(game: Path, caller: Caller) -> None:
    for name in PRESETS:
        await _all(
            caller,
            "create_control",
            {"controlType": "ColorRect", "nodeName": name, "properties": {"position": [7, 9], "size": [100, 40]}},
        )
        await _all(caller, "set_anchor_preset", {"nodePath": name, "preset": name})
    wanted = [f"Rect2{(*place, 100, 40)[:4]}" for place in PRESETS.values()]
    assert _asked(game, *(f'get_node("{name}").get_rect()' for name in PRESETS)) == wanted
    numbers = _asked(game, *(f'get_node("{name}").anchors_preset' for name in PRESETS))
    assert numbers == [str(number) for number in range(16)]


async def test_a_margin_and_anchor_values_are_kept(game: Path, caller: Caller) -> None:
    await _all(caller, "create_control", {"nodeName": "A"}, {"nodeName": "B"})
    await _all(caller, "set_anchor_preset", {"nodePath": "A", "preset": "Full Rect", "margin": 12})
    values = {"left": 0.25, "top": 0.5, "right": 0.75, "bottom": 1, "offsets": [1, 2, 3, 4]}
    await _all(caller, "set_anchor_values", {"nodePath": "B", **values})
    assert _asked(game, 'get_node("A").get_rect()', 'get_node("B").get_rect()', 'get_node("B").anchors_preset') == [
        "Rect2(12, 12, 976, 576)",
        "Rect2(251, 302, 502, 302)",
        "-1",
    ]


@pytest.mark.parametrize(
    ("tool", "arguments", "says"),
    [
        ("create_ui_container", {"containerType": "Boks"}, "input.containerType"),
        ("create_ui_container", {"containerType": "Center", "separation": 3}, "no separation"),
        ("create_ui_container", {"containerType": "HBox", "margins": 3}, "no margins"),
        ("create_ui_container", {"containerType": "Margin", "margins": [1, 2, 3]}, "two or four"),
        ("create_ui_container", {"containerType": "Margin", "margins": {"lft": 1}}, "no side"),
        ("create_ui_container", {"containerType": "HBox", "columns": 3}, "no columns"),
        ("create_ui_container", {"containerType": "HBox", "anchorsPreset": "ful_rect"}, "full_rect"),
        ("create_ui_container", {"containerType": "HBox", "sizeFlags": "grow"}, "expand_fill"),
        ("create_control", {"controlType": "Sprite2D"}, "not a control"),
        ("create_control", {"controlType": "ColorRect", "text": "x"}, "no text"),
        (
            "create_control",
            {"controlType": "Button", "themeOverrides": {"colors": {"font_colour": "red"}}},
            "font_color",
        ),
        ("create_control", {"controlType": "Button", "themeOverrides": {"colour": {}}}, "colors"),
        ("create_control", {"parentNodePath": "Box", "anchorsPreset": "center"}, "places its children"),
        ("set_anchor_preset", {"nodePath": "Box/In", "preset": "center"}, "places its children"),
        ("set_anchor_preset", {"nodePath": "Box", "preset": "middle"}, "One of"),
        ("set_anchor_values", {"nodePath": "Box"}, "at least one"),
    ],
)
async def test_what_does_not_fit_is_refused_and_changes_nothing(
    game: Path, caller: Caller, tool: str, arguments: dict[str, Any], says: str
) -> None:
    text = UI + '\n[node name="Box" type="HBoxContainer" parent="."]\n\n[node name="In" type="Label" parent="Box"]\n'
    (game / "ui.tscn").write_text(text)
    assert says in await refused(caller, tool, scenePath="ui.tscn", **arguments)
    assert (game / "ui.tscn").read_text() == text


async def test_a_preset_does_not_undo_the_offsets_that_come_with_it_or_were_there(game: Path, caller: Caller) -> None:
    given = {"offset_right": 100, "anchors_preset": "Left Wide"}
    older = {"offset_right": 50, "tooltip_text": "b"}
    for name, properties in (("A", given), ("B", older)):
        await _all(caller, "add_node", {"nodeType": "ColorRect", "nodeName": name, "properties": properties})
    await _all(caller, "edit_node", {"nodePath": "B", "properties": {"anchors_preset": "Left Wide"}})
    assert _asked(game, 'get_node("A").get_rect()', 'get_node("B").get_rect()', 'get_node("B").tooltip_text') == [
        "Rect2(0, 0, 100, 600)",
        "Rect2(0, 0, 50, 600)",
        '"b"',
    ]
