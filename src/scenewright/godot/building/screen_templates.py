"""Screens of a game that are laid out, themed and wired to a script: menus, head-up display, dialogue, inventory."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from scenewright.godot.building.node_tree import PlannedNode, Wire, part, resource

__all__ = ["TEMPLATES", "Options", "Screen", "health_bar", "look", "screen"]

_CENTER, _TOP_WIDE, _BOTTOM_WIDE, _FULL = 8, 10, 12, 15
_FILL, _EXPAND_FILL, _SHRINK_CENTER = 1, 3, 4
_STOP_IGNORED = 2  # mouse_filter: what shows only lets clicks through
_ALWAYS = 3  # process_mode: goes on while the game is paused
_DIM = "#000000b0"


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """What may be said of a screen."""

    title: str | None = None
    slots: int = 20
    columns: int = 5


class Screen(msgspec.Struct, frozen=True):
    """A screen to be built; its script is one of ours."""

    root: PlannedNode
    script: str
    wires: tuple[Wire, ...] = ()


def screen(template: str, options: Options) -> Screen:
    """Return the screen of a template."""
    return TEMPLATES[template](options)


def look(theme: str | None) -> Any:
    """Return the theme of a screen: a file, or a plain one made in place."""
    if theme is not None:
        return theme
    flat = {
        "corner_radius_top_left": 6,
        "corner_radius_top_right": 6,
        "corner_radius_bottom_left": 6,
        "corner_radius_bottom_right": 6,
        "content_margin_left": 16.0,
        "content_margin_right": 16.0,
        "content_margin_top": 8.0,
        "content_margin_bottom": 8.0,
    }
    shades = {
        "Button/styles/normal": "#2a2f3a",
        "Button/styles/hover": "#39404f",
        "Button/styles/pressed": "#1d212a",
        "PanelContainer/styles/panel": "#171a21f0",
    }
    styles = {name: resource("StyleBoxFlat", bg_color=shade, **flat) for name, shade in shades.items()}
    sizes = {"default_font_size": 18, "Title/base_type": "Label", "Title/font_sizes/font_size": 40}
    return {"$resource": "Theme", "props": sizes | styles}


def health_bar(name: str, size: list[float], color: Any, values: Mapping[str, Any]) -> PlannedNode:
    """Return a bar that a script fills, with its numbers on it."""
    round_ = dict.fromkeys(
        (
            "corner_radius_top_left",
            "corner_radius_top_right",
            "corner_radius_bottom_left",
            "corner_radius_bottom_right",
        ),
        4,
    )
    label = part(
        "Label",
        "Value",
        anchors_preset=_FULL,
        horizontal_alignment="Center",
        vertical_alignment="Center",
        theme_override_constants__outline_size=4,
        theme_override_colors__font_outline_color="black",
    )
    return part(
        "ProgressBar",
        name,
        label,
        custom_minimum_size=size,
        show_percentage=False,
        properties=values,
        theme_override_styles__background=resource("StyleBoxFlat", bg_color="#00000099", **round_),
        theme_override_styles__fill=resource("StyleBoxFlat", bg_color=color, **round_),
    )


def _full(kind: str, name: str, *children: PlannedNode, **more: Any) -> PlannedNode:
    return part(kind, name, *children, anchors_preset=_FULL, **more)


def _title(name: str, text: str) -> PlannedNode:
    return part("Label", name, unique=True, text=text, theme_type_variation="Title", horizontal_alignment="Center")


def _button(name: str, text: str) -> PlannedNode:
    return part("Button", name, unique=True, text=text, custom_minimum_size=[240, 48])


def _column(name: str, *children: PlannedNode, gap: int = 12) -> PlannedNode:
    return part("VBoxContainer", name, *children, theme_override_constants__separation=gap)


def _padded(name: str, pixels: int, *children: PlannedNode, **more: Any) -> PlannedNode:
    sides = {f"theme_override_constants/margin_{side}": pixels for side in ("left", "top", "right", "bottom")}
    return part("MarginContainer", name, *children, properties=sides, **more)


def _centered(*children: PlannedNode, dimmed: bool) -> tuple[PlannedNode, ...]:
    """Things in a panel in the middle of the screen."""
    middle = _full("CenterContainer", "Center", part("PanelContainer", "Panel", _padded("Padding", 24, *children)))
    return (_full("ColorRect", "Shade", color=_DIM), middle) if dimmed else (middle,)


def _pressed(path: str, names: Mapping[str, str]) -> tuple[Wire, ...]:
    return tuple(Wire(f"{path}/{name}", "pressed", ".", method) for name, method in names.items())


_MENU = "Center/Panel/Padding/Items"


def _main_menu(options: Options) -> Screen:
    items = _column(
        "Items",
        _title("MainMenuTitle", options.title or "My Game"),
        _button("PlayButton", "Play"),
        _button("SettingsButton", "Settings"),
        _button("QuitButton", "Quit"),
    )
    back = _full("ColorRect", "Background", color="#10131a")
    root = _full("Control", "MainMenu", back, *_centered(items, dimmed=False))
    wires = _pressed(_MENU, {"PlayButton": "_on_play", "SettingsButton": "_on_settings", "QuitButton": "_on_quit"})
    return Screen(root, "main_menu.gd", wires)


def _pause_menu(options: Options) -> Screen:
    items = _column(
        "Items",
        _title("PauseTitle", options.title or "Paused"),
        _button("ResumeButton", "Resume"),
        _button("RestartButton", "Restart"),
        _button("LeaveButton", "Quit to Menu"),
    )
    root = _full("Control", "PauseMenu", *_centered(items, dimmed=True), visible=False, process_mode=_ALWAYS)
    wires = _pressed(_MENU, {"ResumeButton": "_on_resume", "RestartButton": "_on_restart", "LeaveButton": "_on_leave"})
    return Screen(root, "pause_menu.gd", wires)


def _game_over(options: Options) -> Screen:
    items = _column(
        "Items",
        _title("GameOverTitle", options.title or "Game Over"),
        part("Label", "FinalScore", unique=True, text="Score: 0", horizontal_alignment="Center"),
        _button("RetryButton", "Try Again"),
        _button("MenuButton", "Main Menu"),
    )
    root = _full("Control", "GameOver", *_centered(items, dimmed=True), visible=False, process_mode=_ALWAYS)
    return Screen(root, "game_over.gd", _pressed(_MENU, {"RetryButton": "_on_retry", "MenuButton": "_on_menu"}))


def _hud(options: Options) -> Screen:
    bar = part(
        "ProgressBar",
        "HudHealth",
        unique=True,
        custom_minimum_size=[220, 24],
        value=100.0,
        show_percentage=False,
        size_flags_vertical=_SHRINK_CENTER,
        mouse_filter=_STOP_IGNORED,
    )
    space = part("Control", "Space", size_flags_horizontal=_EXPAND_FILL, mouse_filter=_STOP_IGNORED)
    score = part("Label", "HudScore", unique=True, text=f"{options.title or 'Score'}: 0")
    row = part("HBoxContainer", "Row", bar, space, score, mouse_filter=_STOP_IGNORED)
    top = _padded("Top", 16, row, anchors_preset=_TOP_WIDE, mouse_filter=_STOP_IGNORED)
    message = part(
        "Label",
        "HudMessage",
        unique=True,
        anchors_preset=_CENTER,
        visible=False,
        theme_type_variation="Title",
        horizontal_alignment="Center",
    )
    values = {"label": options.title} if options.title else {}
    return Screen(_full("Control", "Hud", top, message, mouse_filter=_STOP_IGNORED, properties=values), "hud.gd")


def _dialogue_box(options: Options) -> Screen:
    text = part(
        "RichTextLabel",
        "DialogueText",
        unique=True,
        bbcode_enabled=True,
        fit_content=False,
        custom_minimum_size=[0, 96],
        size_flags_vertical=_EXPAND_FILL,
        mouse_filter=_STOP_IGNORED,
    )
    more = part("Label", "DialogueMore", unique=True, text="▼", visible=False, size_flags_horizontal=8)
    lines = _column(
        "Lines", part("Label", "DialogueSpeaker", unique=True, text=options.title or "Speaker"), text, more, gap=6
    )
    panel = part("PanelContainer", "Panel", _padded("Padding", 16, lines))
    edge = _padded("Edge", 24, panel, anchors_preset=_BOTTOM_WIDE)
    return Screen(_full("Control", "DialogueBox", edge, visible=False, mouse_filter=_STOP_IGNORED), "dialogue_box.gd")


def _inventory(options: Options) -> Screen:
    slots = [
        part(
            "Button",
            f"Slot{number}",
            custom_minimum_size=[64, 64],
            expand_icon=True,
            icon_alignment="Center",
            vertical_icon_alignment="Bottom",
        )
        for number in range(1, options.slots + 1)
    ]
    grid = part(
        "GridContainer",
        "InventorySlots",
        *slots,
        unique=True,
        columns=options.columns,
        theme_override_constants__h_separation=8,
        theme_override_constants__v_separation=8,
    )
    rows = -(-options.slots // options.columns)
    scroll = part(
        "ScrollContainer",
        "Scroll",
        grid,
        horizontal_scroll_mode=0,
        custom_minimum_size=[options.columns * 72 + 12, min(rows, 5) * 72],
    )
    items = _column(
        "Items", _title("InventoryTitle", options.title or "Inventory"), scroll, _button("InventoryClose", "Close")
    )
    root = _full("Control", "Inventory", *_centered(items, dimmed=True), visible=False)
    wires = tuple(
        Wire(f"{_MENU}/Scroll/InventorySlots/Slot{number}", "pressed", ".", "_on_slot", (number - 1,))
        for number in range(1, options.slots + 1)
    )
    return Screen(root, "inventory.gd", (*wires, *_pressed(_MENU, {"InventoryClose": "close"})))


def _settings(options: Options) -> Screen:
    def slider(name: str, text: str) -> tuple[PlannedNode, PlannedNode]:
        return part("Label", f"{name}Label", text=text), part(
            "HSlider",
            name,
            unique=True,
            max_value=1.0,
            step=0.05,
            value=1.0,
            custom_minimum_size=[220, 0],
            size_flags_vertical=_SHRINK_CENTER,
        )

    grid = part(
        "GridContainer",
        "Options",
        *slider("MasterVolume", "Volume"),
        part("Label", "FullscreenLabel", text="Fullscreen"),
        part("CheckButton", "Fullscreen", unique=True),
        part("Label", "VsyncLabel", text="V-Sync"),
        part("CheckButton", "Vsync", unique=True, button_pressed=True),
        columns=2,
        theme_override_constants__h_separation=24,
        theme_override_constants__v_separation=12,
    )
    items = _column(
        "Items", _title("SettingsTitle", options.title or "Settings"), grid, _button("SettingsBack", "Back")
    )
    root = _full("Control", "Settings", *_centered(items, dimmed=True), process_mode=_ALWAYS)
    wires = (
        Wire(f"{_MENU}/Options/MasterVolume", "value_changed", ".", "_on_volume"),
        Wire(f"{_MENU}/Options/Fullscreen", "toggled", ".", "_on_fullscreen"),
        Wire(f"{_MENU}/Options/Vsync", "toggled", ".", "_on_vsync"),
        *_pressed(_MENU, {"SettingsBack": "_on_back"}),
    )
    return Screen(root, "settings.gd", wires)


TEMPLATES: dict[str, Callable[[Options], Screen]] = {
    "main_menu": _main_menu,
    "pause_menu": _pause_menu,
    "hud": _hud,
    "dialogue_box": _dialogue_box,
    "inventory": _inventory,
    "settings": _settings,
    "game_over": _game_over,
}
