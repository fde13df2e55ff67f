"""A call under a key is carried out once, whoever dies in between."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.conftest import Caller, MakeCaller
from tests.contract.samples import note

from scenewright.core.calls.call import Outcome, Request
from scenewright.core.faults import Denied, TimedOut
from scenewright.core.operations.declaration import Operation

pytestmark = pytest.mark.anyio


async def keyed(caller: Caller, tool: str, path: str, text: str = "1") -> Outcome:
    request = Request(tool=tool, arguments={"path": path, "text": text}, key="run/step", origin="workflow")
    return await caller.runtime.run(request)


def sample(**changes: object) -> Operation:
    return replace(note, **changes)  # type: ignore[arg-type]


async def test_the_second_call_returns_what_the_first_one_did(make_caller: MakeCaller, project: Path) -> None:
    caller = make_caller(sample())
    first = await keyed(caller, "sample.note", "a.txt")
    second = await keyed(caller, "sample.note", "b.txt")
    assert (first.call.recalled, second.call.recalled) == (False, True)
    assert second.call.output == {"said": "1"}
    assert not (project / "b.txt").exists()
    assert len(caller.runtime.state.journal.entries(limit=10)) == 1


async def test_a_call_that_was_refused_may_be_made_again(make_caller: MakeCaller, project: Path) -> None:
    caller = make_caller(sample())
    assert not (await keyed(caller, "sample.note", "../a.txt")).ok
    assert (await keyed(caller, "sample.note", "a.txt")).ok
    assert (project / "a.txt").read_text() == "1"


async def test_a_dry_run_is_not_taken_for_the_call_itself(make_caller: MakeCaller, project: Path) -> None:
    caller = make_caller(sample())
    request = Request(tool="sample.note", arguments={"path": "a.txt", "text": "1"}, key="k", meta={"dryRun": True})
    assert (await caller.runtime.run(request)).ok
    assert not (project / "a.txt").exists()
    assert (await caller.runtime.run(replace(request, meta=None))).ok
    assert (project / "a.txt").exists()


async def test_what_changes_more_than_files_is_not_repeated_once_begun(make_caller: MakeCaller) -> None:
    caller = make_caller(sample(transactional=False))
    caller.runtime.state.open_for_writing()
    caller.runtime.state.journal.announce("run/step")  # and then the process died
    outcome = await keyed(caller, "sample.note", "a.txt")
    assert outcome.fault is not None
    assert outcome.fault.kind == "interrupted"


async def test_an_idempotent_operation_is_simply_repeated(make_caller: MakeCaller, project: Path) -> None:
    caller = make_caller(sample(transactional=False, idempotent=True))
    caller.runtime.state.open_for_writing()
    assert (await keyed(caller, "sample.note", "a.txt")).ok
    assert (project / "a.txt").exists()


async def test_an_announced_call_that_ended_is_known_with_its_output(make_caller: MakeCaller) -> None:
    caller = make_caller(sample(transactional=False))
    assert (await keyed(caller, "sample.note", "a.txt")).ok
    again = await keyed(caller, "sample.note", "b.txt")
    assert again.call.recalled
    assert again.call.output == {"said": "1"}


@pytest.mark.parametrize(("fault", "again"), [(Denied("no"), True), (TimedOut("slow"), False)])
async def test_a_refusal_takes_the_announcement_back_and_a_timeout_does_not(
    fault: Exception, again: bool, make_caller: MakeCaller
) -> None:
    def fail(call: object, inputs: object) -> object:
        raise fault

    caller = make_caller(sample(transactional=False, handler=fail))
    await keyed(caller, "sample.note", "a.txt")
    second = await keyed(caller, "sample.note", "a.txt")
    assert second.fault is not None
    assert (second.fault is fault) is again
    assert (second.fault.kind == "interrupted") is not again


async def test_history_that_was_forgotten_does_not_make_a_call_possible_again(
    make_caller: MakeCaller, project: Path
) -> None:
    caller = make_caller(sample(), journal_max_entries=3)
    await keyed(caller, "sample.note", "first.txt")
    for number in range(10):
        await caller.run("sample.note", {"path": f"{number}.txt", "text": "x"})
    assert (await keyed(caller, "sample.note", "second.txt")).call.recalled
    assert not (project / "second.txt").exists()
