"""What is wrong in project.godot: a main scene or autoloads that are not there."""

from __future__ import annotations

from collections.abc import Iterator

from scenewright.godot.documents.document import Document
from scenewright.godot.documents.settings import find_setting, setting_names
from scenewright.godot.project.checks.inventory import Inventory
from scenewright.godot.project.checks.issues import Issue

__all__ = ["check_settings"]

_PATH = "res://project.godot"


def check_settings(document: Document, inventory: Inventory) -> Iterator[Issue]:
    for problem in document.problems():
        yield Issue("error", "parse_error", _PATH, problem.reason, problem.line)
    for name in dict.fromkeys(setting_names(document)):
        if name != "application/run/main_scene" and not name.startswith("autoload/"):
            continue
        setting = find_setting(document, name)
        value = setting.value if setting is not None else None
        address = value.removeprefix("*") if isinstance(value, str) else ""
        if setting is None or not address or inventory.resolved(address) is not None:
            continue
        subject, code = (
            ("The main scene", "missing_main_scene")
            if "/run/" in name
            else (f"The autoload '{name.removeprefix('autoload/')}'", "missing_autoload")
        )
        fix = inventory.alike(address)
        yield Issue("error", code, _PATH, f"{subject} '{address}' does not exist.", setting.line, fix=fix)
