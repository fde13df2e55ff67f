"""`scenewright workflow`: plans from files, for a person and for CI."""

from __future__ import annotations

import json
import os
import pty
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from scenewright.cli.main import main

PLAN = """\
id: greet
onFailure: rollback
steps:
  - id: hello
    actionId: write_file
    input: {path: hello.txt, content: "Hello\\n"}
  - id: read
    actionId: read_file
    input: {path: {$from: hello, path: path}}
    expect: [{path: text, contains: %s}]
"""


@pytest.fixture
def folder(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (project / "project.godot").touch()
    (project / "plan.yaml").write_text(PLAN % "Hello")
    (project / "bad.yaml").write_text(PLAN % "Goodbye")
    monkeypatch.chdir(project)
    return project


@pytest.fixture
def say(folder: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    def run(*words: str) -> tuple[int, str, str]:
        code = main(words)
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return run


def test_a_plan_is_carried_out_and_can_be_asked_about_afterwards(say: Any, folder: Path) -> None:
    code, out, err = say("workflow", "run", "plan.yaml", "--actor", "ci")
    assert (code, err) == (0, "")
    assert "✓ hello write_file" in out
    assert "greet succeeded, 2/2 steps" in out
    assert (folder / "hello.txt").read_text() == "Hello\n"

    listed = json.loads(say("workflow", "list", "--json")[1])["runs"]
    run_id = listed[0]["runId"]
    assert run_id in say("workflow", "list")[1]
    assert "greet succeeded" in say("workflow", "status", run_id)[1]
    code, out, _ = say("workflow", "logs", run_id, "--step", "hello", "-n", "1")
    assert code == 0
    assert "Created hello.txt" in out
    answer = json.loads(say("workflow", "cancel", run_id, "--json")[1])
    assert answer["acknowledged"] is False


def test_a_plan_that_fails_exits_with_1_and_says_what_was_taken_back(say: Any, folder: Path) -> None:
    code, out, _ = say("workflow", "run", "bad.yaml")
    assert code == 1
    assert "read: The output is not as expected: 'text' does not contain \"Goodbye\"" in out
    assert "taken back: hello" in out
    assert not (folder / "hello.txt").exists()


def test_json_is_the_snapshot_alone_and_the_exit_code_is_the_same(say: Any) -> None:
    code, out, err = say("workflow", "run", "bad.yaml", "--json", "--correlation-id", "build-7")
    ended = json.loads(out)
    assert (code, err, ended["status"], ended["correlationId"]) == (1, "", "failed", "build-7")


def test_a_dry_run_prints_one_diff_and_writes_nothing(say: Any, folder: Path) -> None:
    code, out, _ = say("workflow", "run", "plan.yaml", "--dry-run")
    assert code == 0
    assert "created hello.txt" in out
    assert not (folder / "hello.txt").exists()


@pytest.mark.parametrize(
    ("content", "code", "said"),
    [
        (None, 2, "No such file"),
        ("id: [", 2, "cannot be read as a plan"),
        ("- 1", 1, 'is not of type "object"'),
        (
            "{id: x, steps: [{parallel: [{actionId: core.ping}, {id: two, actionId: core.ping, expect: {}}]}]}",
            1,
            "Step 'two': 'input.steps[0].parallel[1].expect'",
        ),
        (
            "{id: x, steps: [{parallel: [{actionId: core.ping}, {actionId: core.ping}]}, {actionId: 1}]}",
            1,
            "Step 'step-3': ",
        ),
        ("{id: x, steps: [{actionId: core.pong}]}", 1, "Step 'step-1': There is no tool 'core.pong'"),
    ],
)
def test_a_plan_that_cannot_be_carried_out_is_refused(
    content: str | None, code: int, said: str, say: Any, folder: Path
) -> None:
    if content is not None:
        (folder / "other.yaml").write_text(content)
    ended, out, err = say("workflow", "run", "other.yaml")
    assert ended == code
    assert said in out + err


def test_where_nobody_looks_it_says_what_a_run_waits_for_and_how_to_answer(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOX_POLICY_RULES_PATH", "careful")
    (folder / "old.txt").touch()
    (folder / "clean.yaml").write_text("{id: c, steps: [{id: d, actionId: delete_file, input: {path: old.txt}}]}")
    command = [sys.executable, "-m", "scenewright", "workflow", "run", "clean.yaml", "--json"]
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as running:
        assert running.stderr is not None
        said = running.stderr.readline()
        assert "waits for approval of step 'd'" in said
        words = shlex.split(said.split("`")[1])
        assert words.pop(0) == "scenewright"
        assert main(words) == 0
        out, _ = running.communicate(timeout=60)
    assert running.returncode == 0
    assert json.loads(out)["status"] == "succeeded"
    assert not (folder / "old.txt").exists()


def test_the_schema_can_be_had_for_an_editor(say: Any) -> None:
    code, out, _ = say("workflow", "schema")
    assert code == 0
    assert json.loads(out)["properties"]["steps"]["items"]["properties"]["parallel"]["items"]["type"] == "object"


def test_a_terminal_shows_a_bar(folder: Path) -> None:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "scenewright", "workflow", "run", "plan.yaml"]
    process = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=theirs, timeout=60, check=False)
    os.close(theirs)
    shown = os.read(ours, 65536).decode()
    os.close(ours)
    assert process.returncode == 0
    assert "greet" in shown
    assert "/2" in shown
