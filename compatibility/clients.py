"""Clients of others, each of which opens the server, lists its tools, calls one, writes a file and takes it back."""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from compatibility.rows import CACHE, PROJECT, Row, python_of, ran, seen

__all__ = ["client_rows", "revision_rows"]

_PROGRAMS = Path(__file__).parent / "programs"
_SERVER = (str(Path(sys.executable).with_name("scenewright")), "serve")
_CALLS = json.dumps(
    [
        ["core_ping", {}],
        ["project_file_manager", {"action": "write", "path": "a.txt", "content": "one"}],
        ["project_file_manager", {"action": "read", "path": "a.txt"}],
        ["history", {"action": "undo"}],
    ]
)
_PYTHON = {
    "mcp of the first generation (PyPI)": ("mcp-1", "mcp<2", "python_sdk.py"),
    "mcp of the second generation (PyPI)": ("mcp-2", "mcp>=2", "python_sdk.py"),
    "fastmcp (PyPI)": ("fastmcp", "fastmcp", "fastmcp_client.py"),
}
_TYPESCRIPT = {
    "@modelcontextprotocol/sdk, first generation (npm)": ("ts-1", "@modelcontextprotocol/sdk@1"),
    "@modelcontextprotocol/client, second generation (npm)": ("ts-2", "@modelcontextprotocol/client@2"),
}


def client_rows() -> Iterator[Row]:
    for name, (place, requirement, program) in _PYTHON.items():
        python = python_of(place, [requirement])
        if isinstance(python, str):
            yield seen("clients", name, "not had", python)
        else:
            yield _tried(name, [python, _PROGRAMS / program])
    for name, (place, package) in _TYPESCRIPT.items():
        yield _typescript(name, CACHE / place, package)
    yield _inspector()


def _tried(name: str, command: list[str | Path]) -> Row:
    with tempfile.TemporaryDirectory() as folder:
        project = _new_project(folder)
        done = ran([*command, project, *_SERVER], given=_CALLS, minutes=3)
        return _judged(name, done.stdout, done.stderr, project)


def _new_project(folder: str) -> Path:
    project = Path(folder)
    (project / "project.godot").write_text("config_version=5\n")
    return project


def _judged(name: str, told: str, problem: str, project: Path) -> Row:
    try:
        said = json.loads(told.strip().splitlines()[-1])
    except (ValueError, IndexError):
        return seen("clients", name, "fails", problem[-300:] or "it said nothing")
    good = not any(said["failed"]) and '"ok":true' in said["texts"][0] and "one" in said["texts"][2]
    good = good and "core_ping" in said["tools"] and not (project / "a.txt").exists()
    detail = f"{said['client']}, protocol {said['protocol']}, {len(said['tools'])} tools"
    return seen("clients", name, "works" if good else "fails", detail if good else f"{detail}: {said['texts']}")


def _typescript(name: str, place: Path, package: str) -> Row:
    node = shutil.which("node")
    install: list[str | Path] = [
        "npm",
        "install",
        "--prefix",
        place,
        "--ignore-scripts",
        "--no-audit",
        "--no-fund",
        package,
    ]
    if node is None or ran(install).returncode:
        return seen("clients", name, "not had", "there is no Node, or npm could not fetch it")
    program = (_PROGRAMS / "typescript_sdk.mjs").read_text()
    with tempfile.TemporaryDirectory() as folder:
        project = _new_project(folder)
        command: list[str | Path] = [node, "--input-type=module", "-", project, _CALLS, *_SERVER]
        done = ran(command, given=program, folder=place, minutes=3)
        return _judged(name, done.stdout, done.stderr, project)


def _inspector() -> Row:
    """Its own tests are the end-to-end tests of the inspector, in both eras of the protocol."""
    name = "@modelcontextprotocol/inspector (npm)"
    done = ran([sys.executable, "-m", "pytest", "-n0", "-q", "tests/e2e/test_inspector.py", "-k", "eras"])
    last = (done.stdout.strip().splitlines() or ["nothing was said"])[-1]
    if "skipped" in last and "passed" not in last:
        return seen("clients", name, "not had", last)
    return seen("clients", name, "works" if not done.returncode else "fails", f"both eras, {last}")


def revision_rows() -> Iterator[Row]:
    """Each in a server of its own, on the bare wire."""
    from mcp_types.version import SUPPORTED_PROTOCOL_VERSIONS

    for version in SUPPORTED_PROTOCOL_VERSIONS:
        test = f"tests/compatibility/test_revisions.py::test_a_day_of_a_client_in_each_revision[{version}]"
        done = ran([sys.executable, "-m", "pytest", "-n0", "-q", test], folder=PROJECT)
        if done.returncode:
            yield seen("revisions", version, "fails", done.stdout[-300:])
        else:
            yield seen("revisions", version, "works", "opened, listed, called, written, taken back")
