"""The command line as a person or a script uses it: real processes, exit codes, both kinds of output."""

from __future__ import annotations

import json
import os
import pty
import shlex
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
    take_back = written.stdout.partition("Take it back: scenewright ")[2].split()
    assert take_back == ["call", "history", "undo", "entry=1"]
    undone = scenewright(*take_back, folder=project)
    assert undone.returncode == 0, undone.stderr
    assert not (project / "a.txt").exists()


def test_a_call_is_typed_without_quotes_and_with_options_between(project: Path) -> None:
    (project / "main.tscn").write_text('[gd_scene format=3]\n\n[node name="Main" type="Node2D"]\n')
    moved = scenewright(
        *("call", "edit_node", "scenePath=main.tscn", "nodePath=.", "--project", str(project)),
        *("properties.position=[8,4]", "--json", "properties.visible=false"),
        folder=project,
    )
    assert moved.returncode == 0, moved.stderr
    assert (project / "main.tscn").read_text().endswith("visible = false\nposition = Vector2(8, 4)\n")
    stray = scenewright("call", "edit_node", "scenePath=main.tscn", "--json", "--colour", folder=project)
    assert (stray.returncode, "--colour" in stray.stderr) == (2, True)


def test_a_script_is_shown_as_text_and_a_scene_as_a_tree(project: Path) -> None:
    (project / "a.gd").write_text("extends Node\n\nvar a: int\n")
    nodes = '[node name="Main" type="Node2D"]\n\n[node name="Lamp" type="Node2D" parent="."]\n'
    (project / "main.tscn").write_text(f"[gd_scene format=3]\n\n{nodes}")
    script = scenewright("call", "read_file", "path=a.gd", folder=project, NO_COLOR="1").stdout
    assert "extends Node\n\nvar a: int\n" in script
    tree = scenewright("call", "get_node_tree", "scenePath=main.tscn", folder=project).stdout
    assert "  Main (Node2D)\n  └─ Lamp (Node2D)\n" in tree
    assert "\x1b" not in script + tree


def test_a_picture_is_saved_and_named(project: Path, user_home: Path) -> None:
    from PIL import Image

    Image.new("RGBA", (4, 4), "red").save(project / "dot.png")
    shown = scenewright("call", "inspect_image", "imagePath=dot.png", folder=project)
    assert shown.returncode == 0, shown.stderr
    saved = Path(shown.stdout.partition("Picture: ")[2].splitlines()[0])
    assert saved.is_relative_to(user_home)
    with Image.open(saved) as picture:
        assert picture.width >= 4


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


def test_a_refused_call_as_json_has_the_error_of_every_engine(project: Path) -> None:
    failed = scenewright("call", "core.ping", '{"x": 1}', "--json", folder=project)
    assert failed.returncode == 1
    error = json.loads(failed.stdout)["error"]
    assert error["code"] == "E_SCHEMA_VALIDATION"
    assert error["details"]["path"] == "input.x"


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


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("edit_node",), "scenewright call edit_node scenePath=main.tscn"),
        (("history",), "undo_to: Brings all files back"),
        (("history", "undo"), "entry (whole number)"),
    ],
)
def test_a_tool_is_shown_on_a_page_that_fits_the_terminal(project: Path, words: tuple[str, ...], said: str) -> None:
    page = scenewright("tools", *words, folder=project, COLUMNS="80").stdout
    assert said in page
    assert all(len(line) <= 80 for line in page.splitlines() if "scenewright call" not in line)


def test_every_tool_has_a_page_whose_examples_are_its_own(project: Path) -> None:
    from scenewright.app import catalogues
    from scenewright.cli.arguments import read_arguments
    from scenewright.cli.tool_page import operation_page
    from scenewright.core.operations.registry import build_registry

    registry = build_registry(catalogues(), verified=True)
    for operation in registry.operations.values():
        page = operation_page(operation, registry, width=80)
        typed = [shlex.split(line) for line in page if line.startswith("  scenewright call") and "@arg" not in line]
        known = [example.input for example in operation.examples]
        for _, _, name, *words in typed:
            assert registry.named(name) is operation
            assert read_arguments([w for w in words if w != "--yes"], operation.input_schema) in known, name


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
