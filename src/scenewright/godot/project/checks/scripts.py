"""What is wrong in scripts: syntax, and files they name that are not there."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scenewright.godot.language.project_scripts import ProjectScripts
from scenewright.godot.language.records import Script
from scenewright.godot.project.checks.inventory import Inventory
from scenewright.godot.project.checks.issues import Issue

__all__ = ["check_script", "duplicate_classes"]

_PRELOAD = re.compile(r'^[^#\n"]*\bpreload\(\s*"((?:res|uid)://[^"\n]+)"', re.MULTILINE)


def check_script(path: str, script: Script, text: str, inventory: Inventory) -> Iterator[Issue]:
    if script.problems:
        first = script.problems[0]
        more = f" (and {len(script.problems) - 1} more)" if len(script.problems) > 1 else ""
        yield Issue("error", "syntax_error", path, first.message + more, first.line)
    base = script.body.extends_path
    if base.startswith(("res://", "uid://")) and inventory.resolved(base) is None:
        message = f"It extends '{base}', which does not exist."
        yield Issue("error", "missing_script", path, message, fix=inventory.alike(base))
    for match in _PRELOAD.finditer(text):
        if inventory.resolved(match[1]) is None:
            line = text.count("\n", 0, match.start(1)) + 1
            message = f"It preloads '{match[1]}', which does not exist."
            yield Issue("error", "missing_file", path, message, line, fix=inventory.alike(match[1]))


def duplicate_classes(scripts: ProjectScripts, paths_by_name: dict[str, list[str]]) -> Iterator[Issue]:
    """Yield an issue for each class name that two scripts, or a script and the engine, have."""
    for name, paths in sorted(paths_by_name.items()):
        for path in sorted(paths)[1:]:
            message = f"'{sorted(paths)[0]}' has the class_name '{name}' too."
            yield Issue("error", "duplicate_class", path, message, fix="Give one of them another class_name.")
        if name in scripts.index:
            yield Issue("error", "duplicate_class", sorted(paths)[0], f"The engine already has a class '{name}'.")
