"""What all projects need of a machine: Python, our own folder, room on the disk, a screen, ports, a database."""

from __future__ import annotations

import os
import platform
import shutil
import socket
import sqlite3
import stat
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import urlsplit

import scenewright
from scenewright.core.faults import Denied, Unsupported
from scenewright.core.projects.user_folder import user_folder, user_token
from scenewright.pixel.aseprite_program import find_program
from scenewright.setup.findings import Finding
from scenewright.setup.port_holders import holder_of
from scenewright.workflow.run_storage import check_sqlite

__all__ = ["PRIVATE_FOLDER", "check_database", "check_machine", "check_own_folder", "check_port", "check_room"]

PRIVATE_FOLDER = "private-folder"
LITTLE_ROOM, NO_ROOM = 2 << 30, 200 << 20
CONNECT_SECONDS = 3.0


def check_machine(environment: Mapping[str, str] = os.environ) -> Iterator[Finding]:
    """Check what needs no project."""
    place = Path(scenewright.__file__).parent
    yield Finding(
        "python", "ok", f"scenewright {scenewright.__version__} on Python {platform.python_version()}, {place}."
    )
    yield _check_sqlite()
    yield check_own_folder(user_folder(environment))
    yield check_room(user_folder(environment))
    yield _check_screen(environment)
    yield _check_aseprite(environment)
    if url := environment.get("SCENEWRIGHT_DATABASE_URL", "").strip():
        yield check_database(url)


def check_own_folder(folder: Path) -> Finding:
    """Check that the folder of the token can be used, and by nobody else."""
    try:
        user_token()
    except Denied as refused:
        return Finding("own folder", "error", refused.message, refused.hint or "")
    if sys.platform != "win32" and stat.S_IMODE(folder.stat().st_mode) & 0o077:
        fix = f"chmod 700 {folder}"
        return Finding("own folder", "warning", f"Others on this machine can look into {folder}.", fix, PRIVATE_FOLDER)
    if sys.platform == "win32" and not folder.is_relative_to(user_folder(os.environ | {"SCENEWRIGHT_HOME": ""})):
        fix = "Leave SCENEWRIGHT_HOME out, or see to it that only you may read that folder."
        return Finding("own folder", "note", f"Who can read your token in {folder} is not checked on Windows.", fix)
    return Finding("own folder", "ok", f"Your token and records are in {folder}.")


def check_room(folder: Path) -> Finding:
    """Check the room on the disk of a folder that may not be there yet."""
    place = next(each for each in (folder, *folder.parents) if each.exists())
    free = shutil.disk_usage(place).free
    message = f"{free / (1 << 30):.1f} GB are free on the disk of {place}."
    if free < NO_ROOM:
        return Finding("disk", "error", message, "Make room: changes, imports and records cannot be kept.")
    return Finding("disk", "warning" if free < LITTLE_ROOM else "ok", message)


def check_port(port: int, use: str) -> Finding:
    """Check whether a port of this machine is free, and say who has it where it is not."""
    try:
        socket.create_server(("127.0.0.1", port)).close()
    except OSError:
        holder = holder_of(port)
        by = f" by {holder}" if holder else ""
        fix = "That is right where it is a scenewright server; else stop that program."
        return Finding(f"port {port}", "note", f"Port {port}, {use}, is held{by}.", fix)
    return Finding(f"port {port}", "ok", f"Port {port}, {use}, is free.")


def check_database(url: str) -> Finding:
    """Check whether the database of the workflows answers; its password is not told."""
    parts = urlsplit(url)
    try:
        place = parts.hostname or "localhost", parts.port or 5432
        socket.create_connection(place, timeout=CONNECT_SECONDS).close()
    except (OSError, ValueError) as problem:
        message = f"The database of SCENEWRIGHT_DATABASE_URL cannot be reached: {problem}."
        return Finding("database", "error", message, "Start PostgreSQL, or leave the variable out to use a file.")
    return Finding("database", "ok", f"Something answers at {place[0]}:{place[1]}, for workflows.")


def _check_sqlite() -> Finding:
    try:
        check_sqlite()
    except Unsupported as refused:
        return Finding("database", "error", refused.message, refused.hint or "")
    return Finding("database", "ok", f"SQLite {sqlite3.sqlite_version}.")


def _check_aseprite(environment: Mapping[str, str]) -> Finding:
    program = find_program(environment)
    if program is None:
        return Finding("aseprite", "ok", "Aseprite files are read and drawn without the program, which is not here.")
    allowed = environment.get("ALLOW_EXTERNAL_TOOLS", "").strip().lower() in ("1", "true", "yes", "on")
    use = "engine: aseprite uses it" if allowed else "ALLOW_EXTERNAL_TOOLS=true lets engine: aseprite use it"
    return Finding("aseprite", "ok", f"Aseprite is {program}; {use}.")


def _check_screen(environment: Mapping[str, str]) -> Finding:
    if not sys.platform.startswith("linux"):
        return Finding("screen", "ok", "Pictures are drawn in windows of this desktop.")
    if program := shutil.which("Xvfb", path=environment.get("PATH")):
        return Finding("screen", "ok", f"Pictures are drawn on a virtual screen ({program}).")
    if environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY"):
        fix = "Install xvfb, and pictures are drawn where nobody sees them."
        return Finding("screen", "note", "Pictures open windows on your screen for a moment.", fix)
    return Finding(
        "screen",
        "warning",
        "There is no screen, so no pictures can be made.",
        "Install xvfb (Debian: apt install xvfb).",
    )
