"""A project's own tests are found and run, each with what came of it, its message and its line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from anyio import to_thread
from tests.conftest import Caller, MakeCaller
from tests.godot.testing.conftest import add_framework

from scenewright.cli.main import main
from scenewright.core.calls.call import SilentClient

pytestmark = pytest.mark.anyio


class Watching(SilentClient):
    """A client that keeps what it is told of progress."""

    def __init__(self) -> None:
        self.told: list[str] = []

    async def progress(self, done: float, total: float | None, message: str | None) -> None:
        self.told.append(f"{done:g}/{total or 0:g} {message}")


async def refusal(caller: Caller, **arguments: Any) -> str:
    body = (await caller.reply("run_tests", arguments)).structured
    assert body is not None
    return str(body["error"]["message"])


def files_of(project: Path) -> set[str]:
    own = (".godot", ".scenewright", ".godot_mcp")
    return {
        str(path.relative_to(project)) for path in project.rglob("*") if path.relative_to(project).parts[0] not in own
    }


async def test_all_tests_of_a_project_are_run(
    make_caller: MakeCaller, tested: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs = tmp_path / "data/godot/app_userdata/Sample"
    theirs.mkdir(parents=True)
    (theirs / "before.txt").touch()
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    caller = make_caller()
    await caller.result("play_begin", scenePath="level.tscn")
    await caller.result("play_step", frames=5)
    await caller.result("play_save_tape", path="tapes/level.tape.json")
    await caller.result("play_end")
    before = files_of(tested)
    client = Watching()
    outcome = await caller.run("run_tests", {"junit": True}, client=client)
    assert outcome.fault is None, outcome.fault
    report = outcome.call.output
    assert (report.passed, report.tests, report.failed, report.skipped) == (False, 13, 5, 2)
    assert report.ran == ["GdUnit4 6.0.1", "GUT 9.4.0", "scenes", "tapes"]
    assert report.problems is None
    failed = {each.name: (each.file, each.path, each.line, each.message) for each in report.results[:5]}
    assert failed == {
        "test_subtracts": ("res://spec/player_test.gd", None, 9, "Expecting:\n '1'\n but was\n '2'"),
        "test_jump": ("res://test/unit/test_player.gd", None, 15, "[false] expected to equal [true]:  slow & <low>"),
        "test_bad": ("res://scenes/test_math.tscn", "res://scenes/test_math.gd", 21, "Assertion failed: sums"),
        "test_waits": ("res://scenes/test_math.tscn", None, None, "It still waited for something after 3,600 frames."),
        "whole_test": ("res://scenes/whole_test.tscn", None, None, "It ended with 7."),
    }
    others = {each.name: (each.status, each.message) for each in report.results[5:]}
    assert others == {
        "test_later": ("skipped", "not <yet>"),
        "test_nothing": ("skipped", "It asserted nothing."),
        "test_adds": ("passed", None),
        "test_walk": ("passed", None),
        "test_saves": ("passed", None),
        "test_good": ("passed", None),
        "test_new_instance": ("passed", None),
        "level": ("passed", None),
    }
    assert [told for told in client.told if "GUT: " in told][:2] == ["0/5 GUT: test_walk", "1/5 GUT: test_jump"]
    assert "0/2 GdUnit4: test_adds" in client.told
    assert report.junit is not None
    root = ElementTree.fromstring(report.junit)
    assert (root.get("tests"), root.get("failures"), root.get("skipped")) == ("13", "5", "2")
    failure = root.find("testsuite[@name='res://test/unit/test_player.gd']/testcase[@name='test_jump']/failure")
    assert failure is not None
    assert failure.text == "[false] expected to equal [true]:  slow & <low>\nres://test/unit/test_player.gd:15"
    assert files_of(tested) == before
    assert [path.name for path in theirs.iterdir()] == ["before.txt"]


async def test_a_name_and_a_path_choose_tests_of_both_frameworks(make_caller: MakeCaller, tested: Path) -> None:
    caller = make_caller()
    chosen = await caller.result("run_tests", path="spec", name="adds")
    assert [(each["name"], each["status"]) for each in chosen["results"]] == [("test_adds", "passed")]
    assert chosen["passed"] is True
    # A configuration of the project's own chooses among its tests, until a path is given; its hooks count always.
    (tested / "test/more").mkdir()
    (tested / "test/more/test_more.gd").write_text(
        "extends GutTest\n\n\nfunc test_more() -> void:\n\tassert_true(true)\n"
    )
    (tested / ".gutconfig.json").write_text('{"dirs": ["res://test/more"], "pre_run_script": "res://hook.gd"}')
    (tested / "spec/player_test.gd").unlink()
    for place in (tested / "scenes").glob("*.tscn"):
        place.unlink()
    assert [each["name"] for each in (await caller.result("run_tests"))["results"]] == ["test_more"]
    one = await caller.result("run_tests", path="test/unit/test_player.gd", name="walk")
    assert [each["name"] for each in one["results"]] == ["test_walk"]


async def test_a_run_that_does_not_come_to_its_end_is_no_success(make_caller: MakeCaller, bare: Path) -> None:
    add_framework(bare, "gut")
    caller = make_caller()
    test = bare / "test_odd.gd"
    test.write_text("extends GutTest\n\n\nfunc test_spins() -> void:\n\twhile true:\n\t\tpass\n")
    hung = await caller.result("run_tests", timeoutSeconds=2)
    assert (hung["passed"], hung["tests"]) == (False, 0)
    assert hung["problems"] == ["GUT did not end within 2 s and was ended. The test that had begun last is test_spins."]
    assert "* test_spins" in hung["output"]
    test.write_text('extends GutTest\n\n\nfunc test_dies() -> void:\n\tOS.crash("on purpose")\n')
    dead = await caller.result("run_tests")
    assert dead["passed"] is False
    assert "wrote no report. The test that had begun last is test_dies." in dead["problems"][0]
    test.write_text("extends GutTest\n\n\nfunc test_typo() -> void:\n\tassert_true(nobody)\n")
    broken = await caller.result("run_tests")
    assert broken["passed"] is False
    assert broken["problems"] == ["No test of res://test_odd.gd was run; errors may say why."]
    assert ("res://test_odd.gd", 5) in [(each.get("path"), each.get("line")) for each in broken["errors"]]


async def test_what_cannot_be_run_is_refused_with_a_reason(make_caller: MakeCaller, bare: Path) -> None:
    caller = make_caller()
    assert await refusal(caller) == "There are no tests."
    (bare / "test_player.gd").write_text("extends GutTest\n\n\nfunc test_walk() -> void:\n\tpass\n")
    assert "test_player.gd extends a framework for tests that is not in addons/" in await refusal(caller)
    assert await refusal(caller, path="nowhere") == "There are no tests at 'nowhere'."
    add_framework(bare, "gut")
    assert await refusal(caller, name="swim") == "There are no tests whose name contains 'swim'."
    assert "read-only" in await refusal(make_caller(read_only=True))


async def test_the_shell_runs_tests_for_people_and_ci(
    tested: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = tmp_path / "out/report.xml"
    command = ["test", "test", "--project", str(tested), "--junit", str(report)]
    assert await to_thread.run_sync(main, command) == 1
    out = capsys.readouterr().out
    assert "  ✓ test_walk" in out
    assert "  ○ test_later" in out
    assert "    res://test/unit/test_player.gd:15: [false] expected to equal [true]:  slow & <low>" in out
    assert "2 passed, 1 failed, 2 skipped" in out
    assert ElementTree.parse(report).getroot().get("failures") == "1"
    assert await to_thread.run_sync(main, ["test", "spec", "--name", "adds", "--json", "--project", str(tested)]) == 0
    body = json.loads(capsys.readouterr().out)
    assert (body["passed"], body["tests"]) == (True, 1)
    assert await to_thread.run_sync(main, ["test", "nowhere", "--project", str(tested)]) == 1
    assert "There are no tests at 'nowhere'." in capsys.readouterr().err
