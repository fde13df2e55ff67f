"""Reading and changing any file of a project."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller, MakeCaller

from scenewright.core.calls.call import Outcome

pytestmark = pytest.mark.anyio
APPROVED = {"approved": True}
CALLS: dict[str, dict[str, Any]] = {
    "read_file": {},
    "write_file": {"content": "x", "overwrite": True},
    "edit_file": {"find": "s", "replace": "x"},
    "delete_file": {},
}


def refusal(outcome: Outcome) -> str:
    assert outcome.fault is not None
    assert outcome.call.entry is None
    return outcome.fault.kind


async def test_a_text_is_read_whole_with_its_line_ends(caller: Caller, project: Path) -> None:
    (project / "a.txt").write_bytes("ü\r\nb\n".encode())
    outcome = await caller.run("read_file", {"path": "a.txt"})
    assert outcome.call.output.text == "ü\r\nb\n"
    assert outcome.call.output.total_chars == 5
    assert outcome.call.output.truncated is False
    assert outcome.call.output.next_offset is None


async def test_a_long_text_is_read_in_parts_that_make_the_whole(caller: Caller, project: Path) -> None:
    text = "".join(f"line {number} é\n" for number in range(500))
    (project / "a.txt").write_text(text, encoding="utf-8", newline="")
    read, offset = "", 0
    while True:
        part = (await caller.run("read_file", {"path": "a.txt", "offset": offset, "maxChars": 1000})).call.output
        read += part.text
        if not part.truncated:
            break
        offset = part.next_offset
    assert read == text
    beyond = (await caller.run("read_file", {"path": "a.txt", "offset": len(text)})).call.output
    assert (beyond.text, beyond.truncated) == ("", False)


async def test_what_is_no_text_is_not_read_as_one(caller: Caller, project: Path) -> None:
    (project / "a.bin").write_bytes(b"\xff\xfe\0")
    assert refusal(await caller.run("read_file", {"path": "a.bin"})) == "unsupported"
    assert refusal(await caller.run("read_file", {"path": "none.txt"})) == "not_found"


@pytest.mark.parametrize("content", ["", "a\r\nb\n", "ünï 🎮", "\ufeffmark"])
async def test_a_text_is_written_byte_for_byte(caller: Caller, project: Path, content: str) -> None:
    outcome = await caller.run("write_file", {"path": "new/folder/a b.txt", "content": content})
    assert (outcome.call.output.created, outcome.call.output.bytes) == (True, len(content.encode()))
    assert (project / "new/folder/a b.txt").read_bytes() == content.encode()
    await caller.run("history.undo")
    assert not (project / "new").exists()


async def test_any_bytes_can_be_written_as_base64(caller: Caller, project: Path) -> None:
    content = bytes(range(256))
    arguments = {"path": "a.bin", "content": base64.b64encode(content).decode(), "encoding": "base64"}
    assert (await caller.run("write_file", arguments)).ok
    assert (project / "a.bin").read_bytes() == content
    outcome = await caller.run("write_file", {"path": "b.bin", "content": "no base64!", "encoding": "base64"})
    assert refusal(outcome) == "invalid"
    assert not (project / "b.bin").exists()


async def test_a_file_is_replaced_only_when_asked_for(caller: Caller, project: Path) -> None:
    (project / "a.txt").write_bytes(b"old")
    assert refusal(await caller.run("write_file", {"path": "a.txt", "content": "new"})) == "conflict"
    assert (project / "a.txt").read_bytes() == b"old"
    outcome = await caller.run("write_file", {"path": "a.txt", "content": "new", "overwrite": True})
    assert outcome.call.output.created is False
    assert (project / "a.txt").read_bytes() == b"new"


async def test_writing_what_is_there_already_is_no_change(caller: Caller, project: Path) -> None:
    (project / "a.txt").write_bytes(b"same")
    outcome = await caller.run("write_file", {"path": "a.txt", "content": "same", "overwrite": True})
    assert outcome.ok
    assert outcome.call.entry is None
    assert caller.runtime.state.journal.entries(limit=1) == []


async def test_an_edit_leaves_every_other_byte_as_it_is(caller: Caller, project: Path) -> None:
    (project / "a.txt").write_bytes(b"\xef\xbb\xbfone\r\n\xff\xfe speed = 1\r\nend")
    outcome = await caller.run("edit_file", {"path": "a.txt", "find": "speed = 1\r\n", "replace": "speed = 2\n"})
    assert outcome.call.output.replacements == 1
    assert (project / "a.txt").read_bytes() == b"\xef\xbb\xbfone\r\n\xff\xfe speed = 2\nend"


@pytest.mark.parametrize(("count", "kind"), [(1, "invalid"), (2, None), (3, "invalid")])
async def test_an_edit_wants_to_know_how_many_places_there_are(
    caller: Caller, project: Path, count: int, kind: str | None
) -> None:
    (project / "a.txt").write_bytes(b"x y x")
    outcome = await caller.run("edit_file", {"path": "a.txt", "find": "x", "replace": "z", "count": count})
    assert (outcome.fault and outcome.fault.kind) == kind
    assert (project / "a.txt").read_bytes() == (b"x y x" if kind else b"z y z")


async def test_a_deletion_can_be_taken_back(caller: Caller, project: Path) -> None:
    (project / "a.sh").write_bytes(b"#!/bin/sh\n")
    (project / "a.sh").chmod(0o755)
    assert (await caller.run("delete_file", {"path": "a.sh"})).ok
    assert not (project / "a.sh").exists()
    assert refusal(await caller.run("delete_file", {"path": "a.sh"}, meta=APPROVED)) == "not_found"
    await caller.run("history.undo")
    assert (project / "a.sh").read_bytes() == b"#!/bin/sh\n"
    assert (project / "a.sh").stat().st_mode & 0o777 == 0o755


@pytest.mark.parametrize(
    "path",
    [
        "../out.txt",
        "/etc/scenewright-test",
        "link/x.txt",
        "secret.txt",
        ".git/config",
        ".scenewright/x",
        ".godot_mcp/x",
    ],
)
@pytest.mark.parametrize("tool", list(CALLS))
async def test_no_tool_reaches_out_of_the_project_or_into_our_records(
    caller: Caller, project: Path, tmp_path: Path, tool: str, path: str
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.txt").write_bytes(b"secret")
    (project / "link").symlink_to(outside)
    (project / "secret.txt").symlink_to(outside / "secret.txt")
    assert refusal(await caller.run(tool, {"path": path, **CALLS[tool]}, meta=APPROVED)) == "denied"
    assert {place.name: place.read_bytes() for place in outside.iterdir()} == {"secret.txt": b"secret"}
    assert sorted(place.name for place in tmp_path.iterdir()) == ["outside", "project"]
    assert (project / "secret.txt").is_symlink()


async def test_a_link_inside_the_project_is_written_through(caller: Caller, project: Path) -> None:
    (project / "real.txt").write_bytes(b"old")
    (project / "link.txt").symlink_to("real.txt")
    outcome = await caller.run("edit_file", {"path": "link.txt", "find": "old", "replace": "new"})
    assert outcome.ok
    assert (project / "link.txt").is_symlink()
    assert (project / "real.txt").read_bytes() == b"new"


async def test_a_dry_run_shows_the_change_and_makes_none(caller: Caller, project: Path) -> None:
    reply = await caller.reply("write_file", {"path": "new/a.txt", "content": "text\n", "dryRun": True})
    assert reply.structured is not None
    assert reply.structured["execution"]["diff"]["entries"] == ["created new/a.txt\n@@ -0,0 +1 @@\n+text"]
    assert not (project / "new").exists()


async def test_a_change_tells_its_diff_its_files_and_its_entry(caller: Caller, project: Path) -> None:
    reply = await caller.reply("write_file", {"path": "a.txt", "content": "text\n"})
    assert reply.structured is not None
    assert reply.structured["execution"]["historyEntry"] == 1
    (file,) = reply.structured["files"]
    assert file == {"kind": "created", "pathAbs": str(project / "a.txt"), "resPath": "res://a.txt", "bytes": 5}


async def test_an_all_or_nothing_batch_writes_nothing_when_a_part_fails(caller: Caller, project: Path) -> None:
    (project / "a.txt").write_bytes(b"old")
    operations = [
        {"tool": "write_file", "args": {"path": "a.txt", "content": "new", "overwrite": True}},
        {"tool": "edit_file", "args": {"path": "a.txt", "find": "no such text", "replace": ""}},
    ]
    assert refusal(await caller.run("batch_operations", {"operations": operations, "atomic": True})) == "invalid"
    assert (project / "a.txt").read_bytes() == b"old"
    assert caller.runtime.state.journal.entries(limit=9) == []


async def test_parts_of_a_batch_see_each_other_and_make_one_entry(caller: Caller, project: Path) -> None:
    operations = [
        {"tool": "write_file", "args": {"path": "a.txt", "content": "one"}},
        {"tool": "edit_file", "args": {"path": "a.txt", "find": "one", "replace": "two"}},
        {"tool": "write_file", "args": {"path": "b.txt", "content": "three"}},
    ]
    outcome = await caller.run("batch_operations", {"operations": operations, "atomic": True})
    assert outcome.ok, outcome.fault
    assert (project / "a.txt").read_bytes() == b"two"
    (entry,) = caller.runtime.state.journal.entries(limit=9)
    assert [file.path for file in entry.files] == ["a.txt", "b.txt"]


async def test_files_and_folders_are_counted_without_our_own(caller: Caller, project: Path) -> None:
    (project / "a/b").mkdir(parents=True)
    (project / "a/b/c.txt").write_bytes(b"")
    (project / ".git").mkdir()
    (project / ".git/config").write_bytes(b"")
    await caller.run("write_file", {"path": "d.txt", "content": ""})
    outcome = await caller.run("project.workspace_stats")
    assert (outcome.call.output.files, outcome.call.output.directories) == (2, 2)


async def test_in_read_only_mode_nothing_is_written(make_caller: MakeCaller, project: Path) -> None:
    caller = make_caller(read_only=True)
    assert refusal(await caller.run("write_file", {"path": "a.txt", "content": "x"})) == "denied"
    assert not (project / "a.txt").exists()


@pytest.mark.parametrize(
    ("arguments", "after", "count"),
    [
        ({"find": r"v(\d)", "replace": r"x\1", "regex": True, "maxReplacements": 50}, "x1 x2 v.\r\nx3\xff", 3),
        ({"find": r"^v\d$", "replace": "", "regex": True}, None, 0),
        ({"find": r"^v3", "replace": "end", "regex": True}, "v1 v2 v.\r\nend\xff", 1),
        ({"find": "v", "replace": "w", "maxReplacements": 4}, "w1 w2 w.\r\nw3\xff", 4),
        ({"find": "v.", "replace": "w", "maxReplacements": 4}, "v1 v2 w\r\nv3\xff", 1),
        ({"find": "v", "replace": "w", "maxReplacements": 3}, None, 0),
        ({"find": "v", "replace": "w", "count": 4, "maxReplacements": 2}, "w1 w2 w.\r\nw3\xff", 4),
        ({"find": "q", "replace": "w", "maxReplacements": 3}, None, 0),
        ({"find": "(", "replace": "w", "regex": True}, None, 0),
        ({"find": "v1", "replace": r"\2", "regex": True}, None, 0),
    ],
)
async def test_several_places_or_an_expression_are_replaced(
    caller: Caller, project: Path, arguments: dict[str, Any], after: str | None, count: int
) -> None:
    before = "v1 v2 v.\r\nv3\xff"
    (project / "a.txt").write_bytes(before.encode("latin-1"))
    outcome = await caller.run("edit_file", {"path": "a.txt", **arguments})
    assert outcome.ok is (after is not None)
    assert (project / "a.txt").read_bytes() == (after or before).encode("latin-1")
    if after is not None:
        assert outcome.call.output.replacements == count


async def test_a_long_text_is_matched_however_slowly_the_process_starts(
    caller: Caller, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scenewright.core.text.patterns._LOOK_SECONDS", 0.001)
    (project / "a.txt").write_text("b" * 300_000 + "a")
    outcome = await caller.run("edit_file", {"path": "a.txt", "find": "a$", "replace": "c", "regex": True})
    assert outcome.ok
    assert (project / "a.txt").read_text().endswith("bc")


@pytest.fixture
def texts(project: Path) -> Path:
    (project / "levels").mkdir()
    for name in ("a.gd", "b.gd", "levels/c.gd", "levels/d.txt"):
        (project / name).write_text("".join(f"{name} {line}\n" for line in range(1, 61)), encoding="utf-8", newline="")
    (project / "e.gd.bin").write_bytes(b"\xff\xfe\0")
    return project


async def test_several_files_are_read_at_once(caller: Caller, texts: Path) -> None:
    result = await caller.result("read_file", paths=["a.gd", "levels/d.txt"])
    assert [part["path"] for part in result["files"]] == ["a.gd", "levels/d.txt"]
    assert [part["text"] for part in result["files"]] == [
        (texts / name).read_text(encoding="utf-8") for name in ("a.gd", "levels/d.txt")
    ]


@pytest.mark.parametrize(
    ("pattern", "fits"),
    [
        ("*.gd", ["a.gd", "b.gd", "levels/c.gd"]),
        ("levels/*", ["levels/c.gd", "levels/d.txt"]),
        ("res://levels/**", ["levels/c.gd", "levels/d.txt"]),
        ("[ab].gd", ["a.gd", "b.gd"]),
    ],
)
async def test_a_pattern_reads_all_files_that_fit(caller: Caller, texts: Path, pattern: str, fits: list[str]) -> None:
    del texts
    result = await caller.result("read_file", path=pattern)
    assert [part["path"] for part in result["files"]] == fits


@pytest.mark.parametrize("start", ["", "res://"])
async def test_lines_are_read_as_errors_name_them(caller: Caller, texts: Path, start: str) -> None:
    del texts
    part = await caller.result("read_file", path=f"{start}a.gd:12-14")
    assert (part["path"], part["text"], part["lines"]) == ("a.gd", "a.gd 12\na.gd 13\na.gd 14\n", "12-14 of 60")
    around = await caller.result("read_file", path=f"{start}a.gd:12")
    assert around["lines"] == "2-22 of 60"
    column = await caller.result("read_file", path=f"{start}a.gd:12:5")
    assert column["text"] == around["text"]
    assert (await caller.result("read_file", path=f"{start}a.gd:58-99"))["lines"] == "58-60 of 60"
    for as_in_csharp in (f"{start}a.gd(12)", f"{start}a.gd(12,5)"):
        assert (await caller.result("read_file", path=as_in_csharp))["lines"] == "2-22 of 60"


async def test_a_long_part_of_a_file_is_read_on_with_the_same_path(caller: Caller, texts: Path) -> None:
    del texts
    first = await caller.result("read_file", path="a.gd:12-14", maxChars=10)
    rest = await caller.result("read_file", path="a.gd:12-14", offset=first["nextOffset"])
    assert first["text"] + rest["text"] == "a.gd 12\na.gd 13\na.gd 14\n"


async def test_lines_that_are_not_there_are_refused(caller: Caller, texts: Path) -> None:
    del texts
    assert refusal(await caller.run("read_file", {"path": "a.gd:61-70"})) == "invalid"
    assert refusal(await caller.run("read_file", {"path": "a.gd:14-12"})) == "invalid"
    beyond = (await caller.run("read_file", {"path": "a.gd:65"})).fault
    assert beyond is not None
    assert beyond.message == "'a.gd' has 60 lines; there is no line 65."
    assert refusal(await caller.run("read_file", {"path": "none.gd:3"})) == "not_found"
    assert refusal(await caller.run("read_file", {})) == "invalid"
    assert refusal(await caller.run("read_file", {"path": "*.gd", "offset": 3})) == "invalid"


async def test_a_file_that_is_called_like_lines_is_read_itself(caller: Caller, project: Path) -> None:
    (project / "notes:12").write_text("itself", encoding="utf-8")
    assert (await caller.result("read_file", path="notes:12"))["text"] == "itself"


async def test_what_has_no_room_or_is_no_text_is_named(caller: Caller, texts: Path) -> None:
    (texts / "f.gd").write_text("short", encoding="utf-8")
    result = await caller.result("read_file", path="*.gd*", maxChars=500)
    assert [part["path"] for part in result["files"]] == ["a.gd", "f.gd"]
    assert result["leftOut"] == ["b.gd: 471 characters", "e.gd.bin: no text", "levels/c.gd: 891 characters"]
    assert result["truncated"] is True


async def test_of_several_paths_those_that_are_not_there_are_named_beside_the_others(
    caller: Caller, texts: Path
) -> None:
    del texts
    result = await caller.result("read_file", paths=["a.gd:1-2", "none.gd", "*.xyz"])
    assert [part["text"] for part in result["files"]] == ["a.gd 1\na.gd 2\n"]
    assert result["leftOut"] == ["There is no file at 'none.gd'.", "No file matches '*.xyz'; case matters."]
    assert refusal(await caller.run("read_file", {"paths": ["none.gd", "*.xyz"]})) == "not_found"


@pytest.mark.parametrize("path", ["c.gd", "scripts/C.gd:7", "levels/cc.gd"])
async def test_a_file_that_is_not_there_is_answered_with_the_one_that_is_called_so(
    caller: Caller, texts: Path, path: str
) -> None:
    del texts
    fault = (await caller.run("read_file", {"path": path})).fault
    assert fault is not None
    assert fault.hint is not None
    assert fault.hint.startswith("Did you mean 'levels/c.gd'")


async def test_a_pattern_that_fits_nothing_says_so_and_that_case_matters(caller: Caller, texts: Path) -> None:
    del texts
    outcome = await caller.run("read_file", {"path": "*.GD"})
    assert outcome.fault is not None
    assert outcome.fault.kind == "not_found"
    assert "case matters" in outcome.fault.message


async def test_patterns_leave_out_what_the_engine_keeps_beside_files(make_caller: MakeCaller, project: Path) -> None:
    for name in ("project.godot", "a.gd", "a.gd.uid"):
        (project / name).write_text("config_version=5\n", encoding="utf-8")
    caller = make_caller()
    result = await caller.result("read_file", path="a*")
    assert result["path"] == "a.gd"
    assert (await caller.result("read_file", path="*.uid"))["path"] == "a.gd.uid"
