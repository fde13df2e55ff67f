"""The plugin as it is installed, and the command that writes it."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.roblox.studio.conftest import TOKEN

from scenewright.cli.main import main
from scenewright.roblox.place.documents import read_tree
from scenewright.roblox.place.instance_reader import attributes_of
from scenewright.roblox.plugin_file import build, modules
from scenewright.roblox.relay.settings import BridgeSettings
from scenewright.roblox.syntax import find_problem

LUAU = sorted((Path(__file__).parents[3] / "src" / "scenewright" / "roblox").rglob("*.luau"))


@pytest.mark.parametrize("path", LUAU, ids=lambda path: path.name)
def test_every_source_is_strict_luau_with_a_header(path: Path):
    text = path.read_text()
    assert find_problem(text) is None
    strict, header = text.splitlines()[:2]
    assert strict == "--!strict"
    assert header.startswith("-- ")
    assert len(text.splitlines()) < 420


def test_the_plugin_is_one_script_with_its_modules_below_it():
    tree = read_tree("plugin.rbxmx", build(BridgeSettings("127.0.0.1", 5, TOKEN)))
    (main_script,) = tree.root.children
    assert main_script.class_name == "Script"
    assert {child.name for child in main_script.children} == set(modules()) - {"Main.server"}
    assert {child.class_name for child in main_script.children} == {"ModuleScript"}
    told = {name: value.data for name, value in attributes_of(main_script).items()}
    assert told["Token"] == TOKEN.encode()
    assert told["Url"] == b"http://127.0.0.1:5"


def test_the_command_writes_a_file_that_only_its_user_can_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setenv("SCENEWRIGHT_HOME", str(tmp_path / "home"))
    out = tmp_path / "plugins" / "plugin.rbxmx"
    assert main(["roblox", "plugin", "--out", str(out)]) == 0
    assert out.stat().st_mode & 0o777 == 0o600
    token = (tmp_path / "home" / "roblox" / "token").read_text().strip()
    assert token.encode() not in capsys.readouterr().out.encode()
    (script,) = read_tree(out.name, out.read_bytes()).root.children
    assert attributes_of(script)["Token"].data == token.encode()
    assert main(["roblox", "plugin", "--out", str(out), "--no-token"]) == 0
    (script,) = read_tree(out.name, out.read_bytes()).root.children
    assert set(attributes_of(script)) == {"Version"}
