"""A function moved into another script: the engine compiles both, and everybody finds it as before."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller, MakeCaller
from tests.godot.language.test_renaming import contents

pytestmark = [pytest.mark.anyio, pytest.mark.godot, pytest.mark.xdist_group("language")]

TOWER = """extends Node2D

enum Aim { NEAR, FAR }

const Shell := preload("shell.gd")
const REACH := 90.0

static var built := 0

var aim: Aim = Aim.NEAR


## How far it shoots.
@warning_ignore("unused_parameter")
func reach(bonus: float = REACH, mode: Aim = Aim.FAR) -> float: # in pixels
	var name_length := name.length()
	var shell := Shell.new()
	var by_name := {aim = bonus}
	var near := func(aim_: int) -> bool: return aim_ == Aim.NEAR and self.visible
	built += 1
	if near.call(aim):
		position.x += bonus
	prints(%Mark.name, $Mark/Deep.position, "aim", shell, by_name)
	return bonus + name_length if aim == Aim.FAR else reach(1.0, Aim.FAR) if bonus > 50.0 else 0.5
	# no more


static func total(of: int) -> int:
	return of + built


func _ready() -> void:
	print(reach(), total(2))


func wait() -> void:
	await get_tree().process_frame
	tree_exited.connect(wait)


func above() -> String:
	return super.to_string()
"""
SHELL = "extends RefCounted\n"
MOVED = """extends RefCounted


const Tower := preload("res://guns/tower.gd")


## How far it shoots.
@warning_ignore("unused_parameter")
static func reach(host: Tower, bonus: float = Tower.REACH, mode: Tower.Aim = Tower.Aim.FAR) -> float: # in pixels
	var name_length := host.name.length()
	var shell := Tower.Shell.new()
	var by_name := {aim = bonus}
	var near := func(aim_: int) -> bool: return aim_ == Tower.Aim.NEAR and host.visible
	Tower.built += 1
	if near.call(host.aim):
		host.position.x += bonus
	prints(host.get_node("%Mark").name, host.get_node("Mark/Deep").position, "aim", shell, by_name)
	return bonus + name_length if host.aim == Tower.Aim.FAR else host.reach(1.0, Tower.Aim.FAR) if bonus > 50.0 else 0.5
	# no more
"""
LEFT = """## How far it shoots.
@warning_ignore("unused_parameter")
func reach(bonus: float = REACH, mode: Aim = Aim.FAR) -> float:
	return Ballistics.reach(self, bonus, mode)


static func total"""
SCENE = """[gd_scene format=3]

[ext_resource type="Script" path="res://guns/tower.gd" id="1"]

[node name="Tower" type="Node2D"]
script = ExtResource("1")

[node name="Mark" type="Node2D" parent="."]
unique_name_in_owner = true

