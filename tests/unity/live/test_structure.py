"""Objects and components of an open scene: by the editor's commands where it has them, else through the file."""

from __future__ import annotations

from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller
from tests.unity.live.conftest import MakeEditor
from tests.unity.live.pipeline_double import UnityDouble
from tests.unity.operations.changed_copies import MAIN, MENU, done
from tests.unity.raw_check import problems_of

from scenewright.cli.terminal import print_reply
from scenewright.contracts import render

pytestmark = pytest.mark.anyio
PLAYER = {"scenePath": MAIN, "gameObjectPath": "Player"}
BAR = {"scenePath": MAIN, "gameObjectPath": "Player/Health: Bar"}
BOX = PLAYER | {"componentType": "BoxCollider"}
CHANGES: list[tuple[str, dict[str, Any], list[str]]] = [
    ("scene.object.add", {"scenePath": MAIN, "name": "Wall"}, ["create_gameobject"]),
    (
        "scene.object.add",
        {"scenePath": MAIN, "name": "Wall", "parentPath": "Player", "components": ["Rigidbody", "EnemyAI"]},
        ["create_gameobject", "add_component", "add_component"],
    ),
    ("scene.object.remove", BAR, ["delete_gameobject"]),
    ("scene.object.remove", PLAYER, ["delete_gameobject"]),
    ("scene.object.reparent", BAR, ["set_parent"]),
    ("scene.object.reparent", BAR | {"newParentPath": "Main Camera"}, ["set_parent"]),
    ("scene.component.add", BAR | {"componentType": "BoxCollider"}, ["add_component"]),
    ("scene.component.remove", BOX, ["remove_component"]),
    ("scene.object.edit", PLAYER | {"tag": "Enemy", "layer": "Enemies"}, ["set_layer", "set_tag"]),
]


def commands(editor: UnityDouble) -> list[str]:
    looks = ("list_open_scenes", "save_scene", "get_serialized_fields")
    asked = [asked.removeprefix("exec ") for asked in editor.asked if asked.startswith("exec ")]
    return [command for command in asked if command not in looks]


@pytest.mark.parametrize(
    ("tool", "arguments", "asked", "version"),
    [(*row, version) for row, version in zip(CHANGES, cycle(["0.9", "0.8", "0.3"]), strict=False)],
    ids=[f"{number}-{row[0]}" for number, row in enumerate(CHANGES)],
)
async def test_the_editor_makes_it_and_an_undo_takes_it_back(
    tool: str,
    arguments: dict[str, Any],
    asked: list[str],
    version: str,
    caller: Caller,
    make_editor: MakeEditor,
    project: Path,
) -> None:
    editor, before = make_editor(version), (project / MAIN).read_bytes()
    scene = editor.open(MAIN)
    reply = await caller.reply(tool, arguments)
    assert not reply.failed, reply.text
    assert sorted(commands(editor)) == sorted(asked)
    assert editor.scenes[MAIN] is scene
    assert editor.reopened == []
    assert not scene.unsaved
    after = (project / MAIN).read_bytes()
    assert after == scene.text.encode() != before
    # Unity asks a person about an open scene whose file has another time than it gave it.
    assert tool == "scene.object.edit" or (project / MAIN).stat().st_mtime_ns == editor.saved_at[MAIN]
    assert set(problems_of(after)) <= set(problems_of(before))
    await done(caller, "history.undo")
    assert (project / MAIN).read_bytes() == before
    assert editor.scenes[MAIN].text.encode() == before


async def test_the_reply_and_the_history_have_the_ids_that_the_editor_gave(
    caller: Caller, editor: UnityDouble, project: Path
) -> None:
    scene = editor.open(MAIN)
    outcome = await caller.run("scene.object.add", {"scenePath": MAIN, "name": "Wall", "components": ["BoxCollider"]})
    file_id = outcome.call.output.file_id
    assert f"--- !u!1 &{file_id}\n" in scene.text
    (change,) = outcome.call.files.changes()
    assert (change.after or b"").decode() == scene.text
    moved = {"scenePath": MAIN, "gameObjectPath": "Wall", "newParentPath": "Player"}
    assert (await done(caller, "scene.object.reparent", **moved))["fileId"] == file_id
    await done(caller, "history.undo_to", entry=0)
    assert f"&{file_id}\n" not in (project / MAIN).read_text()
    await done(caller, "history.undo", entry=3)  # of the undo
    assert f"&{file_id}\n" in (project / MAIN).read_text()
    assert editor.scenes[MAIN].text == (project / MAIN).read_text()


