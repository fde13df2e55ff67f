"""What a run does: steps in order, conditions, references, groups, loops, retries, time limits."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anyio
import pytest
from tests.conftest import Caller
from tests.workflow.conftest import Probe, Run, ask, steps_of

pytestmark = pytest.mark.anyio


def say(step_id: str, text: Any, **more: Any) -> dict[str, Any]:
    return {"id": step_id, "actionId": "core.say", "input": {"text": text}, **more}


async def test_steps_are_done_in_order_and_the_snapshot_tells_of_it(run: Run, probed: Caller, folder: Path) -> None:
    ended = await run(
        [
            {"id": "write", "actionId": "write_file", "input": {"path": "a.txt", "content": "one"}},
            {"id": "read", "actionId": "read_file", "input": {"path": "a.txt"}},
        ]
    )
    assert (folder / "a.txt").read_text() == "one"
    assert ended["status"] == "succeeded"
    assert (ended["totalSteps"], ended["completedSteps"]) == (2, 2)
    assert ended["startedAt"] <= ended["endedAt"]
    said = await ask(probed, "workflow.logs", runId=ended["runId"])
    assert [line["stepId"] for line in said["logs"]] == ["write", "write", "read", "read"]
    steps = await steps_of(probed, ended["runId"])
    assert steps["write"]["historyEntries"] == [1]
    assert "one" in str(steps["read"]["output"])


async def test_a_failed_step_ends_the_run_and_later_ones_are_not_done(run: Run, probe: Probe) -> None:
    ended = await run([{"id": "read", "actionId": "read_file", "input": {"path": "none.txt"}}, say("a", 1)])
    assert ended["status"] == "failed"
    assert ended["lastError"]["code"] == "NOT_FOUND"
    assert ended["lastError"]["stepId"] == "read"
    assert ended["completedSteps"] == 0
    assert probe.said == []


async def test_a_step_that_may_fail_does_not_end_the_run(run: Run, probe: Probe) -> None:
    ended = await run([{"actionId": "core.fail", "allowFailure": True}, say("a", 1)])
    assert (ended["status"], ended["completedSteps"]) == ("succeeded", 1)
    assert "lastError" not in ended
    assert probe.said == [1]


@pytest.mark.parametrize(
    ("path", "equals", "done"),
    [
        ("said.name", "x", True),
        ("said.list[1].n", 2, True),
        ("said.list.1.n", 2, True),
        (None, {"said": {"list": [{"n": 1}, {"n": 2}], "name": "x", "yes": True}}, True),
        ("said.yes", True, True),
        ("said.yes", 1, False),
        ("said.name", "y", False),
        ("said.none", None, False),
        ("said.list[2]", None, False),
    ],
)
async def test_a_step_is_done_only_when_its_condition_is_met(
    path: str | None, equals: Any, done: bool, run: Run, probe: Probe
) -> None:
    output = {"name": "x", "list": [{"n": 1}, {"n": 2}], "yes": True}
    when = {"stepId": "a", "equals": equals} | ({"path": path} if path else {})
    ended = await run([say("a", output), say("b", "done", when=when)])
    assert (ended["status"], ended["completedSteps"]) == ("succeeded", 2)
    assert probe.said == [output, *(["done"] if done else [])]


async def test_what_depends_on_a_skipped_step_is_skipped_too(run: Run, probe: Probe, probed: Caller) -> None:
    never = {"stepId": "a", "path": "said", "equals": 2}
    ended = await run([say("a", 1), say("b", 2, when=never), say("c", 3, when={"stepId": "b", "equals": {"said": 2}})])
    assert probe.said == [1]
    assert [step["status"] for step in (await steps_of(probed, ended["runId"])).values()] == [
        "succeeded",
        "skipped",
        "skipped",
    ]


async def test_inputs_take_values_from_earlier_outputs(run: Run, probe: Probe) -> None:
    await run(
        [
            say("a", {"files": [{"path": "x.gd"}], "n": 3, "$from": "is no reference here", "and": 1}),
            say("b", {"$from": "a", "path": "said.files[0].path"}),
            say("c", {"deep": [{"$from": "a", "path": "said.n"}], "text": "${a.said} stays as it is"}),
            say("d", {"$join": ["res://", {"$from": "b", "path": "said"}, "#", {"$from": "a", "path": "said.n"}]}),
            say("e", {"$from": "a", "path": "said.none", "default": "else"}),
        ]
    )
    assert probe.said[1:] == ["x.gd", {"deep": [3], "text": "${a.said} stays as it is"}, "res://x.gd#3", "else"]


async def test_a_reference_that_leads_nowhere_fails_its_step_and_says_where(run: Run) -> None:
    ended = await run([say("a", 1), say("b", [{"$from": "a", "path": "said.none"}])])
    assert ended["lastError"]["code"] == "VALIDATION_ERROR"
    assert ended["lastError"]["stepId"] == "b"
    assert "said.none" in ended["lastError"]["message"]


async def test_steps_of_a_group_are_done_at_the_same_time(run: Run, probe: Probe, probed: Caller) -> None:
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_release_when, probe, 3)
        ended = await run([{"parallel": [{"actionId": "core.hold"}] * 3}, say("a", {"$from": "step-2"})])
    assert probe.most_at_once == 3
    assert (ended["status"], ended["totalSteps"], ended["completedSteps"]) == ("succeeded", 4, 4)
    assert probe.said == [{"said": "released"}]


async def _release_when(probe: Probe, count: int) -> None:
    with anyio.fail_after(20):
        while probe.at_once < count:
            await anyio.sleep(0.01)
    probe.released.set()


async def test_a_failure_in_a_group_ends_the_run_after_the_group(run: Run, probe: Probe) -> None:
    ended = await run([{"parallel": [{"id": "bad", "actionId": "core.fail"}, say("good", 1)]}, say("later", 2)])
    assert (ended["status"], ended["lastError"]["stepId"], ended["completedSteps"]) == ("failed", "bad", 1)
    assert probe.said == [1]


async def test_a_loop_does_its_step_for_every_item_and_collects_the_outputs(
    run: Run, probe: Probe, probed: Caller
) -> None:
    names = {"$from": "a", "path": "said"}
    each = {"name": {"$item": "name"}, "at": {"$index": True}, "all": {"$item": ""}}
    ended = await run(
        [
            say("a", [{"name": "x"}, {"name": "y"}, {"name": "z"}]),
            say("b", each, forEach={"items": names, "limit": 2}),
            say("c", {"$from": "b", "path": "items[2].said.name"}),
        ]
    )
    assert (ended["status"], ended["totalSteps"], ended["completedSteps"]) == ("succeeded", 3, 3)
    assert sorted(said["at"] for said in probe.said[1:4]) == [0, 1, 2]
    assert probe.said[-1] == "z"


async def test_a_loop_has_no_more_at_once_than_its_limit(run: Run, probe: Probe) -> None:
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_release_when, probe, 2)
        await run([{"actionId": "core.hold", "forEach": {"items": [1, 2, 3, 4, 5], "limit": 2}}])
    assert probe.most_at_once == 2


async def test_a_loop_over_something_else_than_an_array_fails(run: Run) -> None:
    ended = await run([say("a", 5), say("b", 1, forEach={"items": {"$from": "a", "path": "said"}})])
    assert (ended["lastError"]["code"], ended["lastError"]["stepId"]) == ("VALIDATION_ERROR", "b")


@pytest.mark.parametrize(
    ("expect", "problem"),
    [
        ({"path": "said.n", "equals": 1}, None),
        ({"path": "said.n", "equals": 2}, "'said.n' is 1, not 2"),
        ({"path": "said.none", "exists": False}, None),
        ({"path": "said.none", "exists": True}, "'said.none' is missing"),
        ({"path": "said.text", "contains": "ell"}, None),
        ({"path": "said.list", "contains": 4}, "does not contain 4"),
    ],
)
async def test_an_output_that_is_not_as_expected_fails_the_step(
    expect: dict[str, Any], problem: str | None, run: Run
) -> None:
    ended = await run([say("a", {"n": 1, "text": "hello", "list": [1, 2]}, expect=[expect])])
    assert ended["status"] == ("succeeded" if problem is None else "failed")
    assert problem is None or problem in ended["lastError"]["message"]


# Retries and time limits


async def test_a_step_is_tried_again_until_it_works(run: Run, probe: Probe, probed: Caller) -> None:
    retry = {"maxAttempts": 4, "backoffMs": 5, "factor": 2}
    ended = await run([{"id": "a", "actionId": "core.fail", "input": {"times": 2}, "retry": retry}])
    assert ended["status"] == "succeeded"
    assert (await steps_of(probed, ended["runId"]))["a"]["attempts"] == 3
    warned = await ask(probed, "workflow.logs", runId=ended["runId"], level="warn")
    assert ["5 ms" in warned["logs"][0]["message"], "10 ms" in warned["logs"][1]["message"]] == [True, True]


@pytest.mark.parametrize(
    ("kind", "attempts"),
    [
        ("Invalid", 1),
        ("NotFound", 1),
        ("Denied", 1),
        ("Unsupported", 1),
        ("NotConnected", 3),
        ("TimedOut", 3),
        ("Crash", 3),
    ],
)
async def test_only_what_may_pass_is_tried_again(kind: str, attempts: int, run: Run, probe: Probe) -> None:
    ended = await run([{"actionId": "core.fail", "input": {"kind": kind}, "retry": {"maxAttempts": 3}}])
    assert ended["status"] == "failed"
    assert probe.failed == attempts


async def test_a_step_that_takes_too_long_is_stopped(run: Run, probe: Probe) -> None:
    ended = await run([{"id": "slow", "actionId": "core.hold", "timeoutMs": 50}, say("b", 1)])
    assert (ended["status"], ended["lastError"]["code"]) == ("failed", "INTERNAL_ERROR")
    assert "0.05 s" in ended["lastError"]["message"]
    assert probe.at_once == 0


async def test_a_write_that_was_given_up_half_way_ends_the_run_as_interrupted(run: Run) -> None:
    ended = await run([{"id": "t", "actionId": "core.touch", "timeoutMs": 50, "retry": {"maxAttempts": 3}}])
    assert ended["status"] == "interrupted"
    assert "cannot be told whether 'core.touch' was carried out" in ended["lastError"]["message"]


# Cancelling


async def test_a_cancelled_run_gives_up_its_step_and_begins_no_other(run: Run, probe: Probe, probed: Caller) -> None:
    started = await run([{"id": "h", "actionId": "core.hold"}, say("b", 1)], _waitMs=0)
    with anyio.fail_after(20):
        await probe.begun.wait()
    answer = await ask(probed, "workflow.cancel", runId=started["runId"])
    assert (answer["acknowledged"], answer["cancelRequested"]) == (True, True)
    ended = await ask(probed, "workflow.status", runId=started["runId"], waitMs=20_000)
    assert (ended["status"], ended["completedSteps"]) == ("canceled", 0)
    assert (probe.at_once, probe.said) == (0, [])
    again = await ask(probed, "workflow.cancel", runId=started["runId"])
    assert again["acknowledged"] is False
