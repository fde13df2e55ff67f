"""Every Godot operation that writes: the real engine takes the result without complaint and has what was asked for."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import anyio
import pytest
from tests.godot.catalogue.writes import CASES, FILES
from tests.support.gdscript_runner import Reply, make_project, run_jobs

from scenewright.app import make_runtime
from scenewright.contracts import render
from scenewright.core.calls.call import Request
from scenewright.core.config import Config
from scenewright.godot.catalogue import CATALOGUE

ENGINE = """
var _made: Array[Node] = []


func run(job: Dictionary) -> Variant:
	if job.has("folder"):
		return _load_all("res://" + job.folder)
	var asked: Expression = Expression.new()
	asked.parse(job.asked)
	var found: Variant = asked.execute([], self)
	for node: Node in _made:
		node.free()
	_made.clear()
	return "failed: " + asked.get_error_text() if asked.has_execute_failed() else found


func _load_all(folder: String) -> int:
	var count: int = 0
	for file: String in DirAccess.get_files_at(folder):
		if file.get_extension() in ["tscn", "tres", "gd"]:
			var found: Resource = load(folder.path_join(file))
			if found is PackedScene:
				(found as PackedScene).instantiate().free()
			count += int(found != null)
	for deeper: String in DirAccess.get_directories_at(folder):
		count += _load_all(folder.path_join(deeper))
	return count


func _root(scene: String) -> Node:
	_made.append((res(scene) as PackedScene).instantiate())
	return _made.back()


func _all(node: Node) -> Array[Node]:
	var found: Array[Node] = [node]
	for child: Node in node.get_children():
		found.append_array(_all(child))
	return found


func res(path: String) -> Resource:
	return load("res://" + path)


func made(script: String) -> Object:
	var found: Object = (res(script) as GDScript).new()
	if found is Node:
		_made.append(found)
	return found


func there(path: String) -> bool:
	return ResourceLoader.exists("res://" + path)


func folder(path: String) -> bool:
	return DirAccess.dir_exists_absolute("res://" + path)


func text(path: String) -> String:
	return FileAccess.get_file_as_string("res://" + path)


func image(path: String) -> Image:
	return Image.load_from_file("res://" + path)


func names(scene: String) -> String:
	return ", ".join(_all(_root(scene)).map(func(node: Node) -> String: return node.name))


func kind(scene: String, path: String) -> String:
	return _root(scene).get_node(path).get_class()


func value(scene: String, path: String, name: String) -> String:
	return var_to_str(_root(scene).get_node(path).get(name))


func inside(scene: String, path: String, name: String) -> String:
	return var_to_str(_root(scene).get_node(path).get_indexed(name))


func bus(name: String) -> String:
	var at: int = AudioServer.get_bus_index(name)
	if at < 0:
		return "none"
	var effects: Array = range(AudioServer.get_bus_effect_count(at)).map(func(number: int) -> String:
		return AudioServer.get_bus_effect(at, number).get_class() \
			+ (" on" if AudioServer.is_bus_effect_enabled(at, number) else " off"))
	return "%s %s %s %s %s %s" % [roundi(AudioServer.get_bus_volume_db(at)), AudioServer.get_bus_send(at),
		AudioServer.is_bus_solo(at), AudioServer.is_bus_mute(at), AudioServer.is_bus_bypassing_effects(at),
		effects]


func bus_place(name: String) -> int:
	return AudioServer.get_bus_index(name)


func effect(name: String, number: int, property: String) -> String:
	return var_to_str(AudioServer.get_bus_effect(AudioServer.get_bus_index(name), number).get(property))


func uniforms(shader: String) -> String:
	return ", ".join((res(shader) as Shader).get_shader_uniform_list().map(func(uniform: Dictionary) -> String:
		return "%s %s" % [uniform.name, type_string(uniform.type)]))


func groups(scene: String, path: String) -> String:
	var found: PackedStringArray = _root(scene).get_node(path).get_groups()
	found.sort()
	return ", ".join(found)


func script(scene: String, path: String) -> String:
	var found: Script = _root(scene).get_node(path).get_script()
	return "" if found == null else found.resource_path


func wires(scene: String) -> String:
	var root: Node = _root(scene)
	var found: PackedStringArray = []
	for node: Node in _all(root):
		for info: Dictionary in node.get_signal_list():
			for wire: Dictionary in node.get_signal_connection_list(info.name):
				if wire.flags & CONNECT_PERSIST:
					found.append("%s.%s>%s.%s" % [root.get_path_to(node), info.name,
						root.get_path_to(wire.callable.get_object()), wire.callable.get_method()])
	return ", ".join(found)


