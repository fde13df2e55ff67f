"""Which descriptors are believed: what a clone brings must not lead anywhere, nor what an editor left behind."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller
from tests.unity.live.conftest import MakeEditor
from tests.unity.live.pipeline_double import UnityDouble
from tests.unity.operations.changed_copies import MAIN, done, refused

from scenewright.bridge.processes import started_at
from scenewright.unity.live.descriptor import find_descriptor

STATUS = "unity.editor.status"


def test_without_a_file_there_is_one_look_at_the_disk(project: Path) -> None:
    assert find_descriptor(project).state == "missing"


def test_the_file_of_a_running_editor_counts(editor: UnityDouble, project: Path) -> None:
    finding = find_descriptor(project)
    assert finding.state == "fresh"
    assert finding.descriptor is not None
    assert (finding.descriptor.port, finding.descriptor.token) == (editor.port, editor.token)
    assert editor.token not in repr(finding)


def test_a_file_that_others_may_read_is_not_believed(editor: UnityDouble, project: Path) -> None:
    editor.file.chmod(0o644)  # as git makes it
    assert find_descriptor(project).state == "unsafe"


def test_a_link_is_not_followed(editor: UnityDouble, project: Path, tmp_path: Path) -> None:
    moved = shutil.move(editor.file, tmp_path / "elsewhere")
    editor.file.symlink_to(moved)
    assert find_descriptor(project).state == "unsafe"


def test_a_folder_that_is_a_link_is_not_followed(editor: UnityDouble, project: Path, tmp_path: Path) -> None:
    moved = shutil.move(editor.file.parent, tmp_path / "Pipeline")
    editor.file.parent.symlink_to(moved)
    assert find_descriptor(project).state == "unsafe"
    editor.file.parent.unlink()


@pytest.mark.parametrize("port", [22, 7799, 7850, 65536])
def test_only_unitys_ports_are_asked(port: int, editor: UnityDouble, project: Path) -> None:
    editor.advertise(port=port)
    assert find_descriptor(project).state == "unsafe"


def test_a_person_may_name_another_port(editor: UnityDouble, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    editor.advertise(port=9000)
    monkeypatch.setenv("SCENEWRIGHT_UNITY_PORT", "9000")
    assert find_descriptor(project).state == "silent"


def test_a_file_about_another_project_is_not_believed(editor: UnityDouble, project: Path, tmp_path: Path) -> None:
    editor.advertise(projectPath=str(tmp_path))
    assert find_descriptor(project).state == "unsafe"
    editor.advertise(projectPath="game")
    assert find_descriptor(project).state == "unsafe"


@pytest.mark.skipif(not Path("/proc/self/cwd").exists(), reason="this system has no such path")
@pytest.mark.parametrize("path", ["/proc/self/cwd", "//proc/self/cwd/.", "/dev/../proc/self/cwd"])
def test_a_path_that_fits_every_folder_is_not_believed(
    path: str, editor: UnityDouble, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With umask 077 git makes files that nobody else may read; a clone cannot know where it lies."""
    monkeypatch.chdir(project)
    editor.advertise(projectPath=path)
    assert find_descriptor(project).state == "unsafe"


def test_an_editor_that_has_gone_leaves_a_stale_file(editor: UnityDouble, project: Path) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    editor.advertise(pid=ended.pid)
    assert find_descriptor(project).state == "stale"


@pytest.mark.skipif(started_at(os.getpid()) is None, reason="this system does not tell when a process began")
def test_a_process_that_is_younger_than_the_file_is_another(editor: UnityDouble, project: Path) -> None:
    os.utime(editor.file, (0, (started_at(os.getpid()) or 0) - 60))
    assert find_descriptor(project).state == "stale"


@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="this system does not tell who listens")
def test_who_listens_must_be_the_process_that_is_named(editor: UnityDouble, project: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as other:
        os.utime(editor.file)
        editor.advertise(pid=other.pid)
        assert find_descriptor(project).state == "silent"
        other.communicate(b"\n")


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{",
        "[]",
        "null",
        '{"pid": 1}',
        "[" * 5000,
        '{"pid": {}, "port": 7800, "projectPath": "/", "evalToken": "x"}',
    ],
)
def test_a_file_that_says_nothing_is_waited_for(content: str, editor: UnityDouble, project: Path) -> None:
    editor.file.write_text(content)
    assert find_descriptor(project).state in ("silent", "unsafe")


