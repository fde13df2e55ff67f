"""What a process loads, and when: a server starts without the engines' libraries, and a call loads what it needs."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
START = "import sys, scenewright.app, scenewright.server.run; print(*sys.modules)"
AT_ONCE = """
import sys, scenewright.cli.main, scenewright.cli.serve, scenewright.core.settings
import scenewright.server.start.conditions, scenewright.server.start.kept_answers, scenewright.server.start.lane
print(*sys.modules)
"""
FIRST_CALL = """
import asyncio, pathlib, sys
from scenewright.app import make_runtime
from scenewright.core.calls.call import Request
from scenewright.core.config import Config

runtime = make_runtime(Config(project=pathlib.Path.cwd()))
outcome = asyncio.run(runtime.run(Request(tool="get_node_tree", arguments={"scenePath": "level.tscn"})))
assert outcome.fault is None, outcome.fault
runtime.close()
print(*sys.modules)
"""


def _loaded(program: str, folder: Path) -> list[str]:
    ended = subprocess.run([sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, check=True)
    return ended.stdout.split()


def _below(modules: list[str], *packages: str) -> list[str]:
    return [name for name in modules if name in packages or name.startswith(tuple(f"{part}." for part in packages))]


def test_a_server_answers_at_first_with_next_to_nothing_loaded(tmp_path: Path) -> None:
    loaded = _loaded(AT_ONCE, tmp_path)
    assert _below(loaded, "mcp", "mcp_types", "pydantic", "anyio", "asyncio", "msgspec", "logging", "tomllib") == []
    assert _below(loaded, *(f"scenewright.{part}" for part in ("app", "contracts", "core.runtime", "platform"))) == []
    assert len(loaded) < 160


def test_a_server_starts_without_the_libraries_of_the_engines(tmp_path: Path) -> None:
    loaded = _loaded(START, tmp_path)
    assert "scenewright.godot.scenes.operations.scenes" in loaded
    godot = [f"scenewright.godot.{part}" for part in ("documents", "values", "classes.index", "project.workspace")]
    assert _below(loaded, *godot, "scenewright.roblox.place", "scenewright.unity.yaml", "PIL", "tree_sitter") == []
    assert _below(loaded, "scenewright.unity.live") == []


def test_reading_a_tree_does_not_load_what_only_writing_needs(project: Path) -> None:
    shutil.copytree(ROOT / "tests/godot/fixtures/game", project, dirs_exist_ok=True)
    loaded = _loaded(FIRST_CALL, project)
    assert "scenewright.godot.scenes.outline" in loaded
    godot = [
        f"scenewright.godot.{part}" for part in ("values", "classes.index", "scenes.scene_edit", "documents.nodes")
    ]
    assert _below(loaded, *godot, "tree_sitter") == []


UNITY_CALL = FIRST_CALL.replace("get_node_tree", "scene.hierarchy.dump").replace(
    "level.tscn", "Assets/Scenes/Main.unity"
)


def test_a_unity_project_that_no_editor_has_open_loads_nothing_of_one(project: Path) -> None:
    shutil.copytree(ROOT / "tests/unity/fixtures/game", project, dirs_exist_ok=True)
    loaded = _loaded(UNITY_CALL, project)
    assert "scenewright.unity.live.descriptor" in loaded
    assert _below(loaded, "h11", *(f"scenewright.unity.live.{part}" for part in ("pipeline", "stage", "wire"))) == []