func played(scene: String, player: String, animation: String, time: float, node: String, property: String) -> String:
	var root: Node = _root(scene)
	var found: AnimationPlayer = root.get_node(player)
	found.play(animation)
	found.seek(time, true)
	return var_to_str(root.get_node(node).get_indexed(property))


func animations(scene: String, player: String) -> String:
	return ", ".join((_root(scene).get_node(player) as AnimationPlayer).get_animation_list())


func animation(scene: String, player: String, name: String) -> Animation:
	return (_root(scene).get_node(player) as AnimationPlayer).get_animation(name)


func graph(scene: String, tree: String) -> AnimationRootNode:
	return (_root(scene).get_node(tree) as AnimationTree).tree_root


func frames(scene: String, sprite: String) -> SpriteFrames:
	return (_root(scene).get_node(sprite) as AnimatedSprite2D).sprite_frames


func setting(name: String) -> String:
	return var_to_str(ProjectSettings.get_setting(name))


func preset(name: String, key: String) -> String:
	var file: ConfigFile = ConfigFile.new()
	file.load("res://export_presets.cfg")
	for section: String in file.get_sections():
		if file.get_value(section, "name", "") == name:
			var holder: String = section if file.has_section_key(section, key) else section + ".options"
			return var_to_str(file.get_value(holder, key))
	return "null"


func events(action: String) -> String:
	if not InputMap.has_action(action):
		return "none"
	return ", ".join(InputMap.action_get_events(action).map(func(event: InputEvent) -> String: return event.as_text()))


func deadzone(action: String) -> float:
	return InputMap.action_get_deadzone(action)


func polygons(path: String, x: int, y: int) -> int:
	var tiles: TileSet = res(path)
	var source: TileSetAtlasSource = tiles.get_source(0)
	return source.get_tile_data(Vector2i(x, y), 0).get_collision_polygons_count(0)
