"""C# scripts: their exports, signals and methods are known as those of GDScript are; written by hand, not by Godot."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller
from tests.support.gdscript_runner import make_project

from scenewright.core.faults import NotFound
from scenewright.godot.classes.index import ClassIndex
from scenewright.godot.classes.variant import Hint
from scenewright.godot.language.project_scripts import ProjectScripts

SAMPLES = Path(__file__).with_name("csharp")
MAIN = (
    '[gd_scene format=3]\n\n[ext_resource type="Script" path="res://Enemy.cs" id="1"]\n\n'
    '[node name="Main" type="Node2D"]\n\n'
    '[node name="Foe" type="CharacterBody2D" parent="."]\nscript = ExtResource("1")\nSpeed = 200.0\n'
)


@pytest.fixture
def scripts(project: Path, index: ClassIndex) -> ProjectScripts:
    shutil.copytree(SAMPLES, project, dirs_exist_ok=True)
    return ProjectScripts(project, index)


@pytest.fixture
def game(project: Path) -> Path:
    shutil.copytree(SAMPLES, project, dirs_exist_ok=True)
    make_project(project, {"main.tscn": MAIN, "icon.png": ""})
    return project


PROPERTIES = {
    "Range": ("float", "12.0"),
    "Speed": ("float", "300.0"),
    "Lives": ("int", "3"),
    "Spare": ("int", "0"),
    "_start": ("Vector2", "Vector2(1, 2)"),
    "Dir": ("Vector2", "Vector2(0, -1)"),
    "Tint": ("Color", "Color(1, 0, 0, 1)"),
    "Feels": ("int", "5"),
    "Bullet": ("PackedScene", "null"),
    "Pictures": ("Array[Texture2D]", "Array[Texture2D]([])"),
    "Names": ("PackedStringArray", 'PackedStringArray("a", "b")'),
    "Pm": ("int", "0"),
    "Foe": ("Player", "null"),  # the nearest class of an Enemy that the engine has a name for
    "Numbers": ("Stats", "null"),
    "Prices": ("Dictionary[String, int]", "Dictionary[String, int]({})"),
    "Story": ("String", '"One\ntwo"'),
    "Where": ("NodePath", 'NodePath("Sprite")'),
}


def test_exports_have_the_types_and_defaults_of_the_source(scripts: ProjectScripts) -> None:
    exported = {each.name: (each.type, each.default) for each in scripts.exported("res://Enemy.cs")}
    assert {name: exported[name] for name in PROPERTIES} == PROPERTIES
    assert exported.keys() - PROPERTIES.keys() == {"Weight", "Scale3"}
    assert exported["Scale3"] == ("Vector3", None)  # only running it would tell


def test_hints_are_those_of_the_attributes(scripts: ProjectScripts) -> None:
    exported = {each.name: each for each in scripts.exported("Player")}
    assert (exported["Speed"].hint, exported["Speed"].hint_string) == (Hint.RANGE, "0,800,10,or_greater")
    assert exported["Story"].hint == Hint.MULTILINE_TEXT
    assert exported["Feels"].hint_string == "Calm:0,Angry:5,Sad:6"
    assert (exported["Numbers"].hint, exported["Numbers"].hint_string) == (Hint.RESOURCE_TYPE, "Stats")


def test_signals_lose_their_ending_and_keep_their_arguments(scripts: ProjectScripts) -> None:
    signals = {signal.name: [each.name for each in signal.parameters] for signal in scripts.signals("res://Enemy.cs")}
    assert signals == {"Seen": ["who"], "HealthChanged": ["oldValue", "newValue"], "Died": []}
    damage = next(each for each in scripts.functions("Player") if each.name == "TakeDamage")
    assert [(each.name, each.type, each.is_rest) for each in damage.parameters] == [
        ("amount", "int", False),
        ("source", "String", False),
        ("rest", "", True),
    ]


def test_a_class_goes_by_its_global_name_and_its_bases(scripts: ProjectScripts) -> None:
    assert scripts.classes() == {"Player": "res://Player.cs", "Stats": "res://Stats.cs"}
    assert scripts.native_base("res://Enemy.cs") == "CharacterBody2D"
    assert scripts.is_a("res://Enemy.cs", "Player")
    assert scripts.script("Player").is_tool
    assert scripts.script("Player").icon == "res://hero.svg"
    with pytest.raises(NotFound):
        scripts.script("Enemy")


def test_a_changed_base_changes_its_heirs_after_a_refresh(scripts: ProjectScripts) -> None:
    assert scripts.native_base("res://Enemy.cs") == "CharacterBody2D"
    (scripts.root / "Enemy.cs").write_text("using Godot;\npublic partial class Enemy : Brute {}\n")
    (scripts.root / "Brute.cs").write_text("using Godot;\npublic partial class Brute : GpuParticles2D {}\n")
    scripts.refresh()
    assert scripts.native_base("res://Enemy.cs") == "GPUParticles2D"


@pytest.mark.parametrize("source", [b"", b"class", b"\xff\xfe\x00{", b"partial class Player : Player {", b"[" * 5000])
def test_what_is_no_csharp_is_a_script_of_nothing(scripts: ProjectScripts, source: bytes) -> None:
    (scripts.root / "Player.cs").write_bytes(source)
    scripts.refresh()
    assert scripts.script("res://Player.cs").body.exported == ()
    assert scripts.native_base("res://Enemy.cs")


@pytest.mark.anyio
async def test_a_nodes_csharp_properties_take_typed_values(game: Path, caller: Caller) -> None:
    def arguments(name: str, value: Any) -> dict[str, Any]:
        return {"scenePath": "main.tscn", "nodePath": "Foe", "property": name, "value": value}

    await caller.result("set_property", **arguments("Feels", "Sad"))
    await caller.result("set_property", **arguments("Tint", "#00ff00"))
    assert "Feels = 6\n" in (game / "main.tscn").read_text()
    assert "Tint = Color(0, 1, 0, 1)\n" in (game / "main.tscn").read_text()
    before = (game / "main.tscn").read_bytes()
    for name, value, why in (
        ("Speed", "fast", "takes a float"),
        ("Feels", "Glad", "Calm"),
        ("Nope", 1, "no property 'Nope'"),
        ("Numbers", {"$resource": "Gradient"}, "Stats"),
    ):
        assert why in str((await caller.reply("set_property", arguments(name, value))).structured)
    assert (game / "main.tscn").read_bytes() == before


@pytest.mark.anyio
async def test_a_nodes_csharp_signals_are_checked(game: Path, caller: Caller) -> None:
    def wire(signal: str, method: str) -> dict[str, Any]:
        ends = {"fromNodePath": "Foe", "toNodePath": "Foe"}
        return {"scenePath": "main.tscn", "signal": signal, "method": method, **ends}

    assert "Did you mean 'Seen'" in str((await caller.reply("connect_signal", wire("Sen", "OnSeen"))).structured)
    await caller.result("connect_signal", **wire("Seen", "OnSeen"))
    reply = await caller.reply("connect_signal", wire("HealthChanged", "OnSeen"))
    assert "takes 1 argument and gets 2" in str(reply.structured)
    await caller.result("connect_signal", **wire("Died", "Nope"))
    issues = (await caller.result("validate_project"))["issues"]
    assert [issue["code"] for issue in issues if issue["severity"] == "error"] == ["missing_method"]


@pytest.mark.anyio
async def test_an_outline_tells_csharp_as_it_is_written(game: Path, caller: Caller) -> None:
    outline = await caller.result("get_script_outline", scriptPath="Player.cs")
    details = {symbol["name"]: (symbol["kind"], symbol["line"], symbol["detail"]) for symbol in outline["symbols"]}
    assert details["Died"] == ("signal", 14, "public delegate void DiedEventHandler()")
    assert details["_start"] == ("export", 24, "private Vector2 _start = new Vector2(1, 2)")
    assert details["TakeDamage"][2].startswith("public void TakeDamage(int amount")
    assert outline["className"] == "Player"
    assert [each["path"] for each in (await caller.result("list_scripts"))["scripts"]] == [
        "res://Enemy.cs",
        "res://Player.cs",
        "res://Stats.cs",
    ]


@pytest.mark.anyio
async def test_csharp_that_is_written_is_read_again(game: Path, caller: Caller) -> None:
    code = "using Godot;\npublic partial class Door : Node2D\n{\n    public void Open( {\n}\n"
    written = await caller.result("write_script", scriptPath="Door.cs", content=code)
    assert written["problems"]
    wrong = await caller.reply("write_script", {"scriptPath": "gate.cs", "content": code.replace("( {", "() {}")})
    assert "declares no class 'gate'" in str(wrong.structured)


@pytest.mark.anyio
async def test_classes_of_csharp_are_made_as_nodes_and_resources(game: Path, caller: Caller) -> None:
    await caller.result("create_resource", resourcePath="a.tres", resourceType="Stats", properties={"Hp": 7})
    assert 'script_class="Stats"' in (game / "a.tres").read_text()
    await caller.result("add_node", scenePath="main.tscn", nodeType="Player", nodeName="Hero")
    text = (game / "main.tscn").read_text()
    assert '[ext_resource type="Script" path="res://Player.cs"' in text
    assert '[node name="Hero" type="CharacterBody2D" parent="."]' in text
