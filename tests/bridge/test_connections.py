"""What our HTTP servers listen on."""

from __future__ import annotations

import asyncio
import socket

import pytest

from scenewright.bridge.connections import bound_listener


async def _nagle_is_off(listener: socket.socket) -> bool:
    accepted: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

    def look(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        own = writer.get_extra_info("socket")
        accepted.set_result(bool(own.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)))
        writer.close()

    async with await asyncio.start_server(look, sock=listener):
        _, writer = await asyncio.open_connection(*listener.getsockname()[:2])
        writer.close()
        return await asyncio.wait_for(accepted, 30)


def test_the_parts_of_a_reply_do_not_wait_for_each_other() -> None:
    assert asyncio.run(_nagle_is_off(bound_listener("127.0.0.1", 0)))


def test_a_port_that_is_taken_stays_taken() -> None:
    with bound_listener("127.0.0.1", 0) as first, pytest.raises(OSError, match="in use"):
        bound_listener(*first.getsockname())
