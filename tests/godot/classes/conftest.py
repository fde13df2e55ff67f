"""The shipped index, and a real editor where there is one."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.godot.classes.real_engine import BINARY

from scenewright.godot.classes.index import ClassIndex
from scenewright.godot.classes.library import shipped


@pytest.fixture(scope="session")
def index() -> ClassIndex:
    return shipped()


@pytest.fixture(scope="session")
def godot() -> Path:
    if BINARY is None:
        pytest.skip("no Godot editor: set GODOT_PATH or run `make tools`")
    return BINARY
