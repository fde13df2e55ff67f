from __future__ import annotations

import os
import signal
import socket
import subprocess
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from threading import Barrier, Event, Thread
from time import monotonic

import psutil
import pytest
from tests.e2e.tools import godot
from tests.godot.macros.test_in_the_engine import STRICT

from scenewright.core.faults import NotConnected, TimedOut
from scenewright.core.policy.execution import Permit
from scenewright.godot.engine.binary import inspect_binary
from scenewright.godot.engine.pool import Pool
from scenewright.godot.engine.worker import Reply, Worker

BROKEN = 'extends Node\n\n\nfunc _ready() -> void:\n\tvar speed: int = "fast"\n\tjmp(speed)\n'


def check(pool: Pool, *paths: str) -> list[tuple[str | None, int | None]]:
    reply = pool.ask("scripts.check", {"paths": list(paths)})
    return [(found.path, found.line) for found in reply.complaints if found.kind == "script"]


def test_a_worker_is_used_again(pool: Pool) -> None:
    seen: list[Worker] = []
    for _ in range(3):
        pool.ask("engine.ping", {}, holding=seen.append)
    assert len({worker.pid for worker in seen}) == 1


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="this system does not tell when a thread ran")
def test_an_engine_that_nobody_asks_does_nothing(pool: Pool, game: Path) -> None:
    seen: list[Worker] = []
    pool.ask("engine.ping", {}, holding=seen.append)
    _start_another(pool, game)  # which takes long enough for the first one to come to rest
    before = _times_run(seen[0].pid)
    _start_another(pool, game)
    assert _times_run(seen[0].pid) - before < 5


def _start_another(pool: Pool, game: Path) -> None:
    other = Pool(pool.permit, pool.binary, game)
    try:
        assert other.ask("engine.ping", {}).value
    finally:
        other.close()


def _times_run(pid: int) -> int:
    """How often the thread of the main loop went to rest, which each look for something to do ends with."""
    return int(psutil.Process(pid).num_ctx_switches().voluntary)


def test_strangers_who_call_first_do_not_keep_an_engine_from_starting(pool: Pool) -> None:
    before = _listening_ports()
    with ThreadPoolExecutor(1) as threads, ExitStack() as strangers:
        asked = threads.submit(pool.ask, "engine.ping", {})
        until = monotonic() + 30
        while not (ports := _listening_ports() - before):
            assert monotonic() < until, "no line was opened"
        for said in (
            b"",
            b"[" * 4000 + b"\n",
            b'{"params": {"token": "\\ud800"}}\n',
            b"GET / HTTP/1.1\r\n\r\n",
            b"",
            b"",
        ):
            line = strangers.enter_context(socket.create_connection(("127.0.0.1", ports.copy().pop()), 30))
            line.sendall(said)
        assert asked.result(25).value


def _listening_ports() -> set[int]:
    connections = psutil.Process().net_connections("tcp4")
    return {each.laddr.port for each in connections if each.status == psutil.CONN_LISTEN}


def test_an_engine_that_ends_as_it_starts_is_replaced_once(pool: Pool, tmp_path: Path) -> None:
    times, program = tmp_path / "times", tmp_path / "godot"
    program.write_text(
        f'#!/bin/sh\necho once more >> "{times}"\n'
        f'if [ "$(wc -l < "{times}")" = 1 ]; then exit 1; fi\nexec "{pool.binary.path}" "$@"\n'
    )
    program.chmod(0o755)
    stumbling = replace(pool.binary, path=program)
    other = Pool(pool.permit, stumbling, pool.project)
    try:
        assert other.ask("engine.ping", {}).value
    finally:
        other.close()
    assert times.read_text().count("\n") == 2


def test_an_engine_answers_where_every_warning_is_an_error(pool: Pool, game: Path) -> None:
    strict = "".join(f"gdscript/warnings/{name}=2\n" for name in STRICT)
    settings = game / "project.godot"
    settings.write_text(f"{settings.read_text()}\n[debug]\n\n{strict}")
    assert pool.ask("engine.ping", {}).value
    assert check(pool) == []


def test_an_engine_lets_the_person_and_the_server_go_first(pool: Pool) -> None:
    seen: list[Worker] = []
    pool.ask("engine.ping", {}, holding=seen.append)
    threads = [int(each) for each in os.listdir(f"/proc/{seen[0].pid}/task")]
    own = os.getpriority(os.PRIO_PROCESS, 0)
    assert all(os.getpriority(os.PRIO_PROCESS, thread) > own for thread in threads)