async def test_values_of_what_is_new_are_set_there_too(caller: Caller, editor: UnityDouble) -> None:
    scene = editor.open(MAIN)
    values = {"m_IsTrigger": True, "m_Size": [1, 2, 3]}
    result = await done(caller, "scene.component.add", **BAR, componentType="BoxCollider", properties=values)
    assert result["properties"]["m_Size"] == {"x": 1, "y": 2, "z": 3}
    assert scene.text.count("m_Size: {x: 1, y: 2, z: 3}") == 1
    assert commands(editor) == ["add_component", "set_serialized_field", "set_serialized_field"]


async def test_a_new_object_gets_its_place_and_its_tag(caller: Caller, editor: UnityDouble) -> None:
    scene = editor.open(MAIN)
    arguments = {"scenePath": MAIN, "name": "Wall", "position": [1, 2, 3], "tag": "Player", "active": False}
    await done(caller, "scene.object.add", **arguments)
    assert scene.text.count("m_LocalPosition: {x: 1, y: 2, z: 3}") == 1
    assert scene.text.count("m_TagString: Player") == 2
    assert {"create_gameobject", "set_active", "set_tag", "set_serialized_field"} == set(commands(editor))


async def test_several_changes_of_one_call_are_made_in_their_order(caller: Caller, editor: UnityDouble) -> None:
    scene = editor.open(MAIN)
    before = scene.text
    operations = [
        {"tool": "scene.object.add", "args": {"scenePath": MAIN, "name": "Room"}},
        {"tool": "scene.object.add", "args": {"scenePath": MAIN, "name": "Door", "parentPath": "Room"}},
        {"tool": "scene.object.add", "args": {"scenePath": MAIN, "name": "Door", "parentPath": "Room"}},
        {"tool": "scene.object.reparent", "args": BAR | {"newParentPath": "Room"}},
    ]
    reply = await caller.reply("batch_operations", {"operations": operations, "atomic": True})
    assert not reply.failed, reply.text
    assert commands(editor) == ["create_gameobject"] * 3 + ["set_parent"]
    assert editor.reopened == []
    tree = (await done(caller, "scene.hierarchy.dump", scenePath=MAIN))["rootObjects"]
    room = next(node for node in tree if node["name"] == "Room")
    assert [node["name"] for node in room["children"]] == ["Door", "Door", "Health: Bar"]
    await done(caller, "history.undo")
    assert editor.scenes[MAIN].text == before


@pytest.mark.parametrize("missing", ["create_gameobject", "save_scene", "open_scene"])
async def test_without_a_command_the_file_is_written(missing: str, caller: Caller, editor: UnityDouble) -> None:
    editor.open(MAIN)
    editor.without.add(missing)
    reply = await caller.reply("scene.object.add", {"scenePath": MAIN, "name": "Wall"})
    assert not reply.failed, reply.text
    assert "create_gameobject" not in commands(editor)
    assert missing == "open_scene" or editor.reopened == [MAIN]


async def test_what_the_editor_refuses_is_written_to_the_file_and_said(
    caller: Caller, editor: UnityDouble, project: Path
) -> None:
    editor.open(MAIN)
    before = (project / MAIN).read_bytes()
    reply = await caller.reply("scene.object.add", {"scenePath": MAIN, "name": "Horn", "components": ["AudioSource"]})
    assert not reply.failed, reply.text
    assert "Could not resolve component type 'AudioSource'" in (reply.text or "")
    assert "the file was written" in (reply.text or "")
    text = (project / MAIN).read_text()
    assert text.count("m_Name: Horn") == 1
    assert "AudioSource:" in text
    assert editor.reopened == [MAIN]
    assert editor.scenes[MAIN].text == text
    await done(caller, "history.undo")
    assert (project / MAIN).read_bytes() == before


