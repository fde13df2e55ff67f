"""The headless operations of godot-mcp-omni, each as calls of ours: one table, with the names of their parameters.

Names come in snake_case or camelCase. An operation that makes several calls makes all of them or none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from scenewright.core.faults import Invalid, NotFound, Unsupported, did_you_mean

__all__ = ["OPERATIONS", "HeadlessCall", "steps_of"]

_WORD = re.compile(r"_([a-z0-9])")
_PIXEL = "op_"
Arguments = dict[str, Any]


class HeadlessCall(msgspec.Struct, frozen=True):
    """A call of one of our tools; `unique` says that the node's name may be changed to a free one."""

    tool: str
    arguments: Arguments
    unique: bool = False


class _Target(msgspec.Struct, frozen=True):
    tool: str
    names: Mapping[str, str] = {}  # theirs to ours, where they differ
    given: Mapping[str, Any] = {}  # what they do and ours would ask for
    made: Callable[[Arguments], list[HeadlessCall]] | None = None  # where more than names differs


_PROPS = {"props": "properties"}
_SCENE = {**_PROPS, "sourceScenePath": "instancePath", "instanceScenePath": "instancePath", "name": "nodeName"}


def steps_of(operation: str, params: Mapping[str, Any]) -> list[HeadlessCall]:
    """Return the calls that an operation stands for.

    Raises:
        NotFound: there is no such operation.
        Unsupported: it is not offered here.
    """
    target = OPERATIONS.get(operation)
    if operation.startswith(_PIXEL):
        raise Unsupported(f"'{operation}' is not offered.", hint="create_tilemap_layer and paint_tiles make tile maps.")
    if target is None:
        near = did_you_mean(operation, list(OPERATIONS)) or f"One of: {', '.join(OPERATIONS)}."
        raise NotFound(f"There is no headless operation '{operation}'.", hint=near)
    given = {camel(key): value for key, value in params.items()}
    if target.made is not None:
        return target.made(given)
    named = {**target.given, **{target.names.get(key, key): value for key, value in given.items()}}
    unique = bool(named.pop("ensureUniqueName", False))
    return [HeadlessCall(target.tool, named, unique)]


def camel(name: str) -> str:
    return _WORD.sub(lambda match: match[1].upper(), name)


def _bundle(given: Arguments) -> list[HeadlessCall]:
    """A node and its children."""
    children = given.pop("children", given.pop("items", []))
    if not isinstance(children, list) or not all(isinstance(child, dict) for child in children):
        raise Invalid("children must be a list of objects.", path="input.params.children", rule="type")
    first = _node(given)
    parent = str(first.arguments.get("parentNodePath", "."))
    name = str(first.arguments.get("nodeName", ""))
    place = name if parent in (".", "root", "") else f"{parent}/{name}"
    below = {"scenePath": first.arguments.get("scenePath"), "parentNodePath": place}
    return [first, *(_node({**{camel(key): value for key, value in child.items()}, **below}) for child in children)]


def _node(given: Arguments) -> HeadlessCall:
    arguments = {_PROPS.get(key, key): value for key, value in given.items()}
    arguments.pop("role", None)  # a remark for the caller's own use
    return HeadlessCall("add_node", arguments, bool(arguments.pop("ensureUniqueName", False)))


def _script(given: Arguments) -> list[HeadlessCall]:
    """A script from a template, or with its content."""
    template, base = given.pop("template", "minimal"), given.pop("extends", "Node")
    if template not in ("minimal", "tool"):
        raise Invalid(
            f"There is no template '{template}'.",
            path="input.params.template",
            rule="enum",
            hint="One of: minimal, tool.",
        )
    named = given.pop("className", "")
    lines = ["@tool"] * (template == "tool") + [f"class_name {named}"] * bool(named) + [f"extends {base}"]
    body = ["", "", "func _ready() -> void:", "\tpass", ""]
    return [HeadlessCall("write_script", {"content": "\n".join([*lines, *body]), **given})]


def _text(tool: str) -> Callable[[Arguments], list[HeadlessCall]]:
    """Files are named from the root, without res://."""

    def make_calls(given: Arguments) -> list[HeadlessCall]:
        path = str(given.pop("path", "")).removeprefix("res://")
        extra = {"overwrite": True} if tool == "write_file" else {}
        return [HeadlessCall(tool, {**extra, "path": path, **given})]

    return make_calls


def _scan(given: Arguments) -> list[HeadlessCall]:
    """What is wrong in the project, under the options of a doctor's report."""
    asked = given.get("options") or given
    if not isinstance(asked, dict):
        raise Invalid(
            "options is no object.", path="input.params.options", rule="type", hint='Such as {"includeScripts": true}.'
        )
    options = {camel(key): value for key, value in asked.items()}
    names = {
        "includeScripts": "checkScripts",
        "includeScenes": "checkScenes",
        "includeAssets": "checkResources",
        "maxIssuesPerCategory": "limit",
        "deepSceneInstantiate": "loadScenes",
    }
    arguments = {ours: options[theirs] for theirs, ours in names.items() if theirs in options}
    budget = options.get("timeBudgetMs", 60_000)
    if not isinstance(budget, int | float):
        raise Invalid("timeBudgetMs is no number.", path="input.params.options.timeBudgetMs", rule="type")
    if "timeBudgetMs" in options:
        arguments["timeBudget"] = min(budget / 1000, 300.0)
    return [HeadlessCall("validate_project", arguments)]


def _resave(given: Arguments) -> list[HeadlessCall]:
    return [HeadlessCall("resave_resources", {key: value for key, value in given.items() if key == "files"})]


OPERATIONS: Mapping[str, _Target] = {
    "create_scene": _Target("create_scene"),
    "add_node": _Target("add_node", _PROPS),
    "create_node_bundle": _Target("add_node", made=_bundle),
    "instance_scene": _Target("instance_scene", _SCENE),
    "create_tilemap": _Target("create_tilemap"),
    "generate_terrain_mesh": _Target("generate_terrain_mesh", {"name": "nodeName"}),
    "eval_expression": _Target("eval_restricted"),
    "save_scene": _Target("save_scene"),
    "validate_scene": _Target("validate_scene"),
    "set_node_properties": _Target("edit_node", _PROPS),
    "rename_node": _Target("rename_node", {"name": "newName"}),
    "move_node": _Target("reorder_node", {"newIndex": "index", "path": "nodePath"}),
    "create_simple_animation": _Target("create_simple_animation", {"animationName": "animation"}),
    "connect_signal": _Target("connect_signal"),
    "attach_script": _Target("attach_script"),
    "create_script": _Target("write_script", made=_script),
    "read_text_file": _Target("read_file", made=_text("read_file")),
    "write_text_file": _Target("write_file", made=_text("write_file")),
    "project_config_save_game_data_v1": _Target("save_game_data"),
    "project_config_load_game_data_v1": _Target("load_game_data"),
    "project_config_project_setting_set_v1": _Target("set_project_setting"),
    "project_config_project_setting_get_v1": _Target("get_project_settings", given={"includeDefaults": True}),
    "project_config_input_map_setup_v1": _Target("setup_input_map"),
    "get_godot_version": _Target("get_godot_version"),
    "load_sprite": _Target("load_sprite"),
    "create_resource": _Target("create_resource", {**_PROPS, "type": "resourceType"}),
    "export_mesh_library": _Target("export_mesh_library"),
    "get_uid": _Target("get_uid"),
    "resave_resources": _Target("resave_resources", made=_resave),
    "doctor_scan_v1": _Target("validate_project", made=_scan),
}