"""


def _placed(value: Any, folder: str) -> Any:
    return json.loads(json.dumps(value).replace("~", folder))


def _files(names: Iterable[str]) -> dict[str, str | bytes]:
    return {f"{name}/{file}": text.replace("~", name) for name in names for file, text in FILES.items()}


async def _do(project: Path, names: Iterable[str], undo: bool = False) -> None:
    runtime = make_runtime(Config(project=project, rate_limit=None))
    for name in names:
        calls = [*CASES[name].calls, *([("history_undo", {})] * len(CASES[name].calls) if undo else [])]
        for tool, arguments in calls:
            request = Request(tool=tool, arguments=_placed(arguments, name), meta={"approved": True})
            outcome = await runtime.run(request)
            assert outcome.ok, (tool, outcome.summary)
    runtime.close()


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], Reply]:
    project = make_project(tmp_path_factory.mktemp("game"), _files(CASES))
    anyio.run(_do, project, CASES)
    jobs = [(name, asked) for name, case in CASES.items() for asked in ("", *case.asked)]
    said = [{"asked": _placed(asked, name)} if asked else {"folder": name} for name, asked in jobs]
    return dict(zip(jobs, run_jobs(project, ENGINE, said), strict=True))


# What needs more than files to try: the engine itself, or the open editor; each has tests of its own there.
ELSEWHERE = {
    "launch_editor": "engine/test_started_editors.py",
    "generate_docs": "engine/test_script_documentation.py",
    "apply_palette_to_aseprite": "pixel_art/test_aseprite_program.py",
    "aseprite_batch": "pixel_art/test_aseprite_program.py",
    "convert_aseprite_color_mode": "pixel_art/test_aseprite_program.py",
    "export_aseprite_sheet_and_reimport": "pixel_art/test_aseprite_program.py",
    "export_aseprite_tags_and_reimport": "pixel_art/test_aseprite_program.py",
    "scale_aseprite": "pixel_art/test_aseprite_program.py",
    "import_aseprite_slices": "pixel_art/test_sprite_imports.py",
    "import_aseprite_tilemaps": "pixel_art/test_sprite_imports.py",
    "import_animations": "pixel_art/test_animation_imports.py",
    "pixel_export_preview": "pixel_art/test_worlds_in_the_engine.py",
    "pixel_layer_ensure": "pixel_art/test_worlds.py",
    "pixel_macro_run": "pixel_art/test_worlds.py",
    "pixel_object_generate": "pixel_art/test_worlds.py",
    "pixel_object_place": "pixel_art/test_worlds.py",
    "pixel_tilemap_generate": "pixel_art/test_worlds.py",
    "pixel_world_generate": "pixel_art/test_worlds.py",
    "import_asset": "engine/test_imports.py",
    "import_assets": "engine/test_imports.py",
    "reimport_assets": "engine/test_imports.py",
    "doctor_report": "engine/test_doctor.py",
    "create_project": "project/test_new_projects.py",
    "play_edit_tape": "play/test_tapes.py",
    "code_actions": "language/test_code_actions.py",
    "rename_symbol": "language/test_renaming.py",
    "play_save_tape": "play/test_tapes.py",
    "convert_3to4": "engine/test_godot3_conversion.py",
    "close_editor": "engine/test_started_editors.py",
    "export_mesh_library": "engine/test_maintenance.py",
    "export_pack": "engine/test_exports.py",
    "export_project": "engine/test_exports.py",
    "resave_resources": "engine/test_maintenance.py",
    "take_screenshot": "engine/test_probes.py",
    "bake_navigation_mesh": "engine/test_navigation.py",
    "build_csharp": "language/test_csharp_build.py",
    "edit_visual_shader": "rendering/test_visual_shaders.py",
    "extract_scene": "scenes/test_branch_extraction.py",
    "format_script": "language/test_script_style.py",
    "update_project_uids": "engine/test_maintenance.py",
    "godot_headless_batch": "engine/test_headless.py",
    "godot_headless_op": "engine/test_headless.py",
    "godot_run_action": "addon/test_through_the_server.py",
    "godot_editor_batch": "editor/test_godoty_tools.py",
    "godot_sync_addon": "project/test_addon_installation.py",
    "import_ldtk_level": "tiles/test_ldtk_import.py",
    "save_all_scenes": "editor/test_open_documents.py",
    "editor_undo": "editor/test_open_documents.py",
    "editor_redo": "editor/test_open_documents.py",
    "clear_editor_output": "editor/test_open_documents.py",
    "godot_rpc": "editor/test_open_documents.py",
    "save_viewport_picture": "addon/test_through_the_server.py",
}


def test_every_operation_that_writes_has_a_case_that_calls_it() -> None:
    writing = {each.flat_name: each for each in CATALOGUE.operations if each.writes}
    assert set(writing) == set(CASES) | set(ELSEWHERE)
    for tool, place in ELSEWHERE.items():
        text = (Path(__file__).parents[1] / place).read_text(encoding="utf-8")
        action = writing[tool].action
        assert f'"{tool}"' in text or (action is not None and f'action="{action[1]}"' in text)
    for name, case in CASES.items():
        assert name in [tool for tool, _ in case.calls]
        assert case.asked


@pytest.mark.godot
@pytest.mark.xdist_group("godot-operations")
@pytest.mark.parametrize("name", CASES)
def test_the_engine_has_what_was_asked_for(answers: dict[tuple[str, str], Reply], name: str) -> None:
    loaded = answers[name, ""]
    assert loaded.complaints == []
    assert loaded.value >= len(FILES) - 1
    for asked, wanted in CASES[name].asked.items():
        assert answers[name, asked] == Reply(_placed(wanted, name), []), asked


@pytest.mark.parametrize("name", CASES)
def test_an_undo_leaves_every_file_as_it_was(tmp_path: Path, name: str) -> None:
    project = make_project(tmp_path, _files([name]))
    before = _contents(project)
    anyio.run(_do, project, [name], True)
    assert _contents(project) == before


@pytest.mark.parametrize("name", CASES)
def test_a_dry_run_writes_nothing_and_says_so(tmp_path: Path, name: str) -> None:
    project = make_project(tmp_path, _files([name]))
    *before, (tool, arguments) = CASES[name].calls
    anyio.run(_try_last, project, name, before, tool, arguments)


async def _try_last(
    project: Path, name: str, before: list[tuple[str, dict[str, Any]]], tool: str, arguments: dict[str, Any]
) -> None:
    runtime = make_runtime(Config(project=project, rate_limit=None))
    for earlier, given in before:
        await runtime.run(Request(tool=earlier, arguments=_placed(given, name), meta={"approved": True}))
    contents = _contents(project)
    meta = {"approved": True, "dryRun": True}
    outcome = await runtime.run(Request(tool=tool, arguments=_placed(arguments, name), meta=meta))
    body = render(outcome, modern=False).structured
    runtime.close()
    assert body is not None
    assert body["summary"].startswith("Dry run, nothing was written. A real run would say: "), body
    assert body["execution"]["dryRun"] is True
    assert "files" not in body
    assert _contents(project) == contents


def _contents(project: Path) -> dict[str, bytes | None]:
    """Files by path, folders too."""
    ours = (".scenewright", ".godot_mcp")
    return {
        path.relative_to(project).as_posix(): path.read_bytes() if path.is_file() else None
        for path in project.rglob("*")
        if path.relative_to(project).parts[0] not in ours
    }
