"""The steps of every call: which comes first, and what each does."""

from __future__ import annotations

import logging
import threading
from pathlib import Path
from typing import Any

import anyio
import pytest
from tests.conftest import Caller, MakeCaller
from tests.core.samples import Done, FakeClient, Named, fault_of, sample, write_new

from scenewright.core.calls.call import Call
from scenewright.core.calls.pipeline import STEPS
from scenewright.core.calls.rate_limit import RateLimit
from scenewright.core.faults import Invalid
from scenewright.core.operations.declaration import Safety

pytestmark = pytest.mark.anyio

DELETE = "delete_file"
WRITE = {"safety": Safety.SAFE_WRITE, "inputs": Named}


def test_the_steps_come_in_this_order() -> None:
    assert [step.__name__ for step in STEPS] == [
        "resolve",
        "read_metadata",
        "guard_payload",
        "limit_rate",
        "translate",
        "find_project",
        "complete",
        "validate",
        "gate",
        "approve",
        "permit",
        "dry_run",
        "replay_if_done",
        "attach_editor",
        "execute",
        "check_encodable",
        "confirm",
        "journal",
        "follow_up",
    ]


@pytest.mark.parametrize(
    ("tool", "arguments", "meta", "kind", "said"),
    [
        ("nope", {"x": "y" * 2000}, {"actor": 5}, "not_found", "no tool 'nope'"),
        ("delete_file", {"x": "y" * 2000}, {"actor": 5}, "invalid", "'actor' must be"),
        ("delete_file", {"x": "y" * 2000}, None, "invalid", "at most 1,000"),
        ("delete_file", {"projectPath": "nowhere", "x": 1}, None, "rate_limited", "Too many calls"),
    ],
)
async def test_of_two_faults_the_earlier_step_reports_its_own(
    make_caller: MakeCaller, tool: str, arguments: dict[str, Any], meta: Any, kind: str, said: str
) -> None:
    caller = make_caller(max_payload_bytes=1000, rate_limit=RateLimit(1, 0.001), read_only=True)
    await caller.run("core.ping")
    fault = fault_of(await caller.run(tool, arguments, meta=meta))
    assert fault.kind == kind
    assert said in fault.message


@pytest.mark.parametrize(
    ("arguments", "kind", "said"),
    [
        ({"projectPath": "nowhere", "x": 1}, "not_found", "no folder"),
        ({"x": 1}, "invalid", "not a parameter"),
        ({"path": "a.txt"}, "denied", "read-only"),
    ],
)
async def test_the_gates_come_after_the_arguments_and_before_the_approval(
    make_caller: MakeCaller, arguments: dict[str, Any], kind: str, said: str
) -> None:
    client = FakeClient(True)
    fault = fault_of(await make_caller(read_only=True).run(DELETE, arguments, client=client))
    assert fault.kind == kind
    assert said in fault.message
    assert client.questions == []


@pytest.mark.parametrize("meta", [{"actor": 5}, {"correlationId": "x" * 201}, {"dryRun": "perhaps"}, {"approved": []}])
async def test_bad_metadata_is_answered_in_the_tools_own_contract(caller: Caller, meta: dict[str, Any]) -> None:
    enveloped = await caller.reply("read_file", {"path": "a.txt"}, meta=meta)
    assert enveloped.structured is not None
    assert enveloped.structured["error"]["code"] == "E_SCHEMA_VALIDATION"
    assert enveloped.structured["error"]["details"]["path"] == f"_meta.{next(iter(meta))}"
    assert (await caller.reply("core.ping", {}, meta=meta)).error is not None


async def test_a_refused_call_keeps_its_correlation_id(caller: Caller) -> None:
    for tool, meta in (("nope", {}), ("read_file", {"actor": 5})):
        outcome = await caller.run(tool, {}, meta=meta | {"correlationId": "mine"})
        assert outcome.call.meta.correlation_id == "mine"


