"""The language server killed, hung, unused; scripts that are none: no stale answer, and the next call is answered."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Callable
from pathlib import Path
from threading import Event

import anyio
import anyio.to_thread
import pytest
from tests.conftest import Caller
from tests.e2e.tools import godot

from scenewright.core.faults import TimedOut
from scenewright.core.policy.execution import Permit
from scenewright.godot.engine.language_server import analysis
from scenewright.godot.engine.language_server.servers import LanguageServers
from scenewright.godot.language.symbols.tokens import Place

pytestmark = [pytest.mark.anyio, pytest.mark.godot, pytest.mark.xdist_group("language")]
BROKEN = int(os.environ.get("LANGUAGE_BROKEN", "30"))


def pids(caller: Caller) -> list[int]:
    return caller.runtime.services.get(LanguageServers, LanguageServers).pids()


async def answer(caller: Caller) -> str:
    found = await caller.result("find_definition", scriptPath="actors/hero.gd", symbol="take_damage")
    return f"{found['definition']['path']}:{found['definition']['line']}"


def until(holds: Callable[[], bool]) -> None:
    """Wait, at most half a minute, until something holds."""
    waiting = Event()
    for _ in range(600):
        if holds():
            return
        waiting.wait(0.05)
    raise AssertionError("it never came to that")


async def test_a_server_that_was_killed_is_replaced(quest: Caller) -> None:
    assert await answer(quest) == "res://actors/actor.gd:17"
    (before,) = pids(quest)
    os.kill(before, signal.SIGKILL)
    assert await answer(quest) == "res://actors/actor.gd:17"
    assert before not in pids(quest)


async def test_a_server_that_hangs_is_ended_in_time(quest: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    await answer(quest)
    (before,) = pids(quest)
    monkeypatch.setattr(analysis, "_ASK_SECONDS", 0.5)
    os.kill(before, signal.SIGSTOP)
    reply = await quest.run("find_definition", {"scriptPath": "actors/hero.gd", "symbol": "take_damage"})
    assert isinstance(reply.fault, TimedOut)
    assert pids(quest) == []
    monkeypatch.undo()
    monkeypatch.setenv("GODOT_PATH", str(Path(godot()).absolute()))
    assert await answer(quest) == "res://actors/actor.gd:17"


async def test_an_answer_that_comes_late_is_the_right_one(quest: Caller) -> None:
    place = quest.runtime.project.root / "actors/actor.gd"
    before = place.read_bytes()
    assert await answer(quest) == "res://actors/actor.gd:17"
    (pid,) = pids(quest)
    asked = quest.runtime.services.get(LanguageServers, LanguageServers).of(quest.runtime.project.root, Permit("test"))
    os.kill(pid, signal.SIGSTOP)
    answers: list[str] = []

    async def ask() -> None:
        answers.append(await answer(quest))

    try:
        async with anyio.create_task_group() as tasks:
            place.write_bytes(b"# one\n# two\n" + before)
            tasks.start_soon(ask)
            await anyio.to_thread.run_sync(until, lambda: asked.is_busy)
            os.kill(pid, signal.SIGCONT)
    finally:
        place.write_bytes(before)
    assert answers == ["res://actors/actor.gd:19"]
    assert pids(quest) == [pid]
    assert await answer(quest) == "res://actors/actor.gd:17"


async def test_classes_in_folders_that_are_new_are_known_at_once(quest: Caller) -> None:
    await answer(quest)
    root = quest.runtime.project.root
    writes = {
        "fresh/deep/gem.gd": "class_name Gem\nextends RefCounted\n\nvar cut := 3\n",
        "fresh/ring.gd": "extends RefCounted\n\nvar gem := Gem.new()\n\n\nfunc look() -> int:\n\treturn gem.cut\n",
    }
    try:
        for path, content in writes.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(content)
        found = await quest.result("find_definition", scriptPath="fresh/ring.gd", symbol="cut")
        assert (found["definition"]["path"], found["definition"]["line"]) == ("res://fresh/deep/gem.gd", 4)
    finally:
        shutil.rmtree(root / "fresh")
    assert await answer(quest) == "res://actors/actor.gd:17"


async def test_scripts_that_are_broken_or_no_text_disturb_nobody(quest: Caller) -> None:
    await answer(quest)
    root = quest.runtime.project.root / "broken"
    root.mkdir()
    try:
        for number in range(BROKEN):
            (root / f"b{number}.gd").write_text(f"extends Node\nfunc f{number}(:\n\t  pass\n    take_damage((\n")
        (root / "latin.gd").write_bytes("extends Node\n# gr\xfc\xdfe\nfunc take_damage():\n\tpass\n".encode("latin-1"))
        mixed = "extends Actor\r\n\r\nfunc go():\r\n\tif health:\r\n        pass\r\n\t\ttake_damage(1)\r\n"
        (root / "mixed.gd").write_text(mixed, encoding="utf-8-sig", newline="")
        assert await answer(quest) == "res://actors/actor.gd:17"
        refused = await quest.reply("find_definition", {"scriptPath": "broken/latin.gd", "symbol": "take_damage"})
        assert "not UTF-8" in str(refused.structured)
        checked = await quest.result("get_script_errors", scriptPath="broken/mixed.gd", warnings=True)
        assert not checked["valid"]
        found = await quest.result("find_references", scriptPath="actors/actor.gd", symbol="take_damage")
        assert found["total"] >= 4
    finally:
        for path in root.iterdir():
            path.unlink()
        root.rmdir()
    assert await answer(quest) == "res://actors/actor.gd:17"


def test_a_server_that_nobody_asks_is_ended_and_leaves_nothing(quest: Caller) -> None:
    servers = LanguageServers(idle_seconds=0.2, look_seconds=0.05)
    found = servers.of(quest.runtime.project.root, Permit("test"))
    with found.view({}, lambda _: None) as view:
        (place,) = view.definitions([Place("actors/hero.gd", 22, 23)])
        assert place is not None
        assert place.path == "actors/actor.gd"
    pid = found.pid
    assert pid is not None
    until(lambda: not found.is_there)
    assert found.pid is None
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    servers.close()
