"""Calls of one process go to a journal in order, a few at a time."""

from __future__ import annotations

import threading
from pathlib import Path

import anyio
import pytest

from scenewright.core.faults import Conflict
from scenewright.core.writes import turns
from scenewright.core.writes.locks import locked
from scenewright.core.writes.turns import in_turn

pytestmark = pytest.mark.anyio
WAIT = 30.0
HERE, ELSEWHERE = Path("here"), Path("elsewhere")


async def test_few_go_ahead_at_a_time_and_all_come_to_their_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "AT_ONCE", 1)
    inside: list[int] = []
    order: list[int] = []

    def work(number: int) -> None:
        inside.append(number)
        assert len(inside) == 1
        order.append(number)
        inside.remove(number)

    with anyio.fail_after(WAIT):
        async with anyio.create_task_group() as tasks:
            for number in range(50):
                tasks.start_soon(in_turn, HERE, lambda number=number: work(number))
    assert order == list(range(50))
    assert turns._turns.get() == {}


async def test_journals_do_not_wait_for_each_other() -> None:
    here, elsewhere = threading.Event(), threading.Event()

    def meet(mine: threading.Event, other: threading.Event) -> bool:
        mine.set()
        return other.wait(WAIT)

    met: list[bool] = []

    async def go(folder: Path, mine: threading.Event, other: threading.Event) -> None:
        met.append(await in_turn(folder, lambda: meet(mine, other)))

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(go, HERE, here, elsewhere)
        tasks.start_soon(go, ELSEWHERE, elsewhere, here)
    assert met == [True, True]


async def test_an_error_lets_the_next_one_in() -> None:
    def fail() -> None:
        raise OSError("full")

    with pytest.raises(OSError, match="full"):
        await in_turn(HERE, fail)
    assert await in_turn(HERE, lambda: 1) == 1


async def test_who_has_waited_too_long_behind_another_is_told_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not one after the other for as long again, each."""
    monkeypatch.setattr(turns, "AT_ONCE", 1)
    begun, release = threading.Event(), threading.Event()

    def hold() -> None:
        with locked(tmp_path / "lock"):
            begun.set()
            assert release.wait(WAIT)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(in_turn, HERE, hold)
        await anyio.to_thread.run_sync(begun.wait, WAIT)
        monkeypatch.setattr(turns, "WAIT_SECONDS", 0.0)
        tasks.start_soon(anyio.to_thread.run_sync, release.set)
        with pytest.raises(Conflict, match="busy"):
            await in_turn(HERE, lambda: pytest.fail("nobody should get in"))
