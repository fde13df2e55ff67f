"""Tests with the real engine behind the product's own workers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.e2e.tools import godot
from tests.support.gdscript_runner import make_project

from scenewright.core.policy.execution import Permit
from scenewright.godot.engine.binary import inspect_binary
from scenewright.godot.engine.pool import Pool


@pytest.fixture(autouse=True)
def _with_godot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GODOT_PATH", str(godot()))


@pytest.fixture
def game(project: Path) -> Path:
    return make_project(project)


@pytest.fixture
def pool(game: Path) -> Iterator[Pool]:
    made = Pool(Permit("test"), inspect_binary(Path(godot())), game, most=2)
    yield made
    made.close()
