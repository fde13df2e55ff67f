"""Where the engine looks for export templates, and which of them a preset lacks."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path

from scenewright.godot.engine.binary import Binary
from scenewright.godot.export.presets import Preset

__all__ = ["missing_templates", "templates_folder"]

_VERSION = re.compile(r"^(\d+\.\d+(?:\.\d+)?\.[a-z]+\d*)(\.mono)?")
_FIXED = {"macOS": "macos.zip", "iOS": "ios.zip", "visionOS": "visionos.zip"}


def templates_folder(binary: Binary, env: Mapping[str, str] | None = None) -> Path:
    """Return the folder of the templates that fit a binary; each version has its own."""
    env = os.environ if env is None else env
    version = _VERSION.match(binary.build)
    assert version is not None  # found so by whoever asked for it
    return _data_folder(binary, env) / "export_templates" / f"{version[1]}{version[2] or ''}"


def missing_templates(preset: Preset, folder: Path) -> list[str]:
    """Return the paths of the templates, for release and debug, that a preset needs and that are missing."""
    lacking: list[str] = []
    for mode in ("release", "debug"):
        given = str(preset.options.get(f"custom_template/{mode}") or "")
        place = Path(given) if given else folder / _file_name(preset, mode)
        if not place.exists() and not given.startswith("res://"):
            lacking.append(str(place))
    return list(dict.fromkeys(lacking))


def _file_name(preset: Preset, mode: str) -> str:
    architecture = preset.options.get("binary_format/architecture") or "x86_64"
    if preset.platform in _FIXED:
        return _FIXED[preset.platform]
    if preset.platform == "Windows Desktop":
        return f"windows_{mode}_{architecture}.exe"
    if preset.platform == "Android":
        return f"android_{mode}.apk"
    if preset.platform == "Web":
        extensions = "_dlink" if preset.options.get("variant/extensions_support") is True else ""
        threads = "" if preset.options.get("variant/thread_support") is True else "_nothreads"
        return f"web{extensions}{threads}_{mode}.zip"
    return f"linux_{mode}.{architecture}"


def _data_folder(binary: Binary, env: Mapping[str, str]) -> Path:
    beside = binary.path.parent
    if any((beside / mark).exists() for mark in ("._sc_", "_sc_")):
        return beside / "editor_data"
    home = Path(env.get("HOME") or env.get("USERPROFILE") or Path.home())
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "Godot"
    if sys.platform == "win32":
        return Path(env.get("APPDATA") or home / "AppData" / "Roaming") / "Godot"
    return Path(env.get("XDG_DATA_HOME") or home / ".local" / "share") / "godot"
