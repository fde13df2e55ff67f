"""What the operations have written, loaded and saved again by the real engine, means the same as before."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import anyio
import pytest
from tests.godot.catalogue.test_every_write_in_the_engine import _do, _files
from tests.godot.catalogue.writes import CASES
from tests.support.gdscript_runner import Reply, make_project, run_jobs

from scenewright.godot.documents.scene import Scene
from scenewright.godot.scenes.comparison import compare
from scenewright.godot.scenes.comparison.differences import Difference

ENGINE = """
func run(folder: String) -> int:
	var count: int = 0
	for file: String in DirAccess.get_files_at("res://" + folder):
		if file.get_extension() == "tscn":
			var scene: Node = (load("res://" + folder + "/" + file) as PackedScene).instantiate(
				PackedScene.GEN_EDIT_STATE_MAIN)
			var packed: PackedScene = PackedScene.new()
			packed.pack(scene)
			scene.free()
			count += int(ResourceSaver.save(packed, "res://" + folder + "/" + file + ".saved.tscn") == OK)
	return count
"""
# The engine adds where the parameters of all nodes of an animation tree start.
ADDED = "parameters/"


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Reply]]:
    project = make_project(tmp_path_factory.mktemp("game"), _files(CASES))
    anyio.run(_do, project, CASES)
    return project, dict(zip(CASES, run_jobs(project, ENGINE, list(CASES)), strict=True))


def _is_same(found: Difference) -> bool:
    if found.kind == "uid" or (found.name.startswith(ADDED) and found.before is None):
        return True
    if ":" in found.name and found.after is None:
        return True  # the default of an inner resource, which the engine leaves out
    return _number(found.before) and _number(found.after) and math.isclose(found.before, found.after, rel_tol=1e-6)


def _number(value: Any) -> bool:
    return isinstance(value, int | float)


@pytest.mark.godot
@pytest.mark.xdist_group("godot")
@pytest.mark.parametrize("name", CASES)
@pytest.mark.since_godot(4, 6)  # older ones shorten floats
def test_saving_again_changes_nothing_of_meaning(saved: tuple[Path, dict[str, Reply]], name: str) -> None:
    project, replies = saved
    scenes = sorted(path for path in (project / name).glob("*.tscn") if ".saved." not in path.name)
    assert replies[name] == Reply(len(scenes), [])
    for ours in scenes:
        theirs = ours.with_name(f"{ours.name}.saved.tscn")
        old, new = (Scene.parse(path.read_bytes(), path.name) for path in (ours, theirs))
        assert [found for found in compare(old, new) if not _is_same(found)] == []
