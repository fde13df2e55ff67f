"""Scripts: reading, writing, changing, deleting, and putting them on nodes."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

import pytest
from tests.conftest import Caller
from tests.support.gdscript_runner import make_project

from scenewright.godot.language.operations.scripts import SymbolKind
from scenewright.godot.language.outline import Kind

pytestmark = pytest.mark.anyio

HERO = "class_name Hero\nextends Node2D\n\nsignal died\n\n@export var speed := 200\n\nfunc run() -> void:\n\tpass\n"
MAIN = '[gd_scene format=3]\n\n[node name="Main" type="Node2D"]\n\n[node name="Label" type="Label" parent="."]\n'


@pytest.fixture
def game(project: Path) -> Path:
    (project / "project.godot").touch()
    (project / "hero.gd").write_text(HERO)
    (project / "hero.gd.uid").write_text("uid://bhero0000001\n")
    (project / "main.tscn").write_text(MAIN)
    return project


async def call(caller: Caller, tool: str, **arguments: Any) -> dict[str, Any]:
    approved = arguments.pop("approved", False)
    reply = await caller.reply(tool, arguments, meta={"approved": approved})
    assert reply.structured is not None
    return reply.structured


async def test_scripts_are_listed_with_what_they_are(game: Path, caller: Caller) -> None:
    listed = (await call(caller, "list_scripts"))["result"]
    assert listed["scripts"] == [{"path": "res://hero.gd", "extends": "Node2D", "className": "Hero"}]
    assert (await call(caller, "list_scripts", folder="none"))["result"]["total"] == 0
    (game / "code").mkdir()
    (game / "code/a.gd").write_text("extends Node\n")
    found = [(await call(caller, "list_scripts", folder=name))["result"]["total"] for name in (".", "code", ".code")]
    assert found == [2, 1, 0]


async def test_an_outline_has_symbols_with_their_lines(game: Path, caller: Caller) -> None:
    outline = (await call(caller, "get_script_outline", scriptPath="res://hero.gd"))["result"]
    assert {(symbol["name"], symbol["line"]) for symbol in outline["symbols"]} >= {
        ("died", 4),
        ("speed", 6),
        ("run", 8),
    }
    assert outline["className"] == "Hero"


STATES = """extends Node
signal run_ended
enum State { IDLE, RUN, HURT = 5, DEAD }
enum { FLAG_A = 1 << 3, FLAG_B }
var run_speed := 3.0
func _on_run() -> void:
	pass
func stop() -> void:
	pass
class Inner:
	func run() -> void:
		pass
