"""A bridge on a free port and Studio windows connected to it."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import MakeCaller
from tests.roblox.luau.places import script
from tests.roblox.studio.window import StudioWindow

from scenewright.core.calls.call import Call, Meta, Request
from scenewright.core.operations.declaration import Operation
from scenewright.roblox.backend import Done, Edit
from scenewright.roblox.edits import done_from_wire, edit_to_wire
from scenewright.roblox.place.documents import write_tree
from scenewright.roblox.relay.server import Relay
from scenewright.roblox.relay.settings import BridgeSettings
from scenewright.roblox.studio import StudioBackend
from scenewright.roblox.tree import Instance, InstanceTree
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
    tree = InstanceTree()
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


class DirectStudio(StudioBackend):
    """Studio as a call sees it, and the plugin's own way of carrying out edits without staging them first."""

    undoable: bool | None = None

    async def make(self, edits: Sequence[Edit], *, label: str = "x") -> list[Done]:
        asked = {"edits": [edit_to_wire(edit) for edit in edits], "label": label}
        answer = await self.ask("place.edit", asked, key=uuid.uuid4().hex)
        self.undoable = bool(answer["undoable"])
        return [done_from_wire(edit, wire) for edit, wire in zip(edits, answer["done"], strict=True)]


OpenStudio = Callable[..., DirectStudio]


@pytest.fixture
def open_studio(relay: Relay, make_caller: MakeCaller) -> OpenStudio:
    runtime = make_caller().runtime
    operation = runtime.registry.find("roblox.instance_create")
    assert isinstance(operation, Operation)

    def make(through: Relay = relay, *, dry_run: bool = False, studio: str | None = None) -> DirectStudio:
        request = Request(tool=operation.id, arguments={})
        call = Call(request=request, runtime=runtime, state=runtime.state, operation=operation)
        call.meta = Meta(correlation_id="test", dry_run=dry_run)
        return DirectStudio(through, call, studio=studio)

    return make


@pytest.fixture
def studio(open_studio: OpenStudio) -> DirectStudio:
    return open_studio()
