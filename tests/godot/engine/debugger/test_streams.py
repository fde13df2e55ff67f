from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio.to_thread
import pytest
from tests.conftest import MakeCaller

from scenewright.core.faults import Conflict
from scenewright.core.projects.user_folder import user_token
from scenewright.godot.engine.games import Games
from scenewright.godot.engine.streams import DebugStream, StreamPlan

pytestmark = [pytest.mark.anyio, pytest.mark.godot, pytest.mark.xdist_group("godot-engines")]

GAME = """extends Node


func _ready() -> void:
	print("up and running")
	push_warning("careful")
	await get_tree().create_timer(0.5).timeout  # the engine tells its debugger nothing more once it quits
	get_tree().quit(3)
"""


def token_of(game: Path) -> str:
    return user_token()


class Listener:
    """Whoever wants to hear what is said."""

    def __init__(self, port: int, hello: Any) -> None:
        self._line = socket.create_connection(("127.0.0.1", port), timeout=20)
        self._line.sendall((hello if isinstance(hello, bytes) else json.dumps(hello).encode()) + b"\n")
        self._reader = self._line.makefile("rb")

    def until(self, kind: str) -> list[dict[str, Any]]:
        """What is said up to a message of a kind, that included."""
        heard: list[dict[str, Any]] = []
        while not heard or heard[-1]["type"] != kind:
            received = self._reader.readline()
            assert received, heard
            heard.append(json.loads(received))
        return heard

    def is_hung_up(self) -> bool:
        return self._reader.readline() == b""

    def close(self) -> None:
        self._reader.close()
        self._line.close()


@pytest.fixture
def stream() -> Iterator[DebugStream]:
    made = DebugStream(StreamPlan(port=0, token="secret"), lambda: None, lambda line: line.close())
    yield made
    made.close()


async def test_a_listener_hears_what_the_game_says(make_caller: MakeCaller, game: Path) -> None:
    (game / "game.gd").write_text(GAME)
    (game / "game.tscn").write_text(
        '[gd_scene format=3]\n\n[ext_resource type="Script" path="res://game.gd" id="1"]\n\n'
        '[node name="Game" type="Node"]\nscript = ExtResource("1")\n'
    )
    caller = make_caller()
    opened = await caller.result("start_debug_stream", port=0, pollIntervalMs=20)
    assert opened["pollIntervalMs"] == 20
    assert opened["hello"] == '{"token": "<your token>"}'
    listener = Listener(opened["port"], {"token": token_of(game)})
    try:
        await anyio.to_thread.run_sync(listener.until, "hello")
        assert (await caller.result("get_debug_stream_status"))["listeners"] == 1
        for run in (1, 2):  # one game after the other
            await caller.result("run_project", scene="game.tscn", headless=True)
            heard = await anyio.to_thread.run_sync(listener.until, "ended")
            assert heard[0] == {"type": "started", "run": run, "scene": "res://game.tscn"}
            assert "up and running" in [each["text"] for each in heard if each["type"] == "output"]
            errors = [each for each in heard if each["type"] == "error"]
            assert [(each["severity"], each["message"], each["path"]) for each in errors] == [
                ("warning", "careful", "res://game.gd")
            ]
            assert {each["run"] for each in heard} == {run}
            assert heard[-1] == {"type": "ended", "run": run, "exitCode": 3}
        assert (await caller.result("stop_debug_stream"))["listening"] is False
        assert await anyio.to_thread.run_sync(listener.is_hung_up)
    finally:
        listener.close()


@pytest.mark.parametrize(
    "hello", [{"token": "guessed"}, {}, {"token": ["secret"]}, {"token": "geheimnisträger"}, b'{"a":' + b"[" * 3000]
)
async def test_without_the_token_nothing_is_heard(stream: DebugStream, hello: Any) -> None:
    listener = Listener(stream.port, hello)
    try:
        assert listener.until("refused")[-1]["message"]
        assert listener.is_hung_up()
        assert stream.listeners == 0
    finally:
        listener.close()


async def test_a_listener_that_leaves_is_forgotten(stream: DebugStream) -> None:
    listener = Listener(stream.port, {"token": "secret"})
    listener.until("hello")
    assert stream.listeners == 1
    listener.close()
    with anyio.fail_after(20):
        while stream.listeners:
            await anyio.lowlevel.checkpoint()


async def test_a_stream_that_nobody_uses_closes_by_itself() -> None:
    plan = StreamPlan(port=0, token="secret", idle_seconds=0.0)
    stream = DebugStream(plan, lambda: None, lambda line: line.close())
    with anyio.fail_after(20):
        while stream.is_open:
            await anyio.lowlevel.checkpoint()


async def test_one_stream_is_open_at_a_time(tmp_path: Path) -> None:
    games = Games()
    first = games.listen(tmp_path, StreamPlan(port=0, token="secret"))
    with pytest.raises(Conflict):
        games.listen(tmp_path, StreamPlan(port=0, token="secret"))
    with pytest.raises(Conflict):
        games.listen(tmp_path / "other", StreamPlan(port=first.port, token="secret"))
    games.close()
    assert not first.is_open
