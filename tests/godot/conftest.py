"""What the Godot tests share: the shipped class index, and a real editor where there is one."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.e2e import tools

from scenewright.godot.classes.index import ClassIndex
from scenewright.godot.classes.library import shipped


def pytest_runtest_setup(item: pytest.Item) -> None:
    for mark in item.iter_markers("since_godot"):
        if tools.godot_version() < mark.args:
            pytest.skip("the engine does so since " + ".".join(map(str, mark.args)))


@pytest.fixture(scope="session")
def index() -> ClassIndex:
    return shipped()


@pytest.fixture(scope="session")
def godot() -> Path:
    """Skips where there is none; fails where there must be one."""
    return Path(tools.godot()).absolute()
