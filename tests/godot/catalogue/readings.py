"""What each Godot operation that reads files tells, and how the real engine is asked for the same."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.godot.catalogue.writes import FILES as BASIC

__all__ = ["CALLS", "ENGINE", "FILES", "READINGS", "Reading"]

FILES = {
    **{name: text.replace("~/", "") for name, text in BASIC.items()},
    "shade.gdshader": "shader_type canvas_item;\n\nuniform float glow = 0.5;\n",
}
# Made once, before anything is read.
CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("add_autoload", {"name": "Keeper", "path": "spare.gd"}),
    ("add_input_action", {"name": "jump", "events": [{"type": "key", "key": "Space"}], "deadzone": 0.25}),
    ("create_audio_bus", {"busName": "Music", "volume": -6}),
    ("add_export_preset", {"platform": "Linux", "preset": "Desktop", "exportPath": "out/game.x86_64"}),
    ("create_animation_player", {"scenePath": "main.tscn", "nodeName": "Player"}),
    (
        "add_animation",
        {
            "scenePath": "main.tscn",
            "playerNodePath": "Player",
            "animationName": "walk",
            "length": 2,
            "tracks": [
                {
                    "nodePath": "Hero",
                    "property": "rotation",
                    "keys": [{"time": 0, "value": 0.5}, {"time": 1.5, "value": 2.5}],
                }
            ],
        },
    ),
    ("duplicate_scene", {"scenePath": "main.tscn", "newPath": "other.tscn"}),
    ("edit_node", {"scenePath": "other.tscn", "nodePath": "Hero", "properties": {"speed": 7}}),
    ("save_game_data", {"name": "slot", "data": {"level": 3, "name": "Ada"}}),
)
ENGINE = """
func tree(scene: String) -> Array:
	var root: Node = _root(scene)
	return _all(root).map(func(node: Node) -> String: return "%s %s" % [root.get_path_to(node), node.get_class()])


func are(scene: String, kind: String) -> Array:
	var root: Node = _root(scene)
	return _all(root).filter(func(node: Node) -> bool: return node.is_class(kind)).map(
		func(node: Node) -> String: return str(root.get_path_to(node)))


func picked(scene: String, path: String, properties: Array) -> Array:
	var node: Node = _root(scene).get_node(path)
	return properties.map(func(name: String) -> Variant: return node.get(name))


func files(ending: String) -> Array:
	return Array(DirAccess.get_files_at("res://")).filter(
		func(name: String) -> bool: return name.ends_with(ending) and name != "run_jobs.gd")


func scenes() -> Array:
	return files(".tscn").map(func(name: String) -> Array:
		var state: SceneState = (res(name) as PackedScene).get_state()
		return [name, str(state.get_node_name(0)), state.get_node_type(0), state.get_node_count()])


func bases() -> Array:
	return files(".gd").map(func(name: String) -> Array: return [name, (res(name) as Script).get_instance_base_type()])


func kinds() -> Array:
	return files(".tres").map(func(name: String) -> Array: return [name, res(name).get_class()])


func members(script: String) -> Array:
	var found: GDScript = res(script)
	var own: Array = found.get_script_signal_list() + found.get_script_method_list()
	own += found.get_script_property_list().filter(
		func(info: Dictionary) -> bool: return info.usage & PROPERTY_USAGE_SCRIPT_VARIABLE)
	var names: Array = own.map(func(info: Dictionary) -> String: return info.name)
	names.sort()
	return names


func sorted(infos: Array) -> Array:
	var names: Array = infos.filter(
		func(info: Dictionary) -> bool: return not info.get("usage", 0) & PROPERTY_USAGE_GROUP).map(
		func(info: Dictionary) -> String: return info.name)
	names.sort()
	return names


func properties(kind: String) -> Array:
	return sorted(ClassDB.class_get_property_list(kind, true))


func signals(kind: String) -> Array:
	return sorted(ClassDB.class_get_signal_list(kind, true))


func arguments(kind: String, method: String) -> int:
	return ClassDB.class_get_method_argument_count(kind, method)


func classes(part: String) -> Array:
	return Array(ClassDB.get_class_list()).filter(func(kind: String) -> bool: return kind.ends_with(part))


func constants(kind: String) -> Array:
	var names: Array = Array(ClassDB.class_get_integer_constant_list(kind, true))
	names.sort()
	return names


