"""A bridge on a free port and Studio windows connected to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.roblox.luau.places import script
from tests.roblox.studio.window import StudioWindow

from scenewright.roblox.place.documents import write_tree
from scenewright.roblox.relay.server import Relay
from scenewright.roblox.relay.settings import BridgeSettings
from scenewright.roblox.studio import StudioBackend
from scenewright.roblox.tree import Instance, Tree
from scenewright.roblox.values import Value

TOKEN = "a-token-that-only-tests-know"
OpenWindow = Callable[..., StudioWindow]


@pytest.fixture
def relay() -> Iterator[Relay]:
    made = Relay(BridgeSettings("127.0.0.1", 0, TOKEN))
    assert made.start()
    yield made
    made.close()


@pytest.fixture
def settings(relay: Relay) -> BridgeSettings:
    return BridgeSettings("127.0.0.1", int(relay.url.rpartition(":")[2]), TOKEN)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A place with a model of two parts and a module."""
    tree = Tree()
    workspace = Instance("Workspace", "Workspace")
    workspace.attach(tree.root)
    model = Instance("Model", "House")
    model.attach(workspace)
    for name in ("Door", "Wall"):
        part = Instance("Part", name)
        part.attach(model)
        part.store("size", Value("Vector3", (1.0, 2.0, 3.0)))
    storage = Instance("ReplicatedStorage", "ReplicatedStorage")
    storage.attach(tree.root)
    script("ModuleScript", "Main", "return { double = function(n) return n * 2 end }").attach(storage)
    path = tmp_path / "place.rbxl"
    path.write_bytes(write_tree(path.name, tree))
    return path


@pytest.fixture
def window(settings: BridgeSettings, place: Path) -> Iterator[OpenWindow]:
    """Opens a Studio window on the place."""
    made: list[StudioWindow] = []

    def open_window(**options: Any) -> StudioWindow:
        made.append(StudioWindow(options.pop("settings", settings), options.pop("place", place), **options))
        return made[-1]

    yield open_window
    for each in made:
        each.__exit__(None, None, None)


@pytest.fixture
def studio(relay: Relay) -> StudioBackend:
    return StudioBackend(relay)
