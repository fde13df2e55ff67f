"""The audit log: what is in it, its rotation, and that nobody can change it unnoticed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller

from scenewright.contracts.omni.codes import code_of
from scenewright.core.config import Config
from scenewright.core.projects.ownership import state_folder
from scenewright.core.projects.project import Project
from scenewright.core.projects.state import ProjectState
from scenewright.core.records.audit import AuditLog
from scenewright.core.records.audit_chain import GENESIS

Tamper = Callable[[list[bytes]], list[bytes]]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / ".godot_mcp/audit.log"


def head_of(path: Path) -> Path:
    return path.with_name(f".{path.name}.head")


def test_a_new_log_is_nothing_to_commit_and_what_else_is_there_is(path: Path) -> None:
    root = path.parent.parent
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    fill(path, 1)
    (path.parent / "AI_GUIDELINES.md").write_text("# Mine\n")
    status = subprocess.run(["git", "status", "--short", "-uall"], cwd=root, check=True, capture_output=True, text=True)
    assert status.stdout == "?? .godot_mcp/AI_GUIDELINES.md\n"


def fill(path: Path, count: int, start: int = 0, **options: Any) -> AuditLog:
    log = AuditLog(path, **options)
    for number in range(start, start + count):
        log.append({"tool": "t", "args": {"number": number}, "ok": True, "summary": "Done."})
    return log


def lines(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines(keepends=True)


def test_a_record_has_its_fields_its_place_and_no_secrets(path: Path) -> None:
    log = AuditLog(path)
    log.append(
        {
            "correlationId": "c",
            "tool": "t",
            "args": {"api_key": "x", "a": [1, {"Token": 2}]},
            "ok": False,
            "summary": "No.",
            "error": {"code": "E_INTERNAL", "message": "No."},
        }
    )
    (record,) = map(json.loads, lines(path))
    assert record.pop("ts").endswith("+00:00")
    assert len(record.pop("hash")) == 64
    assert record == {
        "correlationId": "c",
        "tool": "t",
        "args": {"api_key": "[REDACTED]", "a": [1, {"Token": "[REDACTED]"}]},
        "ok": False,
        "summary": "No.",
        "error": {"code": "E_INTERNAL", "message": "No."},
        "n": 1,
        "prev": GENESIS,
    }


@pytest.mark.anyio
async def test_every_call_leaves_one_record_whether_it_works_or_not(project: Path, caller: Caller) -> None:
    good = await caller.run(
        "write_file", {"path": "a.txt", "content": "x"}, meta={"correlationId": "mine", "actor": "me"}
    )
    bad = await caller.run("read_file", {"path": "none.txt", "password": "s3cret"})
    batch = [{"tool": "core.ping"}, {"tool": "read_file", "args": {"path": "a.txt", "api_key": "s3cret"}}]
    await caller.run("batch_operations", {"operations": batch, "stopOnError": False})
    log = caller.runtime.state.audit
    first, second, *parts = log.tail(100)
    assert {key: first[key] for key in ("correlationId", "tool", "args", "ok", "summary", "actor", "entry")} == {
        "correlationId": "mine",
        "tool": "write_file",
        "args": {"path": "a.txt", "content": "x"},
        "ok": True,
        "summary": good.summary,
        "actor": "me",
        "entry": 1,
    }
    assert "error" not in first
    assert bad.fault is not None
    assert (second["ok"], second["error"]) == (False, {"code": code_of(bad.fault), "message": bad.fault.message})
    assert second["args"]["password"] == "[REDACTED]"
    assert [record["tool"] for record in parts] == ["core.ping", "read_file", "batch_operations"]
    assert "s3cret" not in log.path.read_text()
    assert log.verify().intact


def test_the_environment_decides_when_to_rotate(project: Path) -> None:
    settings = {"GODOT_MCP_AUDIT_MAX_BYTES": "1024", "GODOT_MCP_AUDIT_BACKUPS": "1"}
    state = ProjectState(Project.at(project), Config.from_environment(settings), [], kept=True)
    for _ in range(30):
        state.audit.append({"tool": "t"})
    names = sorted(place.name for place in state.audit.path.parent.iterdir() if place.name.startswith("audit"))
    assert names == ["audit.log", "audit.log.1"]
    assert state.audit.path.stat().st_size <= 1024


@pytest.mark.parametrize(("change", "code"), [(b"true", 0), (b"null", 1)])
def test_the_command_line_tells_by_its_exit_code(project: Path, change: bytes, code: int) -> None:
    path = state_folder(project) / "audit.log"
    fill(path, 3)
    path.write_bytes(path.read_bytes().replace(b"true", change, 1))
    command = [sys.executable, "-m", "scenewright", "audit", "verify", "--json", "--project", str(project)]
    done = subprocess.run(command, capture_output=True, timeout=60, check=False)
    assert done.returncode == code, done.stderr
    assert json.loads(done.stdout)["intact"] is (code == 0)


def test_only_the_user_can_read_it(path: Path) -> None:
    umask = os.umask(0)
    try:
        fill(path, 30, max_bytes=1024, backups=2)
    finally:
        os.umask(umask)
    files = [place for place in path.parent.glob("*audit*") if place.is_file()]
    assert len(files) == 4
    assert {place.stat().st_mode & 0o777 for place in files} == {0o600}


def test_the_chain_goes_on_from_one_process_to_the_next(path: Path) -> None:
    for start in range(3):
        fill(path, 2, start)
    assert [record["n"] for record in AuditLog(path).tail(9)] == [1, 2, 3, 4, 5, 6]
    verdict = AuditLog(path).verify()
    assert (verdict.intact, verdict.records, verdict.notes) == (True, 6, ())


def test_an_empty_log_is_intact(path: Path) -> None:
    verdict = AuditLog(path).verify()
    assert (verdict.intact, verdict.records, verdict.notes) == (True, 0, ())
    assert AuditLog(path).tail(5) == []


@pytest.mark.parametrize(
    "value", [float("nan"), 2**70, -1.5e300, "half \ud800", {"\ud800": 1}, b"\xff", {1, 2}, object]
)
def test_whatever_is_logged_can_be_verified(path: Path, value: Any) -> None:
    log = AuditLog(path)
    log.append({"args": {"value": value}})
    log.append({"args": {}})
    assert log.verify().intact, log.verify().problem


@pytest.mark.parametrize(
    "tamper",
    {
        "a byte": lambda held: [held[0], held[1].replace(b'"ok":true', b'"ok":fals'), *held[2:]],
        "a value": lambda held: [held[0], held[1].replace(b"true", b"null"), *held[2:]],
        "a space": lambda held: [held[0], held[1].replace(b":", b": ", 1), *held[2:]],
        "the last byte": lambda held: [*held[:-1], held[-1][:-1] + b"!"],
        "the hash": lambda held: [held[0], held[1].replace(b'"hash":"', b'"hash":"0')[:-2] + b"\n", *held[2:]],
        "the first line removed": lambda held: held[1:],
        "a line removed": lambda held: [held[0], *held[2:]],
        "the last line removed": lambda held: held[:-1],
        "all lines removed": lambda held: held[:0],
        "the end cut off": lambda held: [*held[:-1], held[-1][:20]],
        "two lines swapped": lambda held: [held[0], held[2], held[1], *held[3:]],
        "the last two swapped": lambda held: [*held[:-2], held[-1], held[-2]],
        "a line doubled": lambda held: [held[0], held[1], held[1], *held[2:]],
        "a line inserted": lambda held: [held[0], b'{"tool":"forged"}\n', *held[1:]],
        "garbage inserted": lambda held: [b"x\n", *held],
    }.items(),
    ids=lambda pair: pair[0],
)
def test_tampering_is_noticed_at_once_and_after_further_records(path: Path, tamper: tuple[str, Tamper]) -> None:
    log = fill(path, 5)
    path.write_bytes(b"".join(tamper[1](lines(path))))
    assert not log.verify().intact
    fill(path, 2)
    assert not log.verify().intact


def test_every_single_byte_counts(path: Path) -> None:
    log = fill(path, 2)
    whole = path.read_bytes()
    for place in range(len(whole)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        assert not log.verify().intact, place
    path.write_bytes(whole)
    assert log.verify().intact


def test_a_forged_chain_does_not_end_where_the_head_says(path: Path, tmp_path: Path) -> None:
    log = fill(path, 3)
    fill(tmp_path / "forged.log", 3, start=100)
    path.write_bytes((tmp_path / "forged.log").read_bytes())
    assert "not the record that was written last" in str(log.verify().problem)
    fill(tmp_path / "forged.log", 3)
    path.write_bytes((tmp_path / "forged.log").read_bytes())
    assert not log.verify().intact


@pytest.mark.parametrize("cut", [1, 20, 150])
def test_an_interrupted_line_is_closed_and_accounted_for(path: Path, cut: int) -> None:
    log = fill(path, 2)
    before = path.read_bytes(), head_of(path).read_bytes()
    fill(path, 1)
    third = path.read_bytes()[len(before[0]) :]
    path.write_bytes(before[0] + third[:cut])  # as a kill in the middle of the write leaves both
    head_of(path).write_bytes(before[1])
    verdict = log.verify()
    assert verdict.intact
    assert verdict.notes == ("The last line was interrupted; the next record will account for it.",)

    fill(path, 2)
    verdict = log.verify()
    assert (verdict.intact, verdict.records) == (True, 4), verdict.problem
    assert verdict.notes == ("Before record 3 a write was interrupted; that line is accounted for.",)
    path.write_bytes(path.read_bytes().replace(b"\n" + third[:cut] + b"\n", b"\n" + b"?" * cut + b"\n"))
    assert not log.verify().intact


def test_a_line_that_only_misses_its_end_is_a_record(path: Path) -> None:
    log = fill(path, 3)
    path.write_bytes(path.read_bytes()[:-1])
    assert log.verify().intact
    fill(path, 1)
    verdict = log.verify()
    assert (verdict.intact, verdict.records, verdict.notes) == (True, 4, ())


def test_two_interruptions_in_a_row_are_accounted_for_together(path: Path) -> None:
    log = fill(path, 1)
    with path.open("ab") as file:
        file.write(b'{"first":\n{"second"')
    fill(path, 1)
    assert log.verify().intact, log.verify().problem


@pytest.mark.parametrize("left", [b"", b"{", b"x" * 256])
def test_a_head_that_was_lost_is_found_again_in_the_log(path: Path, left: bytes) -> None:
    log = fill(path, 3)
    head_of(path).write_bytes(left)
    verdict = log.verify()
    assert verdict.intact
    assert verdict.notes == ("There is no head file; records cut off at the end would not be noticed.",)
    fill(path, 1)
    assert [record["n"] for record in log.tail(9)] == [1, 2, 3, 4]
    assert (log.verify().intact, log.verify().notes) == (True, ())


def test_a_kill_between_record_and_head_leaves_the_chain_whole(path: Path) -> None:
    log = fill(path, 2)
    head = head_of(path).read_bytes()
    fill(path, 1)
    head_of(path).write_bytes(head)
    assert log.verify().intact
    fill(path, 1)
    assert [record["n"] for record in log.tail(9)] == [1, 2, 3, 4]
    assert log.verify().intact


def test_a_deleted_log_leaves_a_gap_that_is_noticed(path: Path) -> None:
    log = fill(path, 30, max_bytes=2048, backups=2)
    path.unlink()
    assert "missing at the end" in str(log.verify().problem)
    fill(path, 1, max_bytes=2048, backups=2)
    assert "does not follow" in str(log.verify().problem)


def test_lines_of_another_program_before_ours_are_accounted_for(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b'{"ts": "2025", "tool": "old"}\n' * 3000)
    log = fill(path, 2, max_bytes=1 << 20)
    verdict = log.verify()
    assert (verdict.intact, verdict.records) == (True, 2), verdict.problem
    path.write_bytes(path.read_bytes().replace(b"old", b"new", 1))
    assert not log.verify().intact


@pytest.mark.parametrize(("backups", "files"), [(0, 1), (1, 2), (3, 4)])
def test_a_full_log_is_rotated_and_the_chain_goes_on_across_files(path: Path, backups: int, files: int) -> None:
    log = fill(path, 60, max_bytes=1024, backups=backups)
    logs = [place for place in path.parent.iterdir() if place.name.startswith("audit.log")]
    assert len(logs) == files
    assert all(place.stat().st_size <= 1024 for place in logs)
    kept = [record["n"] for record in log.tail(100)]
    assert kept == list(range(kept[0], 61))
    verdict = log.verify()
    assert (verdict.intact, verdict.records) == (True, len(kept)), verdict.problem
    assert verdict.notes == (f"Starts at record {kept[0]}: older files were rotated away.",)
    assert log.tail(2) == log.tail(100)[-2:]
    assert log.tail(0) == []


def test_records_removed_from_the_oldest_file_are_noticed(path: Path) -> None:
    log = fill(path, 60, max_bytes=1024, backups=2)
    oldest = path.with_name("audit.log.2")
    oldest.write_bytes(b"".join(lines(oldest)[1:]))
    assert "are missing" in str(log.verify().problem)


@pytest.mark.parametrize(("before", "after"), [(3, 1), (1, 3), (2, 0), (0, 2)])
def test_the_number_of_backups_can_be_changed_later(path: Path, before: int, after: int) -> None:
    fill(path, 40, max_bytes=1024, backups=before)
    log = fill(path, 40, max_bytes=1024, backups=after)
    assert log.verify().intact, log.verify().problem
    names = {place.name for place in path.parent.iterdir() if place.name.startswith("audit.log.")}
    assert names == {f"audit.log.{number}" for number in range(1, after + 1)}


def test_a_record_larger_than_the_limit_is_kept_whole(path: Path) -> None:
    log = AuditLog(path, max_bytes=1024, backups=1)
    for _ in range(3):
        log.append({"args": {"many": list(range(2000))}})
    assert log.verify().intact
    assert log.tail(1)[0]["args"]["many"][-1] == 1999


def test_the_log_is_not_written_through_a_link(path: Path, tmp_path: Path) -> None:
    path.parent.mkdir()
    (tmp_path / "target").write_bytes(b"precious")
    path.symlink_to(tmp_path / "target")
    with pytest.raises(OSError, match="not a regular file"):
        fill(path, 1)
    assert (tmp_path / "target").read_bytes() == b"precious"


APPEND = """
import sys
from pathlib import Path
from scenewright.core.records.audit import AuditLog
log = AuditLog(Path(sys.argv[1]), max_bytes=20_000, backups=50)
for number in range(200):
    log.append({"tool": "t", "args": {"number": number}})
"""


def test_processes_share_one_chain_through_rotations(path: Path) -> None:
    running = [subprocess.Popen([sys.executable, "-c", APPEND, str(path)]) for _ in range(4)]
    assert [process.wait(60) for process in running] == [0] * 4
    verdict = AuditLog(path, backups=50).verify()
    assert (verdict.intact, verdict.records, verdict.notes) == (True, 800, ()), verdict.problem
