"""Servers for the fuzz tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from tests.fuzz.trees import trapped_project


@pytest.fixture(scope="module")
def portal() -> Iterator[BlockingPortal]:
    """An event loop that all examples of a module share."""
    with start_blocking_portal() as portal:
        yield portal


@pytest.fixture(scope="module")
def trapped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with traps; what lies around it must never change."""
    return trapped_project(tmp_path_factory.mktemp("fuzz"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    # The workflow engine's threads use `random` while an example is drawn, which is none of the example's doing.
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.filterwarnings("ignore:Do not use the `random` module inside strategies"))
