"""Runs whose steps edit a scene that is open in a real editor: recorded, taken back there, one run at a time."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import anyio
import anyio.to_thread
import pytest
from tests.godot.editor.conftest import Workbench, main_text, tidy, workbench
from tests.godot.editor.editors import FILES, RunningEditor
from tests.workflow.conftest import PATIENCE_MS, Probe, ask, steps_of

from scenewright.godot.editor.live import stage

pytestmark = [pytest.mark.anyio, pytest.mark.godot, pytest.mark.xdist_group("editor")]

MAIN = {"scenePath": "main.tscn"}
FAIL = {"id": "bad", "actionId": "core.fail"}
HOLD = {"id": "hold", "actionId": "core.hold"}


@pytest.fixture
def probe() -> Probe:
    return Probe()


@pytest.fixture
async def bench(shared_editor: RunningEditor, probe: Probe) -> AsyncIterator[Workbench]:
    """The shared editor, and a workflow engine with the probe's operations beside the shipped ones."""
    made = workbench(shared_editor, *probe.operations())
    await tidy(made)
    yield made
    probe.released.set()
    await anyio.to_thread.run_sync(made.caller.runtime.close)


def add(step_id: str, name: str, **more: Any) -> dict[str, Any]:
    arguments = {**MAIN, "nodeType": "Node2D", "nodeName": name, **more}
    return {"id": step_id, "actionId": "add_node", "input": arguments}


def edit(step_id: str, node: str, **properties: Any) -> dict[str, Any]:
    arguments = {**MAIN, "nodePath": node, "properties": properties}
    return {"id": step_id, "actionId": "edit_node", "input": arguments}


