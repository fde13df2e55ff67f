"""Beyond the contract: rolling back, trying out a whole run, waiting for a person, schedules."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anyio
import pytest
from tests.conftest import Caller
from tests.workflow.conftest import Probe, Run, ask, steps_of

from scenewright.core.calls.call import SilentClient

pytestmark = pytest.mark.anyio


def write(step_id: str, path: str, content: Any, **more: Any) -> dict[str, Any]:
    arguments = {"path": path, "content": content, "overwrite": True}
    return {"id": step_id, "actionId": "write_file", "input": arguments, **more}


FAIL = {"id": "bad", "actionId": "core.fail"}


# Rolling back


async def test_a_failed_run_takes_back_what_it_has_written(run: Run, probed: Caller, folder: Path) -> None:
    (folder / "old.txt").write_text("before")
    ended = await run(
        [write("a", "old.txt", "1"), write("b", "new.txt", "2"), write("c", "old.txt", "3"), FAIL],
        onFailure="rollback",
    )
    assert (ended["status"], ended["rollback"]) == ("failed", {"undone": ["c", "b", "a"], "standing": []})
    assert {path.name: path.read_text() for path in folder.glob("*.txt")} == {"old.txt": "before"}
    said = await ask(probed, "workflow.logs", runId=ended["runId"], level="warn")
    assert [line["stepId"] for line in said["logs"]] == ["c", "b", "a"]


async def test_a_batch_and_a_group_are_taken_back_too(run: Run, folder: Path) -> None:
    items = [{"tool": "write_file", "args": {"path": f"{n}.txt", "content": "x"}} for n in range(3)]
    group = [write(f"g{n}", f"g{n}.txt", "x") for n in range(3)]
    batch = {"id": "batch", "actionId": "batch_operations", "input": {"operations": items}}
    ended = await run([batch, {"parallel": group}, FAIL], onFailure="rollback")
    assert sorted(ended["rollback"]["undone"]) == ["batch", "g0", "g1", "g2"]
    assert list(folder.glob("*.txt")) == []


async def test_what_somebody_else_has_changed_since_stands_and_the_run_says_so(
    run: Run, probed: Caller, folder: Path
) -> None:
    meddle = {"id": "m", "actionId": "core.meddle", "input": {"text": "a.txt"}}
    ended = await run([write("a", "a.txt", "1"), write("b", "b.txt", "2"), meddle, FAIL], onFailure="rollback")
    assert ended["rollback"] == {"undone": ["b"], "standing": ["a"]}
    assert (folder / "a.txt").read_text() == "somebody's"
    said = await ask(probed, "workflow.logs", runId=ended["runId"], level="error", stepId="a")
    assert "Could not be taken back: 'a.txt' has changed since" in said["logs"][0]["message"]


async def test_without_being_told_to_a_failed_run_leaves_what_it_has_done(run: Run, folder: Path) -> None:
    ended = await run([write("a", "a.txt", "1"), FAIL])
    assert (ended["status"], "rollback" in ended) == ("failed", False)
    assert (folder / "a.txt").exists()


async def test_what_is_no_file_cannot_be_taken_back_and_is_named(run: Run, probe: Probe, folder: Path) -> None:
    probe.released.set()
    ended = await run([{"id": "t", "actionId": "core.touch"}, write("a", "a.txt", "1"), FAIL], onFailure="rollback")
    assert ended["rollback"] == {"undone": ["a"], "standing": ["t"]}


# Trying out


async def test_a_dry_run_shows_all_changes_as_one_and_writes_nothing(run: Run, probed: Caller, folder: Path) -> None:
    (folder / "a.txt").write_text("one\n")
    edit = {"id": "e", "actionId": "edit_file", "input": {"path": "b.txt", "find": "two", "replace": "three"}}
    ended = await run(
        [write("a", "b.txt", "two\n"), edit, {"id": "r", "actionId": "read_file", "input": {"path": "b.txt"}}],
        _dryRun=True,
    )
    assert (ended["status"], ended["dryRun"], ended["completedSteps"]) == ("succeeded", True, 3)
    assert ended["diff"]["entries"] == ["created b.txt\n@@ -0,0 +1 @@\n+three"]
    assert not (folder / "b.txt").exists()
    assert "three" in str((await steps_of(probed, ended["runId"]))["r"]["output"])


async def test_a_dry_run_that_fails_says_at_which_step(run: Run, folder: Path) -> None:
    ended = await run([write("a", "b.txt", "two\n"), FAIL], _dryRun=True)
    assert (ended["status"], ended["lastError"]["stepId"]) == ("failed", "bad")
    assert "b.txt" in ended["diff"]["entries"][0]


async def test_a_dry_run_needs_no_approval(run: Run, folder: Path) -> None:
    (folder / "a.txt").write_text("1")
    ended = await run([{"actionId": "delete_file", "input": {"path": "a.txt"}}], _dryRun=True)
    assert ended["status"] == "succeeded"
    assert (folder / "a.txt").exists()


# Waiting for a person


DELETE = {"id": "del", "actionId": "delete_file", "input": {"path": "a.txt"}}


class Person(SilentClient):
    def __init__(self, *, says: bool) -> None:
        self.says, self.asked = says, list[str]()

    async def approve(self, question: str) -> bool | None:
        self.asked.append(question)
        return self.says


async def waiting(probed: Caller, run_id: str) -> dict[str, Any]:
    with anyio.fail_after(20):
        while True:
            found = await ask(probed, "workflow.status", runId=run_id, waitMs=100)
            if found.get("phase") == "waiting":
                return found


@pytest.fixture
def doomed(folder: Path) -> Path:
    (folder / "a.txt").write_text("1")
    return folder / "a.txt"


async def test_a_run_waits_with_a_step_that_needs_a_person_and_goes_on_when_approved(
    run: Run, probed: Caller, doomed: Path
) -> None:
    started = await run([write("w", "b.txt", "1"), DELETE, write("z", "c.txt", "1")], _waitMs=0)
    found = await waiting(probed, started["runId"])
    assert (found["status"], found["waitingFor"], found["completedSteps"]) == ("running", "del", 1)
    assert doomed.exists()
    for claim in ({}, {"approved": True}):  # an agent cannot approve for a person
        denied = await probed.run("workflow.approve", {"runId": started["runId"]}, meta=claim)
        assert denied.fault is not None
        assert denied.fault.kind == "denied"
    person = Person(says=True)
    arguments = {"runId": started["runId"], "stepId": "del"}
    assert (await probed.run("workflow.approve", arguments, client=person)).ok
    assert '"del": delete_file {"path": "a.txt"}' in person.asked[0]
    ended = await ask(probed, "workflow.status", runId=started["runId"], waitMs=20_000)
    assert (ended["status"], ended["completedSteps"]) == ("succeeded", 3)
    assert not doomed.exists()


async def test_a_rejected_step_ends_the_run_as_denied(run: Run, probed: Caller, doomed: Path) -> None:
    started = await run([DELETE], _waitMs=0)
    await waiting(probed, started["runId"])
    await probed.run("workflow.reject", {"runId": started["runId"], "reason": "too risky"}, meta={"actor": "Ada"})
    ended = await ask(probed, "workflow.status", runId=started["runId"], waitMs=20_000)
    assert (ended["status"], ended["lastError"]["code"]) == ("failed", "ACCESS_DENIED")
    assert "rejected by Ada: too risky" in ended["lastError"]["message"]
    assert doomed.exists()


async def test_a_run_that_waits_can_be_cancelled(run: Run, probed: Caller, doomed: Path) -> None:
    started = await run([DELETE], _waitMs=0)
    await waiting(probed, started["runId"])
    await ask(probed, "workflow.cancel", runId=started["runId"])
    ended = await ask(probed, "workflow.status", runId=started["runId"], waitMs=20_000)
    assert ended["status"] == "canceled"
    assert doomed.exists()


async def test_nobody_is_asked_over_a_step_that_is_skipped(run: Run, doomed: Path) -> None:
    say = {"id": "s", "actionId": "core.say", "input": {"text": 1}}
    ended = await run([say, DELETE | {"when": {"stepId": "s", "path": "said", "equals": 2}}])
    assert ended["status"] == "succeeded"
    assert doomed.exists()


async def test_an_answer_to_a_run_that_does_not_wait_is_refused(run: Run, probed: Caller) -> None:
    ended = await run([{"actionId": "core.ping"}])
    outcome = await probed.run("workflow.reject", {"runId": ended["runId"]})
    assert outcome.fault is not None
    assert "its status is succeeded" in outcome.fault.message


@pytest.mark.parametrize("says", [True, False])
async def test_a_client_that_can_ask_a_person_is_asked_at_once(says: bool, probed: Caller, doomed: Path) -> None:
    person = Person(says=says)
    arguments = {"definition": {"id": "tidy", "steps": [DELETE]}, "waitMs": 20_000}
    reply = await probed.reply("workflow.run", arguments, client=person)
    (question,) = person.asked
    assert '"del": delete_file {"path": "a.txt"}' in question
    assert doomed.exists() is not says
    if says:
        assert reply.structured is not None
        assert reply.structured["status"] == "succeeded"
    else:
        assert reply.error is not None
        assert reply.error.data["code"] == "ACCESS_DENIED"


# Schedules


async def test_a_schedule_starts_runs_by_the_clock(probed: Caller, probe: Probe) -> None:
    say = {"id": "tick", "steps": [{"actionId": "core.say", "input": {"text": "tick"}}]}
    made = await probed.run("workflow.schedule", {"name": "often", "cron": "* * * * * *", "definition": say})
    assert made.ok, made.summary
    listed = await ask(probed, "workflow.schedules")
    assert [row["name"] for row in listed["result"]["schedules"]] == ["often"]
    with anyio.fail_after(30):
        while not probe.said:
            await anyio.sleep(0.05)
    gone = await ask(probed, "workflow.unschedule", name="often")
    assert gone["result"] == {"name": "often", "existed": True}
    assert (await ask(probed, "workflow.schedules"))["result"] == {"schedules": []}
    newest = (await ask(probed, "workflow.list", limit=1))["runs"][0]
    assert newest["workflowId"] == "tick"


@pytest.mark.parametrize(("cron", "zone"), [("every day", None), ("* * * * *", "Middle/Earth")])
async def test_times_that_nobody_understands_are_refused(cron: str, zone: str | None, probed: Caller) -> None:
    ping = {"id": "p", "steps": [{"actionId": "core.ping"}]}
    arguments = {"name": "x", "cron": cron, "definition": ping} | ({"timezone": zone} if zone else {})
    outcome = await probed.run("workflow.schedule", arguments)
    assert outcome.fault is not None
    assert outcome.fault.kind == "invalid"