async def test_what_comes_out_otherwise_is_written_to_the_file_and_said(
    caller: Caller, editor: UnityDouble, project: Path
) -> None:
    """An editor that takes the command and does nothing, or something else."""
    editor.open(MAIN)
    editor.results["set_parent"] = {"type": "GameObject"}
    reply = await caller.reply("scene.object.reparent", BAR)
    assert "came out otherwise" in (reply.text or "")
    assert editor.reopened == [MAIN]
    assert "m_Father: {fileID: 201}" not in (project / MAIN).read_text()
    assert editor.scenes[MAIN].text == (project / MAIN).read_text()


@pytest.mark.parametrize("tool", ["scene.object.reparent", "scene.property.set"])
async def test_what_another_program_wrote_to_the_file_is_not_saved_over(
    tool: str, caller: Caller, editor: UnityDouble, project: Path
) -> None:
    """As a branch that was checked out while Unity was in the background: it has not seen the file yet."""
    editor.open(MAIN)
    other = (project / MAIN).read_bytes().replace(b"m_Name: Enemies\n", b"m_Name: Foes\n")
    (project / MAIN).write_bytes(other)
    value = (
        {} if tool.endswith("reparent") else {"componentType": "Transform", "property": "m_LocalScale.x", "value": 2}
    )
    reply = await caller.reply(tool, BAR | value)
    assert not reply.failed, reply.text
    assert "the file was written" in (reply.text or "")
    assert "m_Name: Foes\n" in (project / MAIN).read_text()
    assert editor.scenes[MAIN].text == (project / MAIN).read_text()
    await done(caller, "history.undo")
    assert (project / MAIN).read_bytes() == other


async def test_a_root_is_not_made_in_another_scene_than_was_meant(caller: Caller, editor: UnityDouble) -> None:
    editor.open(MAIN)
    editor.open(MENU)  # which is the active one now
    reply = await caller.reply("scene.object.add", {"scenePath": MAIN, "name": "Wall"})
    assert "opened anew" in (reply.text or "")
    assert commands(editor) == ["recompile"]


async def test_a_command_whose_answer_is_lost_is_not_made_twice(
    caller: Caller, editor: UnityDouble, project: Path
) -> None:
    editor.open(MAIN)
    before = (project / MAIN).read_bytes()
    editor.breaks_off_on.add("create_gameobject")
    reply = await caller.reply("scene.object.add", {"scenePath": MAIN, "name": "Wall"})
    assert reply.failed
    assert "not known" in (reply.text or "")
    assert commands(editor) == ["create_gameobject"]
    assert (project / MAIN).read_bytes() == before


@pytest.mark.parametrize(("without", "mode", "is_saved"), [(None, "live", True), ("create_gameobject", "files", False)])
async def test_the_reply_says_whether_it_was_made_there_or_in_the_file(
    without: str | None, mode: str, is_saved: bool, caller: Caller, editor: UnityDouble
) -> None:
    editor.open(MAIN)
    editor.without |= {without} if without else set()
    reply = await caller.reply("scene.object.add", {"scenePath": MAIN, "name": "Wall"})
    told = (reply.structured or {})["execution"]
    assert told["mode"] == mode
    assert told.get("editor", {}).get("saved", False) is is_saved
    reply = await caller.reply("history.undo", {})
    assert (reply.structured or {})["execution"]["mode"] == "files"


async def test_a_person_on_a_shell_is_not_told_that_what_was_saved_is_unsaved(
    caller: Caller, editor: UnityDouble, capsys: pytest.CaptureFixture[str]
) -> None:
    scene = editor.open(MAIN)
    speed = PLAYER | {"componentType": "PlayerController", "property": "speed", "value": 7.5}
    print_reply(render(await caller.run("scene.property.set", speed)), as_json=False)
    assert "not saved yet" not in capsys.readouterr().out
    scene.unsaved = True
    print_reply(render(await caller.run("scene.property.set", speed | {"value": 8})), as_json=False)
    assert "not saved yet" in capsys.readouterr().out