@pytest.mark.parametrize(
    ("arguments", "meta"),
    [
        ({"dryRun": True}, None),
        ({"dryRun": "Yes"}, None),
        ({"dry_run": True}, None),
        ({}, {"dryRun": True}),
        ({}, {"dryRun": "on"}),
        ({"dryRun": False}, {"dryRun": "true"}),
    ],
)
async def test_a_dry_run_shows_the_diff_and_writes_nothing(
    caller: Caller, project: Path, arguments: dict[str, Any], meta: Any
) -> None:
    given = {"path": "a.txt", "content": "one\n", **arguments}
    outcome = await caller.run("write_file", given, meta=meta)
    assert outcome.ok
    assert outcome.diff is not None
    assert "+one" in outcome.diff.entries[0]
    assert outcome.summary.startswith("Dry run")
    assert outcome.call.entry is None
    assert not (project / "a.txt").exists()


@pytest.mark.parametrize("value", ["maybe", 1, [], {}, 0.0])
async def test_a_dry_run_that_is_neither_true_nor_false_is_invalid(caller: Caller, project: Path, value: Any) -> None:
    fault = fault_of(await caller.run("write_file", {"path": "a.txt", "content": "", "dryRun": value}))
    assert isinstance(fault, Invalid)
    assert fault.path == "input.dryRun"
    assert not (project / "a.txt").exists()


async def test_a_destructive_dry_run_needs_no_approval(caller: Caller, project: Path) -> None:
    (project / "a.txt").write_text("one\n")
    client = FakeClient(False)
    outcome = await caller.run(DELETE, {"path": "a.txt", "dryRun": True}, client=client)
    assert outcome.diff is not None
    assert "-one" in outcome.diff.entries[0]
    assert (project / "a.txt").exists()
    assert client.questions == []


async def test_a_dry_run_of_what_cannot_be_tried_is_refused_before_it_runs(make_caller: MakeCaller) -> None:
    ran: list[Call] = []

    async def handler(call: Call, inputs: Any) -> Done:
        ran.append(call)
        return Done()

    writing = sample(handler, transactional=False, **WRITE)
    reading = sample(handler, id="test.reading", transactional=False)
    caller = make_caller(writing, reading)
    assert fault_of(await caller.run("test.sample", {"dryRun": True})).kind == "unsupported"
    assert ran == []
    assert (await caller.run("test.reading", {"dryRun": True})).ok
    assert (await caller.run("test.sample")).ok


async def test_a_slow_async_handler_is_stopped(make_caller: MakeCaller, project: Path) -> None:
    async def handler(call: Call, inputs: Any) -> Done:
        call.files.write("late.txt", b"")
        await anyio.sleep_forever()
        raise AssertionError

    caller = make_caller(sample(handler, timeout=0.05, **WRITE))
    fault = fault_of(await caller.run("test.sample"))
    assert fault.kind == "timed_out"
    assert "0.05 s" in fault.message
    assert fault.retryable
    assert not (project / "late.txt").exists()
    assert (await caller.run("core.ping")).ok


async def test_a_call_that_is_stopped_says_what_its_parts_have_written(make_caller: MakeCaller) -> None:
    async def handler(call: Call, inputs: Any) -> Done:
        call.written += [3, 4]  # as the pipeline does for each part that commits
        await anyio.sleep_forever()
        raise AssertionError

    fault = fault_of(await make_caller(sample(handler, timeout=0.05)).run("test.sample"))
    assert fault.message.endswith("what its parts had written before stays, as history entries 3, 4.")


async def test_what_an_abandoned_thread_does_later_is_not_even_staged(make_caller: MakeCaller, project: Path) -> None:
    go_on, finished = threading.Event(), threading.Event()

    def handler(call: Call, inputs: Any) -> Done:
        go_on.wait(30)
        try:
            call.files.write("late.txt", b"late")
        finally:
            finished.set()
        return Done()

    caller = make_caller(sample(handler, timeout=0.05, **WRITE))
    outcome = await caller.run("test.sample")
    assert fault_of(outcome).kind == "timed_out"
    go_on.set()
    assert await anyio.to_thread.run_sync(finished.wait, 30)
    assert (await caller.run("write_file", {"path": "a.txt", "content": "one"})).ok
    assert outcome.call.changes is not None
    assert not outcome.call.changes.changes()
    assert not (project / "late.txt").exists()
    assert (await caller.run("history.list")).call.output.entries[0].files == ["created a.txt"]