def test_what_the_compiler_says_has_path_and_line(pool: Pool, game: Path) -> None:
    (game / "broken.gd").write_text(BROKEN)
    assert {("res://broken.gd", 5), ("res://broken.gd", 6)} <= set(check(pool, "res://broken.gd"))


def test_the_same_check_says_the_same_again(pool: Pool, game: Path) -> None:
    (game / "broken.gd").write_text("class_name Broken\n" + BROKEN)
    (game / "user.gd").write_text("extends Node\n\nvar it: Broken = Broken.new()\n")
    first = check(pool, "res://user.gd")
    assert first
    assert check(pool, "res://user.gd") == first


def test_a_class_written_a_moment_ago_is_known(pool: Pool, game: Path) -> None:
    assert check(pool) == []
    (game / "tool.gd").write_text("class_name Hammer\nextends Node\n\nconst WEIGHT: int = 2\n")
    (game / "user.gd").write_text(
        "extends Node\n\nvar it: Hammer = Hammer.new()\n\n\nfunc f() -> int:\n\treturn Hammer.WEIGHT\n"
    )
    assert check(pool, "res://user.gd", "res://tool.gd") == []
    (game / "tool.gd").write_text("class_name Hammer\nextends Node\n")
    assert check(pool, "res://user.gd") == [("res://user.gd", 7)]


def test_a_list_of_classes_the_editor_wrote_is_left_as_it_is(pool: Pool, game: Path) -> None:
    (game / "a.gd").write_text("class_name Alpha\nextends Node\n")
    (game / "b.gd").write_text("class_name Beta\nextends Alpha\n")
    check(pool, "res://b.gd")
    ours = (game / ".godot" / "global_script_class_cache.cfg").read_bytes()
    command = [str(pool.binary.path), "--headless", "--path", str(game), "--import"]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    assert (game / ".godot" / "global_script_class_cache.cfg").read_bytes() == ours


def test_a_crash_is_a_retryable_fault_and_the_next_call_works(pool: Pool) -> None:
    def kill(worker: Worker) -> None:
        os.kill(worker.pid, signal.SIGKILL)

    with pytest.raises(NotConnected) as caught:
        pool.ask("engine.ping", {}, holding=kill)
    assert caught.value.retryable
    assert pool.ask("engine.ping", {}).value is True


def test_an_engine_that_hangs_is_ended_and_replaced(pool: Pool) -> None:
    def freeze(worker: Worker) -> None:
        os.kill(worker.pid, signal.SIGSTOP)

    with pytest.raises(TimedOut):
        pool.ask("engine.ping", {}, timeout=0.5, holding=freeze)
    assert pool.ask("engine.ping", {}).value is True


def test_many_parts_are_shared_among_the_engines(pool: Pool, game: Path) -> None:
    names = [f"res://s{number}.tscn" for number in range(20)]
    for name in names:
        (game / name.removeprefix("res://")).write_text('[gd_scene format=3]\n\n[node name="A" type="Node2D"]\n')
    replies = pool.ask_each("scenes.check", [{"paths": [name]} for name in names])
    assert [reply.value for reply in replies if isinstance(reply, Reply)] == [
        [{"loads": True, "type": "PackedScene", "nodes": 1}]
    ] * 20


def test_a_part_that_crashes_an_engine_fails_alone(pool: Pool) -> None:
    held: list[Worker] = []

    def kill_the_first(worker: Worker) -> None:
        held.append(worker)
        if len(held) == 1:
            os.kill(worker.pid, signal.SIGKILL)

    replies = pool.ask_each("engine.ping", [{}] * 6, holding=kill_the_first)
    assert [type(reply).__name__ for reply in replies].count("NotConnected") == 1
    assert [reply.value for reply in replies if isinstance(reply, Reply)] == [True] * 5


def test_all_engines_are_busy_at_once(pool: Pool) -> None:
    meeting = Barrier(2, timeout=30)

    def meet(_worker: Worker) -> None:
        meeting.wait()  # breaks where the other engine does not come

    replies = pool.ask_each("engine.ping", [{}] * 2, holding=meet)
    assert [reply.value for reply in replies if isinstance(reply, Reply)] == [True] * 2


