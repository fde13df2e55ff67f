"""What each option of a tool for the open editor does: every one is seen to make a difference there."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import anyio
import pytest
from tests.godot.editor.conftest import Workbench, workbench
from tests.godot.editor.editors import RELOADER

from scenewright.core.projects.user_folder import user_token

pytestmark = [pytest.mark.anyio, pytest.mark.godot, pytest.mark.xdist_group("editor")]

SHOUTER = "addons/reloader/plugin.gd"
MINE = ["an error of mine", "a warning of mine", "a line of mine"]


async def test_the_scene_comes_from_a_node_on_and_down_to_a_depth(live: Workbench) -> None:
    below = await live.result("godot_get_scene", root_path="Player")
    assert below["tree"].splitlines() == [
        "Player: CharacterBody2D",
        "  Shape: CollisionShape2D",
        "  Sprite: Sprite2D",
    ]
    flat = await live.result("godot_get_scene", max_depth=1)
    assert "  Player: CharacterBody2D" in flat["tree"].splitlines()
    assert "Sprite" not in flat["tree"]


async def test_the_scene_comes_with_properties(live: Workbench) -> None:
    full = await live("godot_get_scene", include_properties=True, root_path="Player", max_depth=0)
    (player,) = full["result"]["nodes"]
    assert player["properties"]["position"]["value"] == "Vector2(1, 2)"
    assert "warnings" not in full
    cut = await live("godot_get_scene", include_properties=True, limit=2)
    assert len(cut["result"]["nodes"]) == 2
    assert "raise limit" in cut["warnings"][0]
    same = await live.result("godot_get_scene", include_properties=True, since=full["result"]["revision"])
    assert same["unchanged"] is True
    paged = await live.body("godot_get_scene", include_properties=True, cursor="1")
    assert paged["error"]["details"]["path"] == "input.cursor"


async def test_the_selection_and_a_node_come_with_properties(live: Workbench) -> None:
    await live("select_nodes", nodePath="Player")
    assert "properties" not in (await live.result("godot_get_selected"))["nodes"][0]
    (node,) = (await live.result("godot_get_selected", include_properties=True))["nodes"]
    assert node["properties"]["position"]["value"] == "Vector2(1, 2)"
    assert "rotation" not in (await live.result("godot_get_node", node_path="Player"))["properties"]
    whole = await live.result("godot_get_node", node_path="Player", include_default=True)
    assert whole["properties"]["rotation"]["value"] == 0.0
    assert len(whole["properties"]) > 20
    one = await live.result("godot_get_node", node_path="Player", include_default=True, property_filter=["rotation"])
    assert list(one["properties"]) == ["rotation"]


async def test_more_nodes_are_selected_beside_those_that_are(live: Workbench) -> None:
    await live("select_nodes", nodePath="Player")
    assert await _selected(live, nodePath="Button") == ["Button"]
    assert await _selected(live, nodePath="Player", additive=True) == ["Button", "Player"]
    assert await _selected(live, nodePaths=["Mob", "Player"], additive=True) == ["Button", "Mob", "Player"]
    assert await _selected(live, nodePaths=["Mob"]) == ["Mob"]


async def _selected(live: Workbench, **given: Any) -> list[str]:
    """What is selected after a call: as it says, and as the editor has it."""
    said = (await live.result("select_nodes", **given))["selected"]
    nodes = (await live.result("godot_get_selected"))["nodes"]
    assert sorted(said) == sorted(node["path"] for node in nodes)
    return sorted(node["name"] for node in nodes)


async def _shouted(live: Workbench) -> int:
    """The log's cursor, after which there are an error, a warning and a line."""
    cursor: int = (await live.result("clear_editor_output"))["cursor"]
    await live.person("shout")
    with anyio.fail_after(30):
        while len(await _mine(live, "tail_editor_log", cursor=cursor, onlyErrors=False)) < 3:
            continue
    return cursor


