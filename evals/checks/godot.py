"""Checks by the engine: a copy of the project, imported where it must be, is played with the task's check.gd in it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from evals.task import Task

__all__ = ["check", "find_engine", "import_assets", "needs_import"]

CACHED = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "scenewright/tools/godot/godot"
SUITE = Path(__file__).with_name("sentences.gd")
SCENE = """\
[gd_scene format=3]

[ext_resource type="Script" path="res://_check/check.gd" id="1"]

[node name="Check" type="Node"]
script = ExtResource("1")
"""
ASSETS = {".png", ".jpg", ".svg", ".wav", ".ogg", ".mp3", ".glb", ".gltf", ".ttf", ".otf", ".csv", ".webp"}
ERROR = re.compile(r"^(?:SCRIPT |USER )?ERROR: (.+)")
# What the engine says of itself on its way out, or of a machine without a screen.
FAREWELL = ("resources still in use", "instances were leaked", "were leaked", "was leaked", "XOpenDisplay")
PLAYED = ["--fixed-fps", "60", "--quit-after", "30000", "res://_check/check.tscn"]
TIMEOUT = 120


def find_engine() -> Path:
    """Return the Godot to check with.

    Raises:
        SystemExit: there is none.
    """
    for place in (os.environ.get("GODOT_PATH"), shutil.which("godot"), CACHED):
        if place and os.access(place, os.X_OK):
            return Path(place)
    raise SystemExit("No Godot: put one on the PATH or set GODOT_PATH; `make tools` gets one.")


def check(task: Task, project: Path, *, imports: bool = True) -> dict[int, str]:
    """Return what is wrong with each sentence, or an empty text; a sentence that was not reached is missing.

    An import takes seconds; what lacks everything anyway can do without.
    """
    if not (project / "project.godot").is_file():
        return dict.fromkeys(range(1, len(task.sentences) + 1), "there is no project.godot")
    with _copy(project) as copy:
        _add_check(task, copy)
        if imports and needs_import(copy):
            import_assets(copy)
        drawn = "# needs a screen" in (task.folder / "check.gd").read_text(encoding="utf-8")
        told, errors = _run(copy, *_drivers(drawn=drawn), *PLAYED, drawn=drawn)
    return _faults(told, errors)


@contextmanager
def _copy(project: Path) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="evals-") as folder:
        ours = shutil.ignore_patterns(".scenewright", ".godot_mcp", ".git")
        yield Path(shutil.copytree(project, Path(folder) / "game", ignore=ours))


def _add_check(task: Task, copy: Path) -> None:
    place = copy / "_check"
    place.mkdir()
    shutil.copy(SUITE, place / "sentences.gd")
    shutil.copy(task.folder / "check.gd", place / "check.gd")
    (place / "check.tscn").write_text(SCENE)
    (copy / "user").mkdir()


def import_assets(project: Path) -> None:
    _run(project, "--headless", "--import")


def needs_import(project: Path) -> bool:
    """Whether an asset or a class of a script is unknown to the engine, or changed since it was imported."""
    known = project / ".godot/global_script_class_cache.cfg"
    names = known.read_text(encoding="utf-8") if known.is_file() else ""
    for file in project.rglob("*"):
        if ".godot" in file.parts or not file.is_file():
            continue
        if file.suffix in ASSETS and not _is_imported(project, file):
            return True
        if file.suffix == ".gd":
            declared = re.search(
                r"^class_name +(\w+)", file.read_text(encoding="utf-8", errors="replace"), re.MULTILINE
            )
            if declared and f'&"{declared[1]}"' not in names:
                return True
    return False


def _is_imported(project: Path, asset: Path) -> bool:
    told = asset.with_name(f"{asset.name}.import")
    if not told.is_file():
        return False
    made = re.findall(r'"res://(\.godot/imported/[^"]+)"', told.read_text(encoding="utf-8"))
    return bool(made) and all((project / name).is_file() and _is_newer(project / name, asset) for name in made)


def _is_newer(made: Path, source: Path) -> bool:
    return made.stat().st_mtime >= source.stat().st_mtime


def _drivers(*, drawn: bool) -> list[str]:
    return ["--rendering-method", "gl_compatibility", "--audio-driver", "Dummy"] if drawn else ["--headless"]


def _run(copy: Path, *arguments: str, drawn: bool = False) -> tuple[str, str]:
    """Return what the engine said on stdout and stderr."""
    home = {"XDG_DATA_HOME": str(copy / "user"), "LIBGL_ALWAYS_SOFTWARE": "1"}
    with _screen(drawn=drawn) as screen:
        try:
            ended = subprocess.run(
                [str(find_engine()), *arguments, "--path", str(copy)],
                capture_output=True,
                check=False,
                timeout=TIMEOUT,
                env={**os.environ, **home, **screen},
            )
        except subprocess.TimeoutExpired as late:
            return (late.stdout or b"").decode("utf-8", "replace"), (late.stderr or b"").decode("utf-8", "replace")
    return ended.stdout.decode("utf-8", "replace"), ended.stderr.decode("utf-8", "replace")


@contextmanager
def _screen(*, drawn: bool) -> Iterator[dict[str, str]]:
    """A screen that nobody sees, for as long as one run takes."""
    if not drawn:
        yield {}
        return
    program = shutil.which("Xvfb")
    if program is None:
        raise SystemExit("This check draws, and there is no Xvfb: install the package xvfb.")
    reader, writer = os.pipe()
    server = subprocess.Popen(
        [program, "-displayfd", str(writer), "-screen", "0", "1280x720x24", "-nolisten", "tcp"],
        pass_fds=[writer],
        stderr=subprocess.DEVNULL,
    )
    os.close(writer)
    try:
        with os.fdopen(reader, "rb") as answer:
            yield {"DISPLAY": f":{answer.readline().decode().strip()}", "WAYLAND_DISPLAY": ""}
    finally:
        server.terminate()
        server.wait()


def _faults(told: str, errors: str) -> dict[int, str]:
    """Verdicts are lines of the check; a sentence that asks for silence fails where the engine complained meanwhile."""
    faults: dict[int, str] = {}
    complaints = _complaints(errors)
    for line in told.splitlines():
        if line.startswith("@verdict "):
            verdict = json.loads(line.removeprefix("@verdict "))
            number = int(verdict["sentence"])
            said = complaints.get(number, [])
            # The engine gives "" for a function of the check that stopped at an error.
            stopped = [complaint for complaint in said if complaint.in_check]
            loud = said if verdict["quiet"] else stopped
            faults[number] = str(verdict["fault"]) or (f"the engine complained: {loud[0].text}" if loud else "")
    return faults


class _Complaint(NamedTuple):
    text: str
    in_check: bool


def _complaints(errors: str) -> dict[int, list[_Complaint]]:
    """The errors before the first sentence count with it."""
    found: dict[int, list[_Complaint]] = {}
    number = 1
    lines = errors.splitlines()
    for line, after in zip(lines, [*lines[1:], ""], strict=True):
        if line.startswith("@sentence "):
            number = int(line.removeprefix("@sentence "))
        elif (error := ERROR.match(line)) and not any(end in line for end in FAREWELL):
            found.setdefault(number, []).append(_Complaint(error[1], "res://_check/check.gd" in after))
    return found
