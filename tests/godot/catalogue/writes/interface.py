"""Controls, containers, anchors and themes."""

from __future__ import annotations

from tests.godot.catalogue.writes.model import Case, in_main, node_in_main

__all__ = ["CASES"]

_PANEL = ("create_control", {"scenePath": "~/main.tscn", "controlType": "Panel", "nodeName": "P"})
CASES: dict[str, Case] = {
    "create_ui_container": in_main(
        "create_ui_container",
        {"containerType": "VBox", "nodeName": "Box", "separation": 9},
        {
            "kind('~/main.tscn', 'Box')": "VBoxContainer",
            **node_in_main("Box", {"theme_override_constants/separation": "9"}),
        },
    ),
    "create_control": in_main(
        "create_control",
        {"controlType": "Button", "nodeName": "Go", "text": "Go"},
        {"kind('~/main.tscn', 'Go')": "Button", **node_in_main("Go", {"text": '"Go"', "layout_mode": "3"})},
    ),
    "set_anchor_preset": Case(
        (_PANEL, ("set_anchor_preset", {"scenePath": "~/main.tscn", "nodePath": "P", "preset": "bottom_wide"})),
        node_in_main("P", {"anchor_top": "1.0", "anchor_right": "1.0", "grow_vertical": "0"}),
    ),
    "set_anchor_values": Case(
        (_PANEL, ("set_anchor_values", {"scenePath": "~/main.tscn", "nodePath": "P", "right": 0.5})),
        node_in_main("P", {"anchor_left": "0.0", "anchor_right": "0.5"}),
    ),
    "create_theme": Case(
        (("create_theme", {"themePath": "~/look.tres", "defaultFontSize": 20}),),
        {"res('~/look.tres').default_font_size": 20},
    ),
    "edit_theme": Case(
        (
            ("create_theme", {"themePath": "~/look.tres"}),
            ("edit_theme", {"themePath": "~/look.tres", "types": {"Label": {"colors": {"font_color": "red"}}}}),
        ),
        {"var_to_str(res('~/look.tres').get_color('font_color', 'Label'))": "Color(1, 0, 0, 1)"},
    ),
    "apply_theme": Case(
        (
            _PANEL,
            ("create_theme", {"themePath": "~/look.tres"}),
            ("apply_theme", {"themePath": "~/look.tres", "scenePath": "~/main.tscn", "nodePath": "P"}),
        ),
        {"_root('~/main.tscn').get_node('P').theme.resource_path": "res://~/look.tres"},
    ),
}