async def _mine(live: Workbench, tool: str, **given: Any) -> list[str]:
    found = await live.result(tool, **given)
    entries = found.get("entries") or found.get("logs") or found.get("errors") or []
    return sorted((entry["message"] for entry in entries if entry["message"] in MINE), key=MINE.index)


async def test_errors_are_chosen_by_severity_number_and_time(live: Workbench) -> None:
    await _shouted(live)
    assert await _mine(live, "godot_get_errors") == MINE[:2]
    assert await _mine(live, "godot_get_errors", severity="error") == MINE[:1]
    assert await _mine(live, "godot_get_errors", severity="warning") == MINE[1:2]
    (newest,) = (await live.result("godot_get_errors", count=1))["errors"]
    assert (await live.result("godot_get_errors", since=newest["timestamp"]))["errors"] == []


async def test_an_error_that_repeats_comes_once_with_how_often(live: Workbench) -> None:
    await _shouted(live)
    await live.person("shout")
    with anyio.fail_after(30):
        while (found := await live.result("godot_get_errors", severity="error"))["total_count"] < 2:
            continue
    (error,) = [error for error in found["errors"] if error["message"] == MINE[0]]
    assert error["times"] == 2
    (warning,) = (await live.result("godot_get_errors", severity="warning", count=1))["errors"]
    assert (warning["message"], warning["times"]) == (MINE[1], 2)


async def test_log_lines_are_chosen_by_number_and_pattern(live: Workbench) -> None:
    await _shouted(live)
    log = "godot_get_editor_log"
    assert await _mine(live, log) == MINE
    assert len((await live.result(log, count=1))["logs"]) == 1
    assert [line["message"] for line in (await live.result(log, filter="a l.ne of"))["logs"]] == MINE[2:]
    both = await live.body(log, filter="a", pattern="b")
    assert both["error"]["details"]["path"] == "input.pattern"


@pytest.mark.parametrize("given", [{}, {"cursor": True}], ids=["from the start", "from a cursor"])
async def test_the_log_is_followed_with_the_same_options(live: Workbench, given: dict[str, Any]) -> None:
    start = await _shouted(live)
    where = {"cursor": start} if given else {}
    log = "godot_get_editor_log"
    assert await _mine(live, log, only_errors=True, **where) == MINE[:2]
    assert [line["message"] for line in (await live.result(log, pattern="a l.ne of", **where))["logs"]] == MINE[2:]
    assert len((await live.result(log, max_bytes=1, **where))["logs"]) == 1
    assert len((await live.result(log, max_matches=2, **where))["logs"]) == 2
    if where:
        assert [line["message"] for line in (await live.result(log, filter="warning of", **where))["logs"]] == MINE[1:2]
        assert len((await live.result(log, count=1, **where))["logs"]) == 1
        end = (await live.result(log, **where))["cursor"]
        assert (await live.result(log, cursor=end))["logs"] == []


async def test_the_tail_is_cut_chosen_and_shown(live: Workbench) -> None:
    start = await _shouted(live)
    tail = "tail_editor_log"
    assert await _mine(live, tail, cursor=start) == MINE[:2]
    assert await _mine(live, tail, cursor=start, pattern="error of") == MINE[:1]
    assert len((await live.result(tail, cursor=start, maxMatches=1))["entries"]) == 1
    assert len((await live.result(tail, cursor=start, maxBytes=1))["entries"]) == 1


@pytest.mark.since_godot(4, 5)  # which tells the script that pushed an error
async def test_the_script_of_an_error_is_opened_at_its_line(live: Workbench) -> None:
    start = await _shouted(live)
    line = RELOADER[SHOUTER].splitlines().index('\t\tpush_error("an error of mine")') + 1
    for tool, given in (
        ("tail_editor_log", {"openScriptOnError": True, "cursor": start}),
        ("godot_get_editor_log", {"open_script_on_error": True, "cursor": start}),
        ("godot_get_editor_log", {"open_script_on_error": True}),
    ):
        await live("show_script", scriptPath="player.gd")
        shown = await live.result(tool, **given)
        assert shown["opened"] == f"res://{SHOUTER}:{line}"
        assert await _caret(live) == [line - 1, 0]
    rest = {"cursor": shown["cursor"], "openScriptOnError": True}
    assert "opened" not in await live.result("tail_editor_log", **rest)


