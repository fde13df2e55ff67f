"""What project.godot says: the main scene, what differs from the defaults, input actions, autoloads, layers."""

from __future__ import annotations

import json
from typing import Any

from scenewright.core.projects.overview import Item, Scope, Section
from scenewright.godot.project.addresses import Addresses
from scenewright.godot.project.configuration import FILE, Configuration
from scenewright.godot.project.input_map import InputMap
from scenewright.godot.project.workspace import ROOT, Workspace
from scenewright.godot.values.presentation import present

__all__ = ["configuration_sections", "main_scene_of"]

_TOLD = ("application/config/", "application/run/main_scene", "input/", "autoload/", "layer_names/", "editor_plugins/")
_LONGEST_VALUE = 120


def configuration_sections(workspace: Workspace, settings: Configuration, scope: Scope) -> list[Section]:
    """Return the sections of the project's file, where they are asked for."""
    if not scope.covers(FILE):
        return []
    return [
        Section(name="project", items=[Item("", (_headline(workspace, settings),))]),
        _section("settings", _changed_settings(settings), "get_project_settings"),
        Section(name="input", items=_actions(settings), more="list_input_actions"),
        _section("autoloads", _autoloads(workspace, settings), "list_autoloads"),
        _section("plugins", _plugins(settings), ""),
        _section("layers", _layers(settings), "get_project_settings {section: layer_names}"),
    ]


def main_scene_of(workspace: Workspace, settings: Configuration) -> str:
    """Return the scene that the game starts with, by its path from the root; as it is written where it is missing."""
    address = settings.text("application/run/main_scene")
    return _place(workspace, address)


def _place(workspace: Workspace, address: str) -> str:
    from scenewright.core.faults import Fault

    try:
        return Addresses(workspace).file(address).path.removeprefix(ROOT) if address else ""
    except Fault:
        return f"{address} (missing)"


def _section(name: str, lines: list[str], more: str) -> Section:
    return Section(name=name, items=[Item("", ("\n".join(lines),))] if lines else [], more=more)


def _older(workspace: Workspace) -> str:
    older = workspace.older_form
    return f"Godot 3 (config_version={older}; convert_3to4 converts a copy)" if older else "Godot, version not said"


def _headline(workspace: Workspace, settings: Configuration) -> str:
    version = workspace.version
    main = main_scene_of(workspace, settings)
    parts = [
        settings.text("application/config/name") or "(no name)",
        f"Godot {version[0]}.{version[1]}" if version else _older(workspace),
        f"main scene {main}" if main else "no main scene",
    ]
    return ", ".join(parts)


def _changed_settings(settings: Configuration) -> list[str]:
    """Settings that differ from their default, those of one group on a line."""
    groups: dict[str, list[str]] = {}
    for name in settings.names():
        value = settings.value(name)
        if name.startswith(_TOLD) or "/" not in name or value == settings.default(name):
            continue
        group, _, key = name.rpartition("/")
        groups.setdefault(group, []).append(f"{key}={_short(present(value, settings.known(name)))}")
    return [f"{group}: {', '.join(values)}" for group, values in groups.items()]


def _actions(settings: Configuration) -> list[Item]:
    actions = InputMap(settings, settings.index)
    names = actions.own()
    if not names:
        return []
    lines = [f"{name}: {', '.join(map(_short, actions.described(name))) or 'no events'}" for name in names]
    return [Item("", (", ".join(names), "\n".join(lines)), first=True)]


def _autoloads(workspace: Workspace, settings: Configuration) -> list[str]:
    lines = []
    for name in settings.below("autoload"):
        address = settings.text(f"autoload/{name}")
        singleton = "" if address.startswith("*") else " (no singleton)"
        lines.append(f"{name}: {_place(workspace, address.removeprefix('*'))}{singleton}")
    return lines


def _plugins(settings: Configuration) -> list[str]:
    enabled = getattr(settings.value("editor_plugins/enabled"), "items", ())
    return [str(path).removeprefix(ROOT) for path in enabled]


def _layers(settings: Configuration) -> list[str]:
    """Named layers by their kind: `2d_physics: 1 world, 2 player`."""
    kinds: dict[str, list[str]] = {}
    for name in settings.below("layer_names"):
        kind, _, layer = name.partition("/")
        if title := settings.text(f"layer_names/{name}"):
            kinds.setdefault(kind, []).append(f"{layer.removeprefix('layer_')} {title}")
    return [f"{kind}: {', '.join(layers)}" for kind, layers in kinds.items()]


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST_VALUE else f"{text[:_LONGEST_VALUE]}…"
