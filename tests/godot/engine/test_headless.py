from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.conftest import MakeCaller

pytestmark = [pytest.mark.anyio, pytest.mark.godot, pytest.mark.xdist_group("godot-engines")]

SCENE = (
    '[gd_scene format=3]\n\n[sub_resource type="BoxMesh" id="1"]\n\n[node name="Main" type="Node3D"]\n\n'
    '[node name="Box" type="MeshInstance3D" parent="."]\nmesh = SubResource("1")\n'
)
STEPS: list[tuple[str, dict[str, Any], str]] = [
    ("validate_scene", {"scene_path": "main.tscn"}, "valid"),
    ("get_godot_version", {}, "version"),
    ("eval_expression", {"expression": "6 * 7"}, "value"),
    (
        "export_mesh_library",
        {"scene_path": "main.tscn", "output_path": "lib.tres", "mesh_item_names": ["Box"]},
        "items",
    ),
    ("resave_resources", {"project_path": "res://"}, "changed"),
]


async def test_operations_that_need_the_engine(make_caller: MakeCaller, game: Path) -> None:
    (game / "main.tscn").write_text(SCENE)
    steps = [{"operation": name, "params": params} for name, params, _ in STEPS]
    caller = make_caller()
    done = (await caller.reply("godot_headless_batch", {"steps": steps})).structured
    assert done is not None
    assert done["ok"], done
    assert [row["ok"] for row in done["result"]["results"]] == [True] * len(STEPS), done
    for (_, _, key), row in zip(STEPS, done["result"]["results"], strict=True):
        assert row["result"][key], row
    assert (game / "lib.tres").exists()
    single = await caller.run("godot_headless_op", {"operation": "validate_scene", "params": STEPS[0][1]})
    assert single.ok
