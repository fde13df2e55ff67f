from __future__ import annotations

from pathlib import Path

import pytest
from tests.conftest import MakeCaller
from tests.support.gdscript_runner import PROJECT

pytestmark = [pytest.mark.anyio, pytest.mark.godot, pytest.mark.xdist_group("godot-engines")]

SCENE = '[gd_scene format=3]\n\n[node name="Main" type="Node2D"]\nposition = Vektor(1, 2)\n'


async def test_a_report_has_what_only_the_engine_knows(make_caller: MakeCaller, game: Path) -> None:
    (game / "wrong.gd").write_text("extends Node\n\n\nfunc _ready() -> void:\n\tjmp()\n")
    (game / "deadly.gd").write_text("extends Node\n\n\nfunc _init() -> void:\n\tpush_error(&'not so')\n")
    (game / "main.tscn").write_text(
        '[gd_scene format=3]\n\n[ext_resource type="Script" path="res://deadly.gd" id="1"]\n\n'
        '[node name="Main" type="Node"]\nscript = ExtResource("1")\n'
    )
    caller = make_caller()
    shallow = await caller.result("doctor_report")
    assert [(issue["path"], issue["line"]) for issue in shallow["issues"] if issue["code"] == "compile_error"] == [
        ("res://wrong.gd", 5)
    ]
    assert "not so" not in (game / "doctor_report.md").read_text()
    await caller.result("doctor_report", options={"deepSceneInstantiate": True})
    assert "not so" in (game / "doctor_report.md").read_text()


@pytest.mark.parametrize(("made", "ok"), [("4.3", True), ("9.9", False)])
async def test_a_project_of_a_newer_engine_is_not_ready(
    make_caller: MakeCaller, game: Path, made: str, ok: bool
) -> None:
    (game / "main.tscn").write_text(SCENE)
    settings = f'run/main_scene="res://main.tscn"\nconfig/features=PackedStringArray("{made}")\n'
    (game / "project.godot").write_text(PROJECT + settings)
    done = await make_caller().result("godot_preflight")
    checks = {check["name"]: check for check in done["checks"]}
    assert checks["godot"]["ok"]
    assert checks["version"]["ok"] is ok
    assert done["ready"] is ok
