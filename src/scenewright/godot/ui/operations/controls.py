"""User interface: containers and controls put into a scene with their layout, and anchors of those that are there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from scenewright.core.calls.call import Call
from scenewright.core.faults import Invalid, did_you_mean
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, about
from scenewright.core.text.counts import with_article
from scenewright.godot.project.openers import NodePath, ScenePath, open_edit
from scenewright.godot.scenes.operations.node_properties import NodeWritten, Values

if TYPE_CHECKING:
    from scenewright.godot.scenes.scene_edit import SceneEdit

__all__ = ["OPERATIONS", "AnchorsPreset", "NewNodeName", "Parent"]

_CONTAINERS = (
    "HBoxContainer",
    "VBoxContainer",
    "GridContainer",
    "MarginContainer",
    "CenterContainer",
    "PanelContainer",
    "ScrollContainer",
    "TabContainer",
    "HSplitContainer",
    "VSplitContainer",
    "HFlowContainer",
    "VFlowContainer",
    "AspectRatioContainer",
    "FlowContainer",
    "FoldableContainer",
    "SubViewportContainer",
)
_ORIENTED = {"splith": "hsplit", "splitv": "vsplit", "sliderh": "hslider", "sliderv": "vslider"}
_TEXTS = ("text", "title", "placeholder_text")

Parent = Annotated[str, about("Parent; the root if left out.")]
NewNodeName = Annotated[str, about("Name; the class name if left out.", min_length=1, max_length=200)]
AnchorsPreset = Annotated[str, about("Such as full_rect, center, top_right, bottom_wide.")]
Flags = Annotated[str, about("fill, expand, expand_fill, shrink_begin, shrink_center or shrink_end.")]


class _NewControl(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    parent_node_path: Parent = "."
    node_name: NewNodeName | None = None
    anchors_preset: AnchorsPreset | None = None


class ContainerInputs(_NewControl, frozen=True, kw_only=True):
    container_type: Annotated[
        str, about("HBox, VBox, Grid, Margin, Center, Panel, Scroll, Tab, HSplit, VSplit, HFlow, VFlow, AspectRatio.")
    ]
    separation: Annotated[int, about("Pixels between children.")] | None = None
    margins: Annotated[Any, about("Around the children: a number, [across, down], [left, top, right, bottom].")] = None
    columns: Annotated[int, about("Columns of a grid.", ge=1, le=1024)] | None = None
    size_flags: Annotated[Flags | list[str] | None, about("In both directions, or [across, down].")] = None
    properties: Values | None = None


@operation(
    id="godot.ui.container",
    category="ui",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="create_ui_container",
    manager="godot_ui_manager",
    parameter_aliases={"customMinimumSize": "properties.custom_minimum_size"},
    examples=(
        Example(
            "A column in the middle",
            {
                "scenePath": "menu.tscn",
                "containerType": "VBox",
                "nodeName": "Items",
                "anchorsPreset": "center",
                "separation": 8,
            },
            {
                "scenePath": "res://menu.tscn",
                "nodePath": "Items",
                "properties": {"anchors_preset": 8, "theme_override_constants/separation": 8},
            },
        ),
    ),
)
def create_ui_container(call: Call, inputs: ContainerInputs) -> NodeWritten:
    """Adds a container (box, grid, margin, scroll, tab, split, flow…) with anchors, separation, margins, columns."""
    edit = open_edit(call, inputs.scene_path)
    kind = _container_class(inputs.container_type)
    values = _spacing_values(edit, kind, inputs) | _size_flag_values(inputs.size_flags)
    if inputs.columns is not None:
        if kind != "GridContainer":
            raise Invalid(f"A {kind} has no columns.", path="input.columns", rule="class", hint="Use a GridContainer.")
        values["columns"] = inputs.columns
    return _add_control(call, edit, inputs, kind, values | (inputs.properties or {}))


class ControlInputs(_NewControl, frozen=True, kw_only=True):
    control_type: Annotated[str, about("Class, such as Button, Label, LineEdit, TextureRect, ProgressBar.")] = "Control"
    text: Annotated[str, about("Text, title or placeholder, whichever the class has.")] | None = None
    size_flags: Annotated[Flags | list[str] | None, about("In both directions, or [across, down].")] = None
    min_size: Annotated[list[float], about("Smallest size.", min_length=2, max_length=2)] | None = None
    tooltip: Annotated[str, about("Tooltip.")] | None = None
    theme_overrides: (
        Annotated[dict[str, dict[str, Any]], about("By group: colors, constants, fonts, font_sizes, icons, styles.")]
        | None
    ) = None
    properties: Values | None = None


@operation(
    id="godot.ui.control",
    category="ui",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="create_control",
    asked_for="count coins, score or lives on the screen; HUD",
    manager="godot_ui_manager",
    parameter_aliases={
        "placeholderText": "properties.placeholder_text",
        "texturePath": "properties.texture",
        "color": "properties.color",
        "minValue": "properties.min_value",
        "maxValue": "properties.max_value",
        "value": "properties.value",
        "uiControlType": "controlType",
        "uiControlName": "nodeName",
        "uiControlProps": "properties",
    },
    notes="A Label shows text; anchorsPreset center puts it in the middle of the screen, top_right into that corner. "
    "Drag and drop is up to its script: _get_drag_data, _can_drop_data and _drop_data.",
    examples=(
        Example(
            "A button",
            {
                "scenePath": "menu.tscn",
                "parentNodePath": "Items",
                "controlType": "Button",
                "nodeName": "Play",
                "text": "Play",
                "minSize": [200, 48],
                "themeOverrides": {"font_sizes": {"font_size": 24}},
            },
            {
                "scenePath": "res://menu.tscn",
                "nodePath": "Items/Play",
                "properties": {
                    "text": "Play",
                    "custom_minimum_size": "Vector2(200, 48)",
                    "theme_override_font_sizes/font_size": 24,
                },
            },
        ),
    ),
)
def create_control(call: Call, inputs: ControlInputs) -> NodeWritten:
    """Adds a control (button, label, field, slider, picture, bar…) with text, anchors, size and theme overrides."""
    from scenewright.godot.ui.theme_items import overrides

    edit = open_edit(call, inputs.scene_path)
    kind = _control_class(edit, inputs.control_type)
    if not edit.index.is_a(kind, "Control"):
        raise Invalid(
            f"'{kind}' is not a control.",
            path="input.controlType",
            rule="class",
            hint="Use Button, Label or TextureRect, for example; add_node adds any other node.",
        )
    values = _size_flag_values(inputs.size_flags) | overrides(edit.index, kind, inputs.theme_overrides or {})
    if inputs.text is not None:
        values[_text_of(edit, kind)] = inputs.text
    if inputs.min_size is not None:
        values["custom_minimum_size"] = inputs.min_size
    if inputs.tooltip is not None:
        values["tooltip_text"] = inputs.tooltip
    return _add_control(call, edit, inputs, kind, values | (inputs.properties or {}))


class PresetInputs(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    node_path: NodePath
    preset: AnchorsPreset
    margin: Annotated[float, about("Distance to the parent's edges.")] = 0.0
    keep_offsets: Annotated[bool, about("Change only the anchors.")] = False


_BAR = {"scenePath": "res://hud.tscn", "nodePath": "Bar", "properties": {"anchors_preset": 10}}


@operation(
    id="godot.ui.anchor_preset",
    category="ui",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="set_anchor_preset",
    manager="godot_builder_manager",
    idempotent=True,
    notes="The 16 presets: top_left, top_right, bottom_left, bottom_right, center_left, center_top, center_right, "
    "center_bottom, center, left_wide, top_wide, right_wide, bottom_wide, vcenter_wide, hcenter_wide, full_rect.",
    parameter_aliases={"anchorPreset": "preset"},
    examples=(Example("Along the top", {"scenePath": "hud.tscn", "nodePath": "Bar", "preset": "top_wide"}, _BAR),),
)
def set_anchor_preset(call: Call, inputs: PresetInputs) -> NodeWritten:
    """Gives a control one of the 16 layout presets by name; a size set by its offsets is kept."""
    from scenewright.godot.ui.layout import preset_number, preset_offsets

    edit = open_edit(call, inputs.scene_path)
    path = _anchored_path(edit, inputs.node_path)
    number = preset_number(inputs.preset)
    if inputs.keep_offsets and inputs.margin:
        raise Invalid("margin has no effect with keepOffsets.", path="input.margin", rule="oneOf")
    offsets = {} if inputs.keep_offsets else preset_offsets(number, _size_from_offsets(edit, path), inputs.margin)
    return _set_anchors(call, edit, path, {"anchors_preset": number} | offsets)


class AnchorInputs(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    node_path: NodePath
    left: Annotated[float, about("Anchor, as a fraction of the parent's size.")] | None = None
    top: Annotated[float, about("Anchor.")] | None = None
    right: Annotated[float, about("Anchor.")] | None = None
    bottom: Annotated[float, about("Anchor.")] | None = None
    offsets: Annotated[list[float], about("left, top, right, bottom in pixels.", min_length=4, max_length=4)] | None = (
        None
    )


@operation(
    id="godot.ui.anchor_values",
    category="ui",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="set_anchor_values",
    manager="godot_builder_manager",
    idempotent=True,
    parameter_aliases={"anchorLeft": "left", "anchorTop": "top", "anchorRight": "right", "anchorBottom": "bottom"},
    examples=(
        Example(
            "The left third",
            {
                "scenePath": "hud.tscn",
                "nodePath": "Bar",
                "left": 0,
                "top": 0,
                "right": 0.333,
                "bottom": 1,
                "offsets": [0, 0, 0, 0],
            },
            {"scenePath": "res://hud.tscn", "nodePath": "Bar", "properties": {"anchor_right": 0.333}},
        ),
    ),
)
def set_anchor_values(call: Call, inputs: AnchorInputs) -> NodeWritten:
    """Sets some or all anchors of a control, from 0 (left, top) to 1 (right, bottom), and its offsets."""
    edit = open_edit(call, inputs.scene_path)
    path = _anchored_path(edit, inputs.node_path)
    sides = {"left": inputs.left, "top": inputs.top, "right": inputs.right, "bottom": inputs.bottom}
    values: dict[str, Any] = {f"anchor_{side}": value for side, value in sides.items() if value is not None}
    if inputs.offsets is not None:
        values |= {f"offset_{side}": value for side, value in zip(sides, inputs.offsets, strict=True)}
    if not values:
        raise Invalid("Give at least one anchor or the offsets.", path="input.left", rule="required")
    return _set_anchors(call, edit, path, {"anchors_preset": -1} | values)


OPERATIONS = (create_ui_container, create_control, set_anchor_preset, set_anchor_values)


def _container_class(wanted: str) -> str:
    known = {name.lower(): name for name in _CONTAINERS}
    plain = _normalize(wanted)
    class_name = known.get(plain) or known.get(f"{plain}container")
    if class_name is None:
        raise Invalid(
            f"There is no container '{wanted}'.",
            path="input.containerType",
            rule="enum",
            hint=did_you_mean(wanted, list(_CONTAINERS)) or f"One of {', '.join(_CONTAINERS)}.",
        )
    return class_name


def _control_class(edit: SceneEdit, wanted: str) -> str:
    """A class by its name, or as it is spoken of: `line_edit`, `slider_h`, `rich_text`."""
    plain = _normalize(wanted)
    if wanted not in edit.index:
        spoken = {name.lower(): name for name in edit.index.subclasses("Control")}
        wanted = spoken.get(plain) or spoken.get(f"{plain}label") or wanted
    return edit.index.class_info(wanted).name


def _normalize(name: str) -> str:
    plain = name.strip().lower().replace("_", "").replace(" ", "")
    return _ORIENTED.get(plain, plain)


def _spacing_values(edit: SceneEdit, kind: str, inputs: ContainerInputs) -> dict[str, Any]:
    from scenewright.godot.ui.layout import margins
    from scenewright.godot.ui.theme_items import theme_items

    names = theme_items(edit.index, kind, "constant")
    values: dict[str, Any] = {}
    if inputs.separation is not None:
        wanted = [name for name in ("separation", "h_separation", "v_separation") if name in names]
        if not wanted:
            raise Invalid(
                f"A {kind} has no separation.",
                path="input.separation",
                rule="class",
                hint="Box, grid, flow and split containers have one.",
            )
        values |= {f"theme_override_constants/{name}": inputs.separation for name in wanted}
    if inputs.margins is not None:
        if kind != "MarginContainer":
            raise Invalid(
                f"A {kind} has no margins.", path="input.margins", rule="class", hint="Use a MarginContainer."
            )
        sides = margins(inputs.margins)
        values |= {f"theme_override_constants/margin_{side}": value for side, value in sides.items()}
    return values


def _size_flag_values(flags: str | list[str] | None) -> dict[str, Any]:
    from scenewright.godot.ui.layout import size_flags

    if flags is None:
        return {}
    both = [flags, flags] if isinstance(flags, str) else flags
    if len(both) != 2:
        raise Invalid("sizeFlags must be one name, or [across, down].", path="input.sizeFlags", rule="length")
    across, down = (size_flags(name, "sizeFlags") for name in both)
    return {"size_flags_horizontal": across, "size_flags_vertical": down}


def _text_of(edit: SceneEdit, kind: str) -> str:
    text_property = next((name for name in _TEXTS if edit.index.has_property(kind, name)), None)
    if text_property is None:
        raise Invalid(f"A {kind} shows no text.", path="input.text", rule="class", hint="Use a Label or Button.")
    return text_property


def _add_control(call: Call, edit: SceneEdit, inputs: _NewControl, kind: str, values: dict[str, Any]) -> NodeWritten:
    from scenewright.godot.building.node_tree import PlannedNode, Site
    from scenewright.godot.ui.layout import preset_number

    properties = dict(values)
    if inputs.anchors_preset is not None:
        _refuse_in_container(edit, edit.node(inputs.parent_node_path, parameter="parentNodePath").path, "anchorsPreset")
        properties = {"anchors_preset": preset_number(inputs.anchors_preset, "anchorsPreset")} | properties
    built = PlannedNode(kind=kind, name=inputs.node_name or kind, properties=properties)
    written, _ = Site(call, edit).build(built, inputs.parent_node_path)
    edit.save()
    call.summary = f"Added '{written.path}' ({kind})."
    return NodeWritten(scene_path=edit.path, node_path=written.path, properties=written.values or None)


def _refuse_in_container(edit: SceneEdit, parent: str, parameter: str) -> None:
    above = edit.node(parent).type or ""
    if above in edit.index and edit.index.is_a(above, "Container"):
        raise Invalid(
            f"'{parent}' is {with_article(above)}, which places its children itself.",
            path=f"input.{parameter}",
            rule="container",
            hint="Use size flags and a minimum size there.",
        )


def _anchored_path(edit: SceneEdit, node_path: str) -> str:
    from scenewright.godot.documents import paths

    path = edit.node(node_path, wanted="Control").path
    if path != ".":
        _refuse_in_container(edit, paths.parent_of(path), "nodePath")
    return path


def _size_from_offsets(edit: SceneEdit, path: str) -> tuple[float, float]:
    """What the offsets say of the size, where the anchors of two sides are one."""
    node = edit.node(path)

    def number(name: str) -> float:
        property_ = node.find(name)
        return float(property_.value) if property_ is not None and isinstance(property_.value, int | float) else 0.0

    def extent(start: str, end: str) -> float:
        if number(f"anchor_{start}") != number(f"anchor_{end}"):
            return 0.0
        return max(0.0, number(f"offset_{end}") - number(f"offset_{start}"))

    return extent("left", "right"), extent("top", "bottom")


def _set_anchors(call: Call, edit: SceneEdit, path: str, values: dict[str, Any]) -> NodeWritten:
    from scenewright.godot.documents import paths
    from scenewright.godot.scenes.control_layout import UNCONTROLLED, layout_mode

    parent = edit.node(paths.parent_of(path)).type if path != "." else None
    mode = UNCONTROLLED if parent is None else layout_mode(edit.index, parent, values)
    written = edit.set(path, {"layout_mode": mode} | values)
    edit.save()
    call.summary = f"Anchored '{path}'."
    return NodeWritten(scene_path=edit.path, node_path=path, properties=written.values)
