"""A project of sixteen scripts, and callers of one server that all tests of a process share."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.conftest import Caller
from tests.e2e.tools import godot

from scenewright import __version__
from scenewright.app import catalogues
from scenewright.core.config import Config
from scenewright.core.operations.registry import build_registry
from scenewright.core.runtime import Runtime

QUEST = Path(__file__).with_name("quest")


@pytest.fixture(scope="session")
def quest_caller(tmp_path_factory: pytest.TempPathFactory, user_home: Path) -> Iterator[Caller]:
    """Calls on a copy of the quest that all share, so that its language server is started once."""
    folder = tmp_path_factory.mktemp("shared") / "quest"
    shutil.copytree(QUEST, folder)
    runtime = Runtime(Config(project=folder, rate_limit=None), build_registry(catalogues()), server_version=__version__)
    before = os.environ.get("GODOT_PATH")
    os.environ["GODOT_PATH"] = str(Path(godot()).absolute())
    yield Caller(runtime)
    runtime.close()
    if before is None:
        del os.environ["GODOT_PATH"]
    else:
        os.environ["GODOT_PATH"] = before


@pytest.fixture
def quest(quest_caller: Caller, monkeypatch: pytest.MonkeyPatch) -> Caller:
    """The shared quest, with the engine to be had."""
    monkeypatch.setenv("GODOT_PATH", str(Path(godot()).absolute()))
    return quest_caller
