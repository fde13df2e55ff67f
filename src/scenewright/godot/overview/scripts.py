"""Scripts and shaders: what they extend, what they declare, and their text."""

from __future__ import annotations

from scenewright.core.projects.overview import Item, Scope, Section
from scenewright.core.text.counts import count_noun
from scenewright.godot.language.outline import Symbol, outline
from scenewright.godot.language.records import Script
from scenewright.godot.language.script_reader import read_script
from scenewright.godot.project.configuration import Configuration
from scenewright.godot.project.workspace import ROOT, Workspace

__all__ = ["script_section"]

_CODE = (".gd", ".cs", ".gdshader", ".gdshaderinc")
_LARGEST = 200_000
_MOST_PROBLEMS = 3


def script_section(workspace: Workspace, settings: Configuration, scope: Scope) -> tuple[Section, list[str]]:
    """Return the scripts, and the syntax errors in them."""
    started = {settings.text(f"autoload/{name}").removeprefix("*") for name in settings.below("autoload")}
    paths = [path for path in workspace.listing(*_CODE) if scope.covers(path) and not path.startswith("addons/")]
    ordered = sorted(paths, key=lambda path: (ROOT + path not in started, path))
    problems: list[str] = []
    items = []
    for path in ordered[: scope.most_items]:
        lengths, wrong = _lengths(path, workspace.peek(path).decode("utf-8-sig", "replace"), scope)
        items.append(Item(path, lengths, first=ROOT + path in started))
        problems += wrong
    more = "read_file {paths}"
    return Section(name="scripts", items=items, more=more, unread=ordered[scope.most_items :]), problems


def _lengths(path: str, text: str, scope: Scope) -> tuple[tuple[str, ...], list[str]]:
    lines = count_noun(len(text.splitlines()), "line")
    if not path.endswith(".gd") or len(text) > _LARGEST:
        return scope.lengths_of(lines, text), []
    script = read_script(text.encode(), ROOT + path)
    wrong = [f"{path}:{problem.line} {problem.message}" for problem in script.problems[:_MOST_PROBLEMS]]
    head = f"{_head(script)} ({lines})"
    declared = "\n".join(_line(symbol) for symbol in outline(script))
    return scope.lengths_of(head, f"{head}\n{declared}", text), wrong


def _head(script: Script) -> str:
    body = script.body
    name = f"class_name {script.class_name} " if script.class_name else ""
    tool = "@tool " if script.is_tool else ""
    return f"{tool}{name}extends {body.extends_path or body.extends_name or 'RefCounted'}"


def _line(symbol: Symbol) -> str:
    return f"{symbol.line}: {symbol.detail or symbol.name}"
