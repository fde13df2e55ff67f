"""A small project."""

from __future__ import annotations

import pytest
from tests.godot.values.samples import InMemory

from scenewright.godot.classes.index import ClassIndex


@pytest.fixture(scope="session")
def context(index: ClassIndex) -> InMemory:
    return InMemory(index)