[node name="Deep" type="Node2D" parent="Mark"]
"""


def build(root: Path) -> Path:
    (root / "guns").mkdir()
    (root / "guns/tower.gd").write_text(TOWER)
    (root / "guns/shell.gd").write_text(SHELL)
    (root / "guns/mount.gd").write_text("extends Node\n\n\nfunc total() -> void:\n\tpass\n")
    (root / "guns/latin.gd").write_bytes(b"extends Node # gr\xfcn\n")
    (root / "guns/tower.tscn").write_text(SCENE)
    return root / "guns/tower.gd"


@pytest.fixture
def tower(project: Path) -> Path:
    (project / "project.godot").write_text("config_version=5\n")
    (project / "hidden").mkdir()
    (project / "hidden/.gdignore").touch()
    (project / "hidden/shell.gd").write_text(SHELL)
    return build(project)


@pytest.fixture
def quest_tower(quest: Caller) -> Iterator[Path]:
    """The same in the quest, whose language server runs."""
    root = quest.runtime.project.root
    yield build(root)
    shutil.rmtree(root / "guns")


async def refusal(caller: Caller, **arguments: Any) -> str:
    body = (await caller.reply("extract_function", arguments)).structured
    assert body is not None
    assert not body["ok"], body
    return str(body["error"])


@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["lf", "crlf"])
async def test_names_are_said_from_outside_and_a_call_stays(tower: Path, make_caller: MakeCaller, newline: str) -> None:
    tower.write_bytes(TOWER.replace("\n", newline).encode())
    done = await make_caller().result(
        "extract_function", scriptPath="guns/tower.gd", symbol="reach", targetPath="ballistics.gd"
    )
    assert done["call"] == "Ballistics.reach(self, bonus, mode)"
    assert (tower.parents[1] / "ballistics.gd").read_text() == MOVED
    text = tower.read_bytes().decode().replace(newline, "\n")
    old = TOWER[TOWER.index("## How far") : TOWER.index("static func total")]
    constant = 'const REACH := 90.0\nconst Ballistics := preload("res://ballistics.gd")\n'
    new = LEFT.removesuffix("static func total")
    assert text == TOWER.replace(old, new).replace("const REACH := 90.0\n", constant)


async def test_the_engine_compiles_both_and_sees_the_same_as_before(quest: Caller, quest_tower: Path) -> None:
    checks = ["reach() == 0.5", "reach(2.0) == 0.5", "total(1) >= 2", "position.x > 0"]
    probe = {"scenePath": "guns/tower.tscn", "checks": checks}
    seen = await quest.result("probe_scene", **probe)
    assert seen["passed"], (seen["checks"], seen.get("errors"))
    before = contents(quest)
    for symbol in ("reach", "total", "_ready", "wait"):
        done = await quest.result(
            "extract_function",
            scriptPath="guns/tower.gd",
            symbol=symbol,
            targetPath="guns/ballistics.gd",
            **({"className": "Ballistics"} if symbol == "reach" else {}),
        )
        assert done["compiled"], done
        assert done.get("created", False) == (symbol == "reach")
    text = quest_tower.read_text()
    assert "\treturn Ballistics.total(of)\n" in text
    assert "func _ready() -> void:\n\tBallistics._ready(self)\n" in text
    assert "func wait() -> void:\n\tawait Ballistics.wait(self)\n" in text
    assert "return of + Tower.built" in (quest_tower.with_name("ballistics.gd")).read_text()
    again = await quest.result("probe_scene", **probe)
    assert (again["checks"], again["errors"]) == (seen["checks"], [])
    for _ in range(4):
        await quest.result("history", action="undo")
    assert contents(quest) == before


async def test_what_would_not_compile_is_refused(quest: Caller) -> None:
    before = contents(quest)
    broken = {"scriptPath": "actors/king.gd", "symbol": "fall", "targetPath": "actors/falls.gd"}
    assert "super" in await refusal(quest, **broken)
    taken = {"scriptPath": "actors/actor.gd", "symbol": "describe", "targetPath": "ui/texts.gd", "className": "Item"}
    assert "already" in await refusal(quest, **taken)
    assert contents(quest) == before


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"symbol": "above"}, "calls super"),
        ({"symbol": "reech"}, "reach"),
        ({"targetPath": "guns/tower.gd"}, "another script"),
        ({"targetPath": "guns/shell.gd", "className": "Shell"}, "exists already"),
        ({"targetPath": "guns/mount.gd", "symbol": "_ready"}, "engine calls"),
        ({"targetPath": "guns/mount.gd", "symbol": "total"}, "has a 'total' already"),
        ({"targetPath": "hidden/shell.gd"}, "not part of what Godot looks through"),
        ({"targetPath": "guns/latin.gd"}, "not UTF-8"),
        ({"className": "Node2D"}, "already"),
        ({"className": "2D"}, "cannot be a name"),
        ({"targetPath": "guns/tower.txt"}, "ends in .gd"),
        ({"targetPath": "../tower.gd"}, "outside"),
    ],
    ids=str,
)
async def test_what_cannot_be_extracted_changes_nothing(
    tower: Path, make_caller: MakeCaller, changes: dict[str, str], said: str
) -> None:
    caller = make_caller()
    before = contents(caller)
    arguments = {"scriptPath": "guns/tower.gd", "symbol": "reach", "targetPath": "guns/aiming.gd"}
    assert said in await refusal(caller, **{**arguments, **changes})
    assert contents(caller) == before
