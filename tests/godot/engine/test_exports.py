from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from tests.conftest import Caller, MakeCaller
from tests.e2e.tools import godot
from tests.support.gdscript_runner import make_project

from scenewright.core.calls.call import SilentClient
from scenewright.core.projects.ownership import state_folder

pytestmark = [pytest.mark.anyio, pytest.mark.godot, pytest.mark.xdist_group("godot-engines")]

GAME = """extends Node


func _ready() -> void:
	print("features ", OS.has_feature("release"), " ", OS.has_feature("debug"), " ", OS.has_feature("demo"))
	print("secret ", FileAccess.file_exists("res://notes.txt"))
	get_tree().quit(7)
"""
FILES: dict[str, str | bytes] = {
    "main.gd": GAME,
    "main.tscn": '[gd_scene format=3]\n\n[ext_resource type="Script" path="res://main.gd" id="1"]\n\n'
    '[node name="Main" type="Node"]\nscript = ExtResource("1")\n',
    "notes.txt": "for us",
}
# Has the open editor write its presets anew, as it does after an edit in its dialog.
PLUGIN = """@tool
extends EditorPlugin


class Watcher extends EditorExportPlugin:
	var platforms: Array[EditorExportPlatform] = []

	func _get_name() -> String:
		return "watcher"

	func _get_export_options(platform: EditorExportPlatform) -> Array[Dictionary]:
		platforms.append(platform)
		return []


var _watcher: Watcher = Watcher.new()


func _enter_tree() -> void:
	add_export_plugin(_watcher)
	_save.call_deferred()


func _exit_tree() -> void:
	remove_export_plugin(_watcher)


func _save() -> void:
	while _watcher.platforms.is_empty():
		await get_tree().process_frame
	DirAccess.remove_absolute("res://export_presets.cfg")
	_watcher.platforms[0].create_preset().set("any", 1)
	while not FileAccess.file_exists("res://export_presets.cfg"):
		await get_tree().process_frame
	get_tree().quit()
"""


async def fault(caller: Caller, tool: str, **arguments: Any) -> dict[str, Any]:
    structured = (await caller.reply(tool, arguments)).structured
    assert structured is not None
    assert not structured["ok"], structured
    found: dict[str, Any] = structured["error"]
    return found


@pytest.fixture
def playable(project: Path) -> Path:
    make_project(project, FILES)
    with (project / "project.godot").open("a") as file:
        file.write('run/main_scene="res://main.tscn"\n')
    return project


@pytest.fixture(scope="module")
def templates(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Debian's templates, with the libraries of the Godot they came with and the names the engine looks for."""
    tools = Path(godot()).parent
    libraries = tools / "usr" / "lib" / "x86_64-linux-gnu"
    if not (tools / "usr" / "bin" / "godot-template-release").exists() or not shutil.which("patchelf"):
        pytest.skip("no export templates here")
    folder = tmp_path_factory.mktemp("templates")
    for mode in ("debug", "release"):
        made = folder / f"linux_{mode}.x86_64"
        shutil.copy(tools / "usr" / "bin" / f"godot-template-{mode}", made)
        loader = ["--set-interpreter", str(libraries / "ld-linux-x86-64.so.2"), "--force-rpath"]
        subprocess.run(
            ["patchelf", *loader, "--set-rpath", f"{libraries}:{libraries / 'pulseaudio'}", str(made)], check=True
        )
    yield folder
    shutil.rmtree(folder)


def own_templates(folder: Path) -> dict[str, Any]:
    return {f"custom_template/{mode}": str(folder / f"linux_{mode}.x86_64") for mode in ("debug", "release")}


def play(program: Path, *arguments: str) -> tuple[int, list[str]]:
    done = subprocess.run([str(program), "--headless", *arguments], capture_output=True, timeout=60, check=False)
    return done.returncode, [line for line in done.stdout.decode().splitlines() if line and "Engine" not in line]


async def test_a_game_is_exported_and_runs(make_caller: MakeCaller, playable: Path, templates: Path) -> None:
    caller = make_caller()
    await caller.result(
        "add_export_preset",
        platform="linux",
        exportPath="build/game.x86_64",
        options=own_templates(templates),
        properties={"custom_features": "demo", "include_filter": "*.txt"},
    )
    done = await caller.result("export_project", preset="Linux")
    assert done["path"] == "build/game.x86_64"
    assert [file["path"] for file in done["files"]] == ["build/game.pck", "build/game.x86_64"]
    assert play(playable / "build" / "game.x86_64") == (7, ["features true false true", "secret true"])
    assert (playable / "build" / ".gdignore").exists()

    done = await caller.result("export_project", preset="Linux", outputPath="res://other/debug", mode="debug")
    assert done["path"] == "other/debug"
    assert play(playable / "other" / "debug") == (7, ["features false true true", "secret true"])
    assert list(state_folder(playable).glob("export-*")) == []


async def test_an_option_of_the_preset_is_followed(make_caller: MakeCaller, playable: Path, templates: Path) -> None:
    caller = make_caller()
    await caller.result("add_export_preset", platform="Linux", preset="One", options=own_templates(templates))
    await caller.result("edit_export_preset", preset="One", options={"binary_format/embed_pck": True})
    done = await caller.result("export_project", preset="One", outputPath="build/game")
    assert [file["path"] for file in done["files"]] == ["build/game"]
    assert play(playable / "build" / "game") == (7, ["features true false false", "secret false"])


async def test_a_pack_needs_no_templates(
    make_caller: MakeCaller, playable: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "empty"))
    caller = make_caller()
    await caller.result("add_export_preset", platform="Web")
    for name in ("game.pck", "game.zip"):
        done = await caller.result("export_pack", preset="Web", outputPath=f"packs/{name}")
        assert done["files"] == [{"path": f"packs/{name}", "bytes": (playable / "packs" / name).stat().st_size}]
    assert (playable / "packs" / "game.zip").read_bytes()[:2] == b"PK"
    run = play(Path(godot()), "--main-pack", str(playable / "packs" / "game.pck"))
    assert run == (7, ["features false true false", "secret false"])


