"""Studio for tests of tools: the bridge of this process, and a window on a place."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.roblox.studio.window import StudioWindow

from scenewright.roblox.relay.process import close_relays, shared_relay
from scenewright.roblox.relay.settings import BridgeSettings

__all__ = ["open_in_studio", "use_free_bridge"]


@contextmanager
def use_free_bridge(patch: pytest.MonkeyPatch) -> Iterator[BridgeSettings]:
    """Settings of a bridge that nobody else uses, in the environment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    patch.setenv("GOX_BRIDGE_RELAY_ADDRESS", f"127.0.0.1:{port}")
    patch.setenv("GOX_BRIDGE_AUTH_TOKEN", "a-token-that-only-tests-know")
    try:
        yield BridgeSettings.from_environment()
    finally:
        close_relays()


@contextmanager
def open_in_studio(patch: pytest.MonkeyPatch, place: Path | None, **options: Any) -> Iterator[StudioWindow]:
    """A Studio with the place open, connected; the runtime needs `bridge_enabled`."""
    with use_free_bridge(patch) as settings:
        relay = shared_relay()
        with StudioWindow(settings, place, **options) as window:
            assert relay.wait_for_studio(30)
            yield window
