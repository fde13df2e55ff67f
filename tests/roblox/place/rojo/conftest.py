"""Rojo projects of any files, and the tools on them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller
from tests.roblox.conftest import Game

from scenewright.app import make_runtime
from scenewright.core.config import Config

MakeRojo = Callable[[Mapping[str, Any]], Game]


@pytest.fixture
def make_rojo(project: Path) -> Iterator[MakeRojo]:
    """Writes the files of a project, objects as JSON, and opens it."""
    runtime = make_runtime(Config(project=project, rate_limit=None, allow_dangerous=True))

    def make(files: Mapping[str, Any]) -> Game:
        for path, content in files.items():
            raw = content if isinstance(content, (str, bytes)) else json.dumps(content, indent=2) + "\n"
            (project / path).parent.mkdir(parents=True, exist_ok=True)
            (project / path).write_bytes(raw if isinstance(raw, bytes) else raw.encode())
        return Game(Caller(runtime), project, "rojo")

    yield make
    runtime.close()


def changed(before: Mapping[str, bytes], after: Mapping[str, bytes]) -> set[str]:
    """The files that differ."""
    return {path for path in {*before, *after} if before.get(path) != after.get(path)}
