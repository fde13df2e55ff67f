"""The command line as a person or a script uses it: real processes, exit codes, both kinds of output."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from scenewright import __version__
from scenewright.core.projects.ownership import state_folder


def scenewright(*arguments: str, folder: Path, given: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "scenewright", *arguments],
        cwd=folder,
        env={**os.environ, **environment},
        input=given,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.fixture
def careful(monkeypatch: pytest.MonkeyPatch) -> None:
    """Asks before every deletion."""
    monkeypatch.setenv("GOX_POLICY_RULES_PATH", "careful")


def test_a_write_from_the_shell_shows_its_diff_and_how_to_undo_it(project: Path) -> None:
    (project / "project.godot").touch()
    written = scenewright("call", "write_file", '{"path": "a.txt", "content": "one\\n"}', folder=project)
    assert written.returncode == 0, written.stderr
    assert "+one" in written.stdout
    assert '"undo"' in written.stdout
    undone = scenewright("call", "history", '{"action": "undo", "entry": 1}', folder=project)
    assert undone.returncode == 0, undone.stderr
    assert not (project / "a.txt").exists()


def test_json_output_is_the_structured_result_alone(project: Path) -> None:
    done = scenewright("call", "core.ping", "--json", "--project", str(project), folder=project)
    reply = json.loads(done.stdout)
    assert set(reply) == {"runId", "output", "diff"}
    assert done.stderr == ""


def test_a_refused_call_exits_with_1_and_says_what_to_do(project: Path) -> None:
    failed = scenewright("call", "read_file", '{"path": "none.txt"}', "--project", str(project), folder=project)
    assert failed.returncode == 1
    assert "no file at 'none.txt'" in failed.stderr
    assert failed.stdout == ""


def test_a_refused_call_as_json_has_the_contracts_error(project: Path) -> None:
    failed = scenewright("call", "core.ping", '{"x": 1}', "--json", folder=project)
    assert failed.returncode == 1
    error = json.loads(failed.stdout)["error"]
    assert error["code"] == -32602
    assert error["data"]["validation_path"] == "input.x"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("call", "core.ping", "{"), "not valid JSON"),
        (("call", "core.ping", "[]"), "must be a JSON object"),
        (("call", "core.ping", "@none.json"), "none.json"),
        (("serve", "--http", "0.0.0.0:1"), "loopback"),
        (("serve", "--http", "127.0.0.1:99999"), "65535"),
        (("tools", "--project", "/does/not/exist"), "no folder"),
        (("audit", "verify"), "no audit log"),
        (("nonsense",), "invalid choice"),
        ((), "usage"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_wrong_usage_exits_with_2_and_says_why(project: Path, arguments: tuple[str, ...], said: str) -> None:
    failed = scenewright(*arguments, folder=project)
    assert failed.returncode == 2
    assert said in failed.stderr + failed.stdout
    assert "Traceback" not in failed.stderr


def test_a_bad_setting_in_the_environment_is_named(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCENEWRIGHT_RATE_LIMIT", "fast")
    failed = scenewright("call", "core.ping", folder=project)
    assert failed.returncode == 2
    assert "SCENEWRIGHT_RATE_LIMIT must be BURST/PER_SECOND" in failed.stderr


def test_arguments_come_from_a_file_or_from_standard_input(project: Path) -> None:
    (project / "arguments.json").write_text('{"path": "a.txt", "content": "x"}')
    there = ("--project", str(project), "--json")
    assert scenewright("call", "write_file", "@arguments.json", *there, folder=project).returncode == 0
    read = scenewright("call", "read_file", "-", *there, folder=project, given='{"path": "a.txt"}')
    assert json.loads(read.stdout)["result"]["text"] == "x"


def test_dry_run_and_yes_work_as_flags(project: Path, careful: None) -> None:
    (project / "a.txt").write_text("x")
    there = ("--project", str(project), "--json")
    refused = scenewright("call", "delete_file", '{"path": "a.txt"}', *there, folder=project)
    assert json.loads(refused.stdout)["error"]["code"] == "E_PERMISSION_DENIED"
    shown = scenewright("call", "delete_file", '{"path": "a.txt"}', "--dry-run", *there, folder=project)
    assert json.loads(shown.stdout)["execution"]["dryRun"] is True
    assert (project / "a.txt").exists()
    done = scenewright("call", "delete_file", '{"path": "a.txt"}', "--yes", *there, folder=project)
    assert done.returncode == 0
    assert not (project / "a.txt").exists()


def test_on_a_terminal_the_person_is_asked(project: Path, careful: None) -> None:
    (project / "a.txt").write_text("x")
    command = [
        sys.executable,
        "-m",
        "scenewright",
        "call",
        "delete_file",
        '{"path": "a.txt"}',
        "--project",
        str(project),
    ]
    ours, theirs = pty.openpty()
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, cwd=project) as process:
        os.close(theirs)
        seen = b""
        while b"[y/N]" not in seen:
            seen += os.read(ours, 4096)
        os.write(ours, b"y\n")
        assert process.wait(timeout=30) == 0
    os.close(ours)
    assert not (project / "a.txt").exists()


def test_a_look_at_a_folder_that_is_no_project_leaves_nothing_there(project: Path) -> None:
    assert scenewright("call", "project.workspace_stats", folder=project).returncode == 0
    assert list(project.iterdir()) == []
    refused = scenewright("call", "write_file", '{"path": "a", "content": ""}', folder=project, HOME=str(project))
    assert refused.returncode == 1
    assert "projectPath" in refused.stderr
    assert list(project.iterdir()) == []


def test_a_person_who_stands_in_a_plain_folder_works_on_it(project: Path) -> None:
    assert scenewright("call", "write_file", '{"path": "a", "content": ""}', folder=project).returncode == 0
    assert sorted(path.name for path in project.iterdir()) == [".scenewright", "a"]


def test_a_person_who_stands_in_a_folder_of_a_project_is_told_which(project: Path) -> None:
    (project / "project.godot").touch()
    (project / "scenes").mkdir()
    said = scenewright("call", "write_file", '{"path": "a", "content": ""}', folder=project / "scenes")
    assert said.returncode == 0
    assert f"Project: {project}" in said.stderr
    assert (project / "a").exists()


def test_tools_tells_the_size_of_the_listing_it_prints(project: Path) -> None:
    listing = scenewright("tools", "--json", folder=project).stdout
    tools = json.loads(listing)["tools"]
    table = scenewright("tools", folder=project).stdout
    assert f"{len(tools)} tools, {len(listing.rstrip().encode()):,} bytes" in table


def test_tools_prints_every_operation_as_a_definition(project: Path) -> None:
    definitions = json.loads(scenewright("tools", "--definitions", folder=project).stdout)
    assert {"core.ping", "history.undo"} <= {definition["id"] for definition in definitions}


def test_audit_verify_notices_tampering(project: Path) -> None:
    there = ("--project", str(project))
    for _ in range(3):
        scenewright("call", "core.ping", *there, folder=project)
    verified = scenewright("audit", "verify", *there, folder=project)
    assert verified.returncode == 0
    assert "3 records, intact" in verified.stdout
    log = state_folder(project) / "audit.log"
    log.write_bytes(log.read_bytes().replace(b'"ok":true', b'"ok":fals', 1))
    broken = scenewright("audit", "verify", "--json", *there, folder=project)
    assert broken.returncode == 1
    assert json.loads(broken.stdout)["intact"] is False


def test_audit_tail_shows_the_last_records(project: Path) -> None:
    there = ("--project", str(project))
    scenewright("call", "core.ping", *there, folder=project)
    scenewright("call", "read_file", '{"path": "none"}', *there, folder=project)
    records = scenewright("audit", "tail", "-n", "1", "--json", *there, folder=project).stdout.splitlines()
    assert [json.loads(record)["tool"] for record in records] == ["read_file"]
    assert "ERR  read_file" in scenewright("audit", "tail", *there, folder=project).stdout


def test_help_has_examples_and_version_is_the_packages(project: Path) -> None:
    for command in ("serve", "call", "tools", "audit", "demo", "completion"):
        assert "examples:" in scenewright(command, "--help", folder=project).stdout
    assert scenewright("--version", folder=project).stdout.strip() == f"scenewright {__version__}"


def test_bash_completes_commands_and_tool_names(project: Path) -> None:
    script = scenewright("completion", "bash", folder=project).stdout
    assert "scenewright" in script
    names = _complete("scenewright call hist", project)
    assert {"history", "history_undo"} <= names
    assert "serve" in _complete("scenewright se", project)


def _complete(line: str, folder: Path) -> set[str]:
    """What argcomplete answers a shell, which asks on file descriptor 8."""
    reading, writing = os.pipe()
    env = os.environ | {
        "_ARGCOMPLETE": "1",
        "_ARGCOMPLETE_IFS": "\n",
        "_ARGCOMPLETE_SHELL": "bash",
        "COMP_LINE": line,
        "COMP_POINT": str(len(line)),
    }
    command = f'exec 8>&{writing} 9>/dev/null; exec "{Path(sys.executable).parent}/scenewright"'
    subprocess.run(["bash", "-c", command], cwd=folder, env=env, pass_fds=[writing], timeout=60, check=False)
    os.close(writing)
    with os.fdopen(reading) as answer:
        return {word.strip() for word in answer.read().split("\n")}
