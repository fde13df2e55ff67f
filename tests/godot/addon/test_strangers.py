"""Sockets without a token: however many there are, who knows it gets in."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from urllib.parse import urlsplit

import pytest
from tests.godot.addon.editor import Editor
from tests.godot.addon.plain import plain_client

pytestmark = [pytest.mark.godot, pytest.mark.xdist_group("godot-editor")]

OPENING = (
    "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)


@contextmanager
def crowd(editor: Editor, size: int, say: str) -> Iterator[list[socket.socket]]:
    """Strangers who say something, or nothing, and stay."""
    place = urlsplit(editor.url)
    with ExitStack() as stack:
        sockets = []
        for _ in range(size):
            stranger = stack.enter_context(socket.create_connection((place.hostname or "", place.port or 0), 60))
            stranger.sendall(say.encode())
            sockets.append(stranger)
        yield sockets


@pytest.mark.parametrize("say", ["", OPENING], ids=["silent", "upgraded"])
def test_three_hundred_sockets_without_a_token_lock_nobody_out(headless_editor: Editor, say: str) -> None:
    with crowd(headless_editor, 300, say), headless_editor.client() as client:
        assert client.call("ping") is not None
        with headless_editor.client() as second:
            assert second.call("ping") is not None


def test_who_is_inside_stays_when_strangers_come(headless_editor: Editor) -> None:
    with headless_editor.client() as client, crowd(headless_editor, 300, OPENING):
        with headless_editor.client() as second:
            assert second.call("ping") is not None
        assert client.call("ping") is not None


def test_a_socket_that_shows_no_token_is_closed(headless_editor: Editor) -> None:
    with plain_client(headless_editor.url, ready=False) as stranger:
        assert stranger.closing_code() == 1008
