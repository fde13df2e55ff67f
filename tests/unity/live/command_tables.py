"""The commands of the stand-in, and how versions of the Pipeline package list and call them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.unity.live.pipeline_double import UnityDouble

__all__ = ["GROUPED", "listing_of", "named_by_caller", "table_of"]

Parameters = dict[str, tuple[str, bool]]  # by name: the kind, and whether it is required
_FIELD: Parameters = {"target": ("ObjectRef", True), "field": ("String", True)}
_SIZE: Parameters = {"width": ("Int32", False), "height": ("Int32", False)}
COMMANDS: dict[str, Parameters] = {
    "editor_status": {},
    "get_selection": {},
    "editor_play": {},
    "editor_stop": {},
    "editor_pause": {},
    "console": {"tail": ("Int32", False), "level": ("String", False), "since": ("Int64", False)},
    "capture_game_view": _SIZE | {"camera": ("String", False)},
    "capture_scene_view": _SIZE,
    "run_tests": {"mode": ("String", False), "filter": ("String", False), "timeout": ("Int32", False)},
    "eval": {"code": ("String", True), "timeout": ("Int32", False)},
    "list_open_scenes": {},
    "open_scene": {"path": ("String", True), "additive": ("Boolean", False)},
    "save_scene": {"path": ("String", False)},
    "save_all": {},
    "get_serialized_fields": _FIELD,
    "set_serialized_field": _FIELD | {"value": ("JToken", True)},
    "rename_gameobject": {"target": ("ObjectRef", True), "name": ("String", True)},
    "set_active": {"target": ("ObjectRef", True), "active": ("Boolean", True)},
    "set_tag": {"target": ("ObjectRef", True), "tag": ("String", True)},
    "set_layer": {"target": ("ObjectRef", True), "layer": ("String", True)},
    "create_gameobject": {
        "name": ("String", False),
        "primitive": ("String", False),
        "parent": ("ObjectRef", False),
    },
    "delete_gameobject": {"target": ("ObjectRef", True)},
    "set_parent": {
        "target": ("ObjectRef", True),
        "parent": ("ObjectRef", False),
        "world_position_stays": ("Boolean", False),
    },
    "add_component": {"target": ("ObjectRef", True), "type": ("String", True)},
    "remove_component": {"target": ("ObjectRef", True), "type": ("String", False)},
    "recompile": {},
    "recompile_status": {},
    "delete_asset": {"path": ("String", True), "confirm": ("Boolean", False), "dry_run": ("Boolean", False)},
}
SEVERAL: Parameters = {"name": ("String", False), "parent": ("ObjectRef", False), "count": ("Int32", False)}
OTHERS = (  # whose names are near to those that are looked for; none of them may be taken
    *("duplicate_gameobject", "add_animator_layer", "set_tags_layers", "attach_script", "create_prefab"),
    *("set_selection", "clear_console", "set_active_scene", "add_scene_to_build", "remove_scene_from_build"),
    *("list_tests", "test_status", "cancel_tests", "eval_file", "eval_usage_report", "rename_asset", "create_scene"),
    *("get_scene_hierarchy", "package_status", "build_status", "get_build_settings", "set_component_properties"),
    *("get_component_properties", "play_timeline", "capture_editor_element", "save_prefab_contents", "log_editor"),
)
GROUPED = {
    "editor_status": ("editor", "status"),
    "get_selection": ("editor.selection", "get"),
    "set_selection": ("editor.selection", "set"),
    "editor_play": ("editor.playmode", "enter"),
    "editor_stop": ("editor.playmode", "exit"),
    "editor_pause": ("editor.playmode", "pause"),
    "console": ("editor.console", "read"),
    "clear_console": ("editor.console", "clear"),
    "capture_game_view": ("capture", "game_view"),
    "capture_scene_view": ("capture", "scene_view"),
    "run_tests": ("test", "run"),
    "list_tests": ("test", "list"),
    "test_status": ("test", "status"),
    "cancel_tests": ("test", "cancel"),
    "eval": ("script", "eval"),
    "eval_file": ("script", "eval_file"),
    "list_open_scenes": ("scene", "list_open"),
    "open_scene": ("scene", "open"),
    "save_scene": ("scene", "save"),
    "save_all": ("scene", "save_all"),
    "set_active_scene": ("scene", "set_active"),
    "create_scene": ("scene", "create"),
    "get_serialized_fields": ("script", "get_serialized_fields"),
    "set_serialized_field": ("script", "set_serialized_field"),
    "rename_gameobject": ("gameobject", "rename"),
    "rename_asset": ("asset", "rename"),
    "set_active": ("gameobject", "set_active"),
    "set_tag": ("gameobject", "set_tag"),
    "set_layer": ("gameobject", "set_layer"),
    "create_gameobject": ("gameobject", "create"),
    "create_gameobjects": ("gameobject", "create_many"),
    "duplicate_gameobject": ("gameobject", "duplicate"),
    "delete_gameobject": ("gameobject", "delete"),
    "set_parent": ("gameobject", "set_parent"),
    "add_component": ("component", "add"),
    "remove_component": ("component", "remove"),
    "recompile": ("script", "recompile"),
    "recompile_status": ("script", "recompile_status"),
    "delete_asset": ("asset", "delete"),
}


def table_of(double: UnityDouble) -> dict[str, Parameters]:
    table = COMMANDS | {name: {} for name in OTHERS} | {"create_gameobjects": SEVERAL}
    return {name: parameters for name, parameters in table.items() if name not in double.without}


def called(double: UnityDouble, command: str) -> tuple[str, str]:
    """Return the group and the name of a command in this version."""
    if command in double.names:
        group, _, name = double.names[command].rpartition(" ")
        return group, name
    return GROUPED.get(command, ("", command)) if double.version == "0.9" else ("", command)


def named_by_caller(double: UnityDouble, name: str) -> str | None:
    """Return the command that a name means in this version; an old name means nothing in a new one."""
    names = {" ".join(filter(None, called(double, command))): command for command in table_of(double)}
    return names.get(name)


def listing_of(double: UnityDouble, query: dict[str, str]) -> dict[str, Any]:
    assert query.get("detail", "full") in ("full", "compact")
    rows = [_row(double, command, parameters) for command, parameters in sorted(table_of(double).items())]
    offset = int(query.get("offset", 0))
    # Old versions know no pages. Of new ones the page may be shorter than what was asked for.
    page = rows if double.version == "0.3" else rows[offset : offset + min(25, int(query.get("limit", 25)))]
    listing: dict[str, Any] = {
        "commands": page,
        "count": len(page),
        "server": {"version": "0.0.1", "port": double.port},
    }
    return listing if double.version == "0.3" else listing | {"total": len(rows), "offset": offset, "limit": None}


def _row(double: UnityDouble, command: str, parameters: Parameters) -> dict[str, Any]:
    group, name = called(double, command)
    row: dict[str, Any] = {
        "name": name,
        "description": f"What {command.replace('_', ' ')} does.",
        "mainThreadRequired": True,
        "parameters": [
            {"name": each, "description": "", "type": kind, "required": required, "defaultValue": None}
            for each, (kind, required) in parameters.items()
        ],
        "schema": {"type": "object", "properties": {each: {} for each in parameters}},
    }
    if double.version != "0.3":
        row |= {"tags": [group or "other"], "package": "Unity.Pipeline.Editor"}
    return row | ({"group": group} if group else {})