def test_a_scene_is_loaded_as_it_is_now_with_all_that_it_holds(pool: Pool, game: Path) -> None:
    (game / "part.tscn").write_text('[gd_scene format=3]\n\n[node name="Part" type="Node2D"]\n')
    (game / "main.tscn").write_text(
        '[gd_scene format=3]\n\n[ext_resource type="PackedScene" path="res://part.tscn" id="1"]\n\n'
        '[node name="Main" type="Node2D"]\n\n[node name="Part" parent="." instance=ExtResource("1")]\n'
    )
    ask = {"paths": ["res://main.tscn"]}
    assert pool.ask("scenes.check", ask).value[0]["nodes"] == 2
    (game / "part.tscn").write_text(
        '[gd_scene format=3]\n\n[node name="Part" type="Node2D"]\n\n[node name="A" type="Node" parent="."]\n'
    )
    assert pool.ask("scenes.check", ask).value[0]["nodes"] == 3


def test_a_stranger_on_the_line_does_not_become_the_worker(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    intruders: list[Thread] = []
    create_server = socket.create_server

    def open_door(*address: object, **options: object) -> socket.socket:
        listener = create_server(*address, **options)  # type: ignore[arg-type]
        port = listener.getsockname()[1]

        def intrude() -> None:
            with socket.create_connection(("127.0.0.1", port), timeout=10) as line:
                line.sendall(b'{"method": "hello", "params": {"token": "guessed"}}\n')
                assert line.recv(1) == b""

        intruders.append(Thread(target=intrude))
        intruders[0].start()
        return listener

    monkeypatch.setattr(socket, "create_server", open_door)
    worker = Worker(Permit("test"), inspect_binary(Path(godot())), game)
    try:
        assert worker.ask("engine.ping", {}, timeout=10).value is True
        intruders[0].join(timeout=10)
        assert not intruders[0].is_alive()
    finally:
        worker.kill()


def test_no_engine_is_left_when_the_pool_closes(pool: Pool) -> None:
    seen: list[Worker] = []
    pool.ask("engine.ping", {}, holding=seen.append)
    pool.close()
    assert not seen[0].alive


def test_a_project_whose_warnings_are_errors_keeps_them_for_itself(pool: Pool, game: Path) -> None:
    strict = (
        "untyped_declaration",
        "inferred_declaration",
        "unsafe_cast",
        "unsafe_method_access",
        "integer_division",
        "unsafe_call_argument",
        "return_value_discarded",
        "incompatible_ternary",
        "shadowed_variable_base_class",
        "unused_variable",
        "unused_parameter",
        "unused_private_class_variable",
    )
    with (game / "project.godot").open("a") as file:
        file.write("\n[debug]\n\n" + "".join(f"gdscript/warnings/{name}=2\n" for name in strict))
    (game / "loose.gd").write_text("extends Node\n\nvar speed = 3\n")
    (game / "main.tscn").write_text('[gd_scene format=3]\n\n[node name="A" type="Node2D"]\n')
    run = pool.ask("probe.run", {"scene": "res://main.tscn", "steps": 1})
    assert (run.value["loads"], run.complaints) == (True, [])
    saved = pool.ask("saving.again", {"paths": ["res://main.tscn"], "folder": str(game)})
    assert (saved.value, saved.complaints) == ([str(game / "0.tscn")], [])
    assert pool.ask("scenes.check", {"paths": ["res://main.tscn"]}).value[0]["loads"]
    assert check(pool, "res://loose.gd") == [("res://loose.gd", 3)]


def test_an_engine_that_waits_for_work_sleeps(pool: Pool) -> None:
    pool.ask("engine.ping", {})
    (idle,) = pool._idle
    status = Path(f"/proc/{idle.worker.pid}/task/{idle.worker.pid}/status")
    if not status.exists():
        pytest.skip("only Linux tells how often a thread was woken")
    woken: list[str] = []
    deadline = monotonic() + 20
    while (monotonic() < deadline and len(set(woken[-20:])) != 1) or len(woken) < 20:
        woken.append(next(line for line in status.read_text().splitlines() if line.startswith("voluntary")))
        Event().wait(0.01)
    assert len(set(woken[-20:])) == 1  # it did not run meanwhile
    assert pool.ask("engine.ping", {}).value is True
