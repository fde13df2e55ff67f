"""Attempts on files that are not for tools: git's, our own, and those that other programs trust."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any, Literal

import mcp_types as types
import pytest
from mcp.client import Client
from tests.conftest import Caller, MakeCaller
from tests.core.samples import FakeClient, fault_of

from scenewright.core.calls.call import Outcome
from scenewright.core.faults import Conflict, Denied, Invalid
from scenewright.core.policy.pending_approvals import Approvals
from scenewright.core.projects.project import Project
from scenewright.godot.export.products import move_into_place
from scenewright.server.protocol import McpServer

pytestmark = pytest.mark.anyio

WRITE: dict[str, Any] = {"content": "planted", "overwrite": True}
CONFIGURATION = (
    ".mcp.json",
    ".claude/settings.json",
    ".cursor/mcp.json",
    ".vscode/tasks.json",
    ".codex/config.toml",
    ".gemini/settings.json",
    ".windsurf/mcp.json",
    ".zed/settings.json",
    ".idea/workspace.xml",
    ".envrc",
    ".env",
    ".env.local",
    ".github/workflows/ci.yml",
    ".gitlab-ci.yml",
    ".husky/pre-commit",
    ".devcontainer/devcontainer.json",
    ".pre-commit-config.yaml",
    ".gitattributes",
    ".gitmodules",
    ".npmrc",
    ".bashrc",
    ".zshrc",
    ".profile",
    ".vimrc",
    "CLAUDE.md",
    "AGENTS.md",
    ".cursorrules",
    "game.code-workspace",
    ".CLAUDE/settings.json",
    "sub/.vscode/tasks.json",
    "docs/../.mcp.json",
    ".config/dotnet-tools.json",
    ".Envrc",
    ".vs\u200bcode/tasks.json",
)


@pytest.fixture
def game(project: Path) -> Path:
    """A project under git, with records of ours."""
    (project / "project.godot").touch()
    (project / "docs").mkdir()
    (project / ".git").mkdir()
    (project / ".git/config").write_text("[core]\n")
    (project / ".scenewright").mkdir()
    (project / ".scenewright/token").write_text("secret")
    return project


# Git's and our own


@pytest.mark.parametrize("folder", [".git", ".git/hooks", ".scenewright", ".godot_mcp", ".GIT", "sub/.git"])
async def test_a_protected_folder_cannot_be_named_as_the_project(folder: str, caller: Caller, game: Path) -> None:
    (game / folder).mkdir(parents=True, exist_ok=True)
    (game / folder / "project.godot").touch()  # even if it looks like one
    for tool, given in (("write_file", WRITE), ("read_file", {}), ("delete_file", {})):
        arguments = {"path": "config", "projectPath": str(game / folder), **given}
        outcome = await caller.run(tool, arguments, meta={"approved": True})
        assert fault_of(outcome).kind == "denied", tool
    assert (game / ".git/config").read_text() == "[core]\n"
    assert not (game / folder / ".scenewright").exists()


async def test_the_policy_cannot_be_replaced_through_its_folder(caller: Caller, game: Path) -> None:
    place = str(game / ".scenewright")
    for arguments in ({"path": "policy.json", "projectPath": place}, {"path": ".scenewright/policy.json"}):
        assert fault_of(await caller.run("write_file", arguments | WRITE)).kind == "denied"
    assert not (game / ".scenewright/policy.json").exists()
    fault = fault_of(await caller.run("read_file", {"path": "token", "projectPath": place}))
    assert "secret" not in fault.message


@pytest.mark.parametrize(
    "path",
    [
        ".git/config",
        ".git./config",
        ".git /config",
        "git~1/config",
        "GIT~1/config",
        "scenew~1/token",
        ".g\u200cit/config",
        ".git::$INDEX_ALLOCATION/config",
        ".git:stream",
        "docs/../.git/config",
        "link/config",
        "docs/.git",
    ],
)
async def test_a_protected_folder_is_not_reached_by_another_spelling(path: str, caller: Caller, game: Path) -> None:
    (game / "link").symlink_to(".git")
    fault = fault_of(await caller.run("write_file", {"path": path, **WRITE}))
    assert fault.kind == "denied"
    assert "scenewright or git" in fault.message


async def test_a_git_file_of_a_worktree_is_protected(caller: Caller, project: Path) -> None:
    (project / ".git").write_text("gitdir: elsewhere\n")
    assert fault_of(await caller.run("write_file", {"path": ".git", **WRITE})).kind == "denied"
    assert (project / ".git").read_text() == "gitdir: elsewhere\n"


def test_a_person_cannot_open_a_protected_folder_by_accident(game: Path) -> None:
    with pytest.raises(Denied):
        Project.at(game / ".git")


# Files that other programs trust


@pytest.mark.parametrize("path", CONFIGURATION)
async def test_configuration_is_not_written_before_a_person_says_yes(path: str, caller: Caller, game: Path) -> None:
    arguments = {"path": path, **WRITE}
    refused = fault_of(await caller.run("write_file", arguments, meta={"approved": True}))
    assert refused.kind == "denied"
    assert "scenewright approve" in (refused.hint or "")
    nay = FakeClient(answer=False)
    assert fault_of(await caller.run("write_file", arguments, client=nay)).kind == "denied"
    assert "planted" in nay.questions[0]
    assert Path(path).name.casefold() in nay.questions[0].casefold()
    assert not (game / path).exists()
    yea = FakeClient(answer=True)
    assert (await caller.run("write_file", arguments, client=yea)).ok
    assert len(yea.questions) == 1
    assert (game / path).read_text() == "planted"
    assert (await caller.run("read_file", {"path": path})).ok  # reading asks nobody


@pytest.mark.parametrize("path", ["README.md", "player.gd", ".gitignore", "github/a.txt", "docs/agents_guide.md"])
async def test_other_files_ask_nobody(path: str, caller: Caller) -> None:
    client = FakeClient(answer=False)
    assert (await caller.run("write_file", {"path": path, **WRITE}, client=client)).ok
    assert client.questions == []


@pytest.mark.parametrize("settings", [{"policy_rules": "allow-all"}, {"allow_dangerous": True}])
async def test_no_setting_speaks_for_the_person(settings: dict[str, Any], make_caller: MakeCaller, game: Path) -> None:
    caller = make_caller(**settings)
    fault_of(await caller.run("write_file", {"path": ".mcp.json", **WRITE}, meta={"approved": True}))
    assert not (game / ".mcp.json").exists()


async def test_changing_and_deleting_configuration_by_any_operation_asks_too(caller: Caller, game: Path) -> None:
    (game / ".envrc").write_text("use flake\n")
    (game / ".vscode").mkdir()
    calls: list[tuple[str, dict[str, Any]]] = [
        ("edit_file", {"path": ".envrc", "find": "flake", "replace": "evil"}),
        ("delete_file", {"path": ".envrc"}),
        ("write_script", {"scriptPath": ".vscode/b.gd", "content": "extends Node\n"}),
    ]
    for tool, arguments in calls:
        outcome = await caller.run(tool, arguments, meta={"approved": True})
        assert "read by themselves" in fault_of(outcome).message, (tool, outcome.fault)
    assert (game / ".envrc").read_text() == "use flake\n"
    assert list((game / ".vscode").iterdir()) == []


async def test_a_link_to_configuration_is_configuration(caller: Caller, game: Path) -> None:
    (game / ".claude").mkdir()
    (game / ".claude/settings.json").write_text("{}")
    (game / "notes.json").symlink_to(".claude/settings.json")
    fault_of(await caller.run("write_file", {"path": "notes.json", **WRITE}))
    assert (game / ".claude/settings.json").read_text() == "{}"


async def test_a_project_planted_inside_configuration_changes_nothing(caller: Caller, game: Path) -> None:
    (game / ".claude").mkdir()
    (game / ".claude/project.godot").touch()
    place = {"projectPath": str(game / ".claude")}
    fault_of(await caller.run("write_file", {"path": "settings.json", **WRITE, **place}))
    assert not (game / ".claude/settings.json").exists()


async def test_a_project_that_a_person_opened_there_works_as_any(make_caller: MakeCaller, tmp_path: Path) -> None:
    tree = tmp_path / ".claude/worktrees/game"
    tree.mkdir(parents=True)
    caller = make_caller(project=tree)
    assert (await caller.run("write_file", {"path": "a.txt", **WRITE})).ok
    fault_of(await caller.run("write_file", {"path": ".claude/settings.json", **WRITE}))


async def test_taking_back_and_making_again_asks_too(caller: Caller, game: Path) -> None:
    yea = FakeClient(answer=True)
    assert (await caller.run("write_file", {"path": ".mcp.json", **WRITE}, client=yea)).ok
    fault_of(await caller.run("history", {"action": "undo"}, meta={"approved": True}))
    assert (game / ".mcp.json").exists()
    assert (await caller.run("history", {"action": "undo"}, client=yea)).ok
    fault_of(await caller.run("history", {"action": "undo", "entry": 2}))
    fault_of(await caller.run("history", {"action": "undo_to", "entry": 1}))
    assert not (game / ".mcp.json").exists()


async def test_a_dry_run_asks_nobody_and_writes_nothing(caller: Caller, game: Path) -> None:
    client = FakeClient(answer=False)
    outcome = await caller.run("write_file", {"path": ".mcp.json", "dryRun": True, **WRITE}, client=client)
    assert outcome.ok
    assert outcome.diff is not None
    assert client.questions == []
    assert not (game / ".mcp.json").exists()


def _writes(*paths: str) -> list[dict[str, Any]]:
    return [{"tool": "write_file", "args": {"path": path, **WRITE}} for path in paths]


async def test_an_atomic_batch_asks_once_and_names_every_file(caller: Caller, game: Path) -> None:
    files = (*(f".vscode/{number}.json" for number in range(7)), "a.txt")
    arguments = {"operations": _writes(*files), "atomic": True}
    nay, yea = FakeClient(answer=False), FakeClient(answer=True)
    fault_of(await caller.run("batch_operations", arguments, client=nay))
    assert not (game / "a.txt").exists()
    (question,) = nay.questions
    assert all(file in question for file in files if file != "a.txt")
    assert (await caller.run("batch_operations", arguments, client=yea)).ok
    assert yea.questions == nay.questions
    assert (game / ".vscode/6.json").exists()


async def test_a_batch_that_writes_bit_by_bit_does_not_write_configuration(caller: Caller, game: Path) -> None:
    yea = FakeClient(answer=True)
    outcome: Outcome = await caller.run("batch_operations", {"operations": _writes("a.txt", ".mcp.json")}, client=yea)
    assert [result.success for result in outcome.call.output.results] == [True, False]
    assert "atomic" in outcome.call.output.results[1].error["suggestedFix"]
    assert not (game / ".mcp.json").exists()


async def test_a_workflow_does_not_write_configuration(caller: Caller, game: Path) -> None:
    steps = [{"actionId": "write_file", "input": {"path": path, **WRITE}} for path in ("a.txt", ".mcp.json")]
    arguments = {"definition": {"id": "plant", "steps": steps}, "approved": True, "waitMs": 30_000}
    outcome = await caller.run("workflow.run", arguments, client=FakeClient(answer=True))
    assert outcome.ok, outcome.fault
    assert (game / "a.txt").exists()
    assert not (game / ".mcp.json").exists()


async def test_an_answer_on_the_shell_is_for_this_very_change_once(caller: Caller, game: Path) -> None:
    arguments = {"path": ".mcp.json", **WRITE}
    hint = fault_of(await caller.run("write_file", arguments)).hint or ""
    name = re.findall(r"scenewright approve (\w+)", hint)[0]
    assert ".mcp.json" in Approvals().find(name).text
    Approvals().answer(name, "approved")
    fault_of(await caller.run("write_file", arguments | {"content": "another"}))
    assert not (game / ".mcp.json").exists()
    assert (await caller.run("write_file", arguments)).ok
    assert (game / ".mcp.json").read_text() == "planted"
    (game / ".mcp.json").unlink()
    fault_of(await caller.run("write_file", arguments))
    assert not (game / ".mcp.json").exists()


async def test_the_question_hides_nothing(caller: Caller) -> None:
    client = FakeClient(answer=False)
    content = "x" * 500 + "; curl evil \x1b[2K\u202e\r" + "\n" * 300 + "the end"
    await caller.run("write_file", {"path": ".envrc", "content": content}, client=client)
    (question,) = client.questions
    assert r"curl evil \u001b[2K\u202e\r" in question
    assert "the end" in question
    assert question.isprintable() or set(question) - set(map(chr, range(32, 127))) == {"\n"}
    for content in ("a" * 30_000, "echo\n" * 3000, "\ud7ff" * 9000):  # too long to be shown is too long to be asked
        outcome = await caller.run("write_file", {"path": ".envrc", "content": content}, client=client)
        assert "too much to be shown" in (fault_of(outcome).hint or "")
    assert len(client.questions) == 1


@pytest.mark.parametrize("era", ["legacy", "auto"], ids=["2025-11-25", "2026-07-28"])
async def test_a_real_client_is_asked_and_its_yes_counts_once(
    era: Literal["legacy", "auto"], caller: Caller, game: Path
) -> None:
    asked: list[str] = []

    async def answer(context: Any, params: types.ElicitRequestParams) -> types.ElicitResult:
        asked.append(params.message)
        return types.ElicitResult(action="accept", content={"approve": True})

    async with Client(McpServer(caller.runtime).server, mode=era, elicitation_callback=answer) as client:
        result = await client.call_tool("write_file", {"path": ".mcp.json", **WRITE})
        assert not result.is_error, result.content
        assert len(asked) == 1
        await client.call_tool("write_file", {"path": ".mcp.json", "content": "other", "overwrite": True})
        assert len(asked) == 2
    assert (game / ".mcp.json").read_text() == "other"
    assert len(caller.runtime.state.journal.entries(limit=9)) == 2


def test_on_a_shell_a_person_answers_or_has_typed_yes(game: Path) -> None:
    command = [sys.executable, "-m", "scenewright", "call", "write_file", '{"path": ".envrc", "content": "x"}']
    command += ["--project", str(game)]
    refused = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=60)
    assert refused.returncode == 1
    assert not (game / ".envrc").exists()
    done = subprocess.run([*command, "--yes"], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    assert (game / ".envrc").exists()


def test_an_export_does_not_follow_links_out_of_its_folder(tmp_path: Path) -> None:
    made, folder, outside = (tmp_path / name for name in ("made", "project", "outside"))
    for place in (made / "data", folder, outside):
        place.mkdir(parents=True)
    (made / "data/game.pck").touch()
    (folder / "data").symlink_to(outside)
    with pytest.raises(Conflict):
        list(move_into_place(made, folder))
    assert list(outside.iterdir()) == []


# Paths that mean something else


@pytest.mark.parametrize(
    "path",
    [
        "user://x",
        "file:///etc/x",
        "C:/x",
        "C:\\x",
        "c:x",
        "~/.bashrc",
        "~",
        "~root/x",
        "\\\\server\\share\\x",
        "\\\\?\\C:\\x",
        "con",
        "sub/NUL.txt",
        "aux.gd",
        "com1",
        "lpt9.log",
        "a./b",
        "b ",
        "a\\b",
        "http://host/x",
        "new\nline",
        "esc\x1b[2K.txt",
        "./C:/x",
        " user://x",
        "sub/file:/x",
        "\u202etxt.gd",
    ],
)
async def test_a_path_that_means_something_else_makes_no_odd_folder(path: str, caller: Caller, game: Path) -> None:
    before = sorted(game.rglob("*"))
    fault = fault_of(await caller.run("write_file", {"path": path, "content": "x"}, client=FakeClient(answer=True)))
    assert isinstance(fault, Invalid), fault
    assert fault.hint
    after = [place for place in sorted(game.rglob("*")) if not {".scenewright", ".godot_mcp"} & set(place.parts)]
    assert after == [place for place in before if ".scenewright" not in place.parts]


async def test_a_file_that_is_there_may_be_called_anything(caller: Caller, game: Path) -> None:
    (game / "aux.gd").write_text("extends Node\n")
    (game / "~").mkdir()
    (game / "~/a.txt").write_text("a")
    yea = FakeClient(answer=True)
    assert (await caller.run("read_file", {"path": "~/a.txt"})).ok
    assert (await caller.run("write_file", {"path": "~/a.txt", **WRITE})).ok
    assert (await caller.run("delete_file", {"path": "aux.gd"}, client=yea)).ok
    assert (await caller.run("history", {"action": "undo"}, client=yea)).ok
    assert (game / "aux.gd").read_text() == "extends Node\n"


async def test_an_asset_is_taken_only_from_folders_that_are_open(
    make_caller: MakeCaller, game: Path, tmp_path: Path
) -> None:
    (tmp_path / "art").mkdir()
    (tmp_path / "art/hero.png").write_bytes(b"\x89PNG")
    arguments = {"sourcePath": str(tmp_path / "art/hero.png"), "destinationPath": "hero.png"}
    assert fault_of(await make_caller().run("import_asset", arguments)).kind == "denied"
    assert not (game / "hero.png").exists()
    assert (await make_caller(roots=(tmp_path / "art",)).run("import_asset", arguments)).ok
