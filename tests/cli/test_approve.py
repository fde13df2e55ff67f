"""`scenewright approve`: a person sees all that a call is about, and what they say counts for it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from scenewright.cli.main import main

NAMES = [f"{number}.txt" for number in range(8)]
BATCH = {"operations": [{"tool": "delete_file", "args": {"path": name}} for name in NAMES], "atomic": True}


@pytest.fixture
def folder(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(project)
    monkeypatch.setenv("SCENEWRIGHT_HOME", str(project.parent / "mine"))
    monkeypatch.setenv("GOX_POLICY_RULES_PATH", "careful")
    for name in NAMES:
        (project / name).write_text(f"text of {name}\n\x1b[31mred\n")
    return project


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str]) -> Any:
    def run(*words: str) -> tuple[int, str, str]:
        code = main(words)
        said = capsys.readouterr()
        return code, said.out, said.err

    return run


def refuse(say: Any, folder: Path) -> str:
    code, out, _ = say("call", "batch_operations", json.dumps(BATCH), "--json", "--project", str(folder))
    assert code == 1
    found = re.search(r"scenewright approve (\w+)", json.loads(out)["error"]["suggestedFix"])
    assert found is not None
    return found[1]


def test_what_waits_is_shown_whole_and_then_goes_through(say: Any, folder: Path) -> None:
    name = refuse(say, folder)
    code, out, _ = say("approve")
    assert (code, name in out) == (0, True)
    assert all(f'"path": "{each}"' in out for each in NAMES)
    code, out, _ = say("approve", name, "--yes")
    assert code == 0
    assert all(f"-text of {each}" in out for each in NAMES)  # the diff of a dry run
    assert "\x1b" not in out
    assert all((folder / each).exists() for each in NAMES)
    assert say("call", "batch_operations", json.dumps(BATCH), "--project", str(folder))[0] == 0
    assert not any((folder / each).exists() for each in NAMES)
    assert say("approve", name, "--yes")[0] == 2


def test_it_can_be_rejected(say: Any, folder: Path) -> None:
    name = refuse(say, folder)
    assert "Rejected" in say("approve", "--reject", name)[1]
    code, out, _ = say("call", "batch_operations", json.dumps(BATCH), "--json", "--project", str(folder))
    assert (code, json.loads(out)["error"]["message"]) == (1, "A person rejected this call.")
    assert all((folder / each).exists() for each in NAMES)


def test_programs_get_json(say: Any, folder: Path, tmp_path: Path) -> None:
    name = refuse(say, folder)
    (listed,) = json.loads(say("approve", "--list", "--json")[1])["approvals"]
    assert (listed["id"], listed["project"], listed["verdict"]) == (name, str(folder.resolve()), None)
    assert listed["preview"]["arguments"] == BATCH
    assert json.loads(say("approve", "--json", "--project", str(tmp_path))[1]) == {"approvals": []}
    assert json.loads(say("approve", name, "--yes", "--json")[1])["verdict"] == "approved"


def test_without_a_terminal_nobody_is_taken_to_have_said_yes(
    say: Any, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = refuse(say, folder)
    monkeypatch.setattr("sys.stdin.isatty", lambda: False, raising=False)
    code, _, err = say("approve", name)
    assert (code, "--yes" in err) == (2, True)
    assert say("approve", name, "--reject", name)[0] == 2
    assert json.loads(say("approve", "--json")[1])["approvals"][0]["verdict"] is None
