"""What the Godot tests share: the shipped class index, and a real editor where there is one."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.e2e import tools

from scenewright.godot.classes.index import ClassIndex
from scenewright.godot.classes.library import shipped


@pytest.fixture(scope="session")
def index() -> ClassIndex:
    return shipped()


@pytest.fixture(scope="session")
def godot() -> Path:
    """Skips where there is none; fails where there must be one."""
    return Path(tools.godot()).absolute()
