"""The editor as a workplace, through the server: what is open, undo, screens, scripts, panels, log, any method."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.conftest import Caller
from tests.e2e.tools import godot
from tests.godot.editor.conftest import Workbench
from tests.godot.editor.editors import FILES, make_live_project

from scenewright.app import catalogues
from scenewright.core.config import Config
from scenewright.core.operations.registry import build_registry
from scenewright.core.runtime import Runtime

pytestmark = [pytest.mark.anyio, pytest.mark.godot, pytest.mark.xdist_group("editor")]

WORKSPACE, SCENES, INSPECTOR = "godot_workspace_manager", "godot_scene_manager", "godot_inspector_manager"
VIEW, LOG = "godot_editor_view_manager", "godot_log_manager"


async def test_the_status_tells_which_editors_are_open(live: Workbench) -> None:
    await live("godot_connect")
    status = await live.result(WORKSPACE, action="status")
    assert status["connected"] is True
    assert status["addon"] is True
    assert [row["pid"] for row in status["editors"]] == [live.editor.process.pid]


async def test_the_state_tells_what_is_open_and_what_is_not_saved(live: Workbench) -> None:
    await live(WORKSPACE, action="open_scene", scenePath="mob.tscn")
    await live.ask("scenewright.set_property", node_path="Eye", property="visible", value=False)
    state = await live.result(WORKSPACE, action="get_state")
    assert state["currentScene"] == "res://mob.tscn"
    assert {row["path"]: row["unsaved"] for row in state["scenes"]}["res://mob.tscn"] is True
    assert await live.result(WORKSPACE, action="save_all") == {"saved": ["res://mob.tscn"], "failed": []}
    assert "visible = false" in (live.project / "mob.tscn").read_text(encoding="utf-8")
    assert (await live.result(WORKSPACE, action="open_scene", scenePath="res://main.tscn"))["root"] == "Main"


async def test_a_scene_whose_file_changed_is_saved_only_if_that_is_wanted(live: Workbench) -> None:
    await live("edit_node", scenePath="main.tscn", nodePath="Button", properties={"text": "Mine"})
    file = live.project / "main.tscn"
    file.write_text(file.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    answer = await live.result(WORKSPACE, action="save_all")
    assert (answer["saved"], answer["failed"][0]["scene_path"]) == ([], "res://main.tscn")
    assert (await live.result(WORKSPACE, action="save_all", overwrite=True))["saved"] == ["res://main.tscn"]


async def test_the_editors_own_steps_are_undone_and_redone(live: Workbench) -> None:
    before = await live.text()
    for name in ("One", "Two"):
        await live.ask("scenewright.add_node", parent_path=".", type="Node2D", name=name)
    after = await live.text()
    undone = await live.result(SCENES, action="undo", count=2, scene="res://main.tscn")
    assert undone["done"] == ["add_node: Two", "add_node: One"]
    assert await live.text() == before
    assert (await live.result(SCENES, action="redo", count=2))["done"] == ["add_node: One", "add_node: Two"]
    assert await live.text() == after


async def test_nodes_are_selected_and_looked_at(live: Workbench) -> None:
    one = await live.result(INSPECTOR, action="select", nodePath="Player")
    assert one["selected"] == ["/root/Main/Player"]
    two = await live.result(INSPECTOR, action="select", nodePaths=["Player", "Button"])
    assert two["selected"] == ["/root/Main/Player", "/root/Main/Button"]
    assert (await live.result(INSPECTOR, action="get_selection"))["selection_count"] == 2
    assert (await live.result(INSPECTOR, action="select", nodePaths=[]))["selected"] == []
    both = await live.body(INSPECTOR, action="select", nodePath="Player", nodePaths=[])
    assert both["error"]["code"] == "E_SCHEMA_VALIDATION"
    focused = await live.result(INSPECTOR, action="focus_node", nodePath="Player")
    assert (focused["focused"], focused["screen"]) == (True, "2D")


async def test_scripts_are_shown_listed_and_given_breakpoints(live: Workbench) -> None:
    shown = await live.result(VIEW, action="edit_script", scriptPath="button.gd", line=3, column=2)
    assert {"path": "res://button.gd", "current": True} in shown["scripts"]
    assert await live.result(VIEW, action="list_open_scripts") == shown
    marked = await live.result(VIEW, action="add_breakpoint", scriptPath="button.gd", line=3)
    assert marked == {"path": "res://button.gd", "breakpoints": [3]}
    gone = await live.result(VIEW, action="add_breakpoint", scriptPath="button.gd", line=3, enabled=False)
    assert gone["breakpoints"] == []
    assert (await live.result(VIEW, action="switch_screen", screen="2D"))["screen"] == "2D"


async def test_panels_are_found_and_read(live: Workbench) -> None:
    found = await live.result(VIEW, action="panel.find", query="SceneTreeDock", hidden=True, limit=1)
    assert [row["type"] for row in found["panels"]] == ["SceneTreeDock"]
    read = await live.result(VIEW, action="panel.read", path=found["panels"][0]["path"], maxBytes=10_000)
    assert "Player" in read["text"]
    assert (await live.result(VIEW, action="panel.read", path="SceneTreeDock", maxBytes=3))["truncated"] is True


async def test_the_log_is_followed_and_cleared(live: Workbench) -> None:
    start = (await live.result(LOG, action="clear_output"))["cursor"]
    await live.ask("scenewright.open_scene", scene_path="res://main.tscn")
    broken = live.project / "broken.gd"
    broken.write_text("extends Node\n\nfunc a() -> void:\n\tmissing(\n", encoding="utf-8")
    await live.body(
        "godot_rpc", request_json={"method": "scenewright.edit_script", "params": {"path": "res://broken.gd"}}
    )
    broken.unlink()
    failed = await live.result(LOG, action="tail", cursor=start, openScriptOnError=True)
    assert any("broken.gd" in str(entry) or "arse" in entry["message"] for entry in failed["entries"])
    assert {entry["type"] for entry in failed["entries"]} <= {"error", "warning"}
    assert await live.result(LOG, action="tail", cursor=failed["cursor"]) == {"entries": [], "cursor": failed["cursor"]}
    lines = await live.result(LOG, action="poll", cursor=start, max_matches=1)
    assert (len(lines["logs"]), lines["cursor"] > start) == (1, True)
    assert (await live.result(LOG, action="poll", cursor=start, pattern="no such line"))["logs"] == []
    few = await live.result(LOG, action="tail", cursor=start, onlyErrors=False, maxBytes=1, maxMatches=50)
    assert (len(few["entries"]), few["more"]) == (1, True)


async def test_any_method_of_the_bridge_can_be_called(live: Workbench) -> None:
    assert (await live.result("godot_rpc", request_json='{"method": "ping"}'))["answer"]["pong"] is True
    wanted = {"method": "get_node_properties", "params": {"node_path": "Player"}}
    assert (await live.result("godot_rpc", request_json=wanted))["answer"]["node_type"] == "CharacterBody2D"
    wrong: list[str | dict[str, object]] = ["{", "[]", {"params": {}}, {"method": "ping", "params": [1]}]
    for bad in wrong:
        body = await live.body("godot_rpc", request_json=bad)
        assert body["error"]["code"] == "E_SCHEMA_VALIDATION", bad
    unknown = await live.body("godot_rpc", request_json={"method": "no_such"})
    assert unknown["ok"] is False


async def test_deleting_by_any_method_is_for_the_editor_to_enable(live: Workbench) -> None:
    deletion = {"method": "execute_action", "params": {"action": "delete_node", "args": {"node_path": "Button"}}}
    reply = await live.caller.reply("godot_rpc", {"request_json": deletion})
    assert reply.structured is not None
    assert "is not enabled" in reply.structured["error"]["message"]
    assert 'name="Button"' in await live.text()


async def test_classes_and_nodes_are_inspected(live: Workbench) -> None:
    timer = await live.result("godot_inspect", query_json={"className": "Timer"})
    assert timer["inherits"] == ["Node", "Object"]
    assert "timeout()" in timer["signals"]
    shape = await live.result("godot_inspect", query_json='{"node_path": "Player/Shape"}', members=False)
    assert "methods" not in shape
    held = await live.result("godot_inspect", query_json={"instanceId": shape["resources"]["shape"]})
    assert held["properties"]["size"]["value"] == "Vector2(10, 20)"
    wrong: list[dict[str, str]] = [{}, {"class_name": "Node", "node_path": "."}, {"node": "Player"}]
    for bad in wrong:
        body = await live.body("godot_inspect", query_json=bad)
        assert body["error"]["code"] == "E_SCHEMA_VALIDATION", bad


@pytest.fixture
async def typed(live: Workbench) -> AsyncIterator[str]:
    """The person has typed a first line into button.gd and not saved it; its text."""
    await live(VIEW, action="edit_script", scriptPath="button.gd", line=1, column=1)
    await live.person("type")
    yield "# mine\n" + FILES["button.gd"]
    await live.person("untype")


async def test_a_script_with_unsaved_text_is_not_overwritten(live: Workbench, typed: str) -> None:
    disk = (live.project / "button.gd").read_text(encoding="utf-8")
    body = await live.body("write_script", scriptPath="button.gd", content="extends Button\n", overwrite=True)
    assert "not saved" in body["error"]["message"]
    assert (live.project / "button.gd").read_text(encoding="utf-8") == disk
    await live.person("untype")
    await live("write_script", scriptPath="button.gd", content="extends Button\n", overwrite=True)


async def test_a_script_is_read_with_what_was_typed_and_not_saved(live: Workbench, typed: str) -> None:
    body = await live("read_script", scriptPath="button.gd")
    assert body["result"]["content"] == typed
    assert (body["execution"]["mode"], body["execution"]["editor"]["pid"]) == ("live", live.editor.process.pid)
    assert "not saved" in body["summary"]
    body = await live("read_file", path="button.gd")
    assert (body["result"]["text"], body["execution"]["mode"]) == (typed, "live")
    outline = await live.result("get_script_outline", scriptPath="button.gd")
    assert {row["name"]: row["line"] for row in outline["symbols"]}["target"] == 4
    other = await live("read_script", scriptPath="player.gd")
    assert (other["result"]["content"], other["execution"]["mode"]) == (FILES["player.gd"], "files")


@pytest.mark.parametrize("regex", [False, True])
async def test_a_search_looks_into_what_was_typed_and_not_saved(live: Workbench, typed: str, regex: bool) -> None:
    del typed
    found = await live("search_files", query="# mine", include=["*.gd"], exclude=["addons/*"], regex=regex)
    assert [(row["path"], row["line"]) for row in found["result"]["matches"]] == [("res://button.gd", 1)]
    assert found["execution"]["mode"] == "live"


async def test_usages_are_found_in_what_was_typed_and_not_saved(live: Workbench, typed: str) -> None:
    del typed
    await live.person("untype")
    before = await live.result("find_usages", target="player.gd")
    await live(VIEW, action="edit_script", scriptPath="button.gd", line=1, column=1)
    await live.person("mention")
    after = await live.result("find_usages", target="player.gd")
    assert [row["path"] for row in after["usages"]] == [*(row["path"] for row in before["usages"]), "res://button.gd"]


async def test_what_an_all_or_nothing_batch_reads_is_what_it_would_write_over(live: Workbench, typed: str) -> None:
    del typed
    calls = [
        {"tool": "read_script", "args": {"scriptPath": "button.gd"}},
        {"tool": "edit_script", "args": {"scriptPath": "button.gd", "find": "count", "replace": "total"}},
    ]
    body = await live.body("batch_operations", operations=calls, atomic=True)
    assert "not saved" in body["error"]["message"]
    assert (live.project / "button.gd").read_text(encoding="utf-8") == FILES["button.gd"]


async def test_an_editor_is_launched_and_found_open_the_second_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GODOT_PATH", godot())
    for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    project = make_live_project(tmp_path / "project")
    runtime = Runtime(
        Config(allow_dangerous=True, project=project, rate_limit=None), build_registry(catalogues()), server_version="0"
    )
    caller = Caller(runtime)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    reply = await caller.reply(
        WORKSPACE, {"action": "launch", "headless": True, "scenePath": "mob.tscn", "waitSeconds": 0, "port": port}
    )
    assert reply.structured is not None
    launched = reply.structured["result"]
    try:
        assert (launched["headless"], launched["connected"]) == (True, False)
        again = await caller.reply(WORKSPACE, {"action": "launch", "waitSeconds": 120})
        assert again.structured is not None
        assert again.structured["result"]["alreadyRunning"] is True
        assert again.structured["result"]["connected"] is True
        assert (again.structured["result"]["pid"], again.structured["result"]["port"]) == (launched["pid"], port)
        state = await caller.reply(WORKSPACE, {"action": "get_state"})
        assert state.structured is not None
        assert state.structured["result"]["currentScene"] == "res://mob.tscn"
    finally:
        closed = await caller.reply("close_editor", meta={"approved": True})
        runtime.close()
    assert closed.structured is not None
    assert closed.structured["result"]["pid"] == launched["pid"]
