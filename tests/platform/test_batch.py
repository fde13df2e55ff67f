"""Several calls in one: in order, all or none, and each as strict as alone."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import anyio
import pytest
from tests.conftest import Caller, MakeCaller
from tests.core.samples import Done, FakeClient, Named, fault_of, sample

from scenewright.core.calls.call import Attachment, Call
from scenewright.core.faults import Invalid
from scenewright.core.operations.declaration import Safety
from scenewright.core.operations.model import Outputs, about
from scenewright.platform.operations.batch import BatchResult, batch

pytestmark = pytest.mark.anyio

PING = {"tool": "core.ping"}
NOPE = {"tool": "nope"}


def write(path: str, content: str = "one\n", **more: Any) -> dict[str, Any]:
    return {"tool": "write_file", "args": {"path": path, "content": content, **more}}


def read(path: str) -> dict[str, Any]:
    return {"tool": "read_file", "args": {"path": path}}


def edit(path: str, find: str, replace: str) -> dict[str, Any]:
    return {"tool": "edit_file", "args": {"path": path, "find": find, "replace": replace}}


async def run(caller: Caller, *items: dict[str, Any], **options: Any) -> BatchResult:
    outcome = await caller.run("batch_operations", {"operations": list(items), **options})
    assert outcome.fault is None, outcome.fault
    assert isinstance(outcome.call.output, BatchResult)
    return outcome.call.output


async def entries(caller: Caller) -> list[Any]:
    return list((await caller.run("history.list")).call.output.entries)


async def test_calls_run_in_order_and_each_has_its_result(caller: Caller, project: Path) -> None:
    result = await run(caller, write("a.txt"), edit("a.txt", "one", "two"), {**read("a.txt"), "id": "mine"})
    assert [item.index for item in result.results] == [0, 1, 2]
    assert (result.succeeded, result.failed, result.skipped) == (3, 0, 0)
    last = result.results[2]
    assert (last.tool, last.id, last.result["text"]) == ("read_file", "mine", "two\n")
    assert [item.history_entry for item in result.results] == [1, 2, None]
    assert result.results[0].diff_summary == "1 file changed, +1 −0 lines"
    assert (project / "a.txt").read_text() == "two\n"


async def test_by_default_a_failure_stops_the_rest(caller: Caller, project: Path) -> None:
    result = await run(caller, write("a.txt"), read("missing.txt"), write("b.txt"))
    assert (result.succeeded, result.failed, result.skipped) == (1, 1, 1)
    error = result.results[1].error
    assert error is not None
    assert (error["code"], error["message"]) == ("E_NOT_FOUND", "There is no file at 'missing.txt'.")
    assert error["suggestedFix"]
    assert (project / "a.txt").exists()
    assert not (project / "b.txt").exists()


async def test_the_rest_goes_on_where_that_is_asked_for(caller: Caller, project: Path) -> None:
    result = await run(caller, NOPE, write("b.txt"), {"tool": "read_file"}, PING, stopOnError=False)
    assert [item.success for item in result.results] == [False, True, False, True]
    assert (project / "b.txt").exists()


async def test_what_is_wrong_with_an_item_is_named_as_the_batch_has_it(caller: Caller) -> None:
    result = await run(caller, PING, {"tool": "read_file", "args": {"pth": "a"}}, stopOnError=False)
    error = result.results[1].error
    assert error is not None
    assert (error["details"]["path"], error["details"]["rule"]) == (
        "input.operations[1].args.pth",
        "additionalProperties",
    )
    fault = fault_of(
        await caller.run("batch_operations", {"operations": [PING, {"tool": "read_file"}], "atomic": True})
    )
    assert fault.details["path"] == "input.operations[1].args.path"
    assert (fault.details["index"], fault.details["tool"]) == (1, "read_file")


async def test_an_atomic_batch_is_one_entry_and_one_undo(caller: Caller, project: Path) -> None:
    result = await run(
        caller, write("a.txt"), write("b/c.txt"), edit("a.txt", "one", "two"), read("a.txt"), atomic=True
    )
    assert result.results[3].result["text"] == "two\n"  # a later call sees what the earlier ones staged
    (entry,) = await entries(caller)
    assert (entry.operation, entry.files) == ("core.batch_operations", ["created a.txt", "created b/c.txt"])
    assert (project / "a.txt").read_text() == "two\n"
    assert (await caller.run("history.undo")).ok
    assert not (project / "a.txt").exists()
    assert not (project / "b").exists()


async def test_an_atomic_batch_shows_its_whole_diff(caller: Caller) -> None:
    arguments = {"operations": [write("a.txt"), write("b.txt", "two\n")], "atomic": True}
    reply = await caller.reply("batch_operations", arguments)
    assert reply.structured is not None
    diff = reply.structured["execution"]["diff"]
    assert diff["summary"] == "2 files changed, +2 −0 lines"
    assert reply.structured["execution"]["historyEntry"] == 1


@pytest.mark.parametrize("bad", [NOPE, read("missing.txt"), {"tool": "read_file", "args": {"x": 1}}, write("../x")])
async def test_an_atomic_batch_of_which_one_fails_writes_nothing(
    caller: Caller, project: Path, bad: dict[str, Any]
) -> None:
    (project / "a.txt").write_text("old")
    items = [edit("a.txt", "old", "new"), write("b.txt"), bad]
    alone = fault_of(await caller.run(bad["tool"], bad.get("args")))
    fault = fault_of(await caller.run("batch_operations", {"operations": items, "atomic": True}))
    assert fault.kind == alone.kind
    assert fault.message.startswith(f"Call 2 of the batch ('{bad['tool']}') failed, so nothing was written: ")
    assert (project / "a.txt").read_text() == "old"
    assert not (project / "b.txt").exists()
    assert await entries(caller) == []


async def test_an_item_that_is_only_tried_is_not_written_with_the_others(caller: Caller, project: Path) -> None:
    result = await run(caller, write("a.txt"), write("b.txt", dryRun=True), write("c.txt"), atomic=True)
    assert result.succeeded == 3
    assert sorted(place.name for place in project.glob("*.txt")) == ["a.txt", "c.txt"]


async def test_an_atomic_batch_takes_no_call_that_changes_more_than_files(
    make_caller: MakeCaller, project: Path
) -> None:
    ran: list[Call] = []

    async def handler(call: Call, inputs: Any) -> Done:
        ran.append(call)
        return Done()

    caller = make_caller(sample(handler, safety=Safety.SAFE_WRITE, inputs=Named, transactional=False))
    items = [write("a.txt"), {"tool": "test.sample"}]
    assert fault_of(await caller.run("batch_operations", {"operations": items, "atomic": True})).kind == "unsupported"
    assert ran == []
    assert not (project / "a.txt").exists()
    assert (await run(caller, *items)).succeeded == 2


@pytest.mark.parametrize(
    "tool",
    [write("b.txt"), {"tool": "batch_operations", "args": {"operations": [write("b.txt")]}}],
    ids=["a call", "a batch"],
)
async def test_what_a_call_has_others_do_is_part_of_an_atomic_batch_too(
    make_caller: MakeCaller, project: Path, tool: dict[str, Any]
) -> None:
    async def handler(call: Call, inputs: Any) -> Done:
        outcome = await call.invoke(tool["tool"], tool["args"])
        assert outcome.ok, outcome.fault
        return Done()

    caller = make_caller(sample(handler, safety=Safety.SAFE_WRITE, runs_others=True))
    items = [{"tool": "test.sample"}, read("b.txt")]
    fault = fault_of(await caller.run("batch_operations", {"operations": [*items, NOPE], "atomic": True}))
    assert "nothing was written" in fault.message
    assert not (project / "b.txt").exists()
    assert (await run(caller, *items, atomic=True)).succeeded == 2
    assert (project / "b.txt").exists()
    assert len(await entries(caller)) == 1


async def test_nor_does_a_call_reach_what_changes_more_than_files(make_caller: MakeCaller) -> None:
    ran: list[Call] = []

    async def last(call: Call, inputs: Any) -> Done:
        ran.append(call)
        return Done()

    async def first(call: Call, inputs: Any) -> Done:
        outcome = await call.invoke("test.last", {})
        if outcome.fault is not None:
            raise outcome.fault
        return Done()

    caller = make_caller(
        sample(last, id="test.last", safety=Safety.SAFE_WRITE, transactional=False),
        sample(first, safety=Safety.SAFE_WRITE, runs_others=True),
    )
    items = [{"tool": "test.sample"}]
    assert fault_of(await caller.run("batch_operations", {"operations": items, "atomic": True})).kind == "unsupported"
    assert ran == []
    assert (await run(caller, *items)).succeeded == 1


@pytest.mark.parametrize(
    "item",
    [
        {"tool": "workflow.run", "args": {"definition": {"id": "w", "steps": [{"actionId": "core.ping"}]}}},
        {"tool": "workflow.cancel", "args": {"runId": "r"}},
        {"tool": "workflow_manager", "args": {"action": "unschedule", "name": "nightly"}},
        {"tool": "workflow_manager", "args": {"action": "macro.run", "macroId": "save_state_scaffold"}},
    ],
    ids=lambda item: item["args"].get("action") or item["tool"],
)
async def test_a_run_that_goes_on_by_itself_is_no_part_of_an_atomic_batch(
    caller: Caller, project: Path, item: dict[str, Any]
) -> None:
    arguments = {"operations": [write("a.txt"), item], "atomic": True}
    assert "cannot be part of an all-or-nothing" in fault_of(await caller.run("batch_operations", arguments)).message
    assert not (project / "a.txt").exists()


@pytest.mark.parametrize("atomic", [True, False])
async def test_a_dry_run_shows_one_diff_and_later_calls_see_earlier_ones(
    caller: Caller, project: Path, atomic: bool
) -> None:
    items = [write("a.txt"), edit("a.txt", "one", "two"), read("a.txt"), write("b.txt", "three\n")]
    arguments = {"operations": items, "atomic": atomic, "dryRun": True}
    reply = await caller.reply("batch_operations", arguments)
    assert reply.structured is not None
    assert reply.structured["result"]["results"][2]["result"]["text"] == "two\n"
    execution = reply.structured["execution"]
    assert execution["dryRun"] is True
    assert [entry.splitlines()[-1] for entry in execution["diff"]["entries"]] == ["+two", "+three"]
    assert list(project.glob("*.txt")) == []
    assert await entries(caller) == []


async def test_what_a_failed_call_of_a_dry_run_staged_is_not_in_the_diff(make_caller: MakeCaller) -> None:
    async def handler(call: Call, inputs: Any) -> Done:
        call.files.write("half.txt", b"half")
        raise Invalid("no")

    caller = make_caller(sample(handler, safety=Safety.SAFE_WRITE, inputs=Named))
    items = [write("a.txt"), {"tool": "test.sample"}, read("half.txt"), write("b.txt")]
    arguments = {"operations": items, "stopOnError": False, "dryRun": True}
    outcome = await caller.run("batch_operations", arguments)
    assert [item.success for item in outcome.call.output.results] == [True, False, False, True]
    assert outcome.diff is not None
    assert [entry.split()[1] for entry in outcome.diff.entries] == ["a.txt", "b.txt"]


async def test_a_dry_run_of_destructive_calls_needs_nobody(caller: Caller, project: Path) -> None:
    (project / "a.txt").write_text("one\n")
    client = FakeClient(False)
    items = [{"tool": "delete_file", "args": {"path": "a.txt"}}, read("a.txt")]
    arguments = {"operations": items, "dryRun": True, "stopOnError": False}
    outcome = await caller.run("batch_operations", arguments, client=client)
    assert [item.success for item in outcome.call.output.results] == [True, False]
    assert client.questions == []
    assert (project / "a.txt").exists()


@pytest.mark.parametrize("name", ["batch_operations", "core.batch_operations", "core_batch_operations"])
async def test_a_batch_holds_no_batch(caller: Caller, project: Path, name: str) -> None:
    items = [write("a.txt"), {"tool": name, "args": {"operations": [PING]}}]
    fault = fault_of(await caller.run("batch_operations", {"operations": items}))
    assert isinstance(fault, Invalid)
    assert (fault.path, fault.rule) == ("input.operations[1].tool", "recursion")
    assert not (project / "a.txt").exists()


async def test_a_batch_in_a_batch_is_not_reached_through_an_alias_or_a_manager(make_caller: MakeCaller) -> None:
    registry = make_caller().runtime.registry
    names = [name for name, found in registry._names.items() if found is batch]
    assert sorted(names) == ["batch_operations", "core.batch_operations", "core_batch_operations"]
    assert all(batch is not operation for actions in registry.actions.values() for operation in actions.values())


@pytest.mark.parametrize("items", [[], [PING] * 101, PING, [5], [{}], [{"tool": ""}], [{"tool": "a", "extra": 1}]])
async def test_what_is_no_batch_is_invalid(caller: Caller, items: Any) -> None:
    assert fault_of(await caller.run("batch_operations", {"operations": items})).kind == "invalid"


async def test_a_hundred_calls_are_taken(caller: Caller) -> None:
    assert (await run(caller, *[PING] * 100)).succeeded == 100


async def test_an_item_needs_the_same_approval_as_alone(make_caller: MakeCaller, project: Path) -> None:
    caller = make_caller(policy_rules="careful")
    (project / "a.txt").write_text("one")
    delete = {"tool": "project_file_manager", "args": {"action": "delete", "path": "a.txt"}}
    arguments = {"operations": [PING, delete]}
    refused = fault_of(await caller.run("batch_operations", arguments, meta={"approved": True}))
    assert refused.kind == "denied"
    assert "scenewright" in str(refused.hint)
    client = FakeClient(False)
    assert fault_of(await caller.run("batch_operations", arguments, client=client)).kind == "denied"
    assert "delete" in client.questions[0]
    assert (project / "a.txt").exists()
    outcome = await caller.run("batch_operations", arguments, client=FakeClient(True))
    assert outcome.call.output.succeeded == 2
    assert not (project / "a.txt").exists()


@pytest.mark.parametrize("place", [{"dryRun": True}, {"params": {"dry_run": True}}, {"dryRun": "yes please"}])
async def test_a_part_that_is_a_dry_run_needs_no_approval_and_deletes_nothing(
    make_caller: MakeCaller, project: Path, place: dict[str, Any]
) -> None:
    caller = make_caller(policy_rules="careful")
    (project / "a.txt").write_text("one")
    delete = {"tool": "project_file_manager", "args": {"action": "delete", "path": "a.txt"} | place}
    outcome = await caller.run("batch_operations", {"operations": [PING, delete]})
    assert outcome.ok == (True in place.values() or "params" in place)
    assert (project / "a.txt").exists()


async def test_one_yes_is_for_the_whole_batch(make_caller: MakeCaller, project: Path) -> None:
    caller = make_caller(policy_rules="careful")
    for name in "abcdefg":
        (project / name).write_text("")
    items = [{"tool": "delete_file", "args": {"path": name}} for name in "abcdefg"]
    client = FakeClient(True)
    outcome = await caller.run("batch_operations", {"operations": items, "atomic": True}, client=client)
    assert outcome.call.output.succeeded == 7
    (question,) = client.questions
    assert "a batch of 7 calls" in question
    assert all(f'{{"path": "{name}"}}' in question for name in "abcdefg")


async def test_the_calls_of_a_batch_are_about_the_batchs_project(caller: Caller, project: Path) -> None:
    inner = project / "inner"
    inner.mkdir()
    (inner / "project.godot").touch()
    for atomic in (False, True):
        name = f"{atomic}.txt"
        await run(caller, write(name), projectPath=str(inner), atomic=atomic)
        assert (inner / name).exists()
        assert not (project / name).exists()


async def test_an_atomic_batch_is_about_one_project(caller: Caller, project: Path) -> None:
    (project / "inner").mkdir()
    (project / "inner" / "project.godot").touch()
    items = [write("a.txt"), write("b.txt", projectPath=str(project / "inner"))]
    fault = fault_of(await caller.run("batch_operations", {"operations": items, "atomic": True}))
    assert fault.kind == "invalid"
    assert not (project / "a.txt").exists()
    assert (await run(caller, *items)).succeeded == 2
    assert (project / "inner" / "b.txt").exists()


async def test_attachments_and_warnings_of_the_calls_are_kept(make_caller: MakeCaller, project: Path) -> None:
    async def handler(call: Call, inputs: Any) -> Done:
        call.attach(Attachment("image", b"png", "image/png"))
        return Done()

    (project / "a.txt").write_text("one")
    caller = make_caller(sample(handler))
    items = [{"tool": "test.sample"}, {"tool": "read_file", "args": {"path": "a.txt", "max_chars": 1}}]
    reply = await caller.reply("batch_operations", {"operations": items})
    assert reply.structured is not None
    assert reply.structured["warnings"] == ["operations[1]: Read 'max_chars' as 'maxChars'."]
    assert len(reply.attachments) == 1


async def test_progress_is_told_after_each_call(caller: Caller) -> None:
    client = FakeClient()
    await caller.run("batch_operations", {"operations": [PING, NOPE, PING], "stopOnError": False}, client=client)
    assert client.told == [(1, 3, "core.ping"), (2, 3, "nope"), (3, 3, "core.ping")]


async def test_an_item_that_takes_too_long_fails_alone(make_caller: MakeCaller) -> None:
    async def handler(call: Call, inputs: Any) -> Done:
        await anyio.sleep_forever()
        raise AssertionError

    caller = make_caller(sample(handler, timeout=0.05))
    result = await run(caller, {"tool": "test.sample"}, PING, stopOnError=False)
    assert [item.success for item in result.results] == [False, True]
    assert result.results[0].error is not None
    assert result.results[0].error["code"] == "E_TIMEOUT"


async def test_the_history_names_what_an_atomic_batch_changed(caller: Caller) -> None:
    await run(caller, read("project.godot"), atomic=False, stopOnError=False)
    writes = [write(f"{number}.txt") for number in range(5)]
    await run(caller, PING, *writes, atomic=True)
    (entry,) = await entries(caller)
    assert entry.summary == "Created 0.txt (4 bytes), Created 1.txt (4 bytes), Created 2.txt (4 bytes) and 2 more."


@pytest.mark.parametrize("dry_run", [True, False])
async def test_what_looks_at_the_whole_project_sees_what_is_staged(
    caller: Caller, project: Path, dry_run: bool
) -> None:
    (project / "project.godot").write_text("config_version=5\n")
    (project / "old.gd").write_text("extends Node\n")
    (project / "hero.png").write_bytes(b"\x89PNG")
    operations = [
        {"tool": "write_file", "args": {"path": "sub/new.gd", "content": "extends Node2D\n"}},
        {"tool": "delete_file", "args": {"path": "old.gd"}},
        {
            "tool": "write_file",
            "args": {"path": "hero.png", "content": "iVBORw0K", "encoding": "base64", "overwrite": True},
        },
        *({"tool": tool} for tool in ("overview", "list_assets", "project_workspace_stats", "get_project_info")),
    ]
    reply = await caller.reply("batch_operations", {"operations": operations, "atomic": True, "dryRun": dry_run})
    assert reply.structured is not None
    assert reply.structured["ok"], reply.structured
    seen, assets, stats, about = (each["result"] for each in reply.structured["result"]["results"][3:])
    assert seen["sections"]["files"] == {"./": "hero.png, project.godot", "sub/": "new.gd"}
    assert {(each["path"], each["bytes"]) for each in assets["assets"]} == {
        ("res://hero.png", 6),
        ("res://sub/new.gd", 15),
    }
    assert (stats["files"], stats["directories"]) == (3, 1)
    assert about["scripts"] == 1


async def test_a_batch_says_that_a_call_that_worked_found_something_wrong(make_caller: MakeCaller) -> None:
    class Judged(Outputs, frozen=True, kw_only=True):
        passed: Annotated[bool, about("Whether it is good.")]

    async def judge(call: Call, inputs: Named) -> Judged:
        del call
        return Judged(passed=inputs.name == "good")

    caller = make_caller(sample(judge, inputs=Named, outputs=Judged))
    items = [{"tool": "test.sample", "args": {"name": name}} for name in ("good", "bad")]
    outcome = await caller.run("batch_operations", {"operations": items})
    assert outcome.summary == "2 of 2 calls succeeded, but 1 found something wrong (operation 1)."
    assert outcome.call.output.unpassed == [1]


async def test_a_look_at_the_editor_says_that_what_is_staged_is_not_there(make_caller: MakeCaller) -> None:
    caller = make_caller(sample(requires_bridge=True))
    items = [{"tool": "test.sample"}, write("a.txt"), {"tool": "test.sample"}]
    outcome = await caller.run("batch_operations", {"operations": items, "atomic": True})
    said = "This is what the editor has now; 1 change of this batch is staged, and not in it."
    assert outcome.call.warnings == [f"operations[2]: {said}"]
