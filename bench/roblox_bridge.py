"""A question to Roblox Studio's plugin and back: by WebSocket, by long poll, beside one bare HTTP request.

The plugin runs in the tests' stand-in for Studio, so that its share of the time is the stand-in's and not Studio's.
"""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median
from time import perf_counter
from uuid import uuid4

from tests.roblox.relay.plain import ask
from tests.roblox.studio.window import StudioWindow

from bench.figures import Figure
from scenewright.roblox.relay.hub import Ask
from scenewright.roblox.relay.server import Relay
from scenewright.roblox.relay.settings import BridgeSettings

__all__ = ["run"]

ROUNDS = 4
CALLS = 40  # a long poll takes two requests a call, and Studio allows 500 a minute
GOAL = 1.0  # a WebSocket must not be slower than a long poll


def run() -> Iterator[Figure]:
    relay = Relay(BridgeSettings("127.0.0.1", 0, "bench"))
    relay.start()
    settings = BridgeSettings("127.0.0.1", int(relay.url.rpartition(":")[2]), "bench")
    best = {"websocket": 1e9, "long-poll": 1e9, "bare": 1e9}
    try:
        for _ in range(ROUNDS):
            for transport in ("websocket", "long-poll"):
                best[transport] = min(best[transport], _round(relay, settings, transport))
            best["bare"] = min(best["bare"], median(_bare(relay.url) for _ in range(CALLS)))
    finally:
        relay.close()
    for transport, seconds in best.items():
        yield Figure(transport, seconds * 1000, "ms", note=f"round trip, best median of {ROUNDS}×{CALLS}")
    for transport in ("websocket", "long-poll"):
        yield Figure(f"{transport} / bare", best[transport] / best["bare"], "×", note="a bare HTTP request")
    yield Figure("websocket / long-poll", best["websocket"] / best["long-poll"], "×", GOAL)


def _round(relay: Relay, settings: BridgeSettings, transport: str) -> float:
    name = uuid4().hex
    question = Ask(operation="instance.get", payload={"instancePath": "Workspace"}, studio=name)
    with StudioWindow(settings, transport=transport, name=name):
        while name not in [studio.get("placeName") for studio in relay.studios()]:
            relay.wait_for_studio(1.0)
        return median(_timed(relay, question) for _ in range(CALLS))


def _timed(relay: Relay, question: Ask) -> float:
    began = perf_counter()
    relay.call(question)
    return perf_counter() - began


def _bare(url: str) -> float:
    began = perf_counter()
    ask(url, "GET", "/v1/bridge/studios", token="bench")
    return perf_counter() - began
