"""The shipped index and a small project."""

from __future__ import annotations

import pytest
from tests.godot.values.samples import InMemory

from scenewright.godot.classes.index import ClassIndex
from scenewright.godot.classes.library import shipped


@pytest.fixture(scope="session")
def index() -> ClassIndex:
    return shipped()


@pytest.fixture(scope="session")
def context(index: ClassIndex) -> InMemory:
    return InMemory(index)