func parent(kind: String) -> String:
	return ClassDB.get_parent_class(kind)


func data(path: String) -> Variant:
	return JSON.parse_string(text(path))


func called(kind: String) -> Array:
	var found: Array = sorted(ClassDB.class_get_method_list(kind, true))
	for info: Dictionary in ClassDB.class_get_property_list(kind, true):
		found.erase(str(ClassDB.class_get_property_getter(kind, info.name)))
		found.erase(str(ClassDB.class_get_property_setter(kind, info.name)))
	return found


func used_by(file: String) -> Array:
	return files(".tscn").filter(func(name: String) -> bool:
		return Array(ResourceLoader.get_dependencies("res://" + name)).any(
			func(need: String) -> bool: return need.ends_with(file)))


func keys(scene: String, player: String, name: String) -> Array:
	var found: Animation = animation(scene, player, name)
	return range(found.track_get_key_count(0)).map(func(at: int) -> Array:
		return [found.track_get_key_time(0, at), found.track_get_key_value(0, at)])


func buses() -> Array:
	return range(AudioServer.bus_count).map(func(at: int) -> Array:
		return [AudioServer.get_bus_name(at), roundi(AudioServer.get_bus_volume_db(at))])


func lines_with(word: String, file: String) -> Array:
	var lines: PackedStringArray = text(file).split("\\n")
	return range(lines.size()).filter(func(at: int) -> bool: return lines[at].contains(word)).map(
		func(at: int) -> int: return at + 1)
