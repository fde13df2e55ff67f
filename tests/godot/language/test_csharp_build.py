"""Building C#: no .NET SDK can be had from the registries, so a stand-in prints what MSBuild prints, to the letter."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from tests.conftest import MakeCaller
from tests.support.gdscript_runner import make_project

from scenewright.godot.language.dotnet import build_messages

pytestmark = pytest.mark.anyio

OUTPUT = """\
  Determining projects to restore...
  All projects are up-to-date for restore.
{root}/Player.cs(12,9): error CS0103: The name 'sped' does not exist in the current context [{root}/Game.csproj]
{root}/actors/Mob.cs(3,17,3,20): warning CS0649: Field 'Mob.a' is never assigned to [{root}/Game.csproj]
{root}/Player.cs(12,9): error CS0103: The name 'sped' does not exist in the current context [{root}/Game.csproj]
/usr/share/dotnet/sdk/Microsoft.Common.targets(99,5): warning MSB3277: Found conflicts [{root}/Game.csproj]
MSBUILD : error MSB1009: Project file does not exist.

Build FAILED.

{root}/Player.cs(12,9): error CS0103: The name 'sped' does not exist in the current context [{root}/Game.csproj]
    1 Warning(s)
    1 Error(s)
"""
STAND_IN = """\
#!{python}
import os, sys
assert sys.argv[1] == "build" and sys.argv[2].endswith(".csproj"), sys.argv
assert os.environ["DOTNET_CLI_UI_LANGUAGE"] == "en" and os.environ["MSBUILDDISABLENODEREUSE"] == "1"
sys.stdout.write({output!r})
sys.exit({code})
"""


@pytest.fixture
def game(project: Path) -> Path:
    make_project(project, {"Game.csproj": "<Project/>", "Player.cs": "", "actors/Mob.cs": ""})
    return project


def install_stand_in(folder: Path, monkeypatch: pytest.MonkeyPatch, output: str, code: int) -> None:
    folder.mkdir()
    program = folder / "dotnet"
    program.write_text(STAND_IN.format(python=sys.executable, output=output, code=code))
    program.chmod(0o755)
    monkeypatch.setenv("DOTNET_ROOT", str(folder))


async def test_errors_of_a_build_name_file_and_line(
    game: Path, make_caller: MakeCaller, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_stand_in(tmp_path / "sdk", monkeypatch, OUTPUT.format(root=game), 1)
    built = await make_caller(allow_external=True).result("build_csharp")
    assert not built["built"]
    assert [(each["code"], each.get("path"), each.get("line")) for each in built["messages"]] == [
        ("MSB1009", None, None),
        ("CS0103", "res://Player.cs", 12),
        ("MSB3277", "Microsoft.Common.targets", 99),
        ("CS0649", "res://actors/Mob.cs", 3),
    ]
    assert built["total"] == 4


async def test_a_build_that_succeeds_says_so(
    game: Path, make_caller: MakeCaller, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_stand_in(tmp_path / "sdk", monkeypatch, "Build succeeded.\n    0 Warning(s)\n", 0)
    reply = await make_caller(allow_external=True).reply("build_csharp")
    assert reply.structured is not None
    assert reply.structured["result"] == {"built": True, "messages": [], "total": 0}
    assert reply.structured["summary"] == "Game.csproj was built: 0 errors, 0 warnings."


async def test_a_failure_without_an_error_shows_the_end_of_the_output(
    game: Path, make_caller: MakeCaller, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_stand_in(tmp_path / "sdk", monkeypatch, "A compatible .NET SDK was not found.\n", 145)
    reply = await make_caller(allow_external=True).reply("build_csharp")
    assert "A compatible .NET SDK was not found." in str(reply.structured)


async def test_without_leave_or_sdk_or_project_nothing_is_built(
    game: Path, make_caller: MakeCaller, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "ALLOW_EXTERNAL_TOOLS" in str((await make_caller().reply("build_csharp")).structured)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("DOTNET_ROOT", raising=False)
    caller = make_caller(allow_external=True)
    assert "Install the .NET SDK" in str((await caller.reply("build_csharp")).structured)
    (game / "Tools.csproj").write_text("<Project/>")
    assert "Game.csproj, Tools.csproj" in str((await caller.reply("build_csharp")).structured)
    other = await caller.reply("build_csharp", {"projectFile": "Player.cs"})
    assert "is no .csproj" in str(other.structured)
    for name in ("Game.csproj", "Tools.csproj"):
        (game / name).unlink()
    assert "Create C# Solution" in str((await caller.reply("build_csharp")).structured)


def test_windows_paths_and_parallel_builds_are_read(tmp_path: Path) -> None:
    line = "1>C:\\game\\Player.cs(4,1): error CS1002: ; expected [C:\\game\\Game.csproj]"
    (message,) = build_messages([line, "no message", "x" * 100_000], tmp_path)
    assert (message.code, message.message, message.line) == ("CS1002", "; expected", 4)
    assert os.sep not in (message.path or "").removeprefix("res://").replace("C:\\game\\", "")