@pytest.mark.parametrize("token", ["short", "with\r\nX-Other: header and more", "ünïcödé-token-of-length", 7, None])
def test_a_token_that_is_none_is_not_sent(token: Any, editor: UnityDouble, project: Path) -> None:
    editor.advertise(evalToken=token)
    assert find_descriptor(project).state == "silent"


def test_a_file_without_end_is_not_read(editor: UnityDouble, project: Path) -> None:
    editor.file.write_text(json.dumps({"x": "y" * 70_000}))
    assert find_descriptor(project).state == "unsafe"


@pytest.mark.anyio
async def test_a_clone_does_not_make_us_talk_to_a_stranger(caller: Caller, editor: UnityDouble, project: Path) -> None:
    """As after `git clone`: the file names a port where somebody listens, and this very process."""
    editor.file.chmod(0o664)
    state = (await caller.reply(STATUS)).structured or {}
    assert not state["connected"]
    assert "others may read it" in state["problem"]
    reply = await caller.reply(
        "scene.transform.set", {"scenePath": MAIN, "gameObjectPath": "Player", "position": [1, 2, 3]}
    )
    assert not reply.failed
    assert "others may read it" in (reply.text or "")
    assert editor.asked == []
    assert editor.strangers == []


@pytest.mark.anyio
async def test_a_stranger_at_the_port_is_told_no_token(caller: Caller, project: Path) -> None:
    """Whoever listens there lets everybody in, so it is no editor, and hears only what was made up for it."""
    double = UnityDouble(project)
    double.hostile = lambda handler: handler.reply(200, {"status": "ready"})  # type: ignore[attr-defined]
    double.start()
    try:
        problem = (await caller.reply(STATUS)).structured or {}
        assert "lets strangers in" in problem["problem"]
        assert double.strangers
        assert not any(double.token in token for token in double.strangers)
    finally:
        double.stop()


@pytest.mark.anyio
@pytest.mark.parametrize("name", [".unity-pipeline-port", ".Unity-Pipeline-PORT", ".unity-pipeline-port.", "UNITY-~1"])
async def test_no_tool_reads_or_writes_the_editors_key(name: str, caller: Caller, editor: UnityDouble) -> None:
    path, before = f"Library/Pipeline/{name}", editor.file.read_bytes()
    for tool, arguments in (
        ("read_file", {"path": path}),
        ("write_file", {"path": path, "content": "{}"}),
        ("edit_file", {"path": path, "find": "7", "replace": "8"}),
        ("delete_file", {"path": path}),
    ):
        reply = await caller.reply(tool, arguments)
        assert reply.failed, tool
        assert editor.token not in (reply.text or "")
    assert editor.file.read_bytes() == before


@pytest.mark.anyio
async def test_a_search_does_not_find_the_editors_key(caller: Caller, editor: UnityDouble) -> None:
    reply = await caller.reply("search_files", {"query": "evalToken"})
    assert editor.token not in (reply.text or "")
    assert editor.token not in str(reply.structured)


@pytest.mark.anyio
async def test_each_project_has_its_own_editor(
    caller: Caller, make_editor: MakeEditor, project: Path, tmp_path: Path
) -> None:
    mine = make_editor()
    other = make_editor(folder=Path(shutil.copytree(project, tmp_path / "other")))
    other.advertise()
    shutil.rmtree(project / "Library")
    mine.advertise()
    await done(caller, "unity.editor.play")
    assert (mine.playing, other.playing) == ("playing", "stopped")


@pytest.mark.anyio
async def test_without_an_editor_a_tool_says_what_to_do(caller: Caller, project: Path) -> None:
    text = await refused(caller, "unity.editor.play")
    assert "unity pipeline install" in text
    manifest = project / "Packages/manifest.json"
    manifest.write_text('{"dependencies": {"com.unity.pipeline": "0.9.1-exp.1"}}')
    assert "Open the project in Unity." in await refused(caller, "unity.editor.play")
    (project / "Temp").mkdir()
    (project / "Temp/UnityLockfile").touch()
    assert "Safe Mode" in await refused(caller, "unity.editor.play")


def test_a_port_that_nobody_has_is_silent(editor: UnityDouble, project: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
    editor.go_away()
    editor.advertise()
    assert find_descriptor(project).state in ("silent", "fresh" if not Path("/proc/net/tcp").exists() else "silent")
