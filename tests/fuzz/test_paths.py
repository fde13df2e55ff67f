"""Paths that lead out, round in circles or into a pipe, to every operation that takes one."""

from __future__ import annotations

import os
import socket
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from anyio.from_thread import BlockingPortal
from tests.fuzz.hostile import LARGE
from tests.fuzz.trees import picture, trapped_project

from scenewright.app import make_runtime
from scenewright.core.calls.call import Outcome, Request
from scenewright.core.config import Config

Run = Callable[..., Outcome]
OUTSIDE = (
    "..",
    "../secret.txt",
    "../../../../etc/passwd",
    "/etc/passwd",
    "scenes/../../secret.txt",
    "out.txt",
    "outside/secret.txt",
    "outside/new.txt",
    "outside",
    "/dev/zero",
    "/dev/stdin",
    "/proc/self/mem",
)
OURS = (".scenewright/token", ".scenewright", ".git/config", ".godot_mcp/audit.log", "scenes/../.scenewright/token")
NO_FILE = (
    "",
    ".",
    "./",
    "scenes",
    "scenes/",
    "loop",
    "loop/x",
    "pipe",
    "a\0b",
    "\0",
    str(LARGE["name"]),
    str(LARGE["long path"]),
    "d/" * 2100,
)
CALLS: dict[str, dict[str, Any]] = {
    "read_file": {},
    "write_file": {"content": "x", "overwrite": True},
    "edit_file": {"find": "a", "replace": "b"},
    "delete_file": {},
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return trapped_project(tmp_path_factory.mktemp("paths"))


@pytest.fixture(scope="module")
def run(project: Path, portal: BlockingPortal) -> Iterator[Run]:
    runtime = make_runtime(Config(project=project, rate_limit=None, action_timeout=20.0))

    def run(tool: str, **arguments: Any) -> Outcome:
        """An approved call that is expected to be refused without a trace."""
        before = picture(project.parent)
        outcome = portal.call(runtime.run, Request(tool=tool, arguments=arguments, meta={"approved": True}))
        assert picture(project.parent) == before
        return outcome

    yield run
    runtime.close()


@pytest.mark.parametrize("tool", CALLS)
@pytest.mark.parametrize("path", OUTSIDE)
def test_a_path_that_leads_out_is_denied(run: Run, tool: str, path: str) -> None:
    outcome = run(tool, path=path, **CALLS[tool])
    assert outcome.fault is not None
    assert outcome.fault.kind == "denied"


@pytest.mark.parametrize("tool", CALLS)
@pytest.mark.parametrize("path", OURS)
def test_our_own_records_are_denied(run: Run, tool: str, path: str) -> None:
    outcome = run(tool, path=path, **CALLS[tool])
    assert outcome.fault is not None
    assert outcome.fault.kind == "denied"


@pytest.mark.parametrize("tool", CALLS)
@pytest.mark.parametrize("path", NO_FILE, ids=lambda path: repr(path[:12]))
def test_what_cannot_be_a_file_is_invalid(run: Run, tool: str, path: str) -> None:
    outcome = run(tool, path=path, **CALLS[tool])
    assert outcome.fault is not None
    assert outcome.fault.kind == "invalid"


@pytest.mark.parametrize("tool", ["read_file", "edit_file", "delete_file"])
@pytest.mark.parametrize("path", ["dangling", "nowhere/x", "a.txt/b", "~", "~/x", "C:\\x", "file:///etc/passwd"])
def test_what_is_not_there_is_not_found(run: Run, tool: str, path: str) -> None:
    outcome = run(tool, path=path, **CALLS[tool])
    assert outcome.fault is not None
    assert outcome.fault.kind == "not_found"


def test_a_socket_is_not_read(run: Run, project: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        here = Path.cwd()
        os.chdir(project)  # a socket's address is short
        try:
            listener.bind("socket")
        finally:
            os.chdir(here)
        assert run("read_file", path="socket").fault.kind == "invalid"  # type: ignore[union-attr]
        (project / "socket").unlink()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can make a device")
def test_a_device_is_not_read(run: Run, project: Path) -> None:
    place = project / "zero"
    try:
        os.mknod(place, stat.S_IFCHR | 0o666, os.makedev(1, 5))
    except PermissionError:
        pytest.skip("no device can be made here")
    try:
        assert run("read_file", path="zero").fault.kind == "invalid"  # type: ignore[union-attr]
    finally:
        place.unlink()


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("nowhere", "not_found"),
        ("a\0b", "denied"),
        ("", None),
        ("/", "denied"),
        ("/etc", "denied"),
        ("/etc/passwd", "denied"),
        pytest.param("x" * 5000, "not_found", id="long"),
        ("~nobody-at-all/x", "denied"),
    ],
)
def test_a_project_that_is_none_is_refused(run: Run, path: str, kind: str | None) -> None:
    outcome = run("history.list", projectPath=path)
    assert (outcome.fault.kind if outcome.fault else None) == kind


def test_a_loop_as_the_project_is_refused(run: Run, project: Path) -> None:
    outcome = run("history.list", projectPath=str(project / "loop"))
    assert outcome.fault is not None
    assert outcome.fault.kind == "denied"
