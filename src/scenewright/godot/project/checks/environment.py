"""Whether work on a project can begin: engine, version, project file, main scene, addon, write access, ports."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import msgspec

from scenewright.core.faults import Fault, Invalid, NotFound
from scenewright.godot.documents.document import Document
from scenewright.godot.documents.settings import find_setting
from scenewright.godot.documents.variant import PackedStringArray, Variant
from scenewright.godot.documents.versions import made_with
from scenewright.godot.project.addresses import Addresses
from scenewright.godot.project.workspace import Workspace

__all__ = ["Check", "check_environment", "check_port"]

_CURRENT = 5  # config_version of Godot 4
_ADDON = "res://addons/scenewright_bridge/plugin.cfg"


class Check(msgspec.Struct, frozen=True):
    """One thing that was looked at; what is not needed for work without an editor is optional."""

    name: str
    ok: bool
    message: str
    fix: str | None = None
    optional: bool = False


def check_environment(workspace: Workspace) -> Iterator[Check]:
    """Check all but ports and imports, which need more than files."""
    version, engine = _check_engine()
    yield engine
    document = None
    if not workspace.files.exists("project.godot"):
        yield Check("project", False, "There is no project.godot.", "Pass projectPath, the project's root.")
    else:
        document, project = _check_project(workspace)
        yield project
    if document is not None:
        yield _check_features(document, version)
        yield _main_scene(workspace, document)
        yield _check_addon(workspace, document)
    yield _check_access(workspace.files.project.root)


def check_port(port: int) -> Check:
    """Check whether a port of this machine can be listened on."""
    try:
        socket.create_server(("127.0.0.1", port)).close()
    except OSError as problem:
        fix = "Stop the program that uses it, or choose another port."
        return Check("port", False, f"Port {port} cannot be listened on: {problem.strerror}.", fix, optional=True)
    return Check("port", True, f"Port {port} is free." if port else "Ports of this machine can be listened on.")


def _check_engine() -> tuple[tuple[int, int] | None, Check]:
    from scenewright.godot.engine.binary import find_binary

    try:
        binary = find_binary()
    except Fault as problem:
        return None, Check("godot", False, problem.message, problem.hint)
    return binary.version[:2], Check("godot", True, f"Godot {binary.build} at {binary.path}.")


def _check_project(workspace: Workspace) -> tuple[Document | None, Check]:
    try:
        document = workspace.document("project.godot")
        problems = document.problems()
    except Invalid as problem:
        return None, Check("project", False, problem.message, "Repair project.godot.")
    if problems:
        return None, Check("project", False, problems[0].message, "Repair project.godot.")
    version = _read_setting(document, "config_version")
    if version != _CURRENT:
        text = f"project.godot has format version {version}; Godot 4 writes {_CURRENT}."
        return document, Check("project", False, text, "Convert a Godot 3 project with convert_3to4.")
    return document, Check("project", True, "project.godot can be read.")


def _check_features(document: Document, version: tuple[int, int] | None) -> Check:
    made = made_with(document)
    if made is None:
        return Check("version", True, "The project does not say which version it was made with.")
    text = f"The project was made with Godot {made[0]}.{made[1]}"
    if version is None or made <= version:
        return Check("version", True, f"{text}.")
    fix = f"Set GODOT_PATH to Godot {made[0]}.{made[1]} or newer."
    return Check("version", False, f"{text}, which is newer than {version[0]}.{version[1]}.", fix)


def _main_scene(workspace: Workspace, document: Document) -> Check:
    address = _read_setting(document, "application/run/main_scene")
    if not isinstance(address, str) or not address:
        fix = "Set application/run/main_scene with set_project_setting."
        return Check("mainScene", False, "The project has no main scene.", fix, optional=True)
    try:
        return Check("mainScene", True, f"The main scene is {Addresses(workspace).file(address).path}.")
    except (NotFound, Invalid) as problem:
        return Check("mainScene", False, f"The main scene is missing: {problem.message}", problem.hint)


def _check_addon(workspace: Workspace, document: Document) -> Check:
    enabled = _read_setting(document, "editor_plugins/enabled")
    there = workspace.files.exists(workspace.place(_ADDON))
    if there and isinstance(enabled, PackedStringArray) and _ADDON in enabled.items:
        return Check("addon", True, "The editor addon is installed and enabled.")
    text = "The editor addon is not enabled." if there else "The editor addon is not installed."
    return Check("addon", False, text, "godot_sync_addon installs it; needed only for the open editor.", optional=True)


def _check_access(root: Path) -> Check:
    if os.access(root, os.W_OK | os.X_OK):
        return Check("writeAccess", True, "The project folder is writable.")
    return Check("writeAccess", False, "The project folder is not writable.", f"Make '{root.name}' writable.")


def _read_setting(document: Document, name: str) -> Variant:
    setting = find_setting(document, name)
    return setting.value if setting is not None else None