async def start(bench: Workbench, steps: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    definition = {"id": "test", "steps": steps, **more}
    return await ask(bench.caller, "workflow.run", definition=definition)


async def ended(bench: Workbench, run: dict[str, Any]) -> dict[str, Any]:
    return await ask(bench.caller, "workflow.status", runId=run["runId"], waitMs=PATIENCE_MS)


async def run(bench: Workbench, steps: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    return await ended(bench, await start(bench, steps, **more))


async def undo_count(bench: Workbench, until: str) -> int:
    """How often the editor's own undo must be called until its scene is this text again."""
    for count in range(10):
        if await bench.text() == until:
            return count
        await bench.ask("scenewright.undo")
    raise AssertionError("the editor's undo does not lead there")


# Rolling back


async def test_a_failed_run_takes_its_edits_back_through_the_editors_undo(bench: Workbench) -> None:
    before, disk = await bench.text(), main_text(bench.project)
    steps = [
        add("group", "Group"),
        add("friend", "Friend", parentNodePath="Group"),
        edit("move", "Player", position=[7, 8]),
        {"id": "gone", "actionId": "remove_node", "input": {**MAIN, "nodePath": "Button"}},
        FAIL,
    ]
    found = await run(bench, steps, onFailure="rollback")
    assert found["status"] == "failed", found
    assert found["rollback"] == {"undone": ["gone", "move", "friend", "group"], "standing": []}
    assert await bench.text() == before
    assert main_text(bench.project) == disk


async def test_edits_in_the_editor_and_files_on_disk_are_taken_back_together(bench: Workbench) -> None:
    before, disk = await bench.text(), main_text(bench.project)
    script = {"scriptPath": "friend.gd", "content": "extends Node2D\n"}
    both = [
        {"tool": "add_node", "args": {**MAIN, "nodeType": "Timer", "nodeName": "Clock"}},
        {"tool": "edit_node", "args": {"scenePath": "mob.tscn", "nodePath": "Eye", "properties": {"position": [9, 9]}}},
    ]
    steps = [
        add("friend", "Friend"),
        {"id": "script", "actionId": "write_script", "input": script},
        {
            "id": "attach",
            "actionId": "attach_script",
            "input": {**MAIN, "nodePath": "Friend", "scriptPath": "friend.gd"},
        },
        {"id": "both", "actionId": "batch_operations", "input": {"operations": both, "atomic": True}},
        FAIL,
    ]
    found = await run(bench, steps, onFailure="rollback")
    assert found["status"] == "failed"
    assert found["lastError"]["stepId"] == "bad"
    assert found["rollback"] == {"undone": ["both", "attach", "script", "friend"], "standing": []}
    assert await bench.text() == before
    assert main_text(bench.project) == disk
    assert (bench.project / "mob.tscn").read_text() == FILES["mob.tscn"]
    assert not (bench.project / "friend.gd").exists()


async def test_what_the_person_has_edited_since_stands_and_the_run_says_so(bench: Workbench, probe: Probe) -> None:
    started = await start(bench, [add("one", "One"), HOLD, FAIL], onFailure="rollback")
    with anyio.fail_after(PATIENCE_MS / 1000):
        await probe.begun.wait()
    await bench.ask("scenewright.set_properties", node_path="Player", properties={"rotation": 1.0})
    probe.released.set()
    found = await ended(bench, started)
    assert found["rollback"] == {"undone": [], "standing": ["one"]}
    assert 'name="One"' in await bench.text()
    said = await ask(bench.caller, "workflow.logs", runId=found["runId"], level="error", stepId="one")
    assert "edited after" in said["logs"][0]["message"]


# Going well


async def test_a_run_that_succeeds_is_on_record_and_one_undo_step_per_call(bench: Workbench) -> None:
    before, disk = await bench.text(), main_text(bench.project)
    steps = [add("one", "One"), edit("move", "One", position=[3, 4], visible=False), add("two", "Two")]
    found = await run(bench, steps)
    assert (found["status"], found["completedSteps"]) == ("succeeded", 3)
    made = await steps_of(bench.caller, found["runId"])
    assert made["one"]["output"]["nodePath"] == "One"
    assert made["move"]["output"]["properties"] == {"position": "Vector2(3, 4)", "visible": False}
    assert made["two"]["diffSummary"].startswith("1 file changed")
    history = await bench.result("history", action="list", limit=3)
    entries = [each["historyEntries"] for each in made.values()]
    assert entries == [[entry["entry"]] for entry in reversed(history["entries"])]
    assert main_text(bench.project) == disk
    assert await undo_count(bench, before) == 3


async def test_a_dry_run_shows_one_diff_of_the_open_scene_and_edits_nothing(bench: Workbench) -> None:
    before = await bench.text()
    definition = {"id": "test", "steps": [add("one", "One"), edit("move", "One", position=[3, 4])]}
    found = await ask(bench.caller, "workflow.run", definition=definition, dryRun=True, waitMs=PATIENCE_MS)
    assert found["status"] == "succeeded"
    assert len(found["diff"]["entries"]) == 1
    assert await bench.text() == before


# Not twice


async def test_an_edit_that_the_editor_did_not_answer_for_ends_the_run_as_interrupted(
    bench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def freeze_first(*arguments: Any) -> Any:
        bench.editor.freeze()
        return edits(*arguments)

    edits = stage._edits
    monkeypatch.setattr(stage, "_edits", freeze_first)
    monkeypatch.setattr(stage, "APPLY_SECONDS", 0.2)
    try:
        found = await run(bench, [add("one", "One") | {"retry": {"maxAttempts": 3}}], onFailure="rollback")
    finally:
        bench.editor.thaw()
    assert (found["status"], "rollback" in found) == ("interrupted", False)
    assert (await bench.text()).count('name="One') == 1  # it was, as it turns out


async def test_an_edit_that_was_made_and_not_recorded_is_not_made_again(
    bench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(*arguments: object, **options: object) -> None:
        raise RuntimeError("as if the process had died")

    monkeypatch.setattr(bench.caller.runtime.state.journal, "commit", die)
    found = await run(bench, [add("one", "One") | {"retry": {"maxAttempts": 3}}])
    assert found["status"] == "interrupted"
    assert "it is unknown how far it got" in found["lastError"]["message"]
    assert (await bench.text()).count('name="One') == 1


# One at a time


async def test_runs_that_edit_what_an_editor_has_open_do_so_one_after_the_other(bench: Workbench, probe: Probe) -> None:
    first = await start(bench, [add("a", "A"), HOLD, add("b", "B")])
    with anyio.fail_after(PATIENCE_MS / 1000):
        await probe.begun.wait()
    second = await start(bench, [add("c", "C")])
    other = await run(bench, [{"actionId": "get_node_tree", "input": MAIN}])  # queued later, needs no turn
    assert other["status"] == "succeeded"
    assert (await ask(bench.caller, "workflow.status", runId=second["runId"]))["phase"] == "queued"
    probe.released.set()
    assert [(await ended(bench, each))["status"] for each in (first, second)] == ["succeeded"] * 2
    text = await bench.text()
    assert text.index('name="A"') < text.index('name="B"') < text.index('name="C"')
