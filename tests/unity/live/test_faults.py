"""What an editor does to its clients: it loads scripts anew, restarts, forgets jobs, shows dialogs, talks nonsense."""

from __future__ import annotations

import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import anyio
import pytest
from tests.conftest import Caller, MakeCaller
from tests.unity.live.conftest import come_back_when_waited_for, pipeline_of
from tests.unity.live.pipeline_double import UnityDouble
from tests.unity.operations.changed_copies import done, refused

from scenewright.core.faults import Conflict, NotConnected
from scenewright.unity.live import intents
from scenewright.unity.live.pipeline import Pipeline
from scenewright.unity.live.wire import ConnectionFailed, Question, exchange

pytestmark = pytest.mark.anyio


async def test_a_reload_is_waited_out(caller: Caller, editor: UnityDouble) -> None:
    waits = come_back_when_waited_for(pipeline_of(caller), editor)
    assert (await caller.reply("unity.editor.console")).structured
    editor.go_away()
    assert (await caller.reply("unity.editor.console")).structured
    assert len(waits) >= 2


async def test_an_editor_that_stays_away_is_given_up(caller: Caller, editor: UnityDouble) -> None:
    pipeline = pipeline_of(caller)
    await pipeline.status()
    pipeline.patience = 0.0
    editor.go_away()
    editor.advertise()
    with pytest.raises(NotConnected, match="out of reach"):
        await pipeline.status()


async def test_an_editor_that_was_closed_is_not_waited_for(caller: Caller, editor: UnityDouble) -> None:
    """Its file has gone with it, and so has its process."""
    pipeline = pipeline_of(caller)
    waits = come_back_when_waited_for(pipeline, editor)
    await pipeline.status()
    pipeline._proven = (2**22 + 1, editor.port)  # no process has such a number
    editor.stop()
    with pytest.raises(NotConnected):
        await pipeline.status()
    assert waits == []


async def test_another_token_after_a_restart_is_read_anew(caller: Caller, editor: UnityDouble) -> None:
    pipeline = pipeline_of(caller)
    await pipeline.commands()

    async def pause(seconds: float) -> None:
        editor.advertise()

    pipeline.pause = pause
    editor.token = "another-token-of-this-editor"  # the file has the old one until the editor writes it again
    assert (await pipeline.status())["status"] == "ready"


async def test_a_token_that_stays_wrong_is_said(caller: Caller, editor: UnityDouble) -> None:
    pipeline = pipeline_of(caller)
    come_back_when_waited_for(pipeline, editor)
    editor.advertise(evalToken="a-token-that-is-not-the-editors")
    with pytest.raises(NotConnected, match="refuses the token"):
        await pipeline.status()


async def test_commands_that_are_called_otherwise_are_found_again(caller: Caller, editor: UnityDouble) -> None:
    await done(caller, "unity.editor.play")
    editor.names |= {"editor_stop": "editor.playmode leave", "editor_play": "editor.playmode start"}
    await done(caller, "unity.editor.stop")
    await done(caller, "unity.editor.play")
    assert editor.playing == "playing"


async def test_what_is_not_clear_is_not_guessed(caller: Caller, editor: UnityDouble) -> None:
    editor.names |= {"editor_stop": "editor.playmode leave", "eval_file": "game.playmode leave"}
    editor.playing = "playing"
    assert "no command to leave play mode" in await refused(caller, "unity.editor.stop")


async def test_a_command_that_a_version_lacks_is_unsupported(caller: Caller, editor: UnityDouble) -> None:
    editor.without.add("capture_scene_view")
    text = await refused(caller, "unity.editor.capture", view="scene")
    assert "no command to take a picture of the scene view" in text
    assert "command.list" in text


async def test_tests_that_a_reload_took_the_job_of_are_looked_after(caller: Caller, editor: UnityDouble) -> None:
    """As tests in play mode do."""
    pipeline = pipeline_of(caller)
    reports: list[dict[str, Any]] = [
        {"status": "running"},
        {"status": "completed", "summary": {"total": 3, "failed": 0}},
    ]

    async def pause(seconds: float) -> None:
        editor.jobs.clear()
        editor.results["test_status"] = reports.pop(0) if reports else editor.results["test_status"]

    pipeline.pause = pause
    assert (await done(caller, "unity.editor.tests", mode="playmode"))["total"] == 3
    assert editor.asked.count("exec test_status") == 2


async def test_a_job_that_a_reload_lost_has_an_unknown_outcome(caller: Caller, editor: UnityDouble) -> None:
    editor.without.add("test_status")
    pipeline = pipeline_of(caller)

    async def pause(seconds: float) -> None:
        editor.jobs.clear()

    pipeline.pause = pause
    outcome = await caller.run("unity.editor.tests")
    assert isinstance(outcome.fault, Conflict)
    assert outcome.fault.details["outcome"] == "unknown"
    assert not outcome.fault.retryable


async def test_a_cancelled_call_cancels_its_job(caller: Caller, editor: UnityDouble) -> None:
    editor.job_steps = 10**6
    with anyio.CancelScope() as scope:

        async def pause(seconds: float) -> None:
            scope.cancel()
            await anyio.lowlevel.checkpoint()

        pipeline_of(caller).pause = pause
        await caller.run("unity.editor.tests")
    assert editor.cancelled == ["job-1"]


async def test_an_answer_that_never_came_is_not_asked_for_again(caller: Caller, editor: UnityDouble) -> None:
    editor.breaks_off_on.add("editor_play")
    outcome = await caller.run("unity.editor.play")
    assert outcome.fault is not None
    assert outcome.fault.details["outcome"] == "unknown"
    assert editor.asked.count("exec editor_play") == 1


