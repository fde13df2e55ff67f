from __future__ import annotations

from pathlib import Path

import anyio
import pytest
from tests.conftest import MakeCaller

from scenewright.core.calls.call import SilentClient

pytestmark = [pytest.mark.anyio, pytest.mark.godot, pytest.mark.xdist_group("godot-engines")]

PLAIN = '[gd_scene format=3]\n\n[node name="A" type="Node2D"]\n\n[node name="B" type="Node" parent="."]\n'
SCRIPTED = """[gd_scene format=3]

[ext_resource type="Script" path="res://{script}" id="1"]

[node name="A" type="Node"]
script = ExtResource("1")
"""
UNKNOWN = '[gd_scene format=3]\n\n[node name="A" type="Node2D"]\nposition = Vektor(1, 2)\n'


async def test_a_scene_that_loads_is_valid(make_caller: MakeCaller, game: Path) -> None:
    (game / "plain.tscn").write_text(PLAIN)
    done = await make_caller().result("validate_scene", scenePath="plain.tscn")
    assert done == {"valid": True, "scenePath": "res://plain.tscn", "nodes": 2, "issues": []}


async def test_what_the_engine_says_of_a_scene_is_told(make_caller: MakeCaller, game: Path) -> None:
    (game / "bad.tscn").write_text(UNKNOWN)
    (game / "scripted.tscn").write_text(SCRIPTED.format(script="broken.gd"))
    (game / "broken.gd").write_text('extends Node\n\nvar speed: int = "fast"\n')
    caller = make_caller()
    bad = await caller.result("validate_scene", scenePath="res://bad.tscn")
    assert not bad["valid"]
    assert any("res://bad.tscn:4" in issue["message"] for issue in bad["issues"]), bad
    scripted = await caller.result("validate_scene", scenePath="scripted.tscn")
    assert not scripted["valid"]
    assert any(issue["message"].startswith("res://broken.gd:3: ") for issue in scripted["issues"])
    missing = (await caller.reply("validate_scene", {"scenePath": "scriptd.tscn"})).structured
    assert missing is not None
    assert "scripted.tscn" in missing["error"]["suggestedFix"]


async def test_every_scene_of_a_project_is_loaded_if_asked_for(make_caller: MakeCaller, game: Path) -> None:
    for number in range(20):
        (game / f"scene{number}.tscn").write_text(PLAIN)
    (game / "scripted.tscn").write_text(SCRIPTED.format(script="wrong.gd"))
    (game / "wrong.gd").write_text("extends Node\n\n\nfunc _ready() -> void:\n\tjmp()\n")
    caller = make_caller()
    without = await caller.result("validate_project", checkResources=False)
    assert without["valid"]
    loaded = await caller.result("validate_project", checkResources=False, loadScenes=True)
    assert not loaded["valid"]
    assert {issue["path"] for issue in loaded["issues"] if issue["code"] == "engine"} == {"res://scripted.tscn"}


async def test_scripts_and_shaders_are_compiled_with_the_scenes(make_caller: MakeCaller, game: Path) -> None:
    (game / "alone.gd").write_text("extends Node\n\n\nfunc f() -> void:\n\tjmp()\n")
    (game / "bad.gdshader").write_text("shader_type canvas_item;\nvoid fragment() {\n\tCOLOR = nothing;\n}\n")
    for name in ("one.tscn", "two.tscn"):
        (game / name).write_text(SCRIPTED.format(script="alone.gd"))
    found = await make_caller().result("validate_project", checkResources=False, loadScenes=True)
    rows = [issue for issue in found["issues"] if issue["code"] == "compile_error"]
    assert [(row["path"], row["line"]) for row in rows] == [("res://alone.gd", 5), ("res://bad.gdshader", 3)]
    assert "notChecked" not in found


async def test_a_missing_file_is_one_issue_whoever_misses_it(make_caller: MakeCaller, game: Path) -> None:
    for name in ("one.tscn", "two.tscn"):
        (game / name).write_text(SCRIPTED.format(script="gone.gd"))
    caller = make_caller()
    found = await caller.result("validate_project", loadScenes=True)
    rows = [issue for issue in found["issues"] if issue["severity"] == "error"]
    assert [(row["code"], row["path"], [each["path"] for each in row["also"]]) for row in rows] == [
        ("missing_script", "res://one.tscn", ["res://two.tscn"])
    ]
    alone = await caller.result("validate_project", loadScenes=True, checkResources=False, checkScenes=False)
    said = [issue for issue in alone["issues"] if "Parse Error" in issue["message"]]
    assert [(len(each.get("also", [])), each["message"].startswith("res://")) for each in said] == [(1, False)]


ODD = "extends Node\n\nfunc f(a): if a: return 1\n"  # the engine takes it; the grammar that reads scripts does not
BAD = "extends Node\n\nfunc f(:\n\tpass\n"