async def _caret(live: Workbench) -> list[int]:
    field = "editor.get_script_editor().get_current_editor().get_base_editor()"
    found: list[int] = await live.seen(f"[{field}.get_caret_line(), {field}.get_caret_column()]")
    return found


async def test_a_script_is_shown_at_its_line_and_column(live: Workbench) -> None:
    await live("show_script", scriptPath="player.gd", line=3, column=5)
    assert await _caret(live) == [2, 4]
    await live("show_script", scriptPath="player.gd", line=1)
    assert (await _caret(live))[0] == 0


async def test_panels_are_found_up_to_a_number_and_hidden_ones_if_wanted(live: Workbench) -> None:
    some = (await live.result("find_panels", query="Button", hidden=True, limit=7))["panels"]
    assert len(some) == 7
    shown = (await live.result("find_panels", query="Button", limit=1000))["panels"]
    every = (await live.result("find_panels", query="Button", hidden=True, limit=1000))["panels"]
    assert all(row["visible"] for row in shown)
    assert len(every) > len(shown)


async def test_an_action_repeated_with_its_key_is_done_once(live: Workbench) -> None:
    key = str(uuid4())
    again = {"action": "create_node", "params": {"parent_path": ".", "node_type": "Node2D", "name": "Once"}}
    for _ in range(2):
        await live("godot_run_action", **again, idempotency_key=key)
    assert (await live.text()).count('name="Once') == 1
    await live("godot_run_action", **again, idempotency_key=f"{key}-again")
    assert (await live.text()).count('name="Once') == 2


async def test_a_batch_has_a_name_and_edits_the_scene_that_is_named(live: Workbench) -> None:
    await live("open_scene", scenePath="mob.tscn")
    step = {"method": "add_node", "params": {"parent_path": ".", "type": "Node2D", "name": "Made"}}
    await live("godot_editor_batch", steps=[step], scene="res://main.tscn", name="Make one")
    assert 'name="Made"' in await live.text()
    history = await live.ask("scenewright.get_history", scene="res://main.tscn")
    assert history["current_action"] == "Make one"


async def test_undo_and_redo_are_those_of_the_scene_that_is_named(live: Workbench) -> None:
    before = await live.text()
    await live.ask("scenewright.add_node", parent_path=".", type="Node2D", name="One")
    after = await live.text()
    for tool, left in (("editor_undo", before), ("editor_redo", after)):
        await live("open_scene", scenePath="mob.tscn")
        done = await live.result(tool, scene="res://main.tscn")
        assert (done["done"], await live.text()) == (["add_node: One"], left)
    await live("open_scene", scenePath="mob.tscn")
    assert (await live.result("editor_undo"))["done"] == []
    closed = await live.body("editor_undo", scene="res://nowhere.tscn")
    assert "not open" in closed["error"]["message"]


async def test_a_method_of_the_bridge_is_waited_for_as_long_as_is_said(live: Workbench) -> None:
    await live("godot_connect")
    live.editor.freeze()
    try:
        with anyio.fail_after(15):
            body = await live.body("godot_rpc", request_json={"method": "get_editor_info"}, timeout_ms=200)
    finally:
        live.editor.thaw()
    assert body["error"]["code"] == "E_TIMEOUT"


async def test_every_action_of_a_manager_may_be_given_a_time(live: Workbench) -> None:
    await live("godot_connect")
    live.editor.freeze()
    try:
        body = await live.body("godot_workspace_manager", action="get_state", timeoutMs=200)
    finally:
        live.editor.thaw()
    assert body["error"]["code"] == "E_TIMEOUT"
    assert "longer than 0.2 s" in body["error"]["message"]
    assert (await live.result("godot_workspace_manager", action="get_state", timeoutMs=60_000))["state"] == "ready"
    for wrong in (0, "soon", True):
        body = await live.body("godot_workspace_manager", action="get_state", timeoutMs=wrong)
        assert body["error"]["details"]["path"] == "input.timeoutMs", wrong


