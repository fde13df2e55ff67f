"""Edits while the editor is open: in it where it has a command for them, else in the file, which it then takes in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller
from tests.unity.live.conftest import MakeEditor, pipeline_of
from tests.unity.live.pipeline_double import UnityDouble
from tests.unity.operations.changed_copies import MAIN, MENU, done, files_of, refused

pytestmark = pytest.mark.anyio
PLAYER = {"scenePath": MAIN, "gameObjectPath": "Player"}
SPEED = PLAYER | {"componentType": "PlayerController", "property": "speed", "value": 7.5}
SET = "exec set_serialized_field"


def commands(editor: UnityDouble) -> list[str]:
    return [asked.removeprefix("exec ") for asked in editor.asked if asked.startswith("exec ")]


@pytest.mark.parametrize("version", ["0.3", "0.8", "0.9"])
async def test_a_value_is_set_in_the_editor_and_saved(
    version: str, caller: Caller, make_editor: MakeEditor, project: Path
) -> None:
    editor, before = make_editor(version), (project / MAIN).read_bytes()
    editor.open(MAIN)
    result = await done(caller, "scene.property.set", **SPEED)
    assert (result["value"], result["previous"]) == (7.5, 5)
    assert commands(editor).count("set_serialized_field") == 1
    assert not editor.scenes[MAIN].unsaved
    assert (project / MAIN).read_bytes() == before.replace(b"speed: 5\n", b"speed: 7.5\n")
    assert editor.reopened == []
    await done(caller, "history.undo")
    assert (project / MAIN).read_bytes() == before
    assert editor.scenes[MAIN].text.encode() == before
    assert commands(editor).count("set_serialized_field") == 2


_CAMERA = {"gameObject": "Main Camera", "component": "Camera"}


async def test_an_undo_goes_to_the_file_once_the_editor_has_gone(
    caller: Caller, editor: UnityDouble, project: Path
) -> None:
    before = (project / MAIN).read_bytes()
    editor.open(MAIN)
    await done(caller, "scene.property.set", **SPEED)
    editor.stop()
    await done(caller, "history.undo")
    assert (project / MAIN).read_bytes() == before


VALUES: list[tuple[str, str, Any, str, str]] = [
    ("BoxCollider", "m_IsTrigger", True, "m_IsTrigger: 0", "m_IsTrigger: 1"),
    ("BoxCollider", "m_Size", [1, 2, 3], "m_Size: {x: 1, y: 2, z: 1}", "m_Size: {x: 1, y: 2, z: 3}"),
    ("PlayerController", "lives", 4, "lives: 3", "lives: 4"),
    ("PlayerController", "inventory[1].count", 13, "count: 12", "count: 13"),
    ("PlayerController", "target", None, "target: {fileID: 100}", "target: {fileID: 0}"),
    ("PlayerController", "target", _CAMERA, "target: {fileID: 100}", "target: {fileID: 102}"),
    (
        "PlayerController",
        "skin",
        "Assets/Materials/Unused.mat",
        "guid: a7000000000000000000000000000001",
        "guid: a7000000000000000000000000000002",
    ),
]


@pytest.mark.parametrize(
    ("component", "path", "value", "was", "now"), VALUES, ids=[row[1] + str(row[2]) for row in VALUES]
)
async def test_values_of_all_kinds_go_through_the_editor(
    component: str, path: str, value: Any, was: str, now: str, caller: Caller, editor: UnityDouble
) -> None:
    before = editor.open(MAIN).text
    await done(caller, "scene.property.set", **PLAYER, componentType=component, property=path, value=value)
    assert editor.scenes[MAIN].text == before.replace(was, now)
    assert editor.reopened == []


async def test_a_move_is_one_value_for_each_vector(caller: Caller, editor: UnityDouble) -> None:
    before = editor.open(MAIN).text
    await done(caller, "scene.transform.set", **PLAYER, position=[4, 5, 6], scale=[2, 2, 2])
    assert commands(editor).count("set_serialized_field") == 2
    body = before.replace("m_LocalPosition: {x: 1, y: 0, z: 0}", "m_LocalPosition: {x: 4, y: 5, z: 6}")
    assert "m_LocalPosition: {x: 4, y: 5, z: 6}" in editor.scenes[MAIN].text
    assert len(editor.scenes[MAIN].text) == len(body)


async def test_an_object_is_renamed_and_switched_off_in_the_editor(caller: Caller, editor: UnityDouble) -> None:
    editor.open(MAIN)
    await done(caller, "scene.property.set", **PLAYER, property="m_IsActive", value=False)
    await done(caller, "scene.property.set", **PLAYER, property="m_Name", value="Hero")
    assert "m_Name: Hero" in editor.scenes[MAIN].text
    assert {"set_active", "rename_gameobject"} <= set(commands(editor))
    await done(caller, "history.undo")
    await done(caller, "history.undo")
    assert editor.scenes[MAIN].text == (Path(editor.project) / MAIN).read_text()
    assert "m_Name: Player" in editor.scenes[MAIN].text


async def test_what_there_is_no_command_for_is_written_and_opened_anew(
    caller: Caller, editor: UnityDouble, project: Path
) -> None:
    editor.open(MAIN)
    editor.without.add("add_component")
    before = (project / MAIN).read_bytes()
    await done(caller, "scene.component.add", **PLAYER, componentType="AudioSource")
    assert SET not in editor.asked
    assert editor.reopened == [MAIN]
    assert editor.imports == 1
    assert "AudioSource" in editor.scenes[MAIN].text
    await done(caller, "history.undo")
    assert (project / MAIN).read_bytes() == before
    assert editor.scenes[MAIN].text.encode() == before


async def test_an_enum_goes_through_the_file(caller: Caller, editor: UnityDouble) -> None:
    """The file has its number, the editor counts places in a list."""
    editor.open(MAIN)
    arguments = {"scenePath": MAIN, "gameObjectPath": "Main Camera", "componentType": "Camera"}
    await done(caller, "scene.property.set", **arguments, property="m_ClearFlags", value=2)
    assert SET not in editor.asked
    assert editor.reopened == [MAIN]


async def test_without_the_command_the_file_is_written(caller: Caller, editor: UnityDouble) -> None:
    editor.open(MAIN)
    editor.without.add("set_serialized_field")
    await done(caller, "scene.property.set", **SPEED)
    assert editor.reopened == [MAIN]
    assert "speed: 7.5" in editor.scenes[MAIN].text


async def test_a_file_that_was_changed_beside_the_editor_is_taken_in(
    caller: Caller, editor: UnityDouble, project: Path
) -> None:
    """As by another branch: what the editor has is saved, and old."""
    editor.open(MAIN)
    (project / MAIN).write_bytes((project / MAIN).read_bytes().replace(b"speed: 5\n", b"speed: 6\n"))
    await done(caller, "scene.property.set", **SPEED)
    assert editor.reopened == [MAIN]
    assert "speed: 7.5" in editor.scenes[MAIN].text


async def test_a_scene_that_is_not_open_is_written_and_imported(caller: Caller, editor: UnityDouble) -> None:
    editor.open(MENU)
    await done(caller, "scene.property.set", **SPEED)
    assert SET not in editor.asked
    assert (editor.reopened, editor.imports) == ([], 1)


async def test_code_is_compiled_only_by_what_says_that_it_runs_code(caller: Caller, editor: UnityDouble) -> None:
    text = "public class Door : UnityEngine.MonoBehaviour {}"
    await done(caller, "scene.property.set", **SPEED)
    assert editor.imports == 1
    reply = await caller.reply("write_file", {"path": "Assets/Scripts/Door.cs", "content": text})
    assert not reply.failed, reply.text
    assert "unity_editor_manager refresh" in (reply.text or "")
    assert editor.imports == 1


async def test_unsaved_work_of_a_person_is_kept_and_not_saved(
    caller: Caller, editor: UnityDouble, project: Path
) -> None:
    scene = editor.open(MAIN)
    scene.set_plain(203, "m_IsTrigger", "1")  # by the person
    before = (project / MAIN).read_bytes()
    reply = await caller.reply("scene.property.set", SPEED)
    assert not reply.failed
    assert "unsaved changes" in (reply.text or "")
    assert "speed: 7.5" in scene.text
    assert scene.unsaved
    assert (project / MAIN).read_bytes() == before
    text = await refused(caller, "scene.component.add", **PLAYER, componentType="AudioSource")
    assert "unity_editor_manager save" in text
    assert (project / MAIN).read_bytes() == before


async def test_what_a_person_changed_there_is_not_overwritten(caller: Caller, editor: UnityDouble) -> None:
    scene = editor.open(MAIN)
    scene.set_plain(202, "speed", "99")
    text = await refused(caller, "scene.property.set", **SPEED)
    assert "another value in Unity" in text
    assert "speed: 99" in scene.text


async def test_a_look_at_an_unsaved_scene_says_so(caller: Caller, editor: UnityDouble) -> None:
    editor.open(MAIN).unsaved = True
    outcome = await caller.run("scene.hierarchy.dump", {"scenePath": MAIN})
    assert any("unsaved changes in Unity" in warning for warning in outcome.call.warnings)


async def test_an_undo_is_refused_where_the_value_was_changed_since(caller: Caller, editor: UnityDouble) -> None:
    scene = editor.open(MAIN)
    await done(caller, "scene.property.set", **SPEED)
    scene.set_plain(202, "speed", "1")
    assert "another value in Unity" in await refused(caller, "history.undo")
    assert "speed: 1\n" in scene.text


async def test_an_edit_that_fails_half_way_is_taken_back(caller: Caller, editor: UnityDouble) -> None:
    scene = editor.open(MAIN)
    before = scene.text
    original = scene.set_value

    def fails_on_scale(number: int, field: str, value: Any) -> None:
        if field == "m_LocalScale" and value["x"] == 2:
            raise editor_refusal("The object is locked.")
        original(number, field, value)

    scene.set_value = fails_on_scale  # type: ignore[method-assign]
    text = await refused(caller, "scene.transform.set", **PLAYER, position=[4, 5, 6], scale=[2, 2, 2])
    assert "The object is locked." in text
    assert scene.text == before


async def test_an_open_scene_is_left_alone_while_the_game_runs(
    caller: Caller, editor: UnityDouble, project: Path
) -> None:
    editor.open(MAIN)
    editor.playing = "playing"
    before = files_of(project)
    assert "unity_editor_manager stop" in await refused(caller, "scene.property.set", **SPEED)
    assert files_of(project) == before


async def test_with_several_scenes_open_none_is_closed(caller: Caller, editor: UnityDouble) -> None:
    editor.open(MENU)
    editor.open(MAIN)
    editor.without.add("add_component")
    reply = await caller.reply("scene.component.add", PLAYER | {"componentType": "AudioSource"})
    assert "opened anew" in (reply.text or "")
    assert editor.reopened == []


async def test_in_safe_mode_the_files_are_written(caller: Caller, editor: UnityDouble, project: Path) -> None:
    """The editor runs, and its server does not listen."""
    editor.go_away()
    editor.advertise()
    pipeline_of(caller).patience = 0.0
    reply = await caller.reply("scene.property.set", SPEED)
    assert not reply.failed
    assert "out of reach" in (reply.text or "")
    assert "Worked on the files." in (reply.text or "")
    assert b"speed: 7.5" in (project / MAIN).read_bytes()


async def test_a_batch_goes_to_the_editor_as_a_whole(caller: Caller, editor: UnityDouble) -> None:
    scene = editor.open(MAIN)
    before = scene.text
    operations = [
        {"tool": "scene.property.set", "args": SPEED},
        {"tool": "scene.property.set", "args": SPEED | {"property": "lives", "value": 9}},
    ]
    reply = await caller.reply("batch_operations", {"operations": operations, "atomic": True})
    assert not reply.failed, reply.text
    assert "speed: 7.5" in scene.text
    assert "lives: 9" in scene.text
    await done(caller, "history.undo")
    assert scene.text == before


async def test_a_dry_run_changes_nothing_anywhere(caller: Caller, editor: UnityDouble, project: Path) -> None:
    editor.open(MAIN)
    before = files_of(project)
    reply = await caller.reply("scene.property.set", SPEED, meta={"dryRun": True})
    assert not reply.failed
    assert SET not in editor.asked
    assert files_of(project).keys() >= before.keys()
    assert (project / MAIN).read_bytes() == before[MAIN]


def editor_refusal(text: str) -> Exception:
    from tests.unity.live.memory import Refused

    return Refused(text)
