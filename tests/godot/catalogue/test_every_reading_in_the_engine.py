"""Every Godot operation that reads: what it tells of a project's files is what the real engine has of them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import anyio
import pytest
from tests.godot.catalogue.readings import CALLS, FILES, READINGS
from tests.godot.catalogue.readings import ENGINE as FURTHER
from tests.godot.catalogue.test_every_write_in_the_engine import ENGINE
from tests.support.gdscript_runner import Reply, make_project, run_jobs

from scenewright.app import make_runtime
from scenewright.contracts import render
from scenewright.core.calls.call import Request
from scenewright.core.config import Config
from scenewright.godot.catalogue import CATALOGUE

Answers = dict[str, tuple[Any, Reply]]


async def _told(project: Path, calls: Iterable[tuple[str, dict[str, Any]]]) -> list[Any]:
    runtime = make_runtime(Config(project=project, rate_limit=None))
    replies = []
    for tool, arguments in calls:
        reply = render(
            await runtime.run(Request(tool=tool, arguments=arguments, meta={"approved": True})), modern=False
        )
        assert reply.structured is not None
        assert reply.structured["ok"], (tool, reply.structured)
        replies.append(reply.structured["result"])
    runtime.close()
    return replies


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> Answers:
    project = make_project(tmp_path_factory.mktemp("game"), FILES)
    readings = [(tool, reading.arguments) for tool, reading in READINGS.items()]
    told = anyio.run(_told, project, [*CALLS, *readings])[len(CALLS) :]
    said = run_jobs(project, ENGINE + FURTHER, [{"asked": reading.asked} for reading in READINGS.values()])
    return {tool: (result, reply) for tool, result, reply in zip(READINGS, told, said, strict=True)}


@pytest.mark.godot
@pytest.mark.xdist_group("godot-operations")
@pytest.mark.parametrize("tool", READINGS)
def test_the_engine_has_what_is_told(answers: Answers, tool: str) -> None:
    result, reply = answers[tool]
    assert reply == Reply(READINGS[tool].told(result), [])


# What the engine or the open editor is asked itself, and what is read back there by tests of its own.
ELSEWHERE = {
    "add_breakpoint": "editor/test_open_documents.py",
    "auto_import_check": "engine/test_imports.py",
    **dict.fromkeys(
        ("complete_code", "describe_symbol", "find_definition", "find_references", "find_symbols"),
        "language",
    ),
    "debug_evaluate": "engine/debugger/test_debug_evaluation.py",
    "debug_resume": "engine/test_runs.py",
    "editor_status": "editor/test_open_documents.py",
    "eval_restricted": "engine/test_evaluation.py",
    "find_panels": "editor/test_open_documents.py",
    "focus_node": "editor/test_open_documents.py",
    "get_debug_output": "engine/test_runs.py",
    "get_debug_state": "engine/test_runs.py",
    "get_debug_stream_status": "engine/debugger/test_streams.py",
    "get_editor_state": "editor/test_open_documents.py",
    "get_godot_version": "engine/test_runs.py",
    "get_recent_errors": "engine/test_runs.py",
    "get_script_errors": "engine/test_script_errors.py",
    "get_tiles": "tiles/test_tilemaps.py",
    "get_uid": "project/test_uids.py",
    "godot_capture_game": "addon/test_through_the_server.py",
    "godot_capture_viewport": "addon/test_through_the_server.py",
    "godot_connect": "editor/test_godoty_tools.py",
    "godot_get_editor_log": "editor/test_parameters.py",
    "godot_get_errors": "editor/test_parameters.py",
    "godot_get_node": "editor/test_godoty_tools.py",
    "godot_get_scene": "editor/test_godoty_tools.py",
    "godot_get_selected": "editor/test_parameters.py",
    "godot_inspect": "editor/test_open_documents.py",
    "godot_preflight": "engine/test_doctor.py",
    "inspect_image": "engine/pictures/test_drawings.py",
    "lint_script": "language/test_script_style.py",
    "aseprite_doctor": "pixel_art/test_aseprite_program.py",
    "aseprite_version": "pixel_art/test_aseprite_program.py",
    "list_aseprite_layers": "pixel_art/test_aseprite_manager.py",
    "list_aseprite_slices": "pixel_art/test_aseprite_manager.py",
    "list_aseprite_tags": "pixel_art/test_aseprite_manager.py",
    "list_open_scripts": "editor/test_open_documents.py",
    "open_scene": "editor/test_open_documents.py",
    "pixel_goal_to_spec": "pixel_art/test_worlds.py",
    "pixel_manifest_get": "pixel_art/test_worlds.py",
    "pixel_project_analyze": "pixel_art/test_worlds.py",
    "pixel_smoke_test": "pixel_art/test_worlds_in_the_engine.py",
    "play_animation": "editor/test_playback.py",
    "play_audio": "editor/test_playback.py",
    "probe_scene": "engine/test_probes.py",
    "read_panel": "editor/test_open_documents.py",
    "read_visual_shader": "rendering/test_visual_shaders.py",
    "read_tileset": "tiles/test_tilesets.py",
    "resolve_uid": "project/test_uids.py",
    "restart_project": "engine/test_runs.py",
    "run_project": "engine/test_runs.py",
    "run_tests": "testing/test_run_tests.py",
    "scene_picture": "engine/test_probes.py",
    "compare_pictures": "engine/pictures/test_picture_comparison.py",
    "seek_animation": "editor/test_playback.py",
    "select_nodes": "editor/test_open_documents.py",
    "set_breakpoint": "engine/test_runs.py",
    "show_script": "editor/test_parameters.py",
    "smoke_test": "engine/test_runs.py",
    "start_debug_stream": "engine/debugger/test_streams.py",
    "stop_animation": "editor/test_playback.py",
    "stop_audio": "editor/test_playback.py",
    "stop_debug_stream": "engine/debugger/test_streams.py",
    "stop_project": "engine/test_runs.py",
    "switch_screen": "editor/test_open_documents.py",
    "tail_editor_log": "editor/test_parameters.py",
    "validate_conversion_3to4": "engine/test_godot3_conversion.py",
    "validate_project": "engine/test_scene_loading.py",
    "validate_scene": "engine/test_scene_loading.py",
    "suspend_game": "play/test_running_games.py",
    "wait_for_game": "play/test_running_games.py",
}
# What no engine knows: our own texts, and which projects lie in a folder.
OURS = {"get_guidelines_section", "list_projects", "search_guidelines"}


def test_every_operation_that_reads_is_compared_with_the_engine() -> None:
    reading = {each.flat_name: each for each in CATALOGUE.operations if not each.writes}
    played = {tool: "play" for tool in reading if tool.startswith("play_") and tool not in ELSEWHERE}
    assert set(reading) == set(READINGS) | set(ELSEWHERE) | set(played) | OURS
    for tool, place in {**ELSEWHERE, **played}.items():
        path = Path(__file__).parents[1] / place
        files = sorted(path.glob("test_*.py")) if path.is_dir() else [path]
        text = "".join(file.read_text(encoding="utf-8") for file in files)
        action = reading[tool].action
        assert f'"{tool}"' in text or (action is not None and f'action="{action[1]}"' in text)
