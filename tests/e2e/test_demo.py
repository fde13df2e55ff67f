"""`scenewright demo`: what a newcomer sees, with a Godot and without."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest
from PIL import Image
from tests.e2e.tools import godot

from scenewright.app import make_runtime
from scenewright.cli.demo.game import COINS, ROWS
from scenewright.cli.demo.playthrough import TAPE
from scenewright.cli.demo.terminal import half_blocks
from scenewright.core.calls.call import Request, SilentClient
from scenewright.core.config import Config
from scenewright.core.operations.model import to_wire
from scenewright.core.runtime import Runtime

SKY, GOLD = (126, 200, 227), (255, 208, 64)


def _demo(*options: str, godot_path: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "scenewright", "demo", *options]
    env = {**os.environ, "GODOT_PATH": godot_path}
    return subprocess.run(command, env=env, capture_output=True, text=True, check=False, timeout=200)


@pytest.mark.godot
@pytest.mark.xdist_group("godot")
def test_the_tools_build_a_game_that_the_engine_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GODOT_PATH", str(godot()))
    kept = tmp_path / "game"
    done = _demo("--keep", str(kept), godot_path=godot())
    assert done.returncode == 0, done.stderr + done.stdout
    assert "Done: every reply was what it should be." in done.stdout
    assert done.stdout.count("checks hold") >= 4
    assert not (kept / ".scenewright" / "token").exists()
    with Image.open(kept / "screenshot.png") as picture:
        colours = {colour[:3] for _, colour in picture.convert("RGBA").getcolors(1 << 20) or []}  # type: ignore[index]
    assert any(_near(colour, SKY) for colour in colours)
    assert any(_near(colour, GOLD) for colour in colours)
    assert (kept / "level.tscn").read_text().count('instance=ExtResource("') == len(COINS) + 2
    lines = list(half_blocks((kept / "screenshot.png").read_bytes(), 40))
    assert len(lines) == 11
    assert all(line.count("▀") == 40 for line in lines)
    _play_again(kept)


def test_without_a_godot_the_rest_is_shown_and_said(tmp_path: Path) -> None:
    done = _demo(godot_path="")
    assert done.returncode == 0, done.stderr
    assert "needs Godot" in done.stdout
    assert "✗ E_PERMISSION_DENIED" in done.stdout
    assert done.stdout.count("> history") == 1


def test_a_folder_that_is_there_is_left_alone(tmp_path: Path) -> None:
    done = _demo("--keep", str(tmp_path), godot_path="")
    assert done.returncode == 2
    assert "exists already" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_the_level_is_a_rectangle_of_known_tiles() -> None:
    assert {len(row) for row in ROWS} == {40}
    assert set("".join(ROWS)) == set(".gdk")


def _near(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    return all(abs(a - b) < 24 for a, b in zip(one, other, strict=False))


def _play_again(kept: Path) -> None:
    """The tape goes the same ten times; a weaker jump makes it differ in the frame after the first jump."""
    (kept / "screenshot.png").unlink()  # it would be imported for each game
    runtime = make_runtime(Config(project=kept, rate_limit=None))
    try:
        replies = [_replayed(runtime) for _ in range(10)]
        assert [reply["passed"] for reply in replies] == [True] * 10
        script = (kept / "player.gd").read_text()
        (kept / "player.gd").write_text(script.replace("jump: float = 320.0", "jump: float = 280.0"))
        broken = _replayed(runtime)["differs"]
    finally:
        runtime.close()
    steps = json.loads((kept / TAPE).read_text())["events"]
    assert (broken["event"], broken["frame"]) == (2, steps[1]["frame"] + 1)


def _replayed(runtime: Runtime) -> dict[str, Any]:
    request = Request(tool="play_replay", arguments={"path": TAPE, "picture": False}, client=SilentClient())
    outcome = anyio.run(runtime.run, request)
    assert outcome.ok, outcome.fault
    replayed: dict[str, Any] = to_wire(outcome.call.output)
    return replayed
