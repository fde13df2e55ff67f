"""What a model reads in the portable dialect: what it could not know, once; the contract dialect says all its words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from bench.day_of_work import CALLS
from tests.conftest import Caller, MakeCaller
from tests.contract.sentences import Connect
from tests.e2e.tasks import TASKS

from scenewright.contracts import render
from scenewright.contracts.rendered import as_text
from scenewright.godot.engine.operations.probes import Probe

pytestmark = pytest.mark.anyio

LEVEL = (
    '[gd_scene format=3]\n\n[node name="Level" type="Node2D"]\n\n[node name="Lamp" type="PointLight2D" parent="."]\n'
)


@pytest.fixture
def game(project: Path, make_caller: MakeCaller) -> Caller:
    (project / "project.godot").write_text('config_version=5\n\n[application]\nconfig/name="Game"\n')
    (project / "level.tscn").write_text(LEVEL)
    return make_caller()


async def brief(caller: Caller, tool: str, arguments: dict[str, Any], **options: Any) -> dict[str, Any]:
    body = render(await caller.run(tool, arguments, **options), brief=True).structured
    assert body is not None
    return body


async def test_a_new_file_is_answered_without_its_content(game: Caller) -> None:
    body = await brief(game, "write_file", {"path": "notes.md", "content": "# Notes\n"})
    assert body == {"ok": True, "summary": "Created notes.md (8 bytes).", "execution": {"historyEntry": 1}}


async def test_an_edit_shows_the_lines_that_changed_and_none_around_them(game: Caller, project: Path) -> None:
    (project / "a.txt").write_text("".join(f"{number}\n" for number in range(9)))
    body = await brief(game, "edit_file", {"path": "a.txt", "find": "4\n", "replace": "four\n"})
    assert body["execution"]["diff"] == {"entries": ["modified a.txt\n@@ -5 +5 @@\n-4\n+four"]}


async def test_a_dry_run_shows_the_whole_diff(game: Caller) -> None:
    body = await brief(game, "write_file", {"path": "notes.md", "content": "# Notes\n", "dryRun": True})
    assert body["execution"]["diff"]["entries"] == ["created notes.md\n@@ -0,0 +1 @@\n+# Notes"]
    assert body["execution"]["dryRun"] is True


async def test_values_that_arrived_as_sent_are_left_out_and_others_told(game: Caller) -> None:
    sent = {"position": [8, 4], "color": "#ff8800", "energy": 1.0, "blend_mode": "Mix", "shadow_enabled": True}
    arguments = {"scenePath": "level.tscn", "nodePath": "Lamp", "properties": sent}
    whole = render(await game.run("edit_node", arguments)).structured or {}
    assert whole["result"]["properties"].keys() == sent.keys()
    arguments["properties"] = {**sent, "position": [9, 4], "shadow_enabled": False}
    body = await brief(game, "edit_node", arguments)
    assert body["result"] == {
        "properties": {"blend_mode": 2},
        "unwritten": whole["result"]["unwritten"] + ["shadow_enabled"],
    }


async def test_what_changed_nothing_says_so(game: Caller) -> None:
    arguments = {"scenePath": "level.tscn", "nodePath": "Lamp", "properties": {"energy": 2.5}}
    await brief(game, "edit_node", arguments)
    body = await brief(game, "edit_node", arguments)
    assert body == {"ok": True, "summary": "Set 1 property of 'Lamp'. No file had to be changed for it."}


async def test_new_lines_are_counted_where_all_were_sent_and_replaced_ones_are_shown(game: Caller) -> None:
    lamp = {"scenePath": "level.tscn", "nodePath": "Lamp"}
    body = await brief(game, "edit_node", {**lamp, "properties": {"energy": 2.5, "height": 3}})
    assert body["execution"]["diff"] == {"entries": ["modified level.tscn (2 new lines)"]}
    body = await brief(game, "edit_node", {**lamp, "properties": {"energy": 4.5}})
    (entry,) = body["execution"]["diff"]["entries"]
    assert [line for line in entry.splitlines() if line[0] in "+-"] == ["-energy = 2.5", "+energy = 4.5"]


async def test_what_a_tool_works_out_is_shown_line_by_line(game: Caller) -> None:
    body = await brief(game, "create_primitive", {"scenePath": "level.tscn", "shape": "box", "nodeName": "Box"})
    assert "new line" not in json.dumps(body["execution"])
    assert "BoxMesh" in json.dumps(body["execution"])


async def test_a_part_that_was_written_shows_no_steps(game: Caller) -> None:
    tree = {"name": "Level", "type": "Node2D", "children": [{"name": "Clock", "type": "Timer"}]}
    calls = [{"tool": "apply_scene", "args": {"scenePath": "level.tscn", "tree": tree}}]
    body = await brief(game, "batch_operations", {"operations": calls})
    assert body["result"]["results"] == [{"summary": "1 step applied to res://level.tscn.", "historyEntry": 1}]


def test_a_probe_tells_what_does_not_hold_and_what_is_no_plain_yes() -> None:
    holds = {"expression": "a", "holds": True, "value": "true"}
    told = [{"expression": "b", "holds": True, "value": "7"}, {"expression": "c", "holds": False, "found": "1, not 2"}]
    calls = [{"method": "jump", "value": "null"}, {"emit": "hit", "connections": 1}]
    whole = {"passed": False, "total": 3, "properties": {}, "calls": calls, "checks": [holds, *told], "errors": []}
    assert Probe.shorten(whole) == {"passed": False, "total": 3, "checks": told}
    lonely = [{"method": "jump", "value": "null"}, {"emit": "hit", "connections": 0}]
    assert Probe.shorten({**whole, "calls": lonely})["calls"] == lonely


async def test_a_scene_that_is_applied_shows_its_steps_or_its_diff(game: Caller) -> None:
    tree = {"name": "Level", "type": "Node2D", "children": [{"name": "Clock", "type": "Timer"}]}
    arguments = {"scenePath": "level.tscn", "tree": tree}
    planned = await brief(game, "apply_scene", {**arguments, "mode": "plan"})
    assert planned["result"]["steps"]
    assert "diff" not in planned.get("execution", {})
    applied = await brief(game, "apply_scene", {**arguments, "mode": "apply"})
    assert "steps" not in applied.get("result", {})
    assert applied["execution"]["diff"]["entries"] == ["modified level.tscn (2 new lines)"]


async def test_a_new_scene_tells_only_values_that_differ_from_what_was_declared(game: Caller) -> None:
    values = {"position": [8, 4], "color": "#ff8800", "blend_mode": "Mix", "shadow_filter": "PCF1", "energy": 1}
    tree = {
        "name": "Night",
        "type": "Node2D",
        "children": [{"name": "A", "type": "PointLight2D", "properties": values}],
    }
    body = await brief(game, "apply_scene", {"scenePath": "night.tscn", "tree": tree})
    assert body["result"] == {"arrived": {"A:shadow_filter": 2}, "unwritten": ["A:energy"]}
    assert body["execution"]["diff"]["entries"][0].startswith("created night.tscn (")


async def test_a_batch_has_a_line_for_each_part_and_counts_what_was_sent(game: Caller) -> None:
    places = [
        {"nodeName": f"L{number}", "properties": {"position": [number, 1], "energy": 0.5}} for number in range(20)
    ]
    calls = [
        {"tool": "add_node", "args": {"scenePath": "level.tscn", "nodeType": "PointLight2D", **place}}
        for place in places
    ]
    body = await brief(game, "batch_operations", {"operations": calls, "atomic": True})
    assert body["summary"] == "20 of 20 calls succeeded."
    assert body["result"] == {"results": [{"summary": f"Added 'L{number}' (PointLight2D)."} for number in range(20)]}
    assert body["execution"]["diff"]["entries"] == ["modified level.tscn (80 new lines)"]


async def test_a_batch_says_which_part_failed_and_why(game: Caller) -> None:
    calls = [{"tool": "read_file", "args": {"path": "gone"}}, {"tool": "read_file", "args": {"path": "level.tscn"}}]
    body = await brief(game, "batch_operations", {"operations": calls, "stopOnError": False})
    failed, read = body["result"]["results"]
    assert (failed["index"], failed["error"]["code"]) == (0, "E_NOT_FOUND")
    assert read["result"]["text"] == LEVEL
    assert (body["result"]["succeeded"], body["result"]["failed"]) == (1, 1)


async def test_a_refusal_is_said_once(game: Caller) -> None:
    body = await brief(game, "read_file", {"path": "gone"})
    assert body.keys() == {"ok", "error"}
    assert body["error"].keys() == {"code", "message", "suggestedFix"}


async def test_a_refused_value_is_explained_once(game: Caller) -> None:
    where = {"scenePath": "level.tscn", "nodePath": "Lamp"}
    error = (await brief(game, "edit_node", {**where, "properties": {"color": 3}}))["error"]
    assert error["details"].keys() == {"path", "rule"}
    assert "For example" in error["suggestedFix"]
    error = (await brief(game, "overview", {"maxBytes": 3}))["error"]
    assert error["details"] == {"path": "input.maxBytes", "rule": "minimum"}
    named = (await brief(game, "edit_node", {**where, "properties": {"texture_filter": "nea"}}))["error"]
    assert "Did you mean 'Nearest' or 'Nearest Mipmap'" in named["suggestedFix"]


async def test_nodes_that_were_sent_are_not_listed(game: Caller) -> None:
    sent = [{"nodeName": "A", "nodeType": "Node2D"}, {"nodeName": "B", "nodeType": "Timer", "parentNodePath": "A"}]
    body = await brief(game, "batch_create_nodes", {"scenePath": "level.tscn", "items": sent})
    assert "result" not in body
    more = [{"nodeName": "C", "nodeType": "StaticBody2D", "components": {"shape": "circle"}}]
    body = await brief(game, "batch_create_nodes", {"scenePath": "level.tscn", "items": more})
    assert body["result"]["nodes"] == ["C", "C/CollisionShape2D"]


async def test_a_plan_does_not_say_that_nothing_had_to_be_changed(game: Caller) -> None:
    tree = {"name": "Level", "children": [{"name": "Lamp", "properties": {"energy": 2}}]}
    body = await brief(game, "apply_scene", {"scenePath": "level.tscn", "tree": tree, "mode": "plan"})
    assert body["summary"] == "1 step planned for res://level.tscn."


async def test_an_undo_names_its_files_once(game: Caller) -> None:
    await brief(game, "write_file", {"path": "notes.md", "content": "1"})
    body = await brief(game, "history", {"action": "undo"})
    assert as_text(body).count("notes.md") == 2  # what is taken back, and what happened to the file
    assert body["execution"]["diff"]["entries"] == ["deleted notes.md (1 line, 1 bytes)"]


async def test_a_client_reads_it_as_text_and_as_structure(connect: Connect, project: Path) -> None:
    async with connect("legacy", toolset="full") as wire:
        listed = {tool.name: tool for tool in (await wire.client.list_tools()).tools}
        assert listed["write_file"].output_schema is not None  # by which the client checks what it gets
        reply = await wire.call("write_file", {"path": "a.txt", "content": "one\n"})
        assert json.loads(reply.content[0].text) == reply.structured_content  # type: ignore[union-attr]
        assert "meta" not in (reply.structured_content or {})
        assert (reply.meta or {})["correlationId"]


@pytest.mark.parametrize("part", ["day", "state_machine", "parallax_level"])
async def test_a_day_of_work_is_read_in_half_the_bytes(part: str, project: Path, make_caller: MakeCaller) -> None:
    (project / "project.godot").write_text('config_version=5\n\n[application]\nconfig/name="Game"\n')
    caller = make_caller(allow_dangerous=True)
    calls = CALLS if part == "day" else [(call.tool, call.arguments) for call in TASKS[part].calls]
    whole = short = 0
    for tool, arguments in calls:
        if arguments.get("action") not in ("probe", "picture", "validate_project"):
            outcome = await caller.run(tool, arguments)
            if outcome.ok and outcome.call.operation.writes:
                whole += len(as_text(render(outcome).structured).encode())
                short += len(as_text(render(outcome, brief=True).structured).encode())
    assert whole
    assert short <= whole / 2, (short, whole)
