"""Text of a project that would steer the terminal of whoever reads it."""

from __future__ import annotations

import ast
import json
import logging
from pathlib import Path

import pytest

import scenewright
from scenewright.cli.main import main
from scenewright.core.text.control_characters import escape_controls
from scenewright.server.logs import log_to_stderr

ESCAPE, CSI, BACKWARDS = "\x1b", "\x9b", "\u202e"
HOSTILE = f"one{ESCAPE}[2J{ESCAPE}]0;title\x07 {CSI}31m two{BACKWARDS}three\tfour"
SHOWN = "one\\x1b[2J\\x1b]0;title\\x07 \\x9b31m two\\u202ethree\tfour"


def steering(text: str) -> set[str]:
    """What a terminal would act on, the colours of our own left out."""
    for colour in ("\x1b[1m", "\x1b[0m", "\x1b[32m", "\x1b[1;32m"):
        text = text.replace(colour, "")
    return {char for char in text if char in "\x1b\x9b\x07\x08\r\u202e\u2066"}


def test_tabs_and_newlines_stay_and_controls_show() -> None:
    assert escape_controls(HOSTILE + "\r\nnext\n") == SHOWN + "\nnext\n"
    assert escape_controls("äöü — 日本語 🎮\n\t…") == "äöü — 日本語 🎮\n\t…"


def test_a_diff_shows_escape_sequences_instead_of_obeying(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write = json.dumps({"path": "a.txt", "content": HOSTILE + "\n"})
    assert main(["call", "write_file", write, "--project", str(project)]) == 0
    printed = capsys.readouterr()
    assert not steering(printed.out + printed.err)
    assert SHOWN.partition("\t")[0] in printed.out


def test_what_is_read_is_shown_so_too(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "a.txt").write_text(HOSTILE, encoding="utf-8")
    assert main(["call", "read_file", '{"path": "a.txt"}', "--project", str(project)]) == 0
    assert not steering(capsys.readouterr().out)
    assert main(["call", "read_file", json.dumps({"path": HOSTILE}), "--project", str(project)]) == 1
    assert not steering(capsys.readouterr().err)


def test_json_means_what_it_meant(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "a.txt").write_text(HOSTILE, encoding="utf-8")
    assert main(["call", "read_file", '{"path": "a.txt"}', "--project", str(project), "--json"]) == 0
    printed = capsys.readouterr().out
    assert not steering(printed)
    assert json.loads(printed)["result"]["text"] == HOSTILE


def test_the_audit_log_is_shown_so_too(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["call", "read_file", json.dumps({"path": HOSTILE}), "--project", str(project)])
    capsys.readouterr()
    assert main(["audit", "tail", "--project", str(project)]) == 0
    printed = capsys.readouterr().out
    assert "read_file" in printed
    assert not steering(printed)


def test_log_lines_are_shown_so_too(capsys: pytest.CaptureFixture[str]) -> None:
    before = logging.root.handlers[:], logging.root.level
    try:
        log_to_stderr("info")
        logging.getLogger("scenewright").warning("said %s", HOSTILE)
    finally:
        logging.root.handlers[:], logging.root.level = before
    printed = capsys.readouterr().err
    assert not steering(printed)
    assert json.loads(printed)["message"] == f"said {HOSTILE}"


def test_commands_print_only_by_way_of_output() -> None:
    """`print` itself is for what is ours: a schema, shell code, lines of JSON."""
    folder = Path(scenewright.__file__).parent / "cli"
    printing = {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Name) and node.id == "print"
    }
    known = {"output.py", "terminal.py", "completion.py", "tools.py", "workflow.py", "demo/transcript.py"}
    assert printing <= known
