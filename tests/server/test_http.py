"""Where the HTTP server may listen."""

from __future__ import annotations

import pytest

from scenewright.core.config import ConfigError
from scenewright.server.address import parse_address


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("127.0.0.1:9000", ("127.0.0.1", 9000)),
        ("127.0.0.1", ("127.0.0.1", 8765)),
        (":9000", ("127.0.0.1", 9000)),
        ("localhost:0", ("localhost", 0)),
        ("127.8.9.10:1", ("127.8.9.10", 1)),
        ("[::1]:9000", ("::1", 9000)),
    ],
)
def test_loopback_addresses_are_taken(text: str, address: tuple[str, int]) -> None:
    assert parse_address(text) == address


@pytest.mark.parametrize("text", ["0.0.0.0:1", "192.168.0.1:1", "example.org:80", "[::]:1", "127.0.0.1:x", "::1:70000"])
def test_everything_else_is_refused_with_the_right_form(text: str) -> None:
    with pytest.raises(ConfigError, match="--http takes"):
        parse_address(text)
