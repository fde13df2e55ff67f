"""Where a Godot lies that is not on the path: of systems that are not here, the places alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from scenewright.godot.engine.binary import find_binary, usual_places

PLACES = {
    "win32": [
        "Local/Microsoft/WinGet/Packages/GodotEngine.GodotEngine_Microsoft.Winget.Source/Godot_v4.6-stable_win64.exe",
        "x86/Steam/steamapps/common/Godot Engine/godot.windows.opt.tools.64.exe",
        "Program Files/Godot 4/Godot.exe",
        "home/Downloads/Godot_v4.6-stable_win64.exe",
        "home/scoop/apps/godot/current/godot.exe",
    ],
    "darwin": [
        "home/Applications/Godot.app/Contents/MacOS/Godot",
        "home/Library/Application Support/Steam/steamapps/common/Godot Engine/Godot.app/Contents/MacOS/Godot",
        "home/Downloads/Godot.app/Contents/MacOS/Godot",
    ],
    "linux": [
        "home/.local/bin/godot4",
        "home/.local/share/Steam/steamapps/common/Godot Engine/godot.x11.opt.tools.x86_64",
        "home/Downloads/Godot_v4.6-stable_linux.x86_64",
    ],
}


@pytest.mark.parametrize(("platform", "place"), [(system, place) for system, all_ in PLACES.items() for place in all_])
def test_a_godot_in_a_usual_place_is_found(tmp_path: Path, platform: str, place: str) -> None:
    file = tmp_path / place
    file.parent.mkdir(parents=True)
    file.touch()
    folders = {"ProgramFiles": "Program Files", "ProgramFiles(x86)": "x86", "LOCALAPPDATA": "Local"}
    env = {name: str(tmp_path / folder) for name, folder in folders.items()}
    patterns = usual_places(platform, tmp_path / "home", env)
    anchor = Path(tmp_path.anchor)
    assert file in {match for each in patterns for match in anchor.glob(str(each.relative_to(anchor)))}


def test_one_in_the_downloads_is_used(tmp_path: Path, godot: Path) -> None:
    place = tmp_path / "Downloads/Godot_v4.6-stable_linux.x86_64"
    place.parent.mkdir()
    place.symlink_to(godot)
    assert find_binary({"HOME": str(tmp_path), "PATH": str(tmp_path)}).path == place
