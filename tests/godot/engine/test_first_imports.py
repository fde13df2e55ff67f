"""Assets that a scene needs are imported before it runs, and no file of the project changes by that."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import MakeCaller
from tests.godot.engine.test_imports import png

pytestmark = pytest.mark.anyio

SCENE = """[gd_scene format=3]

[ext_resource type="Script" path="res://{name}.gd" id="1"]
[ext_resource type="Texture2D" path="res://{name}.png" id="2"]

[node name="Main" type="Sprite2D"]
texture = ExtResource("2")
script = ExtResource("1")
"""
SCRIPT = 'extends Sprite2D\n\nconst PICTURE: Texture2D = preload("res://{name}.png")\n'


def add_scene(game: Path, name: str, picture: bytes) -> None:
    (game / f"{name}.png").write_bytes(picture)
    (game / f"{name}.gd").write_text(SCRIPT.format(name=name))
    (game / f"{name}.tscn").write_text(SCENE.format(name=name))


def files_of(game: Path) -> dict[str, bytes]:
    own = (path for path in game.rglob("*") if path.is_file() and not path.relative_to(game).parts[0].startswith("."))
    return {str(path.relative_to(game)): path.read_bytes() for path in own}


async def test_a_fresh_clone_is_imported_before_its_scenes_run(make_caller: MakeCaller, game: Path) -> None:
    add_scene(game, "hero", png(8, 4))
    add_scene(game, "bad", b"no picture")
    before = files_of(game)
    caller = make_caller()

    async def probe(scene: str, *checks: str) -> tuple[dict[str, Any], list[str]]:
        body = (await caller.reply("probe_scene", {"scenePath": scene, "checks": list(checks)})).structured
        assert body is not None
        return body["result"], body.get("warnings", [])

    found, warnings = await probe("hero.tscn", "texture.get_size() == Vector2(8, 4)")
    assert (found["passed"], found["errors"]) == (True, [])
    assert [warning.split(" is not")[0] for warning in warnings] == ["res://hero.png"]
    assert files_of(game) == before  # it ran in a copy

    found, warnings = await probe("bad.tscn")
    assert (found["passed"], found["errors"]) == (False, [])
    assert [warning for warning in warnings if "res://bad.png is not imported" in warning]
    (game / "bad.gd").write_text(SCRIPT.format(name="bad") + "\n\nfunc _ready() -> void:\n\tnonsense()\n")
    found, _ = await probe("bad.tscn")
    assert any("nonsense" in error["message"] and error["line"] == 7 for error in found["errors"])
    assert not any("bad.png" in error["message"] for error in found["errors"])

    await caller.result("import_assets")
    shutil.rmtree(game / ".godot")
    before = files_of(game)
    found, warnings = await probe("hero.tscn", "texture.get_size() == Vector2(8, 4)")
    assert (found["passed"], warnings) == (True, ["Imported first, as the engine had not yet: res://hero.png."])
    assert (await probe("hero.tscn", "texture != null")) == ({**found, "checks": found_checks("texture != null")}, [])
    (game / "hero.png").write_bytes(png(16, 4))
    assert (await probe("hero.tscn", "texture.get_width() == 16"))[0]["passed"]
    before["hero.png"] = (game / "hero.png").read_bytes()
    assert files_of(game) == before  # only the engine's cache has become more


def found_checks(expression: str) -> list[dict[str, Any]]:
    return [{"expression": expression, "holds": True, "value": "true"}]