async def test_what_the_engine_compiles_is_no_bad_syntax(make_caller: MakeCaller, game: Path) -> None:
    (game / "odd.gd").write_text(ODD)
    (game / "bad.gd").write_text(BAD)
    caller = make_caller()
    for loads in (False, True):
        found = await caller.result("validate_project", checkResources=False, loadScenes=loads)
        named = {each["path"] for each in found["issues"]}
        checked = await caller.result("get_script_errors")
        assert named == {each["path"] for each in checked["errors"]} == {"res://bad.gd"}


async def test_without_godot_doubtful_syntax_is_said_to_be_doubtful(
    make_caller: MakeCaller, game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GODOT_PATH", "")
    (game / "odd.gd").write_text(ODD)
    reply = (await make_caller().reply("validate_project", {"checkResources": False})).structured
    assert reply is not None
    assert [issue["path"] for issue in reply["result"]["issues"]] == ["res://odd.gd"]
    assert any("res://odd.gd was judged without Godot" in warning for warning in reply["warnings"]), reply


FRESH = """[gd_scene format=3]

[ext_resource type="Texture2D" path="res://hero.png" id="1"]
[ext_resource type="Script" path="res://hero.gd" id="2"]

[node name="Hero" type="Sprite2D"]
texture = ExtResource("1")
script = ExtResource("2")
"""


async def test_missing_imports_are_one_line_apart_from_what_is_wrong(make_caller: MakeCaller, game: Path) -> None:
    from PIL import Image

    Image.new("RGBA", (4, 4), "red").save(game / "hero.png")
    (game / "hero.tscn").write_text(FRESH)
    (game / "hero.gd").write_text('class_name Hero extends Sprite2D\nconst ICON = preload("res://hero.png")\n')
    (game / "user.gd").write_text("extends Node\nvar icon = Hero.ICON\n")
    (game / "wrong.gd").write_text('extends Node\nvar a: int = "b"\n')
    caller = make_caller()
    for tool, arguments, wrong in (
        ("validate_scene", {"scenePath": "hero.tscn"}, set()),
        ("validate_project", {"checkResources": False, "loadScenes": True}, {"res://wrong.gd"}),
        ("get_script_errors", {}, {"res://wrong.gd"}),
    ):
        reply = (await caller.reply(tool, arguments)).structured
        assert reply is not None
        found = reply["result"].get("issues", reply["result"].get("errors"))
        assert {each["path"] for each in found} == wrong, (tool, found)
        lines = [warning for warning in reply["warnings"] if "res://hero.png is not imported yet" in warning]
        assert len(lines) == len(reply["warnings"]) == 1, reply["warnings"]


async def test_without_godot_that_is_said(make_caller: MakeCaller, game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GODOT_PATH", "")
    (game / "plain.tscn").write_text(PLAIN)
    for tool, arguments in (
        ("validate_project", {"loadScenes": True}),
        ("validate_scene", {"scenePath": "plain.tscn"}),
    ):
        refused = (await make_caller().reply(tool, arguments)).structured
        assert refused is not None
        assert refused["error"]["code"] == "E_UNSUPPORTED"
        assert "GODOT_PATH" in refused["error"]["suggestedFix"]


async def test_a_scene_that_crashes_the_engine_is_found_among_others(make_caller: MakeCaller, game: Path) -> None:
    for number in range(20):
        (game / f"scene{number}.tscn").write_text(PLAIN)
    (game / "deadly.tscn").write_text(SCRIPTED.format(script="deadly.gd"))
    (game / "deadly.gd").write_text("extends Node\n\n\nfunc _init() -> void:\n\tOS.kill(OS.get_process_id())\n")
    done = await make_caller().result("validate_project", checkResources=False, loadScenes=True)
    issues = [issue for issue in done["issues"] if issue["code"] == "engine"]
    assert [issue["path"] for issue in issues] == ["res://deadly.tscn"]
    assert "crashed" in issues[0]["message"]


async def test_progress_is_told_and_a_cancel_ends_the_engines(make_caller: MakeCaller, game: Path) -> None:
    class Impatient(SilentClient):
        def __init__(self, scope: anyio.CancelScope) -> None:
            self.scope = scope
            self.told: list[tuple[float, float | None]] = []

        async def progress(self, done: float, total: float | None, message: str | None) -> None:
            del message
            self.told.append((done, total))
            self.scope.cancel()

    for number in range(100):
        (game / f"scene{number}.tscn").write_text(PLAIN)
    (game / "slow.tscn").write_text(SCRIPTED.format(script="slow.gd"))
    (game / "slow.gd").write_text("extends Node\n\n\nfunc _init() -> void:\n\tOS.delay_msec(600_000)\n")
    caller = make_caller()
    with anyio.CancelScope() as scope:
        client = Impatient(scope)
        await caller.run("validate_project", {"loadScenes": True}, client=client)
    assert scope.cancelled_caught
    assert client.told[0][0] == 1
    assert (client.told[0][1] or 0) > 1
    again = await caller.result("validate_scene", scenePath="scene1.tscn")
    assert again["valid"]
