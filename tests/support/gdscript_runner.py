"""Runs GDScript in a real, headless Godot and says what the engine complained about.

A start costs a third of a second, so that one run takes many jobs: a script gets a list, gives a list, and complaints
are told apart by job.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.e2e.tools import GODOT_PATH, godot, godot_version

__all__ = ["Reply", "make_project", "run_jobs"]

TIMEOUT = 120
NEWEST = (4, 6)
PROJECT = 'config_version=5\n\n[application]\n\nconfig/name="Sample"\n'
RUNNER = """extends SceneTree

func _init() -> void:
	# Only the editor collects the uids of a project's files; here they are told.
	var uids: Dictionary = JSON.parse_string(FileAccess.get_file_as_string("res://uids.json"))
	for path: String in uids:
		ResourceUID.add_id(ResourceUID.text_to_id(uids[path]), path)
	var jobs: Array = JSON.parse_string(FileAccess.get_file_as_string("res://jobs.json"))
	var replies: Array = []
	for number: int in jobs.size():
		printerr("@job ", number)
		replies.append(run(jobs[number]))
	printerr("@job -1")
	var file: FileAccess = FileAccess.open("res://replies.json", FileAccess.WRITE)
	file.store_string(JSON.stringify(replies))
	file.close()
	quit()

"""
# What the headless engine says when it leaves, whatever it did before.
FAREWELL = ("leaked at exit", "still in use at exit", "were leaked", "was leaked")


@dataclass(frozen=True)
class Reply:
    """What a job gave back, and the errors and warnings the engine printed meanwhile."""

    value: Any
    complaints: list[str]


def make_project(
    folder: Path, files: Mapping[str, str | bytes] | None = None, *, version: tuple[int, int] | None = None
) -> Path:
    """A project with these files, of the newest version of the engine unless another is named or run."""
    folder.mkdir(parents=True, exist_ok=True)
    major, minor = version or (godot_version() if GODOT_PATH else NEWEST)
    (folder / "project.godot").write_text(f'{PROJECT}config/features=PackedStringArray("{major}.{minor}")\n')
    for name, content in (files or {}).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode("utf-8", "surrogateescape") if isinstance(content, str) else content)
    return folder


def navigate_at_once(project: Path) -> None:
    """Has the engine know ways in the frame that asks; by itself it works them out beside the game, in its own time."""
    settings = ("world/map_use_async_iterations", "world/region_use_async_iterations")
    with (project / "project.godot").open("a", encoding="utf-8") as file:
        file.write("\n[navigation]\n\n" + "".join(f"{name}=false\n" for name in settings))


def run_jobs(project: Path, script: str, jobs: Sequence[Any], *, live: bool = False) -> list[Reply]:
    """Gives each job to `func run(job) -> Variant` of a script, all in one run of the engine.

    With `live` the scene tree is running, and a job may wait for its frames.
    """
    binary = godot()
    runner = RUNNER.replace("_init()", "_initialize()").replace("append(run(", "append(await run(") if live else RUNNER
    (project / "run_jobs.gd").write_text(runner + script)
    (project / "jobs.json").write_text(json.dumps(list(jobs)))
    (project / "uids.json").write_text(json.dumps(_uids(project)))
    done = subprocess.run(
        [binary, "--headless", "--path", str(project), "--script", "res://run_jobs.gd"],
        capture_output=True,
        check=False,
        timeout=TIMEOUT,
    )
    said = done.stderr.decode("utf-8", "replace")
    answers = project / "replies.json"
    if not answers.exists():
        raise AssertionError(f"the engine gave no answer:\n{said}\n{done.stdout.decode('utf-8', 'replace')}")
    complaints = _complaints(said)
    values = _json(answers.read_bytes().decode())
    answers.unlink()
    return [Reply(value, complaints.get(number, [])) for number, value in enumerate(values)]


def _json(text: str) -> Any:
    """What the engine takes for JSON: with bare control characters, and an escape that JSON has not."""
    return json.loads(re.sub(r"((?<!\\)(?:\\\\)*)\\v", r"\1\\u000b", text), strict=False)


def _uids(project: Path) -> dict[str, str]:
    found: dict[str, str] = {}
    for path in sorted(project.rglob("*.t[sr][ce][ns]")):
        match = re.match(rb'\[gd_[^\]\n]* uid="([^"]*)"', path.read_bytes())
        if match is not None and match[1].decode() not in found.values():
            found[f"res://{path.relative_to(project).as_posix()}"] = match[1].decode()
    return found


def _complaints(said: str) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    job = -1
    for line in said.splitlines():
        if line.startswith("@job "):
            job = int(line.removeprefix("@job "))
        elif any(mark in line for mark in ("ERROR:", "WARNING:")) and not any(end in line for end in FAREWELL):
            found.setdefault(job, []).append(line)
    return found