"""


async def test_an_outline_shows_the_values_of_enums(game: Path, caller: Caller) -> None:
    (game / "states.gd").write_text(STATES)
    outline = (await call(caller, "get_script_outline", scriptPath="states.gd", kinds=["enum"]))["result"]
    assert [symbol["values"] for symbol in outline["symbols"]] == [
        ["IDLE = 0", "RUN = 1", "HURT = 5", "DEAD = 6"],
        ["FLAG_A = 1 << 3", "FLAG_B = (1 << 3) + 1"],
    ]


@pytest.mark.parametrize(
    ("filters", "names"),
    [
        ({"name": "run"}, ["run_ended", "run_speed", "_on_run", "Inner"]),
        ({"name": "RUN*"}, ["run_ended", "run_speed", "Inner"]),
        ({"name": "_on_*"}, ["_on_run"]),
        ({"kinds": ["signal", "variable"]}, ["run_ended", "run_speed"]),
        ({"name": "run", "kinds": ["function"]}, ["_on_run", "Inner"]),
        ({"name": "nothing"}, []),
    ],
)
async def test_an_outline_is_filtered_by_name_and_kind(
    game: Path, caller: Caller, filters: dict[str, Any], names: list[str]
) -> None:
    (game / "states.gd").write_text(STATES)
    reply = await call(caller, "get_script_outline", scriptPath="states.gd", **filters)
    assert [symbol["name"] for symbol in reply["result"]["symbols"]] == names
    assert f"{len(names)} of 7 symbols" in reply["summary"]


def test_an_outline_can_be_asked_for_every_kind_of_symbol() -> None:
    assert get_args(SymbolKind) == get_args(Kind)


async def test_a_long_script_is_read_in_parts(game: Path, caller: Caller) -> None:
    first = (await call(caller, "read_script", scriptPath="hero.gd", maxChars=20))["result"]
    assert (first["content"], first["nextOffset"]) == (HERO[:20], 20)
    rest = (await call(caller, "read_script", scriptPath="hero.gd", offset=20))["result"]
    assert first["content"] + rest["content"] == HERO
    assert "nextOffset" not in rest


async def test_a_written_script_tells_where_its_syntax_is_broken(game: Path, caller: Caller) -> None:
    fine = await call(caller, "write_script", scriptPath="new.gd", content="extends Node\n")
    assert fine["result"] == {"scriptPath": "res://new.gd", "created": True}
    broken = await call(caller, "write_script", scriptPath="bad.gd", content="extends Node\n\nfunc a(:\n\tpass\n")
    assert broken["ok"]
    assert broken["result"]["problems"][0]["line"] == 3
    assert "Line 3" in broken["warnings"][0]


async def test_an_edit_is_checked_and_leaves_the_rest_alone(game: Path, caller: Caller) -> None:
    (game / "hero.gd").write_bytes(HERO.replace("\n", "\r\n").encode())
    done = await call(caller, "edit_script", scriptPath="hero.gd", find="speed := 200", replace="speed := 300")
    assert done["ok"]
    assert (game / "hero.gd").read_bytes() == HERO.replace("200", "300").replace("\n", "\r\n").encode()
    twice = await call(caller, "edit_script", scriptPath="hero.gd", find="e", replace="x")
    assert twice["error"]["code"] == "E_SCHEMA_VALIDATION"
    spoiled = await call(caller, "edit_script", scriptPath="hero.gd", find="func run()", replace="func run(")
    assert spoiled["result"]["problems"]


async def test_a_script_that_fits_is_attached_first_and_detached_without_a_trace(game: Path, caller: Caller) -> None:
    before = (game / "main.tscn").read_text()
    done = await call(caller, "attach_script", scenePath="main.tscn", nodePath=".", scriptPath="hero.gd")
    assert done["result"]["scriptPath"] == "res://hero.gd"
    assert 'type="Script" uid="uid://bhero0000001" path="res://hero.gd"' in (game / "main.tscn").read_text()
    found = await call(caller, "find_nodes", script="res://hero.gd")
    assert [node["nodePath"] for node in found["result"]["nodes"]] == ["."]
    await call(caller, "detach_script", scenePath="main.tscn", nodePath="Main")
    assert (game / "main.tscn").read_text() == before


async def test_a_script_in_use_is_deleted_only_with_force_and_approval(game: Path, caller: Caller) -> None:
    await call(caller, "attach_script", scenePath="main.tscn", nodePath=".", scriptPath="hero.gd")
    alone = await call(caller, "delete_script", scriptPath="hero.gd")
    assert alone["error"]["code"] == "E_PERMISSION_DENIED"
    used = await call(caller, "delete_script", scriptPath="hero.gd", approved=True)
    assert "main.tscn" in used["error"]["message"]
    assert (game / "hero.gd").exists()
    gone = await call(caller, "delete_script", scriptPath="hero.gd", force=True, approved=True)
    assert gone["result"]["deleted"] == ["res://hero.gd", "res://hero.gd.uid"]
    assert not (game / "hero.gd").exists()
    await call(caller, "history_undo")
    assert (game / "hero.gd").read_text() == HERO


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("attach_script", {"scenePath": "main.tscn", "nodePath": "Label", "scriptPath": "hero.gd"}, "extends Node2D"),
        ("attach_script", {"scenePath": "main.tscn", "nodePath": ".", "scriptPath": "none.gd"}, "no script"),
        ("detach_script", {"scenePath": "main.tscn", "nodePath": "."}, "no script"),
        ("write_script", {"scriptPath": "hero.gd", "content": ""}, "exists already"),
        ("write_script", {"scriptPath": "hero.txt", "content": ""}, ".gd"),
        ("read_script", {"scriptPath": "none.gd"}, "no file"),
    ],
)
async def test_what_cannot_be_is_refused(
    game: Path, caller: Caller, tool: str, arguments: dict[str, Any], said: str
) -> None:
    refused = await call(caller, tool, **arguments)
    assert said in refused["error"]["message"]
    assert (game / "main.tscn").read_text() == MAIN
    assert (game / "hero.gd").read_text() == HERO


async def test_an_instance_takes_the_name_of_its_scene(game: Path, caller: Caller) -> None:
    (game / "mob.tscn").write_text('[gd_scene format=3]\n\n[node name="Mob" type="Node2D"]\n')
    first = await call(caller, "instance_scene", scenePath="main.tscn", instancePath="mob.tscn")
    assert first["result"]["nodePath"] == "Mob"
    under = {"parentNodePath": "Mob", "nodeName": "Second", "properties": {"position": [1, 2]}}
    second = await call(caller, "instance_scene", scenePath="main.tscn", instancePath="mob.tscn", **under)
    assert second["result"] == {
        "scenePath": "res://main.tscn",
        "nodePath": "Mob/Second",
        "properties": {"position": "Vector2(1, 2)"},
    }


async def test_a_scene_is_saved_as_another_file(game: Path, caller: Caller) -> None:
    saved = await call(caller, "save_scene", scenePath="main.tscn", newPath="copies/main2.tscn")
    assert saved["result"]["uid"].startswith("uid://")
    assert (game / "copies" / "main2.tscn").exists()
    same = await call(caller, "save_scene", scenePath="main.tscn")
    assert same["ok"]
    assert "execution" not in same


MOB = "using Godot;\n\npublic partial class Mob : Node2D\n{\n}\n"


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("Mob.cs", MOB, None),
        ("Mob.cs", "namespace Game;\n[GlobalClass]\npublic sealed partial class Mob : Godot.Node2D, IMob {}\n", None),
        ("Mob.cs", "public partial class Mob : Walker {}\n", None),
        ("Mob.cs", "class Other {}\npartial class Mob {}\npublic partial class Mob : CanvasItem {}\n", None),
        ("mob.cs", MOB, "no class 'mob', which Godot looks for by the file's name; it declares Mob"),
        ("Mob.cs", '// class Mob\n/* class Mob */ var s = "class Mob"; @"class Mob\\"', "it declares none"),
        ("Mob.cs", MOB.replace("partial ", ""), "not partial"),
        ("Mob.cs", MOB.replace("Mob :", "Mob<T> :"), "generic"),
        ("Mob.cs", MOB.replace(" : Node2D", ""), "has no base class"),
        ("Mob.cs", MOB.replace("Node2D", "Node3D"), "derives from Node3D, and the node is a Node2D"),
        ("Mob.cs", MOB.replace("Node2D", "GpuParticles2D"), "derives from GPUParticles2D, and the node is a Node2D"),
    ],
)
async def test_a_script_in_csharp_is_attached_and_what_is_doubtful_is_told(
    project: Path, caller: Caller, name: str, text: str, said: str | None
) -> None:
    make_project(project, {"main.tscn": '[gd_scene format=3]\n\n[node name="Main" type="Node2D"]\n', name: text})
    reply = await call(caller, "attach_script", scenePath="main.tscn", nodePath=".", scriptPath=name)
    assert reply["ok"], reply
    assert f'path="res://{name}"' in (project / "main.tscn").read_text()
    assert [said in warning for warning in reply.get("warnings", [])] == ([True] if said else [])


@pytest.mark.parametrize(("name", "said"), [("Mbo.cs", "no script 'res://Mbo.cs'"), ("art/mob.PNG", "is not a script")])
async def test_what_is_no_script_is_not_attached(project: Path, caller: Caller, name: str, said: str) -> None:
    scene = '[gd_scene format=3]\n\n[node name="Main" type="Node2D"]\n'
    make_project(project, {"main.tscn": scene, "Mob.cs": MOB, "art/mob.PNG": "x"})
    arguments = {"scenePath": "main.tscn", "nodePath": ".", "scriptPath": name}
    reply = (await caller.reply("attach_script", arguments)).structured
    assert reply is not None
    assert said in reply["error"]["message"]
    assert (project / "main.tscn").read_text() == scene


async def test_a_text_is_replaced_as_often_as_it_is_said_to_occur(project: Path, caller: Caller) -> None:
    make_project(project, {"hero.gd": "extends Node\n\nvar a: int = 1\nvar b: int = 1\n"})
    await call(caller, "edit_script", scriptPath="hero.gd", find="= 1", replace="= 2", count=2)
    assert (project / "hero.gd").read_text() == "extends Node\n\nvar a: int = 2\nvar b: int = 2\n"


async def test_scripts_and_resources_are_listed_in_pages(project: Path, caller: Caller) -> None:
    plain = '[gd_resource type="Gradient" format=3]\n\n[resource]\n'
    make_project(project, {f"{name}.gd": "extends Node\n" for name in "abc"} | {f"{n}.tres": plain for n in "abc"})
    for tool, rows in (("list_scripts", "scripts"), ("list_resources", "resources")):
        first = (await call(caller, tool, limit=2))["result"]
        rest = (await call(caller, tool, offset=2))["result"]
        assert (len(first[rows]), first["nextOffset"], first["total"]) == (2, 2, 3)
        assert [row["path"].partition(".")[0] for row in rest[rows]] == ["res://c"]
