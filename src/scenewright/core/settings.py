"""The settings by name: what a person writes into `scenewright.toml`, and which variable of the environment it is.

The user's own file stands for variables that are not set. A file that lies in a project came with it, maybe from a
stranger, and may only restrict: `projects/restrictions.py`. docs/settings.md presents every setting.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Mapping, MutableMapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

__all__ = ["FILE", "SETTINGS", "Setting", "SettingsError", "apply_settings", "read_settings", "settings_file"]

FILE: Final = "scenewright.toml"
_MOST_BYTES: Final = 64_000


class SettingsError(ValueError):
    """A settings file cannot be used; the message says where and why."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: its key in the file and its variable, which goes by SCENEWRIGHT_ and its key too."""

    key: str
    variable: str

    @property
    def own_variable(self) -> str:
        return f"SCENEWRIGHT_{self.key.upper()}"


SETTINGS: Final = tuple(
    Setting(*row.split())
    for row in """
    roots                   SCENEWRIGHT_ROOTS
    read_only               READ_ONLY_MODE
    allow_run               SCENEWRIGHT_ALLOW_RUN
    allow_dangerous         ALLOW_DANGEROUS_OPS
    allow_external          ALLOW_EXTERNAL_TOOLS
    tier                    SCENEWRIGHT_TIER
    policy                  GOX_POLICY_RULES_PATH
    policy_mode             GOX_POLICY_MODE
    rate_limit              SCENEWRIGHT_RATE_LIMIT
    max_payload_bytes       GOX_MCP_MAX_PAYLOAD_BYTES
    max_reply_bytes         SCENEWRIGHT_MAX_REPLY_BYTES
    action_timeout_seconds  GOX_ACTION_TIMEOUT_SECONDS
    session_seconds         SCENEWRIGHT_SESSION_SECONDS
    journal_max_entries     SCENEWRIGHT_JOURNAL_MAX_ENTRIES
    run_max_age_seconds     GOX_RUNLOG_RETENTION_MAX_AGE_SECONDS
    audit_max_bytes         GODOT_MCP_AUDIT_MAX_BYTES
    audit_backups           GODOT_MCP_AUDIT_BACKUPS
    database_url            SCENEWRIGHT_DATABASE_URL
    log_level               SCENEWRIGHT_LOG_LEVEL
    godot                   GODOT_PATH
    aseprite                ASEPRITE_PATH
    roblox_bridge           GOX_BRIDGE_ENABLED
    unity_port              SCENEWRIGHT_UNITY_PORT
    """.strip().splitlines()
)


def settings_file(env: Mapping[str, str]) -> Path:
    """Return where the user's own file is looked for: SCENEWRIGHT_SETTINGS, else the platform's place for settings."""
    if named := env.get("SCENEWRIGHT_SETTINGS", "").strip():
        return Path(named).expanduser().absolute()
    if sys.platform == "win32":
        return Path(env.get("APPDATA") or Path.home() / "AppData" / "Roaming") / "scenewright" / FILE
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "scenewright" / FILE
    named = env.get("XDG_CONFIG_HOME", "")
    return (Path(named) if os.path.isabs(named) else Path.home() / ".config") / "scenewright" / FILE


def apply_settings(env: MutableMapping[str, str]) -> None:
    """Set the variables that are not set: by their SCENEWRIGHT_ name, else by the user's file.

    Raises:
        SettingsError: the file cannot be read, or has a key that is none.
    """
    place = settings_file(env)
    written = read_settings(place)
    known = {setting.key: setting for setting in SETTINGS}
    if strange := sorted(written.keys() - known.keys()):
        raise SettingsError(f"{place}: there is no setting '{strange[0][:60]}'. There are {', '.join(known)}.")
    for setting in SETTINGS:
        if setting.variable in env:
            continue
        if setting.own_variable in env:
            env[setting.variable] = env[setting.own_variable]
        elif setting.key in written:
            env[setting.variable] = _as_text(written[setting.key], f"{place}: '{setting.key}'")


def read_settings(place: Path) -> dict[str, Any]:
    """Return what a settings file holds, nothing where there is none.

    Raises:
        SettingsError: it is no TOML.
    """
    try:
        # Of a pipe that a project brought nobody would ever read the end.
        descriptor = os.open(place, os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0))
        with open(descriptor, "rb") as file:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise SettingsError(f"{place} is no file.")
            content = file.read(_MOST_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as error:
        raise SettingsError(f"{place} cannot be read: {error.strerror}.") from None
    if len(content) > _MOST_BYTES:
        raise SettingsError(f"{place} is longer than {_MOST_BYTES:,} bytes.")
    import tomllib  # most people have no such file

    try:
        return tomllib.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:  # no TOML, no UTF-8, or a number of thousands of digits
        raise SettingsError(f"{place} is no TOML: {error}.") from None


def _as_text(value: Any, what: str) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str | int):
        return str(value)
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return os.pathsep.join(value)
    raise SettingsError(f"{what} must be a text, a whole number, true or false, or a list of texts.")
