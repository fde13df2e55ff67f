"""Each client's file gets our entry in its own form, and is put back byte for byte."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from scenewright.setup.changes import write_change
from scenewright.setup.clients import CLIENTS, Client, Machine, client_named
from scenewright.setup.entries import own_command, projects_in, spoken_command
from scenewright.setup.json_text import TextProblem, member, parse_json
from scenewright.setup.records import open_records
from scenewright.setup.steps import carry_out, plan_for, take_back

COMMAND = ("/opt/my tools/scenewright",)
WRITTEN = [client for client in CLIENTS if client.sure and not client.program]
JSON = '// mine\n{\n\t"theme": "dark", // keep\n\t"KEYS": {"other": {"command": "npx"}},\n}\n'
TOML = '# mine\nmodel = "x"\n\n[mcp_servers.other]\ncommand = "npx" # keep\n'


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SCENEWRIGHT_HOME", str(tmp_path / "own"))
    home = tmp_path / "Zoë home"
    home.mkdir()
    return home


@pytest.fixture
def project(tmp_path: Path) -> Path:
    project = tmp_path / "Spiel für zwei"
    project.mkdir()
    return project


def machine_of(home: Path, platform: str = "linux", **environment: str) -> Machine:
    return Machine(home=home, environment=environment, platform=platform)


def installed(client: Client, machine: Machine, text: str | None = None) -> Path:
    """Make the folder of a client, with a file in it where a text is given."""
    file = next(iter(client.places(machine)))
    file.parent.mkdir(parents=True, exist_ok=True)
    if text is not None:
        file.write_bytes(text.replace("KEYS", client.keys[0]).encode())
    return file


def read(client: Client, file: Path) -> Any:
    text = file.read_text(encoding="utf-8")
    value = tomllib.loads(text) if client.format == "toml" else parse_json(text)
    return member(value, (*client.keys, "scenewright"))


@pytest.mark.parametrize("client", WRITTEN, ids=lambda client: client.name)
@pytest.mark.parametrize("there", [True, False], ids=["with a file", "without one"])
def test_the_entry_is_written_and_taken_back_byte_for_byte(
    client: Client, there: bool, home: Path, project: Path
) -> None:
    machine = machine_of(home)
    text = (TOML if client.format == "toml" else JSON) if there else None
    file = installed(client, machine, text)
    before = file.read_bytes() if there else None
    plan = plan_for(client, machine, project, COMMAND)
    assert plan.problem == ""
    with open_records() as records:
        carry_out(plan, project, records)
    entry = read(client, file)
    assert projects_in(entry) == [project]
    assert COMMAND[0] in (entry["command"], *entry["command"])
    if there:
        kept = [line for line in file.read_text(encoding="utf-8").splitlines() if "mine" in line or "keep" in line]
        assert len(kept) == 2
    assert plan_for(client, machine, project, COMMAND).is_done
    with open_records() as records:
        (record,) = records.files
        take_back(record)
    assert (file.read_bytes() if file.exists() else None) == before


def test_a_second_project_joins_the_first_and_one_step_takes_both_back(home: Path, project: Path) -> None:
    client, machine = _cursor(), machine_of(home)
    file = installed(client, machine, JSON)
    before, second = file.read_bytes(), project.parent / "second"
    second.mkdir()
    for each in (project, second):
        with open_records() as records:
            carry_out(plan_for(client, machine, each, COMMAND), each, records)
    assert projects_in(read(client, file)) == [second, project]
    with open_records() as records:
        (record,) = records.files
        take_back(record)
    assert file.read_bytes() == before


def test_what_others_changed_since_stays(home: Path, project: Path) -> None:
    client, machine = _cursor(), machine_of(home)
    file = installed(client, machine, JSON)
    with open_records() as records:
        carry_out(plan_for(client, machine, project, COMMAND), project, records)
    file.write_text(file.read_text(encoding="utf-8").replace('"dark"', '"light"'), encoding="utf-8")
    with open_records() as records:
        said = take_back(records.files[0])
    assert "changed since" in said
    text = file.read_text(encoding="utf-8")
    assert ('"light", // keep' in text, "scenewright" in text, '"other"' in text) == (True, False, True)


def test_the_object_that_came_with_the_entry_goes_with_it(home: Path, project: Path) -> None:
    file = installed(_cursor(), machine_of(home), '{\n  "a": 1\n}\n')
    with open_records() as records:
        carry_out(plan_for(_cursor(), machine_of(home), project, COMMAND), project, records)
    file.write_text(file.read_text(encoding="utf-8").replace('"a": 1', '"a": 2'), encoding="utf-8")
    with open_records() as records:
        take_back(records.files[0])
    assert file.read_text() == '{\n  "a": 2\n}\n'


def test_an_entry_that_was_there_before_comes_back_also_after_a_change(home: Path, project: Path) -> None:
    mine = {"command": "/mine", "args": ["serve"]}
    file = installed(_cursor(), machine_of(home), json.dumps({"mcpServers": {"scenewright": mine}, "a": 1}))
    with open_records() as records:
        carry_out(plan_for(_cursor(), machine_of(home), project, COMMAND), project, records)
    file.write_text(file.read_text(encoding="utf-8").replace('"a": 1', '"a": 2'), encoding="utf-8")
    with open_records() as records:
        take_back(records.files[0])
    assert json.loads(file.read_text()) == {"mcpServers": {"scenewright": mine}, "a": 2}


def test_an_entry_keeps_what_a_person_added_and_loses_another_transport(home: Path, project: Path) -> None:
    client, machine = _cursor(), machine_of(home)
    old: dict[str, Any] = {
        "url": "http://127.0.0.1:1",
        "headers": {},
        "type": "http",
        "env": {"A": "1"},
        "autoApprove": ["x"],
    }
    old["args"] = ["serve", "--read-only", "--project", "/gone", "--toolset", "full"]
    file = installed(client, machine, json.dumps({"mcpServers": {"scenewright": old}}))
    with open_records() as records:
        carry_out(plan_for(client, machine, project, COMMAND), project, records)
    args = ["serve", "--project", str(project), "--read-only", "--toolset", "full"]
    assert read(client, file) == {"env": {"A": "1"}, "autoApprove": ["x"], "command": COMMAND[0], "args": args}


def test_no_clients_folder_is_ever_made(home: Path, project: Path) -> None:
    for client in CLIENTS:
        assert plan_for(client, machine_of(home), project).problem != ""
    assert list(home.iterdir()) == []


@pytest.mark.parametrize("text", ["{", "[]", '{"mcpServers": 1}', "\xff"])
def test_a_file_that_cannot_be_read_is_left_alone(text: str, home: Path, project: Path) -> None:
    file = installed(_cursor(), machine_of(home))
    file.write_bytes(text.encode("latin-1"))
    plan = plan_for(_cursor(), machine_of(home), project)
    assert "was left alone" in plan.problem
    assert file.read_bytes() == text.encode("latin-1")


def test_a_file_that_changed_in_the_meantime_is_not_overwritten(home: Path, project: Path) -> None:
    file = installed(_cursor(), machine_of(home), "{}")
    plan = plan_for(_cursor(), machine_of(home), project)
    file.write_text('{"theirs": 1}')
    assert plan.change is not None
    with pytest.raises(TextProblem):
        write_change(plan.change)
    assert file.read_text() == '{"theirs": 1}'


def test_what_was_there_before_is_kept_for_this_user_alone(home: Path, project: Path, tmp_path: Path) -> None:
    installed(_cursor(), machine_of(home), '{"secret": "of another server"}')
    with open_records() as records:
        carry_out(plan_for(_cursor(), machine_of(home), project, COMMAND), project, records)
    assert (tmp_path / "own" / "setup.json").stat().st_mode & 0o777 == 0o600


def test_a_link_to_a_settings_file_stays_a_link_and_its_rights_stay(home: Path, project: Path) -> None:
    file = installed(_cursor(), machine_of(home))
    real = home / "dotfiles.json"
    real.write_text("{}")
    real.chmod(0o640)
    file.symlink_to(real)
    with open_records() as records:
        carry_out(plan_for(_cursor(), machine_of(home), project, COMMAND), project, records)
    assert file.is_symlink()
    assert (real.stat().st_mode & 0o777, "scenewright" in real.read_text()) == (0o640, True)


@pytest.mark.parametrize(
    ("platform", "environment", "name", "place"),
    [
        ("darwin", {}, "claude-desktop", "Library/Application Support/Claude/claude_desktop_config.json"),
        ("win32", {}, "claude-desktop", "AppData/Roaming/Claude/claude_desktop_config.json"),
        ("linux", {}, "vscode", ".config/Code/User/mcp.json"),
        ("darwin", {}, "vscode", "Library/Application Support/Code/User/mcp.json"),
        ("darwin", {}, "zed", ".config/zed/settings.json"),
        ("win32", {}, "zed", "AppData/Roaming/Zed/settings.json"),
        ("linux", {"CODEX_HOME": "/x/codex"}, "codex", "/x/codex/config.toml"),
        ("linux", {"CODEX_HOME": "relative"}, "codex", ".codex/config.toml"),
        ("linux", {"XDG_CONFIG_HOME": "/x"}, "opencode", "/x/opencode/opencode.jsonc"),
    ],
)
def test_files_are_where_each_system_keeps_them(
    platform: str, environment: dict[str, str], name: str, place: str, home: Path
) -> None:
    client = client_named(name)
    assert client is not None
    assert next(iter(client.places(machine_of(home, platform, **environment)))) == home / place


def test_what_the_package_of_windows_brings_comes_first(home: Path) -> None:
    client = client_named("claude-desktop")
    assert client is not None
    inside = home / "AppData/Local/Packages/Claude_abc/LocalCache/Roaming/Claude"
    inside.mkdir(parents=True)
    assert client.file(machine_of(home, "win32")) == inside / "claude_desktop_config.json"


def test_the_command_is_absolute_and_that_of_uvx_outlives_its_cache(tmp_path: Path) -> None:
    assert Path(own_command()[0]).is_absolute()
    uvx = tmp_path / "uvx"
    uvx.touch(mode=0o755)
    program = "/home/me/.cache/uv/archive-v0/abc/bin/python"
    for environment in ({"PATH": str(tmp_path)}, {"UV": str(tmp_path / "uv")}):
        command = own_command(program, environment)
        assert command[0] == str(uvx)
        assert command[1:3] == ("--from", Path(__file__).parents[2].as_uri())  # as these tests have it installed
        assert spoken_command(command) == " ".join(["uvx", *command[1:]])
    assert spoken_command() == "scenewright"


def _cursor() -> Client:
    client = client_named("cursor")
    assert client is not None
    return client
