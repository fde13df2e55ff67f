"""A relay on a free port, and plugins to connect to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from tests.roblox.relay.plain import Handler, PlainPlugin

from scenewright.roblox.relay.server import Relay
from scenewright.roblox.relay.settings import BridgeSettings

TOKEN = "a-token-that-only-tests-know"
Connect = Callable[..., PlainPlugin]


@pytest.fixture
def relay() -> Iterator[Relay]:
    made = Relay(BridgeSettings("127.0.0.1", 0, TOKEN))
    assert made.start()
    yield made
    made.close()


@pytest.fixture
def connect(relay: Relay) -> Iterator[Connect]:
    """Connects a plain plugin to the relay."""
    made: list[PlainPlugin] = []

    def plug(handle: Handler = lambda request: {"echo": request["payload"]}, **options: Any) -> PlainPlugin:
        made.append(PlainPlugin(relay.url, TOKEN, handle, **options))
        return made[-1]

    yield plug
    for plugin in made:
        plugin.stop()
