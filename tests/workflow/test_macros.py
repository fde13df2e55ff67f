"""`workflow_manager` macro.*: scaffolds planned, run, resumed and validated on the workflow engine."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import anyio.to_thread
import pytest
from tests.conftest import Caller, MakeCaller
from tests.support.gdscript_runner import Reply, make_project, run_jobs

from scenewright.core.faults import Fault
from scenewright.core.projects.ownership import state_folder
from scenewright.godot.macros import MACROS
from scenewright.workflow.engines import engine_of

pytestmark = pytest.mark.anyio

SCENES = "scenes/generated/macro"
NAMES = """
func run(path: String) -> Array:
	var root: Node = (load(path) as PackedScene).instantiate()
	var names: Array = [root.name] + root.get_children().map(func(node: Node) -> String: return node.name)
	root.free()
	return names
"""


@pytest.fixture
def game(project: Path) -> Path:
    return make_project(project)


async def ask(caller: Caller, action: str, **arguments: Any) -> dict[str, Any]:
    """The result of an action of the manager, through its contract."""
    reply = await caller.reply("workflow_manager", {"action": f"macro.{action}", **arguments})
    assert reply.structured is not None
    assert reply.structured["ok"], reply.structured["error"]
    return dict(reply.structured["result"])


async def refused(caller: Caller, action: str, **arguments: Any) -> Fault:
    outcome = await caller.run("workflow_manager", {"action": f"macro.{action}", **arguments})
    assert outcome.fault is not None
    return outcome.fault


async def test_the_list_and_the_descriptions_tell_what_there_is(caller: Caller) -> None:
    listed = await ask(caller, "list")
    assert [macro["id"] for macro in listed["macros"]] == list(MACROS)
    for macro in MACROS:
        described = await ask(caller, "describe", macroId=macro)
        assert described["parameters"]["properties"]["scriptsFolder"]["default"] == "scripts/macro"
        files = MACROS[macro].plan(MACROS[macro].parameters()).files
        assert set(files) <= set(described["outputs"])


async def test_a_plan_shows_calls_and_one_diff_and_writes_nothing(game: Path, caller: Caller) -> None:
    before = {place: place.read_bytes() for place in game.rglob("*.*") if place.is_file() and ".g" not in str(place)}
    planned = await ask(caller, "plan", macros=list(MACROS), composeMainScene=True)
    assert [macro["macroId"] for macro in planned["macros"]] == [*MACROS, "main_scene"]
    assert planned["existing"] == []
    assert planned["diff"]["summary"].startswith("40 files changed")
    assert {place: place.read_bytes() for place in before} == before
    assert not (game / "scripts").exists()
    one = await ask(caller, "plan", macroId="save_load", params={"slots": 7})
    assert any("+slots = 7" in entry for entry in one["diff"]["entries"])


async def test_macros_are_built_in_one_run_and_found_sound(game: Path, caller: Caller) -> None:
    built = await ask(caller, "run", macros=list(MACROS), composeMainScene=True)
    assert built["status"] == "succeeded"
    assert built["valid"] is True, built["issues"]
    assert {macro["status"] for macro in built["macros"]} == {"succeeded"}
    assert all((game / file.removeprefix("res://")).exists() for macro in built["macros"] for file in macro["outputs"])
    run = await caller.reply("workflow.status", {"runId": built["runId"]})
    assert run.structured is not None
    assert (run.structured["workflowId"], run.structured["completedSteps"]) == ("macro", 11)
    manifest = await ask(caller, "manifest_get")
    assert manifest["runId"] == built["runId"]
    assert manifest["macros"] == built["macros"]
    assert (await ask(caller, "validate"))["valid"] is True
    # Each macro is one entry of the history, and can be taken back as one.
    entries = (await caller.run("history.list")).call.output.entries
    assert len(entries) == 11


async def test_a_dry_run_shows_the_diff_of_everything(game: Path, caller: Caller) -> None:
    reply = await caller.reply(
        "workflow_manager", {"action": "macro.run", "macros": ["ui_system", "save_load"], "dryRun": True}
    )
    assert reply.structured is not None
    assert reply.structured["execution"]["dryRun"] is True
    assert reply.structured["execution"]["diff"]["summary"].startswith("9 files changed")
    assert not (game / "scripts").exists()


async def test_what_is_there_is_not_touched_unless_told_to(game: Path, caller: Caller) -> None:
    await ask(caller, "run", macroId="save_load")
    script = game / "scripts/macro/save/SaveManager.gd"
    script.write_text("extends Node\n")
    fault = await refused(caller, "run", macroId="save_load", params={"slots": 5})
    assert fault.kind == "conflict"
    assert "res://scripts/macro/save/SaveManager.gd" in fault.details["existing"]
    assert "autoload SaveManager" in fault.details["existing"]
    assert "forceRegenerate" in str(fault.hint)
    assert (await ask(caller, "plan", macroId="save_load"))["existing"] == fault.details["existing"]
    assert script.read_text() == "extends Node\n"
    await ask(caller, "run", macroId="save_load", params={"slots": 5}, forceRegenerate=True)
    assert "slots = 5" in (game / SCENES / "save/SaveManager.tscn").read_text()
    assert "func save_slot" in script.read_text()


def _forbid_autoloads(game: Path) -> Path:
    policy = state_folder(game) / "policy.json"
    rule = {"match": {"actionId": "manage_autoloads"}, "effect": "deny", "reason": "not now"}
    policy.parent.mkdir(parents=True, exist_ok=True)
    policy.write_text(json.dumps({"version": "v1", "mode": "allow-all", "rules": [rule]}))
    return policy


async def test_after_a_failure_resume_builds_what_is_missing(game: Path, caller: Caller) -> None:
    policy = _forbid_autoloads(game)
    fault = await refused(caller, "run", macros=["camera_2d", "save_load", "combat_hitbox"])
    assert fault.kind == "denied"
    assert "save_load_scaffold" in fault.message
    assert "not now" in fault.message
    assert [macro["status"] for macro in fault.details["macros"]] == ["succeeded", "failed", "pending"]
    # A macro is built as a whole or not at all.
    assert not (game / "scripts/macro/save").exists()
    policy.unlink()
    camera = (game / "scripts/macro/camera/CameraRig2D.gd").stat().st_mtime_ns
    resumed = await ask(caller, "resume")
    assert [macro["macroId"] for macro in resumed["macros"]] == ["save_load_scaffold", "combat_hitbox_scaffold"]
    assert resumed["valid"] is True
    assert (game / "scripts/macro/camera/CameraRig2D.gd").stat().st_mtime_ns == camera
    manifest = await ask(caller, "manifest_get")
    assert sorted((macro["macroId"], macro["status"]) for macro in manifest["macros"]) == [
        ("camera_2d_scaffold", "succeeded"),
        ("combat_hitbox_scaffold", "succeeded"),
        ("save_load_scaffold", "succeeded"),
    ]
    again = await ask(caller, "resume")
    assert again["runId"] == resumed["runId"]


async def test_the_run_that_a_run_resumes_is_part_of_its_plan(game: Path, caller: Caller) -> None:
    policy = _forbid_autoloads(game)
    fault = await refused(caller, "run", macros=["camera_2d", "save_load"])
    policy.unlink()
    resumed = await ask(caller, "resume")
    store = await engine_of(caller.runtime).started()
    plans = [await anyio.to_thread.run_sync(store.plan, run["runId"]) for run in (fault.details, resumed)]
    assert [plan.resumes for plan in plans] == [None, fault.details["runId"]]
    assert plans[1].definition.description is None


async def test_a_description_links_no_runs(game: Path, caller: Caller) -> None:
    first = await ask(caller, "run", macroId="camera_2d")
    step = {"id": "other", "actionId": "core.ping"}
    definition = {"id": "macro", "description": f"resumes {first['runId']}", "steps": [step]}
    assert (await caller.run("workflow.run", {"definition": definition, "waitMs": 60_000})).ok
    manifest = await ask(caller, "manifest_get")
    assert [macro["macroId"] for macro in manifest["macros"]] == ["other"]


@pytest.mark.godot
async def test_the_main_scene_is_made_where_it_is_wanted(game: Path, caller: Caller) -> None:
    wanted = {"macros": ["level_pipeline"], "composeMainScene": True, "mainScenePath": "start/Game.tscn"}
    planned = await ask(caller, "plan", **wanted)
    assert planned["macros"][-1]["outputs"] == ["res://start/Game.tscn"]
    built = await ask(caller, "run", **wanted)
    assert built["macros"][-1]["outputs"] == ["res://start/Game.tscn"]
    (loaded,) = run_jobs(game, NAMES, ["res://start/Game.tscn"])
    assert loaded == Reply(["Main", "World"], [])
    for action in ("plan", "run"):
        fault = await refused(caller, action, macroId="save_load", mainScenePath="start/Game.tscn")
        assert (getattr(fault, "path", None), "composeMainScene" in str(fault.hint)) == ("input.mainScenePath", True)


async def test_a_plan_of_what_is_there_has_a_diff_where_it_would_be_made_anew(game: Path, caller: Caller) -> None:
    await ask(caller, "run", macroId="save_load")
    assert "diff" not in await ask(caller, "plan", macroId="save_load", params={"slots": 5})
    planned = await ask(caller, "plan", macroId="save_load", params={"slots": 5}, forceRegenerate=True)
    assert any("+slots = 5" in entry for entry in planned["diff"]["entries"])


async def test_what_was_built_is_looked_at_unless_told_not_to(game: Path, caller: Caller) -> None:
    assert "valid" not in await ask(caller, "run", macroId="save_load", validate=False)
    policy = _forbid_autoloads(game)
    await refused(caller, "run", macroId="save_load", forceRegenerate=True)
    policy.unlink()
    assert "valid" not in await ask(caller, "resume", validate=False)


async def test_validation_finds_what_was_broken_since(game: Path, caller: Caller) -> None:
    await ask(caller, "run", macroId="ui_system")
    (game / "scripts/macro/ui/HUD.gd").unlink()
    checked = await ask(caller, "validate")
    assert checked["valid"] is False
    broken = {row["path"]: row for row in checked["scenes"] if not row["valid"]}
    assert set(broken) >= {"res://scripts/macro/ui/HUD.gd", f"res://{SCENES}/ui/HUD.tscn"}
    one = await ask(caller, "validate", scenes=[f"{SCENES}/ui/PauseMenu.tscn"])
    assert one == {"valid": True, "scenes": [{"path": f"res://{SCENES}/ui/PauseMenu.tscn", "valid": True}]}


WRONG: list[tuple[dict[str, Any], str]] = [
    ({}, "input.macroId"),
    ({"macroId": "camera_2d", "macros": ["camera_2d"]}, "input.macroId"),
    ({"macros": ["camera_2d"], "params": {}}, "input.params"),
    ({"macros": ["camera_2d", 5]}, "input.macros[1]"),
    ({"macros": ["camera_2d", "camera_2d_scaffold"]}, "input.macros[1]"),
    ({"macroId": "camera_2d", "params": {"zom": 2}}, "input.params.zom"),
    ({"macros": [{"macroId": "camera_2d", "params": {"zoom": -1}}]}, "input.macros[0].params.zoom"),
    ({"macros": [{"macroId": "save_load", "params": {"folder": "/etc"}}]}, "input.macros[0].params.folder"),
]


async def test_a_wrong_request_says_where_it_is_wrong(game: Path, caller: Caller) -> None:
    for arguments, path in WRONG:
        fault = await refused(caller, "run", **arguments)
        assert (fault.kind, getattr(fault, "path", None)) == ("invalid", path)


async def test_a_macro_that_is_not_there_and_a_run_that_never_was_are_not_found(game: Path, caller: Caller) -> None:
    assert "camera_2d_scaffold" in str((await refused(caller, "run", macroId="camera_3d")).hint)
    for action in ("manifest_get", "resume", "validate"):
        assert (await refused(caller, action)).kind == "not_found"


async def test_read_only_mode_plans_nothing_into_files(game: Path, make_caller: MakeCaller) -> None:
    caller = make_caller(read_only=True)
    fault = await refused(caller, "run", macroId="save_load")
    assert fault.kind == "denied"
    assert not (game / "scripts").exists()