"""
_SCENE = {"scenePath": "main.tscn"}
_TIMER = {"className": "Timer", "limit": 1000}


@dataclass(frozen=True)
class Reading:
    """A call, what to look at in its result, and the expression that must give the same in the engine."""

    arguments: dict[str, Any]
    told: Callable[[Any], Any]
    asked: str


def _rows(name: str, *keys: str) -> Callable[[Any], Any]:
    """Some entries of each row, paths without `res://`."""
    return lambda told: [[_short(row[key]) for key in keys] for row in told[name]]


def _short(value: Any) -> Any:
    return value.removeprefix("res://") if isinstance(value, str) else value


def _of_timer(told: Any) -> list[str]:
    own = (row["name"] for row in told["properties"] if row["owner"] == "Timer")
    return sorted(own)


def _signatures(told: Any) -> list[str]:
    own = (row for row in told["members"] if row.startswith("Timer."))
    return sorted(row.removeprefix("Timer.").partition("(")[0] for row in own)


READINGS: dict[str, Reading] = {
    "get_node_tree": Reading(
        {**_SCENE, "expand": True},
        lambda told: [f"{row['path']} {row['type']}" for row in told["nodes"]],
        "tree('main.tscn')",
    ),
    "get_node_properties": Reading(
        {**_SCENE, "nodePath": "Hero", "includeDefaults": True},
        lambda told: [told["properties"][name] for name in ("speed", "rotation", "z_index", "visible")],
        "picked('main.tscn', 'Hero', ['speed', 'rotation', 'z_index', 'visible'])",
    ),
    "get_property": Reading(
        {**_SCENE, "nodePath": "Hero", "property": "speed"},
        lambda told: [told["value"]],
        "picked('main.tscn', 'Hero', ['speed'])",
    ),
    "find_nodes": Reading(
        {**_SCENE, "className": "Node2D", "expand": True},
        lambda told: [row["nodePath"] for row in told["nodes"]],
        "are('main.tscn', 'Node2D')",
    ),
    "get_groups": Reading(
        {**_SCENE, "nodePath": "Timer"}, lambda told: ", ".join(told["groups"]), "groups('main.tscn', 'Timer')"
    ),
    "list_connections": Reading(
        _SCENE,
        lambda told: ", ".join(
            f"{row['source']}.{row['signal']}>{row['target']}.{row['method']}" for row in told["connections"]
        ),
        "wires('main.tscn')",
    ),
    "list_scenes": Reading({}, _rows("scenes", "path", "root", "type", "nodes"), "scenes()"),
    "list_scripts": Reading({}, _rows("scripts", "path", "extends"), "bases()"),
    "list_resources": Reading({}, _rows("resources", "path", "type"), "kinds()"),
    "get_script_outline": Reading(
        {"scriptPath": "hero.gd"}, lambda told: sorted(row["name"] for row in told["symbols"]), "members('hero.gd')"
    ),
    "read_script": Reading({"scriptPath": "hero.gd"}, lambda told: told["content"], "res('hero.gd').source_code"),
    "list_properties": Reading(_TIMER, _of_timer, "properties('Timer')"),
    "list_methods": Reading(_TIMER, _signatures, "called('Timer')"),
    "list_signals": Reading(_TIMER, _signatures, "signals('Timer')"),
    "get_class_docs": Reading(
        {"className": "Timer"},
        lambda told: sorted(row["name"] for row in told["properties"]),
        "properties('Timer')",
    ),
    "get_method_docs": Reading(
        {"className": "Timer", "methodName": "start"},
        lambda told: len(told["method"]["arguments"]),
        "arguments('Timer', 'start')",
    ),
    "search_docs": Reading(
        {"query": "timer", "searchIn": ["classes"], "limit": 2},
        lambda told: sorted(row["name"] for row in told["results"]),
        "classes('Timer')",
    ),
    "godot_search_docs": Reading(
        {"query": "TIMER_PROCESS"},
        lambda told: sorted(row["name"] for row in told["results"] if row["name"].startswith("TIMER_PROCESS")),
        "constants('Timer')",
    ),
    "godot_get_docs": Reading(
        {"class_name": "Timer"},
        lambda told: told["markdown"].partition("\n")[0],
        "'# Timer (inherits %s)' % parent('Timer')",
    ),
    "diff_scenes": Reading(
        {**_SCENE, "otherPath": "other.tscn"},
        lambda told: [row["after"] for row in told["differences"] if row.get("name") == "speed"],
        "picked('other.tscn', 'Hero', ['speed'])",
    ),
    "list_autoloads": Reading(
        {},
        lambda told: [f'"*{row["path"]}"' for row in told["autoloads"] if row["name"] == "Keeper"],
        "[setting('autoload/Keeper')]",
    ),
    "list_input_actions": Reading(
        {"name": "jump"},
        lambda told: [[", ".join(row["events"]), row["deadzone"]] for row in told["actions"]],
        "[[events('jump').trim_suffix(' - Physical'), deadzone('jump')]]",
    ),
    "get_project_settings": Reading(
        {"key": "application/config/name"},
        lambda told: [f'"{row["value"]}"' for row in told["settings"]],
        "[setting('application/config/name')]",
    ),
    "get_project_info": Reading({}, lambda told: told["scenes"], "files('.tscn').size()"),
    "load_game_data": Reading({"name": "slot"}, lambda told: told["data"], "data('game_data/slot.json')"),
    "read_resource": Reading(
        {"resourcePath": "item.tres"},
        lambda told: told["properties"]["offsets"]["value"],
        "Array(res('item.tres').offsets)",
    ),
    "search_files": Reading(
        {"query": "speed", "include": ["*.gd"]},
        lambda told: [row["line"] for row in told["matches"]],
        "lines_with('speed', 'hero.gd')",
    ),
    "find_usages": Reading(
        {"target": "hero.gd"},
        lambda told: sorted({_short(row["path"]) for row in told["usages"]}),
        "used_by('hero.gd')",
    ),
    "file_exists": Reading({"path": "main.tscn"}, lambda told: told["exists"], "there('main.tscn')"),
    "list_assets": Reading(
        {"category": "scene"}, lambda told: [_short(row["path"]) for row in told["assets"]], "files('.tscn')"
    ),
    "list_animations": Reading(
        {**_SCENE, "playerPath": "Player"},
        lambda told: ", ".join(row["name"] for row in told["animations"]),
        "animations('main.tscn', 'Player')",
    ),
    "get_animation": Reading(
        {**_SCENE, "playerNodePath": "Player", "animationName": "walk"},
        lambda told: told["tracks"][0]["keys"],
        "keys('main.tscn', 'Player', 'walk')",
    ),
    "list_audio_buses": Reading({}, lambda told: [[row["name"], row["volumeDb"]] for row in told["buses"]], "buses()"),
    "list_export_presets": Reading(
        {},
        lambda told: [f'"{row["exportPath"]}"' for row in told["presets"] if row["name"] == "Desktop"],
        "[preset('Desktop', 'export_path')]",
    ),
}
