"""Names on disk that a project may bring: no Unicode, controls, patterns, folders without end, what is no file."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller
from tests.core.samples import fault_of

from scenewright.core.projects.file_walk import walk_folders

pytestmark = [pytest.mark.anyio, pytest.mark.skipif(sys.platform != "linux", reason="others take no such names")]

DEEP = 1500
NAMES = (b"no\xff\xfeunicode", b"two\nlines", b"red\x1b[31m", "turned\u202e".encode(), b"*", b"[x]", b"--help", b"a:12")


def fill(folder: Path, ending: str, text: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name in NAMES:
        Path(os.fsdecode(os.fsencode(folder) + b"/" + name + ending.encode())).write_text(text)


@pytest.fixture
def dig(project: Path) -> Iterator[Callable[[Path], None]]:
    """Make folders in folders, deeper than a path can name."""
    yield _dig
    subprocess.run(["rm", "-rf", project], check=True)  # what is left to pytest, Python's own cannot remove


def _dig(folder: Path) -> None:
    inside = os.open(folder, os.O_RDONLY)
    for _ in range(DEEP):
        os.mkdir("d", dir_fd=inside)
        deeper = os.open("d", os.O_RDONLY, dir_fd=inside)
        os.close(inside)
        inside = deeper
    os.close(inside)


@pytest.fixture
def godot(project: Path, dig: Callable[[Path], None], monkeypatch: pytest.MonkeyPatch) -> Path:
    (project / "project.godot").write_text("config_version=5\n")
    (project / "good.gd").write_text("class_name Good\nextends Node\n")
    (project / "good.tscn").write_text('[gd_scene format=3]\n[node name="Good" type="Node"]\n')
    fill(project, ".gd", "extends Node\n")
    fill(project, ".tscn", '[gd_scene format=3]\n[node name="Odd" type="Node"]\n')
    dig(project)
    for name in ("pipe.gd", "pipe.tscn", "pipe.tres", "pipe.png", "pipe.gd.uid"):
        os.mkfifo(project / name)
    monkeypatch.chdir(project)
    with socket.socket(socket.AF_UNIX) as unix:
        unix.bind("socket.gd")
    (project / "loop").symlink_to(".")
    (project / "self.gd").symlink_to("self.gd")
    (project / "zero.gd").symlink_to("/dev/zero")
    return project


@pytest.mark.usefixtures("godot")
@pytest.mark.parametrize(
    ("operation", "inputs"),
    [
        ("overview", {"max_bytes": 100_000}),
        ("read_file", {"paths": ["good*"]}),
        ("search_files", {"query": "extends"}),
        ("search_files", {"query": "ext[e]nds", "regex": True}),
        ("list_scripts", {}),
        ("list_scenes", {}),
        ("list_assets", {}),
        ("get_project_info", {}),
        ("validate_project", {}),
        ("project.workspace_stats", {}),
        ("write_script", {"script_path": "new.gd", "content": "extends Good\n"}),
    ],
)
async def test_odd_names_keep_nobody_from_the_rest(caller: Caller, operation: str, inputs: dict[str, Any]) -> None:
    outcome = await caller.run(operation, inputs)
    assert outcome.ok, outcome
    assert "good" in str(outcome.call.output) or operation not in ("overview", "read_file", "search_files")


async def test_odd_names_keep_nobody_from_a_rojo_project(project: Path, caller: Caller) -> None:
    tree = '{"$className": "DataModel", "ReplicatedStorage": {"$path": "src"}}'
    (project / "default.project.json").write_text(f'{{"name": "game", "tree": {tree}}}')
    fill(project / "src", ".luau", "return 7\n")
    outcome = await caller.run("roblox.script_search", {"query": "return"})
    assert outcome.ok, outcome
    assert len(outcome.call.output.matches) == len(NAMES) - 1  # that is no Unicode


async def test_odd_names_keep_nobody_from_a_unity_project(
    project: Path, caller: Caller, dig: Callable[[Path], None]
) -> None:
    (project / "ProjectSettings").mkdir()
    (project / "ProjectSettings/ProjectVersion.txt").write_text("m_EditorVersion: 6000.0.1f1\n")
    fill(project / "Assets", ".unity", "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n")
    dig(project / "Assets")
    outcome = await caller.run("project.scenes.list")
    assert outcome.ok, outcome
    assert len(outcome.call.output.scenes) == len(NAMES) - 1


@pytest.mark.usefixtures("godot")
@pytest.mark.parametrize("path", ["pipe.gd", "socket.gd", "zero.gd", "loop", "self.gd"])
async def test_what_is_no_file_of_the_project_is_refused_at_once(caller: Caller, path: str) -> None:
    assert fault_of(await caller.run("read_file", {"path": path})).kind in ("invalid", "denied", "not_found")


def test_a_walk_follows_no_link_and_takes_hints(project: Path) -> None:
    (project / "a/b").mkdir(parents=True)
    (project / "c/d").mkdir(parents=True)
    (project / "a/loop").symlink_to(project)
    (project / "a/file").touch()
    seen = []
    for folder, folders, files in walk_folders(project):
        folders[:] = [name for name in sorted(folders) if name != "c"]
        seen.append((Path(folder).relative_to(project).as_posix(), folders, files))
    assert seen == [(".", ["a"], []), ("a", ["b", "loop"], ["file"]), ("a/b", [], [])]
