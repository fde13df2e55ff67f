"""Settings in files: the user's own stands for variables that are not set; a project's may only restrict."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller, MakeCaller
from tests.support.gdscript_runner import make_project

import scenewright
from scenewright.cli.main import main
from scenewright.core.config import Config
from scenewright.core.operations.tiers import Tier
from scenewright.core.projects.restrictions import Restrictions
from scenewright.core.settings import FILE, SETTINGS, SettingsError, apply_settings, settings_file

DOCS = Path(__file__).parents[2] / "docs" / "settings.md"


def applied(place: Path, text: str, **env: str) -> dict[str, str]:
    place.write_text(text)
    variables = {"SCENEWRIGHT_SETTINGS": str(place), **env}
    apply_settings(variables)
    return variables


def test_the_users_file_stands_for_what_is_not_set(tmp_path: Path) -> None:
    text = 'read_only = true\ntier = "core"\naction_timeout_seconds = 7\ngodot = "/opt/godot"\n'
    env = applied(tmp_path / FILE, text, SCENEWRIGHT_TIER="tier2", SCENEWRIGHT_ACTION_TIMEOUT_SECONDS="9")
    config = Config.from_environment(env)
    assert (config.read_only, config.tier, config.action_timeout) == (True, Tier.TIER2, 9.0)
    assert env["GODOT_PATH"] == "/opt/godot"


def test_roots_are_a_list(tmp_path: Path) -> None:
    env = applied(tmp_path / FILE, f'roots = ["{tmp_path}", "{tmp_path}"]\n')
    assert Config.from_environment(env).roots == (tmp_path, tmp_path)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("read_onyl = true", "there is no setting 'read_onyl'"),
        ("read_only = ", "is no TOML"),
        ("read_only = 1.5", "'read_only' must be"),
        ("roots = [1]", "'roots' must be"),
        ("#" * 70_000, "longer than"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(SettingsError, match=re.escape(said)):
        applied(tmp_path / FILE, text)


def test_a_command_says_what_is_wrong_with_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / FILE).write_text("wrong = 1\n")
    monkeypatch.setenv("SCENEWRIGHT_SETTINGS", str(tmp_path / FILE))
    assert main(["tools", "ping"]) == 2
    assert "there is no setting 'wrong'" in capsys.readouterr().err


def test_every_setting_goes_by_one_prefix_and_is_documented() -> None:
    text = DOCS.read_text(encoding="utf-8")
    assert len({setting.key for setting in SETTINGS}) == len(SETTINGS)
    for setting in SETTINGS:
        assert f"`{setting.key}`" in text
        assert f"`{setting.variable}`" in text


def test_without_a_name_the_platforms_place_is_used(tmp_path: Path) -> None:
    if os.name == "posix":
        assert settings_file({"XDG_CONFIG_HOME": str(tmp_path)}).name == FILE


@pytest.fixture
def game(project: Path) -> Path:
    make_project(project, {"main.tscn": '[gd_scene format=3]\n\n[node name="Main" type="Node2D"]\n'})
    return project


async def refusal(caller: Caller, tool: str, **arguments: Any) -> str:
    structured = (await caller.reply(tool, arguments)).structured
    assert structured is not None
    assert not structured["ok"]
    return str(structured["error"])


@pytest.mark.anyio
async def test_a_projects_file_forbids_writing(game: Path, caller: Caller) -> None:
    add = {"scenePath": "main.tscn", "nodeType": "Node", "nodeName": "A"}
    (game / FILE).write_text("read_only = true\n")
    before = (game / "main.tscn").read_bytes()
    assert "scenewright.toml of the project forbids it" in await refusal(caller, "add_node", **add)
    batch = {"operations": [{"tool": "add_node", "args": add}]}
    assert "forbids it" in str((await caller.reply("batch_operations", batch)).structured)
    assert (game / "main.tscn").read_bytes() == before
    assert (await caller.result("get_node_tree", scenePath="main.tscn"))["scenePath"] == "res://main.tscn"
    (game / FILE).unlink()
    await caller.result("add_node", **add)


@pytest.mark.anyio
async def test_a_projects_file_forbids_running_where_writing_is_allowed(game: Path, make_caller: MakeCaller) -> None:
    (game / FILE).write_text("allow_run = false\n")
    for settings in ({}, {"read_only": True, "allow_run": True}):
        caller = make_caller(**settings)
        for tool in ("probe_scene", "play_begin", "validate_scene"):
            assert "forbids it" in await refusal(caller, tool, scenePath="main.tscn"), tool
    written = await make_caller().reply("write_script", {"scriptPath": "a.gd", "content": "extends Node\n"})
    assert written.structured is not None
    assert written.structured["ok"], written.structured
    assert "Not compiled" in str(written.structured)


@pytest.mark.anyio
async def test_a_projects_file_loosens_nothing(game: Path, make_caller: MakeCaller) -> None:
    (game / FILE).write_text('read_only = false\nallow_run = true\ntier = "tier4"\nallow_external = true\n')
    caller = make_caller(read_only=True, tier=Tier.CORE)
    reply = await caller.reply("get_node_tree", {"scenePath": "main.tscn"})
    assert "may only restrict; ignored: allow_external, allow_run, read_only" in str(reply.structured)
    config = Restrictions(game).applied_to(caller.runtime.config)
    assert (config.read_only, config.may_run, config.allow_external) == (True, False, False)
    assert config.tier is Tier.CORE


@pytest.mark.anyio
async def test_a_file_that_cannot_be_read_forbids_all(game: Path, caller: Caller) -> None:
    (game / FILE).write_text("read_only = maybe\n")
    add = {"scenePath": "main.tscn", "nodeType": "Node", "nodeName": "A"}
    assert "forbids it" in await refusal(caller, "add_node", **add)


def test_no_operation_asks_the_server_what_the_project_may_forbid() -> None:
    source = Path(scenewright.__file__).parent
    asking = re.compile(r"pass_external\([^\n]*runtime\.config\)|call\.runtime\.config\.(?:allow_\w+|may_run)\b")
    known = {"core/policy/execution.py"}  # which asks both, to say whose word it was
    found = {file.relative_to(source).as_posix() for file in source.rglob("*.py") if asking.search(file.read_text())}
    assert found - known == set()


@pytest.mark.anyio
async def test_what_a_project_forbids_holds_in_those_that_lie_in_it(game: Path, caller: Caller) -> None:
    (game / FILE).write_text("read_only = true\n")
    inner = make_project(game / "inner", {"a.tscn": '[gd_scene format=3]\n\n[node name="A" type="Node"]\n'})
    add = {"scenePath": "a.tscn", "nodeType": "Node", "nodeName": "B", "projectPath": str(inner)}
    before = (inner / "a.tscn").read_bytes()
    assert "forbids it" in await refusal(caller, "add_node", **add)
    assert (inner / "a.tscn").read_bytes() == before


@pytest.mark.anyio
@pytest.mark.skipif(os.name == "nt", reason="Windows has no such files")
@pytest.mark.parametrize("kind", ["pipe", "folder", "link to nothing"])
async def test_what_is_no_file_neither_hangs_nor_loosens(game: Path, caller: Caller, kind: str) -> None:
    place = game / FILE
    if kind == "pipe":
        os.mkfifo(place)
    elif kind == "folder":
        place.mkdir()
    else:
        place.symlink_to(game / "gone")
    add = {"scenePath": "main.tscn", "nodeType": "Node", "nodeName": "A"}
    if kind == "link to nothing":
        await caller.result("add_node", **add)
    else:
        assert "forbids it" in await refusal(caller, "add_node", **add)


@pytest.mark.anyio
async def test_the_projects_file_is_a_persons_to_change(game: Path, caller: Caller) -> None:
    (game / FILE).write_text("tier = 'tier1'\n")
    for tool, arguments in (
        ("write_file", {"path": FILE, "content": "", "overwrite": True}),
        ("delete_file", {"path": FILE}),
    ):
        assert (await caller.reply(tool, arguments)).is_error
        assert (game / FILE).read_text() == "tier = 'tier1'\n"
