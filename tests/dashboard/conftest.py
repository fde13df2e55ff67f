"""A dashboard in a process of its own, a browser, and calls made beside them as a server makes them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
import pytest
from tests.e2e.tools import chromium
from tests.support.browser import Browser, Page, started_browser

from scenewright.app import make_runtime
from scenewright.core.calls.call import Outcome, Request
from scenewright.core.config import Config
from scenewright.core.runtime import Runtime

SCENE = '[gd_scene format=3]\n\n[node name="Level" type="Node2D"]\n'


@dataclass
class Watched:
    """A project, the agent's server in this process, and the dashboard's links."""

    root: Path
    runtime: Runtime
    process: subprocess.Popen[str]
    link: str

    @property
    def address(self) -> str:
        return self.link.partition("/open")[0]

    def call(self, tool: str, **arguments: Any) -> Outcome:
        request = Request(tool=tool, arguments=arguments, caller="test-agent 1.0")
        return anyio.run(self.runtime.run, request)


MakeWatched = Callable[..., Watched]


@pytest.fixture
def watch(tmp_path: Path) -> Iterator[MakeWatched]:
    """Starts a dashboard over a small Godot project."""
    made: list[Watched] = []

    def make(name: str = "game", env: dict[str, str] | None = None, **settings: Any) -> Watched:
        root = tmp_path / name
        root.mkdir()
        (root / "project.godot").write_text("config_version=5\n")
        (root / "level.tscn").write_text(SCENE)
        runtime = make_runtime(Config(project=root, rate_limit=None, **settings))
        command = [sys.executable, "-m", "scenewright", "dashboard", "--project", str(root), "--no-open"]
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, **(env or {})},
        )
        assert process.stdout is not None
        made.append(Watched(root, runtime, process, process.stdout.readline().strip()))
        assert made[-1].link.startswith("http://127.0.0.1:")
        return made[-1]

    yield make
    for each in made:
        each.process.terminate()
        each.process.wait(20)
        assert each.process.stdout is not None
        each.process.stdout.close()
        each.runtime.close()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with started_browser(chromium()) as started:
        yield started


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    browser.errors.clear()
    with browser.page() as opened:
        yield opened
        assert browser.errors == []


def enter(page: Page, watched: Watched) -> None:
    """Open the link, and wait until the page follows what happens."""
    page.open(watched.link)
    page.wait("document.querySelector('#state.live')")
