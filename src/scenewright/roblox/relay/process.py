"""The relay of this process: a port can be held only once, so there is one for each address."""

from __future__ import annotations

import atexit
import threading

from scenewright.roblox.relay.server import Relay
from scenewright.roblox.relay.settings import BridgeSettings

__all__ = ["close_relays", "shared_relay"]

_relays: dict[BridgeSettings, Relay] = {}
_lock = threading.Lock()


def shared_relay() -> Relay:
    """Return the relay that the environment's settings ask for, listening if it can."""
    settings = BridgeSettings.from_environment()
    with _lock:
        if not _relays:
            atexit.register(close_relays)
        relay = _relays.setdefault(settings, Relay(settings))
    relay.start()
    return relay


def close_relays() -> None:
    """Let go of every port."""
    with _lock:
        while _relays:
            _relays.popitem()[1].close()
