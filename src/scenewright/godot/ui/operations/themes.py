"""Themes: files with the colours, fonts, sizes and styles of controls, and giving them to a node or the project."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

from scenewright.core.calls.call import Call
from scenewright.core.faults import Conflict, Invalid, did_you_mean
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, about
from scenewright.core.text.counts import count_noun, with_article
from scenewright.godot.project.openers import class_index, open_configuration, open_edit, open_workspace

if TYPE_CHECKING:
    from scenewright.godot.classes.index import ClassIndex
    from scenewright.godot.project.workspace import Workspace

__all__ = ["OPERATIONS"]

_SETTING = "gui/theme/custom"

ThemePath = Annotated[str, about("Theme file (.tres).", min_length=1)]
Types = Annotated[
    dict[str, dict[str, Any]],
    about(
        "By control class or variation: colors, constants, fonts, font_sizes, icons, styles by name; a variation also "
        'has base. A style is {"$resource": "StyleBoxFlat", "props": {...}}.'
    ),
]


class ThemeInputs(Inputs, frozen=True, kw_only=True):
    theme_path: ThemePath
    types: Types | None = None
    default_font: Annotated[str, about("Font file.")] | None = None
    default_font_size: Annotated[int, about("Font size where no type sets one.", ge=1)] | None = None
    default_base_scale: Annotated[float, about("Base scale.", gt=0)] | None = None


class NewTheme(ThemeInputs, frozen=True, kw_only=True):
    overwrite: Annotated[bool, about("Replace a theme that exists.")] = False


class ThemeWritten(Outputs, frozen=True, kw_only=True):
    theme_path: Annotated[str, about("res:// path.")]
    properties: Annotated[dict[str, Any], about("The values as stored.")] | None = None


_TYPES = {
    "Button": {
        "colors": {"font_color": "white"},
        "styles": {"normal": {"$resource": "StyleBoxFlat", "props": {"bg_color": "#303050"}}},
    },
    "Title": {"base": "Label", "font_sizes": {"font_size": 40}},
}


@operation(
    id="godot.theme.create",
    category="ui",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="create_theme",
    manager="godot_ui_manager",
    examples=(
        Example(
            "Dark buttons and a title",
            {"themePath": "ui/theme.tres", "defaultFontSize": 18, "types": _TYPES},
            {"themePath": "res://ui/theme.tres", "properties": {"default_font_size": 18}},
        ),
    ),
)
def create_theme(call: Call, inputs: NewTheme) -> ThemeWritten:
    """Creates a theme file with defaults and per control type colours, constants, fonts, sizes, styles, variations."""
    from scenewright.godot.assets.resource_file import new_resource

    workspace = open_workspace(call)
    place = _theme_place(workspace, inputs.theme_path)
    if call.files.exists(place) and not inputs.overwrite:
        raise Conflict(
            f"'res://{place}' exists already.",
            hint="Pass overwrite: true, or change it with edit_theme.",
            retryable=False,
        )
    placed = new_resource(workspace, class_index(call), "Theme").set(_theme_properties(class_index(call), inputs, {}))
    workspace.save(place, placed.document)
    call.summary = f"Created res://{place}: {count_noun(len(placed.values), 'item')}."
    return ThemeWritten(theme_path=f"res://{place}", properties=placed.shown() or None)


class EditTheme(ThemeInputs, frozen=True, kw_only=True):
    remove: Annotated[list[str], about("Items to remove, such as 'Button/colors/font_color'.")] | None = None


@operation(
    id="godot.theme.edit",
    category="ui",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="edit_theme",
    manager="godot_ui_manager",
    idempotent=True,
    examples=(
        Example(
            "Larger titles",
            {"themePath": "ui/theme.tres", "types": {"Title": {"font_sizes": {"font_size": 48}}}},
            {"themePath": "res://ui/theme.tres", "properties": {"Title/font_sizes/font_size": 48}},
        ),
    ),
)
def edit_theme(call: Call, inputs: EditTheme) -> ThemeWritten:
    """Sets or removes items of a theme file; all others stay."""
    from scenewright.godot.assets.resource_file import ResourceFile

    workspace = open_workspace(call)
    place = _theme_place(workspace, inputs.theme_path)
    theme = ResourceFile(workspace, class_index(call), workspace.document(place), f"res://{place}")
    if theme.native != "Theme":
        raise Invalid(
            f"'res://{place}' is {with_article(theme.type)}, not a theme.", path="input.themePath", rule="class"
        )
    now = theme.read(None, defaults=False)
    missing = [name for name in inputs.remove or () if name not in now]
    if missing:
        raise Invalid(
            f"The theme has no '{missing[0]}'.",
            path="input.remove",
            rule="enum",
            hint=did_you_mean(missing[0], list(now)),
        )
    values = _theme_properties(class_index(call), inputs, now)
    if not values and not inputs.remove:
        raise Invalid("Give types, a default or remove.", path="input.types", rule="required")
    placed = theme.set(values, reset=inputs.remove or ())
    workspace.save(place, placed.document)
    call.summary = f"Set {count_noun(len(placed.values), 'item')} of res://{place}."
    return ThemeWritten(theme_path=f"res://{place}", properties=placed.shown() or None)


class ApplyTheme(Inputs, frozen=True, kw_only=True):
    theme_path: ThemePath
    scene_path: Annotated[str, about("Scene of the node; if left out, the whole project gets the theme.")] | None = None
    node_path: Annotated[str, about("Control or window whose controls get the theme.")] = "."


class ThemeApplied(Outputs, frozen=True, kw_only=True):
    theme_path: Annotated[str, about("res:// path.")]
    scene_path: Annotated[str, about("Scene it was given to.")] | None = None
    node_path: Annotated[str, about("Node it was given to.")] | None = None
    setting: Annotated[str, about("Project setting it was given to.")] | None = None


@operation(
    id="godot.theme.apply",
    category="ui",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="apply_theme",
    manager="godot_ui_manager",
    idempotent=True,
    examples=(
        Example(
            "To a menu",
            {"themePath": "ui/theme.tres", "scenePath": "menu.tscn"},
            {"themePath": "res://ui/theme.tres", "scenePath": "res://menu.tscn", "nodePath": "."},
        ),
    ),
)
def apply_theme(call: Call, inputs: ApplyTheme) -> ThemeApplied:
    """Gives a theme to a node and all controls below it, or to the whole project."""
    place = _theme_place(open_workspace(call), inputs.theme_path, ".tres", ".theme")
    theme = f"res://{place}"
    if inputs.scene_path is None and inputs.node_path != ".":
        raise Invalid(
            "A node needs its scene.",
            path="input.scenePath",
            rule="required",
            hint="Give scenePath; without a node the whole project gets the theme.",
        )
    if inputs.scene_path is None:
        settings = open_configuration(call)
        settings.set(_SETTING, settings.coerced(_SETTING, _require_theme(call, theme)))
        settings.save()
        call.summary = f"The project uses the theme {theme}."
        return ThemeApplied(theme_path=theme, setting=_SETTING)
    edit = open_edit(call, inputs.scene_path)
    node = edit.node(inputs.node_path)
    if node.type in edit.index and not edit.index.has_property(node.type or "", "theme"):
        raise Invalid(
            f"'{node.path}' is {with_article(node.type)}, which has no theme.",
            path="input.nodePath",
            rule="class",
            hint="Give it to a control or a window.",
        )
    edit.set(node.path, {"theme": theme})
    edit.save()
    call.summary = f"'{node.path}' uses the theme {theme}."
    return ThemeApplied(theme_path=theme, scene_path=edit.path, node_path=node.path)


OPERATIONS = (create_theme, edit_theme, apply_theme)


def _theme_place(workspace: Workspace, path: str, *endings: str) -> str:
    """Where a theme is; only one that is text can be written."""
    place = workspace.place(path)
    if not place.endswith(endings or (".tres",)):
        raise Invalid("A theme's file name ends in .tres.", path="input.themePath", rule="suffix")
    return place


def _require_theme(call: Call, theme: str) -> str:
    from scenewright.godot.project.addresses import Addresses

    file = Addresses(open_workspace(call)).file(theme)
    if file.class_name not in ("Theme", ""):
        raise Invalid(
            f"'{theme}' is {with_article(file.class_name)}, not a theme.", path="input.themePath", rule="class"
        )
    return file.path


def _theme_properties(index: ClassIndex, inputs: ThemeInputs, now: Mapping[str, Any]) -> dict[str, Any]:
    """The properties of the theme's file that the inputs mean."""
    from scenewright.godot.ui.theme_items import type_values

    defaults = {
        "default_font": inputs.default_font,
        "default_font_size": inputs.default_font_size,
        "default_base_scale": inputs.default_base_scale,
    }
    given_values = {name: value for name, value in defaults.items() if value is not None}
    return given_values | type_values(index, inputs.types or {}, now)
