"""Several scenewright processes and one bridge."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.roblox.relay.conftest import TOKEN, Connect
from tests.roblox.relay.plain import PlainPlugin, refusal

from scenewright.core.config import ConfigError
from scenewright.core.faults import Conflict, Invalid, NotConnected, NotFound
from scenewright.roblox.relay.hub import Ask
from scenewright.roblox.relay.server import Relay
from scenewright.roblox.relay.settings import BridgeSettings

PING = Ask(operation="bridge.ping", payload={"n": 1})


def _second(relay: Relay, token: str = TOKEN) -> Relay:
    port = int(relay.url.rpartition(":")[2])
    return Relay(BridgeSettings("127.0.0.1", port, token))


@pytest.fixture
def second(relay: Relay) -> Iterator[Relay]:
    other = _second(relay)
    yield other
    other.close()


def test_a_second_process_passes_its_calls_on(relay: Relay, second: Relay, connect: Connect):
    connect()
    assert not second.start()
    assert second.call(PING) == {"echo": {"n": 1}}
    assert second.studios() == relay.studios() != []


def test_refusals_come_through_as_what_they_are(second: Relay, connect: Connect):
    connect(lambda _: refusal("NOT_FOUND", "no such thing", details={"hint": "look again", "a": 1}))
    with pytest.raises(NotFound, match="no such thing") as raised:
        second.call(PING)
    assert (raised.value.hint, raised.value.details) == ("look again", {"a": 1})
    connect()
    with pytest.raises(Conflict, match="2 Studios"):
        second.call(PING)
    with pytest.raises(Invalid) as wrong:
        second.call(Ask(operation="x", payload={}, studio="?"))
    assert (wrong.value.path, wrong.value.rule) == ("input.studio", "enum")


def test_the_next_call_takes_over_when_the_owner_ends(relay: Relay, second: Relay, connect: Connect):
    connect()
    assert second.call(PING)
    relay.close()
    assert second.start()
    plugin = PlainPlugin(second.url, TOKEN, lambda _: {"again": True})
    assert second.call(PING) == {"again": True}
    plugin.stop()


def test_a_bridge_with_another_token_is_told_apart(relay: Relay):
    stranger = _second(relay, "another-token")
    with pytest.raises(NotConnected, match="another token"):
        stranger.call(PING)


@pytest.mark.parametrize("address", ["0.0.0.0:1", "example.com:47012", "127.0.0.1", "127.0.0.1:99999", "10.0.0.1:5"])
def test_the_bridge_listens_on_loopback_only(address: str, tmp_path: Path):
    env = {"GOX_BRIDGE_RELAY_ADDRESS": address, "SCENEWRIGHT_HOME": str(tmp_path)}
    with pytest.raises(ConfigError, match="GOX_BRIDGE_RELAY_ADDRESS"):
        BridgeSettings.from_environment(env)


def test_the_token_is_made_once_and_only_the_user_can_read_it(tmp_path: Path):
    env = {"SCENEWRIGHT_HOME": str(tmp_path / "home")}
    first, again = (BridgeSettings.from_environment(env) for _ in range(2))
    assert first == again
    assert len(first.token) > 30
    assert (tmp_path / "home" / "roblox" / "token").stat().st_mode & 0o777 == 0o600
    assert (first.host, first.port) == ("127.0.0.1", 47012)
    assert BridgeSettings.from_environment(env | {"GOX_BRIDGE_AUTH_TOKEN": "mine"}).token == "mine"