async def test_the_folder_of_the_templates_is_looked_into(
    make_caller: MakeCaller, playable: Path, templates: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    caller = make_caller()
    added = await caller.result("add_export_preset", platform="Linux")
    lacking = [Path(path) for path in added["missingTemplates"]]
    assert [path.name for path in lacking] == ["linux_release.x86_64", "linux_debug.x86_64"]

    missing = await fault(caller, "export_project", preset="Linux", outputPath="build/game.x86_64")
    assert missing["code"] == "E_UNSUPPORTED"
    assert "custom_template/release" in missing["suggestedFix"]
    assert str(lacking[0]) in str(missing["details"])
    assert not (playable / "build").exists()

    lacking[0].parent.mkdir(parents=True)
    for path in lacking:
        os.link(templates / path.name, path)
    listed = await caller.result("list_export_presets")
    assert "missingTemplates" not in listed["presets"][0]
    await caller.result("export_project", preset="Linux", outputPath="build/game.x86_64")
    assert play(playable / "build" / "game.x86_64")[0] == 7


@pytest.mark.parametrize(
    ("tool", "arguments", "code"),
    [
        ("export_project", {"preset": "Linus", "outputPath": "build/game"}, "E_NOT_FOUND"),
        ("export_project", {"preset": "Linux"}, "E_SCHEMA_VALIDATION"),
        ("export_project", {"preset": "Linux", "outputPath": "main.tscn"}, "E_SCHEMA_VALIDATION"),
        ("export_project", {"preset": "Linux", "outputPath": "../game.x86_64"}, "E_PERMISSION_DENIED"),
        ("export_project", {"preset": "Linux", "outputPath": "/tmp/game.x86_64"}, "E_PERMISSION_DENIED"),
        ("export_pack", {"preset": "Linux", "outputPath": "game.x86_64"}, "E_SCHEMA_VALIDATION"),
    ],
)
async def test_a_bad_export_is_refused_before_the_engine_starts(
    make_caller: MakeCaller, playable: Path, tool: str, arguments: dict[str, Any], code: str
) -> None:
    caller = make_caller()
    await caller.result("add_export_preset", platform="Linux")
    before = sorted(playable.glob("*"))
    assert (await fault(caller, tool, **arguments))["code"] == code
    assert sorted(playable.glob("*")) == before


async def test_an_export_goes_over_no_file_of_the_project(make_caller: MakeCaller, playable: Path) -> None:
    (playable / "data").write_text("mine")
    caller = make_caller()
    await caller.result("add_export_preset", platform="Linux")
    await caller.result("export_pack", preset="Linux", outputPath="res://mine.zip")
    (playable / "mine.zip.import").write_text("")
    assert "overwrite" in (await fault(caller, "export_pack", preset="Linux", outputPath="mine.zip"))["message"]
    assert (playable / "data").read_text() == "mine"


async def test_progress_is_told_and_a_cancel_leaves_nothing(make_caller: MakeCaller, playable: Path) -> None:
    class Impatient(SilentClient):
        def __init__(self, scope: anyio.CancelScope) -> None:
            self.scope = scope
            self.told: list[str | None] = []

        async def progress(self, done: float, total: float | None, message: str | None) -> None:
            self.told.append(message)
            if "Storing File" in (message or ""):
                self.scope.cancel()

    caller = make_caller()
    await caller.result("add_export_preset", platform="Linux")
    with anyio.CancelScope() as scope:
        client = Impatient(scope)
        await caller.run("export_pack", {"preset": "Linux", "outputPath": "build/game.pck"}, client=client)
    assert scope.cancelled_caught
    assert client.told
    assert not (playable / "build").exists()
    assert list(state_folder(playable).glob("export-*")) == []


@pytest.mark.since_godot(4, 6)  # presets change with every version
async def test_the_editor_writes_the_presets_as_they_are(make_caller: MakeCaller, playable: Path) -> None:
    caller = make_caller()
    platforms = (await caller.result("list_export_presets"))["platforms"]
    for platform in platforms:
        await caller.result("add_export_preset", platform=platform, exportPath=f"build/{platform}")
    await caller.result(
        "add_export_preset",
        platform="Windows",
        preset="Few",
        options={"debug/export_console_wrapper": "No"},
        properties={"export_filter": "scenes", "export_files": ["res://main.tscn"], "script_export_mode": "Text"},
    )
    ours = (playable / "export_presets.cfg").read_text()
    addon = playable / "addons" / "watcher"
    addon.mkdir(parents=True)
    (addon / "plugin.gd").write_text(PLUGIN)
    (addon / "plugin.cfg").write_text(
        '[plugin]\n\nname="w"\ndescription=""\nauthor=""\nversion="1"\nscript="plugin.gd"\n'
    )
    with (playable / "project.godot").open("a") as file:
        file.write('\n[editor_plugins]\n\nenabled=PackedStringArray("res://addons/watcher/plugin.cfg")\n')
    command = [godot(), "--headless", "--editor", "--path", str(playable)]
    subprocess.run(command, capture_output=True, timeout=120, check=True)
    assert (playable / "export_presets.cfg").read_text() == ours
