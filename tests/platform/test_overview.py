"""`overview`: a project at one look, within a budget, and what changed since."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller, MakeCaller

from scenewright.app import make_runtime
from scenewright.contracts.rendered import as_text
from scenewright.core.config import Config
from scenewright.core.projects.overview import Item, Section
from scenewright.platform.fitting import fit
from scenewright.server.surface import surface_of

pytestmark = pytest.mark.anyio


async def look(caller: Caller, **arguments: Any) -> dict[str, Any]:
    body = (await caller.reply("overview", arguments)).structured
    assert body is not None
    assert body["ok"], body
    return body


@pytest.mark.parametrize("toolset", ["compact", "full"])
async def test_overview_is_listed_first_and_is_short(project: Path, toolset: Any) -> None:
    (project / "project.godot").write_text("config_version=5\n", encoding="utf-8")
    runtime = make_runtime(Config(project=project, toolset=toolset))
    try:
        tools = surface_of(runtime).tools()
    finally:
        runtime.close()
    assert tools[0].name == "overview"
    assert not tools[0].input_schema.get("required")
    listed = {key: value for key, value in tools[0].wire().items() if key != "outputSchema"}
    assert len(as_text(listed)) <= 700


async def test_a_project_of_no_engine_shows_its_files_by_folder(caller: Caller, project: Path) -> None:
    (project / "notes").mkdir()
    (project / "notes" / "a.md").write_text("# A\n", encoding="utf-8")
    (project / "notes" / "b.md").write_text("# B\n", encoding="utf-8")
    (project / "readme.txt").write_text("x", encoding="utf-8")
    (project / ".hidden").mkdir()
    (project / ".hidden" / "c.md").write_text("x", encoding="utf-8")
    result = (await look(caller))["result"]
    assert result["sections"]["files"] == {"./": "readme.txt", "notes/": "a.md, b.md"}


async def test_since_tells_only_what_changed(caller: Caller, project: Path) -> None:
    for name in ("kept.txt", "edited.txt", "gone.txt"):
        (project / name).write_text("1", encoding="utf-8")
    first = (await look(caller))["result"]["revision"]
    unchanged = (await look(caller, since=first))["result"]
    assert unchanged["changed"] == []
    assert unchanged["revision"] == first
    (project / "edited.txt").write_text("22", encoding="utf-8")
    (project / "gone.txt").unlink()
    (project / "new.txt").write_text("1", encoding="utf-8")
    body = await look(caller, since=first)
    assert body["result"]["changed"] == ["modified edited.txt", "deleted gone.txt", "created new.txt"]
    assert body["result"]["revision"] != first
    assert body["result"]["sections"] == {}


async def test_a_revision_that_is_not_known_gives_everything_and_says_so(caller: Caller, project: Path) -> None:
    (project / "a.txt").write_text("1", encoding="utf-8")
    body = await look(caller, since="0123456789ab")
    assert "changed" not in body["result"]
    assert body["result"]["sections"]["files"] == {"./": "a.txt"}
    assert any("0123456789ab" in warning for warning in body["warnings"])


@pytest.mark.parametrize("budget", [1000, 3000, 6000, 20_000])
async def test_the_reply_keeps_within_its_budget_and_names_what_it_left_out(
    make_caller: MakeCaller, project: Path, budget: int
) -> None:
    for number in range(300):
        folder = project / f"folder {number // 10}"
        folder.mkdir(exist_ok=True)
        (folder / f"file with a long name {number} ü.txt").write_text("x", encoding="utf-8")
    reply = await make_caller().reply("overview", {"maxBytes": budget})
    assert reply.text is not None
    assert len(reply.text.encode()) <= budget
    assert reply.structured is not None
    left_out = reply.structured["result"].get("leftOut", [])
    assert bool(left_out) == (budget < 15_000)


async def test_a_budget_that_is_too_small_is_refused(caller: Caller) -> None:
    outcome = await caller.run("overview", {"maxBytes": 10})
    assert outcome.fault is not None
    assert outcome.fault.kind == "invalid"


def test_everything_is_told_in_few_words_before_anything_at_length() -> None:
    items = [Item(name, ("short", "much longer " * 10)) for name in "abc"]
    fitted = fit([Section(name="things", items=items, more="ask")], 230)
    assert fitted.shown == {"things": {"a": "much longer " * 10, "b": "short", "c": "short"}}
    assert fitted.left_out == ["things shortened: b, c: ask"]


def test_what_comes_first_is_told_at_length_before_what_is_cheaper() -> None:
    main = Item("main", ("short", "the main thing " * 6), first=True)
    other = Item("other", ("short", "cheaper " * 6))
    assert fit([Section(name="things", items=[other, main])], 150).shown["things"]["main"] == "the main thing " * 6


def test_items_that_nobody_read_are_named() -> None:
    section = Section(name="things", items=[], more="ask", unread=[f"n{number}" for number in range(8)])
    assert fit([section], 1000).left_out == ["things not shown: n0, n1, n2, n3, n4 and 3 more: ask"]


async def test_more_files_than_are_looked_at_are_not_counted_as_all(
    caller: Caller, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scenewright.platform.file_listing.MOST_FILES", 3)
    monkeypatch.setattr("scenewright.platform.operations.overview.MOST_FILES", 3)
    for number in range(5):
        (project / f"{number}.md").touch()
    outcome = await caller.run("overview", {})
    assert outcome.summary.endswith("project with 3 files or more.")
    assert len(outcome.call.output.sections["files"]["./"].split(", ")) == 3
    assert "Only the first 3 files were looked at." in outcome.call.warnings
