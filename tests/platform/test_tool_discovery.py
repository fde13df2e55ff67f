"""Finding the right tool and how to call it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.conftest import Caller, MakeCaller
from tests.core.samples import FakeClient, fault_of, sample

from scenewright import __version__
from scenewright.app import ENGINES
from scenewright.core.calls.call import Request
from scenewright.core.config import Config
from scenewright.core.faults import Invalid
from scenewright.core.operations.declaration import Operation
from scenewright.core.operations.model import to_wire
from scenewright.core.operations.registry import Catalogue, build_registry
from scenewright.core.operations.tiers import Tier
from scenewright.core.projects.project import Engine
from scenewright.core.runtime import Runtime
from scenewright.platform.catalogue import CATALOGUE
from scenewright.platform.operations.tool_discovery import BRIEF, Help, ToolHit

pytestmark = pytest.mark.anyio


async def search(caller: Caller, query: str, **options: Any) -> list[ToolHit]:
    outcome = await caller.run("meta_tool_manager", {"action": "tool_search", "query": query, **options})
    assert outcome.ok, outcome.fault
    return list(outcome.call.output.hits)


async def explain(caller: Caller, tool: str, **options: Any) -> Help:
    outcome = await caller.run("meta_tool_manager", {"action": "tool_help", "tool": tool, **options})
    assert isinstance(outcome.call.output, Help), outcome.fault
    return outcome.call.output


def frobnicate(**declared: Any) -> Operation:
    return sample(**{"name": "Frobnicate Things", "id": "test.frobnicate", **declared})


@pytest.mark.parametrize(
    ("query", "tool", "actions"),
    [
        ("undo", "history", {"undo", "undo_to"}),
        ("delete a file", "project_file_manager", {"delete"}),
        ("how big is the project", "project_workspace_stats", {None}),
        ("list tools", "meta_tool_manager", {"tools_list"}),
    ],
)
async def test_what_was_meant_comes_first(caller: Caller, query: str, tool: str, actions: set[str | None]) -> None:
    best = (await search(caller, query))[0]
    assert best.tool == tool
    assert best.action in actions
    assert best.score == 1.0


GODOT_QUERIES = {
    "make the player walk animation": {
        "add_animation",
        "add_animation_track",
        "create_sprite_frames",
        "create_simple_animation",
    },
    "add collision to tiles": {"edit_tileset", "create_tileset"},
    "play sound when coin collected": {"setup_audio_player", "connect_signal"},
    "export the game for windows": {"export_project", "add_export_preset"},
    "make a button": {"create_control"},
    "dark night lighting": {"lighting_preset"},
    "move a node under another parent": {"move_node"},
    "rename a script everywhere it is used": {"move_file"},
    "find where a texture is used": {"find_usages"},
    "add a health bar": {"create_health_bar_ui"},
    "background music": {"setup_audio_player"},
    "reverb on the music bus": {"add_audio_effect"},
    "turn the volume down": {"set_bus_volume", "edit_audio_bus"},
    "jump key binding": {"add_input_action", "manage_input_actions", "add_input_event", "setup_input_map"},
    "gamepad input": {"add_input_action", "manage_input_actions", "setup_input_map", "add_input_event"},
    "take a screenshot of the game": {"take_screenshot", "scene_picture", "godot_capture_game"},
    "see what my scene looks like": {"scene_picture", "take_screenshot"},
    "run the game and check for errors": {"smoke_test", "run_project", "get_debug_output"},
    "check a script for errors": {"get_script_errors"},
    "create a tile map level": {"create_tilemap", "create_tilemap_layer", "paint_tiles"},
    "paint ground tiles with autotile": {"paint_tiles"},
    "import a level from LDtk": {"import_ldtk_level"},
    "explosion particles": {"create_particle_effect", "create_gpu_particles", "create_particle_material"},
    "water shader": {"create_shader", "create_shader_material"},
    "fog and glow": {"setup_environment"},
    "enemy pathfinding": {"create_navigation_region", "bake_navigation_mesh"},
    "state machine for animations": {"setup_state_machine"},
    "blend walk and run": {"blend_animations"},
    "sprite sheet animation": {"create_sprite_frames"},
    "hitbox for the player": {"create_collision_shape"},
    "which collision layer is the enemy on": {"set_collision_layer", "configure_physics_layers", "get_node_properties"},
    "global singleton script": {"add_autoload", "manage_autoloads"},
    "change window size": {"set_project_setting"},
    "connect button pressed to a function": {"connect_signal"},
    "put text in the middle of the screen": {"create_control", "set_anchor_preset"},
    "main menu": {"create_ui_template"},
    "save the player's progress": {"save_game_data"},
    "first person controller": {"spawn_fps_controller"},
    "trigger zone when the player enters": {"create_trigger_area"},
    "delete a node": {"remove_node"},
    "undo my last change": {"history_undo", "editor_undo"},
    "documentation of CharacterBody2D": {"get_class_docs", "search_docs", "godot_get_docs"},
    "look at a sprite sheet's frames": {"inspect_image"},
    "theme colors for the ui": {"create_theme", "edit_theme"},
    "upgrade a godot 3 project": {"convert_3to4", "validate_conversion_3to4"},
    "set a breakpoint": {"set_breakpoint", "add_breakpoint"},
    "build a whole scene from a description": {"apply_scene"},
    "inherit from another scene": {"create_scene"},
    "spawn enemies from a scene": {"instance_scene"},
    "3d ball that rolls": {"create_rigidbody", "create_primitive"},
    "bake lights": {"setup_lightmapper"},
    "test that the player falls to the ground": {"probe_scene"},
    "what signals does this node have": {"list_signals"},
    "list all scenes": {"list_scenes"},
    "change the color of a sprite": {"edit_node", "set_property"},
    "hills and mountains": {"generate_terrain_mesh"},
    "replace one texture with another": {"replace_resource"},
    "count the coins on the screen": {"create_control", "create_ui_template"},
    "slow down an animation": {"edit_node"},
    "make an animation play faster": {"edit_node", "play_animation"},
    "camera that follows the player": {"workflow_macro_list"},
    "enemy that chases": {"workflow_macro_list"},
    "parallax background": {"workflow_macro_list"},
    "add a node to a 3D scene": {"add_node"},
    "joint hinge": {"add_node"},
    "physics joint between two bodies": {"add_node"},
    "csg box": {"add_node"},
    "scatter many instances multimesh": {"add_node"},
    "path curve points": {"add_node"},
    "vehicle with wheels": {"add_node"},
    "third person camera with spring arm": {"add_node"},
    "door that opens when the player enters an area": {"create_trigger_area"},
    "look at a 3d scene from above": {"scene_picture"},
    "what did my change do to the look of the scene": {"compare_pictures"},
    "compare two screenshots": {"compare_pictures"},
    "one way platform": {"create_collision_shape"},
    "key binding": {"add_input_action", "manage_input_actions", "add_input_event", "setup_input_map"},
    "joystick": {"add_input_action", "manage_input_actions", "add_input_event", "setup_input_map"},
    "pathfinding": {"create_navigation_region"},
    "save game": {"save_game_data"},
    "screen shake": {"add_animation"},
    "hit flash": {"create_simple_animation"},
    "drag and drop": {"create_control"},
    "health bar": {"create_health_bar_ui"},
}


@pytest.mark.parametrize("query", GODOT_QUERIES)
async def test_plain_words_find_the_godot_tool_among_the_first_three(caller: Caller, project: Path, query: str) -> None:
    (project / "project.godot").write_text("config_version=5\n")
    caller.runtime.refresh_engines()
    names: dict[tuple[str, str | None], str] = {
        op.action or (op.flat_name, None): op.flat_name for op in caller.runtime.registry.operations.values()
    }
    found = [names[hit.tool, hit.action] for hit in await search(caller, query, limit=3)]
    assert not GODOT_QUERIES[query].isdisjoint(found), found


@pytest.mark.parametrize(
    ("engine", "query", "wanted"),
    [
        *((engine, "overview of the project", {"overview"}) for engine in ("godot", "roblox", "unity")),
        ("unity", "move an object", {"scene_transform_set"}),
        ("unity", "move a GameObject", {"scene_transform_set"}),
        ("unity", "create a C# script", {"write_file"}),
        ("roblox", "insert a part", {"roblox_instance_create"}),
        ("roblox", "change a part's color", {"roblox_instance_set_property"}),
        ("roblox", "make a gui button", {"roblox_instance_create"}),
        ("godot", "create a C# script", {"write_script", "write_file"}),
        ("godot", "share one material between two nodes", {"apply_scene"}),
        ("godot", "compile a compute shader", {"import_assets", "write_file"}),
    ],
)
async def test_plain_words_find_the_tool_of_each_engine(
    engine: str, query: str, wanted: set[str], make_caller: MakeCaller, tmp_path: Path
) -> None:
    marker = {"godot": "project.godot", "roblox": "default.project.json", "unity": "ProjectSettings/ProjectVersion.txt"}
    (tmp_path / "game" / marker[engine]).parent.mkdir(parents=True)
    (tmp_path / "game" / marker[engine]).write_text("")
    (tmp_path / "game" / "Assets").mkdir()
    caller = make_caller(project=tmp_path / "game")
    registry = caller.runtime.registry
    names = [
        registry.actions[hit.tool][hit.action].flat_name if hit.action else hit.tool
        for hit in await search(caller, query, limit=3)
    ]
    assert not wanted.isdisjoint(names), names


async def test_a_hit_shows_the_call_and_what_it_does(caller: Caller) -> None:
    (hit,) = await search(caller, "delete a file", limit=1)
    assert hit.call == "delete(path)"
    assert hit.summary.startswith("Deletes a file")
    assert hit.safety_level == "safe-write"
    assert hit.input_schema is None


async def test_the_first_hit_shows_what_is_inside_of_its_lists(caller: Caller) -> None:
    first, second = await search(caller, "state machine for animations", limit=2)
    assert "states:[{name,animation" in first.call
    assert "[{" not in second.call


async def test_the_call_of_a_hit_works_as_shown(caller: Caller, project: Path) -> None:
    (hit,) = await search(caller, "read file", limit=1)
    (project / "a.txt").write_text("one")
    assert (await caller.run(hit.tool, {"action": hit.action, "path": "a.txt"})).ok


async def test_five_hits_are_given_or_as_many_as_asked_for(caller: Caller) -> None:
    assert len(await search(caller, "file change project tool")) == 5
    assert len(await search(caller, "file change project tool", limit=2)) == 2
    assert len(await search(caller, "file change project tool", limit=25)) > 5


@pytest.mark.parametrize("given", [{"limit": 0}, {"limit": 26}, {"query": ""}, {"query": "x" * 401}, {"context": 5}])
async def test_what_is_no_query_is_invalid(caller: Caller, given: dict[str, Any]) -> None:
    assert fault_of(await caller.run("tool_search", {"query": "undo", **given})).kind == "invalid"


async def test_schemas_come_where_they_are_asked_for(caller: Caller) -> None:
    hits = await search(caller, "delete a file", includeSchemas=True)
    assert all(hit.input_schema is not None for hit in hits)
    assert hits[0].input_schema is not None
    assert list(hits[0].input_schema["properties"]) == ["path"]


@pytest.mark.parametrize(
    ("context", "live_first"),
    [
        (None, True),
        ({}, True),
        ({"editorConnected": True}, True),
        ({"editorConnected": False}, False),
        ({"headlessPreferred": False}, True),
        ({"headlessPreferred": True}, False),
        ({"editorConnected": True, "headlessPreferred": True}, False),
    ],
)
async def test_what_needs_an_editor_comes_last_where_there_is_none(
    make_caller: MakeCaller, context: Any, live_first: bool
) -> None:
    live = frobnicate(id="test.frobnicate_a", name="Frobnicate", requires_bridge=True)
    headless = frobnicate(id="test.frobnicate_b", name="Frobnicate")
    hits = await search(make_caller(live, headless), "frobnicate", context=context)
    order = [hit.tool for hit in hits]
    assert order == sorted(order, reverse=not live_first)
    assert len(order) == 2


async def test_only_the_tools_of_the_named_projects_engines_are_found(tmp_path: Path) -> None:
    games = {}
    for engine, marker in (("godot", "project.godot"), ("roblox", "default.project.json")):
        games[engine] = tmp_path / engine
        games[engine].mkdir()
        (games[engine] / marker).write_text("")
    parts = [Catalogue(engine=engine, operations=(frobnicate(id=f"{engine.name}.frobnicate"),)) for engine in ENGINES]
    runtime = Runtime(Config(project=tmp_path), build_registry([CATALOGUE, *parts]), server_version=__version__)
    caller = Caller(runtime)
    try:
        everywhere = {hit.tool for hit in await search(caller, "frobnicate")}
        assert everywhere == {"godot_frobnicate", "roblox_frobnicate", "unity_frobnicate"}
        for engine, game in games.items():
            hits = await search(caller, "frobnicate", context={"projectPath": str(game)})
            assert [hit.tool for hit in hits] == [f"{engine}_frobnicate"]
        request = Request(tool="tool_search", arguments={"query": "undo", "context": {"projectPath": "nowhere"}})
        assert fault_of(await runtime.run(request)).kind == "not_found"
    finally:
        runtime.close()


async def test_what_cannot_be_called_is_not_found(make_caller: MakeCaller) -> None:
    caller = make_caller(frobnicate(tier=Tier.TIER2), read_only=True, tier=Tier.TIER1)
    assert await search(caller, "frobnicate") == []
    hits = await search(caller, "delete write undo read file", limit=25)
    assert {hit.safety_level for hit in hits} == {"read-only"}
    assert await search(make_caller(frobnicate(tier=Tier.TIER2)), "frobnicate")


async def test_nothing_is_found_without_an_error(caller: Caller) -> None:
    assert await search(caller, "zzzzqqqq") == []


@pytest.mark.parametrize(
    "name",
    [
        "delete_file",
        "project.file.delete",
        "project_file_delete",
        "project_file_manager delete",
        "project_file_manager.delete",
    ],
)
async def test_help_for_an_operation_shows_how_to_call_it(caller: Caller, name: str) -> None:
    shown = await explain(caller, name)
    assert (shown.tool, shown.action, shown.id) == ("project_file_manager", "delete", "project.file.delete")
    assert shown.call == "delete(path)"
    assert shown.safety_level == "safe-write"
    assert shown.parameters == {"path": "Path from the project's root."}
    assert shown.example is not None
    assert shown.actions is None
    assert (shown.input_schema, shown.output_schema) == (None, None)


async def test_help_has_schemas_where_they_are_asked_for(caller: Caller) -> None:
    shown = await explain(caller, "delete_file", includeSchemas=True)
    assert shown.input_schema is not None
    assert list(shown.input_schema["properties"]) == ["path"]
    assert shown.output_schema is not None


async def test_help_for_several_is_that_for_each(caller: Caller) -> None:
    outcome = await caller.run("tool_help", {"tools": ["godot_scene_manager probe", "read_file", "history"]})
    helps = outcome.call.output.helps
    assert [(each["tool"], each.get("action")) for each in helps] == [
        ("godot_scene_manager", "probe"),
        ("project_file_manager", "read"),
        ("history", None),
    ]
    alone = to_wire(await explain(caller, "read_file"))
    left_out = ("id", "safetyLevel", "also", "call")
    assert helps[1] == {name: each for name, each in alone.items() if name not in left_out} | {"call": "as listed"}


async def test_help_for_several_says_nothing_twice(caller: Caller) -> None:
    tools = ["create_shader", "create_shader_material", "create_audio_bus", "add_audio_effect", "read_file"]
    helps = (await caller.run("tool_help", {"tools": tools})).call.output.helps
    texts = [text for each in helps for text in each.get("parameters", {}).values()]
    assert len(texts) == len(set(texts))
    alone = [to_wire(await explain(caller, tool)) for tool in tools]
    assert len(msgspec.json.encode(helps)) < 0.9 * len(msgspec.json.encode(alone))
    assert [each["call"] for each in helps[:-1]] == [each["call"] for each in alone[:-1]]


async def test_help_leaves_out_what_a_parameters_name_says(caller: Caller) -> None:
    parameters = (await explain(caller, "create_audio_bus")).parameters
    assert parameters is not None
    assert "solo" not in parameters
    assert parameters["volume"].startswith("Volume in decibels")


@pytest.mark.parametrize(
    ("given", "path"),
    [({}, "input.tool"), ({"tools": ["history", "read_file"], "toolAction": "list"}, "input.toolAction")],
)
async def test_help_that_names_no_tool_is_invalid(caller: Caller, given: dict[str, Any], path: str) -> None:
    fault = fault_of(await caller.run("tool_help", given))
    assert isinstance(fault, Invalid)
    assert fault.path == path


async def test_help_names_tools_as_the_listing_does(make_caller: MakeCaller) -> None:
    for toolset, name in (("compact", "as in godot_animation_manager add}"), ("full", "as in add_animation}")):
        assert name in str((await explain(make_caller(toolset=toolset), "apply_scene")).call)


async def test_help_shows_what_is_inside_of_values(caller: Caller) -> None:
    shown = await explain(caller, "batch_operations")
    assert shown.call == "batch_operations(operations:[{tool,args?:{},id?}],stopOnError?=true,atomic?:bool)"
    assert shown.parameters is not None
    assert shown.parameters["operations.args"].startswith("Its arguments")


async def test_help_is_short_for_nine_operations_of_ten(caller: Caller) -> None:
    operations = list(caller.runtime.registry.operations)
    sizes = {name: len(msgspec.json.encode(to_wire(await explain(caller, name)))) for name in operations}
    long = [name for name, size in sizes.items() if size > BRIEF]
    assert len(operations) > 300
    assert len(long) < len(operations) / 10, long
    assert max(sizes.values()) < 4_000


async def test_help_shows_the_other_names_of_parameters(caller: Caller) -> None:
    assert (await explain(caller, "list_scenes")).also == {"directory": "folder"}
    assert (await explain(caller, "delete_file")).also is None


async def test_help_for_a_manager_lists_its_actions(caller: Caller) -> None:
    shown = await explain(caller, "history")
    assert shown.actions is not None
    assert [action.call.partition("(")[0] for action in shown.actions] == ["list", "show", "undo", "undo_to"]
    assert all(action.summary for action in shown.actions)
    assert shown.input_schema is None


async def test_help_for_a_manager_lists_no_action_that_is_ruled_out(make_caller: MakeCaller) -> None:
    shown = await explain(make_caller(read_only=True), "history")
    assert shown.actions is not None
    assert [action.call.partition("(")[0] for action in shown.actions] == ["list", "show"]


async def test_help_for_one_action_is_that_of_its_operation(caller: Caller) -> None:
    assert await explain(caller, "history", toolAction="undo") == await explain(caller, "history.undo")


@pytest.mark.parametrize(
    ("given", "hint"),
    [
        ({"tool": "histroy"}, "'history'"),
        ({"tool": "history", "toolAction": "lst"}, "'list'"),
        ({"tool": "history", "toolAction": "zzzzz"}, "undo_to"),
        ({"tool": "read_file", "toolAction": "read"}, "Leave toolAction out"),
    ],
)
async def test_help_for_nothing_says_what_was_probably_meant(caller: Caller, given: dict[str, Any], hint: str) -> None:
    fault = fault_of(await caller.run("tool_help", given, client=FakeClient()))
    assert fault.kind == "not_found"
    assert hint in str(fault.hint)


async def test_tools_of_other_engines_come_after_those_of_the_projects_own(caller: Caller, project: Path) -> None:
    (project / "project.godot").write_text("config_version=5\n")
    caller.runtime.refresh_engines()
    registry = caller.runtime.registry
    engine_of: dict[tuple[str, str | None], Engine | None] = {
        op.action or (op.flat_name, None): registry.engine_of[op.id] for op in registry.operations.values()
    }
    engines = [engine_of[hit.tool, hit.action] for hit in await search(caller, "camera shake", limit=25)]
    foreign = [engine is not None and engine.name != "godot" for engine in engines]
    assert foreign == sorted(foreign)
    assert True in foreign


async def test_a_search_without_a_hit_says_what_to_do(caller: Caller) -> None:
    outcome = await caller.run("tool_search", {"query": "xylophone"})
    assert outcome.ok
    assert "script" in outcome.call.warnings[0]