async def test_an_editor_that_does_not_answer_is_waited_for_as_long_as_is_said(live: Workbench) -> None:
    other = workbench(live.editor)
    live.editor.freeze()
    try:
        with anyio.fail_after(4.5):  # less than it waits by itself
            body = await other("godot_connect", timeoutMs=200)
    finally:
        live.editor.thaw()
    assert [row["state"] for row in body["result"]["editors"]] == ["connecting"]
    port = body["result"]["editors"][0]["port"]
    assert (await other.result("godot_connect", timeoutMs=20_000, port=port))["chosen"] == port
    other.caller.runtime.close()


@pytest.mark.parametrize("tool", ["list_properties", "list_methods", "list_signals"])
async def test_members_are_those_of_the_object_with_an_id(live: Workbench, tool: str) -> None:
    held = await live.result("godot_inspect", query_json={"node_path": "Player/Shape"}, members=False)
    shape = await live(tool, instanceId=held["resources"]["shape"])
    assert (shape["result"]["of"], shape["execution"]["mode"]) == ("RectangleShape2D", "live")
    button = await live.result("godot_inspect", query_json={"node_path": "Button"}, members=False)
    assert (await live.result(tool, instanceId=int(button["instance_id"])))["of"] == "Button with res://button.gd"
    gone = await live.body(tool, instanceId=5)
    assert "godot_inspect" in str(gone["error"]) or gone["error"]["code"] == "E_NOT_FOUND"


async def test_a_call_that_names_no_scene_is_about_the_edited_one(live: Workbench) -> None:
    added = await live("godot_scene_manager", action="create", nodeType="Node2D", nodeName="Unnamed")
    assert added["execution"]["mode"] == "live"
    assert "Used the edited scene" in added["warnings"][-1]
    assert "Unnamed" in (await live.result("godot_get_scene"))["tree"]
    await live("godot_scene_manager", action="instance", scenePath="mob.tscn", name="Another", props={"visible": False})
    assert "Another" in (await live.result("godot_get_scene"))["tree"]
    for name in ("Another", "Unnamed"):
        await live("godot_scene_manager", action="remove", nodePath=name)


async def test_a_node_is_selected_by_its_id_and_nothing_by_clear(live: Workbench) -> None:
    known = await live.result("godot_inspector_manager", action="inspect", query_json={"node_path": "Player"})
    chosen = await live.result("godot_inspector_manager", action="select", instanceId=known["instance_id"])
    assert chosen["selected"] == [known["node_path"]]
    assert (await live.result("godot_inspector_manager", action="select", clear=True))["selected"] == []


async def test_panels_are_found_and_read_in_omnis_words(live: Workbench) -> None:
    view = "godot_editor_view_manager"
    found = await live.result(
        view, action="panel.find", className="SceneTreeDock", visibleOnly=False, maxResults=3, includeTextPreview=True
    )
    assert found["panels"]
    read = await live.result(view, action="panel.read", panelPath="SceneTreeDock", maxChars=5000, includeTreeItems=True)
    assert "Player" in read["text"]
    two = await live.body(view, action="panel.find", className="A", textContains="B")
    assert two["error"]["details"]["rule"] == "oneOf"


async def test_the_editors_port_host_and_token_may_be_said(live: Workbench) -> None:
    port = (await live.result("godot_connect"))["editors"][0]["port"]
    token = user_token()
    said = await live.result("godot_workspace_manager", action="connect", port=port, host="127.0.0.1", token=token)
    assert said["chosen"] == port
    assert (await live.result("godot_workspace_manager", action="get_state", port=port))["state"] == "ready"