async def test_a_timeout_of_the_handlers_own_is_not_taken_for_ours(make_caller: MakeCaller) -> None:
    async def handler(call: Call, inputs: Any) -> Done:
        raise TimeoutError("a socket")

    assert fault_of(await make_caller(sample(handler)).run("test.sample")).kind == "internal"


async def test_a_plain_function_runs_beside_the_event_loop(make_caller: MakeCaller) -> None:
    def handler(call: Call, inputs: Any) -> Done:
        return Done(said=threading.current_thread().name)

    outcome = await make_caller(sample(handler)).run("test.sample")
    assert outcome.call.output.said != threading.current_thread().name


async def test_an_unexpected_failure_is_told_without_its_detail(
    make_caller: MakeCaller, project: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def handler(call: Call, inputs: Any) -> Done:
        call.files.write("half.txt", b"")
        raise RuntimeError("the detail")

    caller = make_caller(sample(handler, **WRITE))
    client = FakeClient()
    with caplog.at_level(logging.ERROR):
        reply = await caller.reply("test.sample", client=client, meta={"correlationId": "c-1"})
    assert reply.structured is not None
    assert reply.structured["error"]["code"] == "E_INTERNAL"
    assert "detail" not in reply.structured["error"]["message"]
    assert "RuntimeError" not in str(reply)
    assert "the detail" in caplog.text
    assert "c-1" in caplog.text
    assert client.logged == [("error", "test.sample: unexpected failure, c-1")]
    assert not (project / "half.txt").exists()
    assert (await caller.run("core.ping")).ok


async def test_a_client_that_cannot_be_told_does_not_change_the_reply(make_caller: MakeCaller) -> None:
    class Gone(FakeClient):
        async def log(self, level: str, message: str) -> None:
            raise anyio.BrokenResourceError

    async def handler(call: Call, inputs: Any) -> Done:
        raise RuntimeError

    outcome = await make_caller(sample(handler)).run("test.sample", client=Gone())
    assert fault_of(outcome).kind == "internal"


async def test_an_output_that_cannot_be_said_is_noticed_before_anything_is_written(
    make_caller: MakeCaller, project: Path
) -> None:
    async def handler(call: Call, inputs: Any) -> Any:
        call.files.write("new.txt", b"")
        return {"said": object()}

    outcome = await make_caller(sample(handler, **WRITE)).run("test.sample")
    assert fault_of(outcome).kind == "internal"
    assert not (project / "new.txt").exists()


async def test_a_name_that_is_not_unicode_can_still_be_said(make_caller: MakeCaller) -> None:
    async def handler(call: Call, inputs: Any) -> Done:
        return Done(said="caf\udce9.txt")

    reply = await make_caller(sample(handler)).reply("test.sample")
    assert not reply.failed
    assert "caf" in str(reply.text)


async def test_what_a_handler_stages_becomes_one_entry(make_caller: MakeCaller, project: Path) -> None:
    async def handler(call: Call, inputs: Any) -> Done:
        call.files.write("a.txt", b"1")
        call.files.write("b/c.txt", b"2")
        call.summary = "Wrote two files."
        return Done()

    caller = make_caller(sample(handler, **WRITE))
    outcome = await caller.run("test.sample", meta={"actor": "me"})
    assert outcome.call.entry is not None
    assert (outcome.call.entry.summary, outcome.call.entry.actor) == ("Wrote two files.", "me")
    assert (project / "b/c.txt").read_bytes() == b"2"
    await caller.run("history.undo")
    assert not (project / "a.txt").exists()


async def test_a_reading_operation_that_stages_something_is_a_fault_of_ours(
    make_caller: MakeCaller, project: Path
) -> None:
    outcome = await make_caller(sample(write_new)).run("test.sample")
    assert fault_of(outcome).kind == "internal"
    assert not (project / "new.txt").exists()


async def test_a_change_to_what_is_there_already_is_no_entry(make_caller: MakeCaller, project: Path) -> None:
    (project / "new.txt").write_bytes(b"new\n")
    outcome = await make_caller(sample(write_new, **WRITE)).run("test.sample")
    assert outcome.ok
    assert outcome.call.entry is None
    assert outcome.diff is None
