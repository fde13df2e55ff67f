from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller, MakeCaller
from tests.support.gdscript_runner import run_jobs

pytestmark = [pytest.mark.anyio, pytest.mark.godot, pytest.mark.xdist_group("godot-engines")]

OLD = {
    "project.godot": 'config_version=4\n\n[application]\n\nconfig/name="Old"\n\n[display]\n\nwindow/size/width=640\n',
    "main.tscn": '[gd_scene load_steps=2 format=2]\n\n[ext_resource path="res://player.gd" type="Script" id=1]\n\n'
    '[node name="Main" type="Spatial"]\n\n[node name="Body" type="KinematicBody2D" parent="."]\n'
    "script = ExtResource( 1 )\n",
    "player.gd": "extends KinematicBody2D\n\nexport(int) var speed = 3\n\n\nfunc _ready():\n"
    "\tvar a = PoolStringArray()\n\tjmp(a)\n",
    "art/icon.png": "not text",
}
LOOK = """
func run(_job: Variant) -> Variant:
	var root: Node = (load("res://main.tscn") as PackedScene).instantiate()
	var found: Array = [root.get_class(), root.get_node("Body").get_class()]
	found.append(ProjectSettings.get_setting("display/window/size/viewport_width"))
	root.free()
	return found
"""


async def reply(caller: Caller, tool: str, **arguments: Any) -> dict[str, Any]:
    structured = (await caller.reply(tool, arguments)).structured
    assert structured is not None
    found: dict[str, Any] = structured
    return found


@pytest.fixture
def old(project: Path) -> Path:
    for name, text in OLD.items():
        (project / name).parent.mkdir(exist_ok=True)
        (project / name).write_text(text)
    return project


def texts(folder: Path) -> dict[str, str]:
    return {name: (folder / name).read_text() for name in OLD}


async def test_what_would_change_is_shown_and_nothing_is_changed(make_caller: MakeCaller, old: Path) -> None:
    caller = make_caller()
    plan = (await reply(caller, "validate_conversion_3to4"))["result"]
    changes = [(row["path"], row["change"]) for row in plan["changes"]]
    assert ("player.gd", "KinematicBody2D -> CharacterBody2D") in changes
    assert ("player.gd", "export(int) var speed = 3 -> export var speed: int = 3") in changes
    assert ("main.tscn", "Spatial -> Node3D") in changes
    assert plan["files"] == 3
    (old / "nested").mkdir()
    (old / "nested/project.godot").write_text((old / "project.godot").read_text())
    (old / "nested/only.gd").write_text("extends Spatial\n")
    inner = (await reply(caller, "validate_conversion_3to4", sourcePath="nested"))["result"]
    assert ("only.gd", "Spatial -> Node3D") in [
        (row["path"].rpartition("/")[2], row["change"]) for row in inner["changes"]
    ]
    assert not any("main.tscn" in row["path"] for row in inner["changes"])
    page = (await reply(caller, "validate_conversion_3to4", limit=1, offset=1))["result"]
    assert page["changes"] == plan["changes"][1:2]
    assert page["nextOffset"] == 2
    assert texts(old) == OLD
    assert not (old / ".godot").exists()


async def test_a_project_is_converted_in_place_and_an_undo_brings_it_back(make_caller: MakeCaller, old: Path) -> None:
    caller = make_caller()
    done = (await reply(caller, "convert_3to4"))["result"]
    assert done["path"] == "."
    assert done["changed"] == ["main.tscn", "player.gd", "project.godot"]
    assert [(error["path"], error["line"]) for error in done["problems"]] == [("res://player.gd", 8)]
    assert "jmp" in done["problems"][0]["message"]
    (old / "player.gd").write_text((old / "player.gd").read_text().replace("jmp(a)", "print(a)"))
    answer = run_jobs(old, LOOK, [0])[0]
    assert answer.value == ["Node3D", "CharacterBody2D", 640]
    (old / "player.gd").write_text((old / "player.gd").read_text().replace("print(a)", "jmp(a)"))
    for made in ("run_jobs.gd", "jobs.json", "uids.json"):
        (old / made).unlink()
    assert (await reply(caller, "history_undo"))["ok"]
    assert texts(old) == OLD


async def test_a_copy_is_converted_and_the_source_stays(make_caller: MakeCaller, project: Path, old: Path) -> None:
    caller = make_caller()
    done = (await reply(caller, "convert_3to4", sourcePath=".", targetPath="new/game"))["result"]
    assert done["path"] == "new/game"
    assert texts(old) == OLD
    assert (project / "new" / "game" / "art" / "icon.png").read_text() == "not text"
    assert "CharacterBody2D" in (project / "new" / "game" / "player.gd").read_text()
    again = await reply(caller, "convert_3to4", targetPath="new/game")
    assert again["error"]["code"] == "E_PERMISSION_DENIED"
    done = (await reply(caller, "validate_conversion_3to4", sourcePath="new/game"))["error"]
    assert "converted" in done["message"]


@pytest.mark.parametrize(
    ("arguments", "code", "hint"),
    [
        ({"sourcePath": "art"}, "E_NOT_FOUND", "sourcePath"),
        ({"sourcePath": "/"}, "E_PERMISSION_DENIED", "projectPath"),
        ({"targetPath": "../new"}, "E_PERMISSION_DENIED", ""),
    ],
)
async def test_what_is_no_old_project_is_refused(
    make_caller: MakeCaller, old: Path, arguments: dict[str, Any], code: str, hint: str
) -> None:
    refused = (await reply(make_caller(), "convert_3to4", **arguments))["error"]
    assert refused["code"] == code
    assert hint in refused["suggestedFix"]
    assert texts(old) == OLD