async def test_a_look_that_broke_off_is_taken_again(caller: Caller, editor: UnityDouble) -> None:
    editor.breaks_off_on.add("console")
    pipeline = pipeline_of(caller)

    async def pause(seconds: float) -> None:
        editor.breaks_off_on.clear()

    pipeline.pause = pause
    assert (await caller.reply("unity.editor.console")).structured
    assert editor.asked.count("exec console") == 2


async def test_a_dialog_is_told_and_not_waited_for(caller: Caller, editor: UnityDouble) -> None:
    editor.dialog = "Save changes before quitting?"
    waits = come_back_when_waited_for(pipeline_of(caller), editor)
    assert "Save changes before quitting?" in await refused(caller, "unity.editor.console")
    assert waits == []


async def test_an_editor_that_is_starting_is_waited_for(caller: Caller, editor: UnityDouble) -> None:
    editor.settling = 3
    waits = come_back_when_waited_for(pipeline_of(caller), editor)
    assert (await caller.reply("unity.editor.console")).structured
    assert len(waits) == 3


async def test_what_is_too_long_is_not_sent(make_caller: MakeCaller, editor: UnityDouble) -> None:
    caller = make_caller(allow_dangerous=True, max_payload_bytes=10**8)
    parameters = {"path": "x" * 1_100_000}
    text = await refused(caller, "unity.command.run", command="delete_asset", parameters=parameters)
    assert "the editor takes 1048576" in text
    assert editor.sent == []


def _endless(handler: BaseHTTPRequestHandler) -> None:
    handler.wfile.write(b"HTTP/1.1 401 No\r\nContent-Type: application/json\r\n\r\n" + b" " * 200_000)


def _redirect(handler: BaseHTTPRequestHandler) -> None:
    handler.wfile.write(b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n")


def _nonsense(handler: BaseHTTPRequestHandler) -> None:
    handler.wfile.write(b"SSH-2.0-OpenSSH_9.2\r\n\r\n")


def _deep(handler: BaseHTTPRequestHandler) -> None:
    body = b"[" * 50_000
    handler.wfile.write(b"HTTP/1.1 401 No\r\nContent-Length: %d\r\n\r\n" % len(body) + body)


@pytest.mark.parametrize("answer", [_endless, _redirect, _nonsense, _deep])
async def test_what_answers_otherwise_is_no_editor(
    answer: Callable[[BaseHTTPRequestHandler], None], caller: Caller, editor: UnityDouble
) -> None:
    editor.hostile = answer
    pipeline = pipeline_of(caller)
    come_back_when_waited_for(pipeline, editor)
    pipeline.patience = 0.0
    with pytest.raises(NotConnected):
        await pipeline.status()
    assert not any(editor.token in token for token in editor.strangers)


@pytest.mark.parametrize("result", [None, 7, "text", [], {}, {"scenes": {}}, {"scenes": [{"path": 1}]}, [[]]])
async def test_answers_of_another_form_are_refused_not_guessed(
    result: Any, caller: Caller, editor: UnityDouble
) -> None:
    names = ("get_selection", "console", "list_open_scenes", "capture_game_view", "run_tests", "recompile_status")
    editor.results = dict.fromkeys(names, result)
    come_back_when_waited_for(pipeline_of(caller), editor)
    for tool in ("editor.selection.info", "unity.editor.console", "unity.editor.capture", "unity.editor.tests"):
        outcome = await caller.run(tool)
        assert outcome.ok or outcome.fault.kind == "unsupported", (tool, outcome.fault)  # type: ignore[union-attr]


async def test_a_picture_that_is_none_is_not_shown(caller: Caller, editor: UnityDouble) -> None:
    for content in ("PGh0bWw+", "not base64", 7):
        editor.results["capture_game_view"] = {"base64": content}
        outcome = await caller.run("unity.editor.capture")
        assert outcome.fault is not None
        assert outcome.call.attachments == []


async def test_nothing_is_asked_of_an_editor_that_nobody_needs(caller: Caller, editor: UnityDouble) -> None:
    assert (await caller.reply("project.info")).structured
    assert (await caller.reply("scene.hierarchy.dump", {"scenePath": "Assets/Prefabs/Enemy.prefab"})).structured
    assert editor.asked == []


async def test_an_unknown_name_in_a_listing_costs_nothing(project: Path, editor: UnityDouble) -> None:
    pipeline = Pipeline(project)
    commands = await pipeline.commands()
    assert commands.find(intents.PLAY) is not None
    assert (await caller_free_run(pipeline)) == {"count": 0, "scenes": []}


async def caller_free_run(pipeline: Pipeline) -> Any:
    return await pipeline.run(intents.OPEN_SCENES, repeats=True)


async def test_an_answer_that_does_not_come_has_an_end(editor: UnityDouble) -> None:
    """Also where something comes now and then."""
    ended = threading.Event()

    def drip(handler: BaseHTTPRequestHandler) -> None:
        handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
        while not ended.wait(0.01):
            handler.wfile.write(b" ")

    editor.hostile = drip
    try:
        with pytest.raises(ConnectionFailed, match="no answer") as raised:
            await exchange(editor.port, "a-token", Question("GET", "/api/status", seconds=0.3))
        assert raised.value.sent
    finally:
        ended.set()


async def test_nobody_there_means_that_nothing_was_sent(editor: UnityDouble) -> None:
    editor.go_away()
    with pytest.raises(ConnectionFailed) as raised:
        await exchange(editor.port, "a-token", Question("GET", "/api/status"))
    assert not raised.value.sent
