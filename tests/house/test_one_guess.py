"""Who knows a tool finds its module in one guess: ten guesses, made from the tools' names alone."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import scenewright
from scenewright.app import catalogues
from scenewright.core.operations.declaration import Operation
from scenewright.core.operations.registry import build_registry

REGISTRY = build_registry(catalogues(), verified=True)
PACKAGE = Path(next(iter(scenewright.__path__)))
GUESSES = {
    "get_groups": "godot/scenes/operations/groups.py",
    "connect_signal": "godot/scenes/operations/signals.py",
    "apply_scene": "godot/scenes/operations/apply_scene.py",
    "inspect_image": "godot/assets/operations/image_inspection.py",
    "paint_tiles": "godot/tiles/operations/tilemaps.py",
    "probe_scene": "godot/engine/operations/probes.py",
    "scene_picture": "godot/engine/operations/pictures.py",
    "compare_pictures": "godot/engine/operations/picture_comparison.py",
    "roblox.instance_create": "roblox/operations/instances.py",
    "asset.prefab.describe": "unity/operations/prefabs.py",
    "audio.mixer.list": "unity/operations/audio.py",
}


@pytest.mark.parametrize(("tool", "guess"), GUESSES.items(), ids=GUESSES)
def test_a_tool_is_where_a_reader_guesses(tool: str, guess: str) -> None:
    operation = REGISTRY.find(tool)
    assert isinstance(operation, Operation)
    file = sys.modules[operation.handler.__module__].__file__
    assert file is not None
    assert Path(file).relative_to(PACKAGE).as_posix() == guess
