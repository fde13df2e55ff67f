"""Every Godot operation that reads: what it tells of a project's files is what the real engine has of them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import anyio
import pytest
from tests.godot.engine import Reply, make_project, run_jobs
from tests.godot.operations.readings import CALLS, FILES, READINGS
from tests.godot.operations.readings import ENGINE as FURTHER
from tests.godot.operations.test_every_write_in_the_engine import ENGINE

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
    "add_breakpoint": "live/test_workplace.py",
    "auto_import_check": "engines/test_importing.py",
    "debug_resume": "engines/test_running.py",
    "editor_status": "live/test_workplace.py",
    "eval_restricted": "engines/test_evaluating.py",
    "find_panels": "live/test_workplace.py",
    "focus_node": "live/test_workplace.py",
    "get_debug_output": "engines/test_running.py",
    "get_debug_state": "engines/test_running.py",
    "get_debug_stream_status": "engines/test_streams.py",
    "get_editor_state": "live/test_workplace.py",
    "get_godot_version": "engines/test_running.py",
    "get_recent_errors": "engines/test_running.py",
    "get_script_errors": "engines/test_script_checks.py",
    "get_tiles": "operations/test_tilemaps.py",
    "get_uid": "operations/test_uids.py",
    "godot_capture_game": "protocol/test_through_the_server.py",
    "godot_capture_viewport": "protocol/test_through_the_server.py",
    "godot_connect": "live/test_tools.py",
    "godot_get_editor_log": "live/test_parameters.py",
    "godot_get_errors": "live/test_parameters.py",
    "godot_get_node": "live/test_tools.py",
    "godot_get_scene": "live/test_tools.py",
    "godot_get_selected": "live/test_parameters.py",
    "godot_inspect": "live/test_workplace.py",
    "godot_preflight": "engines/test_doctor.py",
    "inspect_image": "engines/test_drawings.py",
    "list_open_scripts": "live/test_workplace.py",
    "open_scene": "live/test_workplace.py",
    "play_animation": "live/test_playing.py",
    "play_audio": "live/test_playing.py",
    "probe_scene": "engines/test_probing.py",
    "read_panel": "live/test_workplace.py",
    "read_tileset": "operations/test_tilesets.py",
    "resolve_uid": "operations/test_uids.py",
    "restart_project": "engines/test_running.py",
    "run_project": "engines/test_running.py",
    "scene_picture": "engines/test_probing.py",
    "seek_animation": "live/test_playing.py",
    "select_nodes": "live/test_workplace.py",
    "set_breakpoint": "engines/test_running.py",
    "show_script": "live/test_parameters.py",
    "smoke_test": "engines/test_running.py",
    "start_debug_stream": "engines/test_streams.py",
    "stop_animation": "live/test_playing.py",
    "stop_audio": "live/test_playing.py",
    "stop_debug_stream": "engines/test_streams.py",
    "stop_project": "engines/test_running.py",
    "switch_screen": "live/test_workplace.py",
    "tail_editor_log": "live/test_parameters.py",
    "validate_conversion_3to4": "engines/test_converting.py",
    "validate_project": "engines/test_loading.py",
    "validate_scene": "engines/test_loading.py",
}
# What no engine knows: our own texts, and which projects lie in a folder.
OURS = {"get_guidelines_section", "list_projects", "search_guidelines"}


def test_every_operation_that_reads_is_compared_with_the_engine() -> None:
    reading = {each.flat_name: each for each in CATALOGUE.operations if not each.writes}
    assert set(reading) == set(READINGS) | set(ELSEWHERE) | OURS
    for tool, place in ELSEWHERE.items():
        text = (Path(__file__).parents[1] / place).read_text(encoding="utf-8")
        action = reading[tool].action
        assert f'"{tool}"' in text or (action is not None and f'action="{action[1]}"' in text)
