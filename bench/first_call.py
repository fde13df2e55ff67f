"""From `uvx scenewright init` to the first call of an agent: with nothing kept, and with what uv keeps.

Needs the package index, so it is no part of `make bench`: `python -m bench first_call`. The wheel of this checkout
stands in for a release. The game is one of SCENEWRIGHT_CORPUS, else an empty one; no Godot is started.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

from bench.wire import Server

__all__ = ["run"]

ROOT = Path(__file__).parents[1]
GOALS = {"cold": 60.0, "warm": 10.0}
WARM_ROUNDS = 3


def run() -> list[str]:
    """Prints the figures; returns the goals that were missed."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        wheel = _build(folder)
        rounds = ["cold", *["warm"] * WARM_ROUNDS]
        missed = []
        for number, kind in enumerate(rounds):
            busy = _busy_seconds()
            init, call = _first_call(
                wheel, folder / f"game {number} für zwei", folder / f"home{number}", folder / "cache"
            )
            print(f"{kind}: {init:.1f} s for init, {call:.1f} s from the client's start to its first reply;", end=" ")
            print(f"{_busy_seconds() - busy:.1f} s of them on a processor")
            if init + call > GOALS[kind]:
                missed.append(f"{kind} first call: {init + call:.1f} is over {GOALS[kind]:.0f}")
    return missed


def _busy_seconds() -> float:
    """How long what was started has had a processor: on a machine that does other things, the clock says little."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _build(folder: Path) -> Path:
    subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "uv"], check=True)
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    return next(folder.glob("*.whl"))


def _first_call(wheel: Path, game: Path, home: Path, cache: Path) -> tuple[float, float]:
    """Seconds for `init`, and for a client that then starts the server and calls a tool, as a new user has them."""
    settings = home / ".cursor" / "mcp.json"
    settings.parent.mkdir(parents=True)
    _share_cache(home, cache)
    _copy_game(game)
    own = {"HOME": str(home), "GODOT_PATH": ""}
    env = {key: value for key, value in os.environ.items() if not key.startswith(("XDG_", "UV_CACHE"))} | own
    uvx = [str(Path(sys.executable).with_name("uvx")), "--quiet", "--from", str(wheel), "scenewright"]
    init = [*uvx, "init", "--client", "cursor", "--yes"]
    began = perf_counter()
    subprocess.run(init, cwd=game, env=env, stdin=subprocess.DEVNULL, check=True, stdout=subprocess.DEVNULL)
    ready = perf_counter()
    entry = json.loads(settings.read_text())["mcpServers"]["scenewright"]
    with Server([entry["command"], *entry["args"]], home, **own) as server:
        server.request("tools/list", {})
        server.request("tools/call", {"name": "overview", "arguments": {}})
        return ready - began, perf_counter() - ready


def _share_cache(home: Path, cache: Path) -> None:
    """Give a home folder the cache that all rounds share, where uv looks for it, and the certificates of the system.

    A client passes on no variables that name others.
    """
    cache.mkdir(exist_ok=True)
    (home / ".config" / "uv").mkdir(parents=True)
    (home / ".config" / "uv" / "uv.toml").write_text("system-certs = true\n")
    (home / ".cache").mkdir()
    (home / ".cache" / "uv").symlink_to(cache)


def _copy_game(place: Path) -> None:
    corpus = Path(os.environ.get("SCENEWRIGHT_CORPUS") or place) / "godot"
    found = min(corpus.rglob("project.godot"), default=None)
    if found is not None:
        shutil.copytree(found.parent, place)
        return
    place.mkdir()
    (place / "project.godot").write_text('config_version=5\n\n[application]\n\nconfig/name="Empty"\n')
