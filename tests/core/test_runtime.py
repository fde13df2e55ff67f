"""How a call is begun, ended and recorded, and which projects it may be about."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import anyio
import pytest
from tests.conftest import Caller, MakeCaller
from tests.core.samples import Done, Named, fault_of, sample

from scenewright.core.calls.call import Call
from scenewright.core.faults import Unsupported
from scenewright.core.operations.declaration import Safety

pytestmark = pytest.mark.anyio

WRITE: dict[str, Any] = {"safety": Safety.SAFE_WRITE, "inputs": Named}


def audited(caller: Caller) -> list[dict[str, Any]]:
    return caller.runtime.state.audit.tail(100)


async def test_a_call_is_in_the_run_log_and_in_the_audit(caller: Caller) -> None:
    meta = {"actor": "me", "correlationId": "c-1"}
    outcome = await caller.run("write_file", {"path": "a.txt", "content": "one\n"}, meta=meta)
    assert outcome.call.run is not None
    run = caller.runtime.runs.find(outcome.call.run.run_id)
    assert run is not None
    assert (run["status"], run["name"], run["actor"]) == ("succeeded", "project.file.write", "me")
    assert run["diffSummary"].startswith("1 file changed")
    (record,) = audited(caller)
    assert record["ok"] is True
    assert (record["tool"], record["operation"]) == ("write_file", "project.file.write")
    assert (record["correlationId"], record["actor"], record["entry"]) == ("c-1", "me", 1)


async def test_a_call_that_failed_is_recorded_with_its_code(caller: Caller) -> None:
    outcome = await caller.run("read_file", {"path": "a.txt"})
    assert outcome.call.run is not None
    run = caller.runtime.runs.find(outcome.call.run.run_id)
    assert run is not None
    assert (run["status"], run["errorCode"]) == ("failed", "NOT_FOUND")
    assert audited(caller)[0]["error"]["code"] == "E_NOT_FOUND"


async def test_a_call_that_never_began_is_audited_and_is_no_run(caller: Caller) -> None:
    for tool in ("nope", "read_file"):
        assert (await caller.run(tool, {"x": 1})).call.run is None
    assert [record["operation"] for record in audited(caller)] == [None, "project.file.read"]
    assert caller.runtime.runs.recent() == []


async def test_the_audit_leaves_out_arguments_that_were_too_much(make_caller: MakeCaller) -> None:
    caller = make_caller(max_payload_bytes=100)
    for tool, arguments in (
        ("read_file", {"path": "x" * 200}),
        ("nope", {"number": 10**400}),
        ("nope", {"half": "\ud800"}),
    ):
        assert not (await caller.run(tool, arguments)).ok
    assert [list(record["args"]) for record in audited(caller)] == [["omitted"]] * 3
    assert caller.runtime.state.audit.verify().intact


async def test_a_cancelled_call_is_recorded_as_such_and_writes_nothing(make_caller: MakeCaller, project: Path) -> None:
    started = anyio.Event()

    async def handler(call: Call, inputs: Any) -> Done:
        call.files.write("late.txt", b"")
        started.set()
        await anyio.sleep_forever()
        raise AssertionError

    caller = make_caller(sample(handler, **WRITE))
    with anyio.fail_after(30):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(caller.run, "test.sample")
            await started.wait()
            tasks.cancel_scope.cancel()
    (run,) = caller.runtime.runs.recent()
    assert run["status"] == "canceled"
    (record,) = audited(caller)
    assert (record["ok"], record["summary"]) == (False, "The client cancelled the call.")
    assert not (project / "late.txt").exists()
    assert (await caller.run("core.ping")).ok


async def test_an_audit_log_that_cannot_be_written_does_not_change_the_reply(
    caller: Caller, project: Path, caplog: pytest.LogCaptureFixture
) -> None:
    await caller.run("core.ping")
    log = caller.runtime.state.audit.path
    log.unlink()
    log.mkdir()
    with caplog.at_level(logging.ERROR):
        outcome = await caller.run("write_file", {"path": "a.txt", "content": "one"})
    assert outcome.ok
    assert (project / "a.txt").exists()
    assert "audit: a record was not written" in caplog.text


async def test_a_fault_that_names_a_file_oddly_is_recorded_all_the_same(make_caller: MakeCaller) -> None:
    async def handler(call: Call, inputs: Any) -> Done:
        raise Unsupported("caf\udce9.txt is not for us")

    caller = make_caller(sample(handler))
    reply = await caller.reply("test.sample")
    assert reply.structured is not None
    assert reply.structured["error"]["code"] == "E_UNSUPPORTED"
    (run,) = caller.runtime.runs.recent()
    assert run["errorMessage"].startswith("caf?")


async def test_who_listens_is_told_of_each_run(caller: Caller) -> None:
    told: list[str] = []
    caller.runtime.on_change.append(told.append)
    outcome = await caller.run("core.ping")
    assert outcome.call.run is not None
    assert told == ["gox://runs", f"gox://runs/{outcome.call.run.run_id}"]


async def test_a_folder_of_no_engine_outside_the_project_is_denied(caller: Caller, tmp_path: Path) -> None:
    outside = tmp_path / "elsewhere"
    outside.mkdir()
    fault = fault_of(await caller.run("read_file", {"path": "a.txt", "projectPath": str(outside)}))
    assert fault.kind == "denied"
    assert list(outside.iterdir()) == []


async def test_a_project_of_a_known_engine_may_be_anywhere_in_the_roots(
    make_caller: MakeCaller, tmp_path: Path
) -> None:
    caller = make_caller(roots=(tmp_path,))
    game = tmp_path / "game"
    game.mkdir()
    (game / "project.godot").write_text("config_version=5\n")
    outcome = await caller.run("write_file", {"path": "a.txt", "content": "", "projectPath": str(game)})
    assert outcome.ok
    assert (game / "a.txt").exists()
    assert (game / ".godot_mcp" / "audit.log").exists()
    assert outcome.call.run is not None
    assert caller.runtime.runs.find(outcome.call.run.run_id) is None
    assert caller.runtime.find_run(outcome.call.run.run_id) is not None


async def test_a_working_folder_that_is_no_project_gets_no_records(
    make_caller: MakeCaller, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "any"
    folder.mkdir()
    monkeypatch.chdir(folder)
    caller = make_caller(project=None)
    assert not caller.runtime.has_project
    assert (await caller.run("core.ping")).ok
    assert list(folder.iterdir()) == []


async def test_an_engine_that_appears_is_noticed(caller: Caller, project: Path) -> None:
    assert caller.runtime.refresh_engines() is False
    (project / "project.godot").write_text("config_version=5\n")
    assert caller.runtime.refresh_engines() is True
    assert [engine.name for engine in caller.runtime.state.engines] == ["godot"]
    assert caller.runtime.refresh_engines() is False
