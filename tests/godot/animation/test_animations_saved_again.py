"""What the real engine loads of our animations, trees and sprite frames and saves again means the same."""

from __future__ import annotations

from pathlib import Path

import anyio
import pytest
from tests.godot.animation import test_animation_trees, test_animations
from tests.godot.animation.animated import call_all, files_of
from tests.godot.catalogue.writes import animation
from tests.godot.catalogue.writes.model import FILES, Case
from tests.support.gdscript_runner import Reply, make_project, run_jobs

from scenewright.godot.documents.scene import Scene
from scenewright.godot.scenes.comparison import compare

ENGINE = """
func run(folder: String) -> int:
	var found: PackedScene = load("res://" + folder + "/main.tscn")
	var scene: Node = found.instantiate(PackedScene.GEN_EDIT_STATE_MAIN)
	var packed: PackedScene = PackedScene.new()
	packed.pack(scene)
	scene.free()
	return ResourceSaver.save(packed, "res://" + folder + "/saved.tscn")
"""
PLAYED: dict[str, Case] = {**test_animations.CASES, **test_animation_trees.CASES}
CASES: dict[str, Case] = {**PLAYED, "sprite frames of a sheet": animation.CASES["create_sprite_frames"]}


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Reply]]:
    names = {f"c{at}": case for at, case in enumerate(CASES.values())}
    files = files_of(names) | {
        f"{list(names)[-1]}/{file}": text.replace("~", list(names)[-1]) for file, text in FILES.items()
    }
    project = make_project(tmp_path_factory.mktemp("game"), files)
    for name, case in names.items():
        anyio.run(call_all, project, name, case)
    return project, run_jobs(project, ENGINE, list(names))


@pytest.mark.godot
@pytest.mark.xdist_group("godot-operations")
@pytest.mark.parametrize("name", CASES)
@pytest.mark.since_godot(4, 6)  # older ones shorten floats and order wires otherwise
def test_saving_again_changes_nothing_of_meaning(saved: tuple[Path, list[Reply]], name: str) -> None:
    at = list(CASES).index(name)
    project, replies = saved
    assert replies[at] == Reply(0, [])
    ours, theirs = (Scene.parse((project / f"c{at}" / file).read_bytes(), file) for file in ("main.tscn", "saved.tscn"))
    found = [each for each in compare(ours, theirs) if each.kind != "uid"]
    # The engine adds where the parameters of all its nodes start.
    assert [each for each in found if not (each.name.startswith("parameters/") and each.before is None)] == []
