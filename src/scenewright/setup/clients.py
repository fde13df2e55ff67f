"""The clients that are known: where each keeps its servers, in which form, and what a person does next.

Only places that are sure are written to; of the others the entry is shown. Knows no project and writes nothing.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

__all__ = ["CLIENTS", "Client", "Machine", "client_named"]

Format = Literal["json", "toml", "yaml"]


@dataclass(frozen=True, slots=True)
class Machine:
    """Whose machine it is: what decides where programs keep their files."""

    home: Path = field(default_factory=Path.home)
    environment: Mapping[str, str] = field(default_factory=lambda: os.environ)
    platform: str = sys.platform

    def folder(self, variable: str, *otherwise: str) -> Path:
        """Return the folder that a variable names, else one below the home folder."""
        named = self.environment.get(variable, "").strip()
        return Path(named) if os.path.isabs(named) else self.home.joinpath(*otherwise)

    @property
    def settings(self) -> Path:
        """Where desktop programs keep what belongs to a user."""
        if self.platform == "win32":
            return self.folder("APPDATA", "AppData", "Roaming")
        if self.platform == "darwin":
            return self.home / "Library" / "Application Support"
        return self.folder("XDG_CONFIG_HOME", ".config")


Places = Callable[[Machine], Iterator[Path]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """One client: its name on our command line, the files that it may have, and its form of an entry."""

    name: str
    title: str
    places: Places  # the likeliest first
    keys: tuple[str, ...] = ("mcpServers",)
    shape: str = "plain"
    format: Format = "json"
    sure: bool = True  # else the entry is only shown
    program: str = ""  # its command, where the file is made by it alone
    next_step: str = "Restart {}."  # of which clients stands in the braces

    def file(self, machine: Machine) -> Path | None:
        """Return the file of its servers; None where the client is not there.

        A file whose folder is missing means that the client is not installed; no such folder is ever made.
        """
        places = [place for place in self.places(machine) if place.parent.is_dir()]
        return next((place for place in places if place.is_file()), places[0] if places else None)


def _below_home(*parts: str) -> Places:
    def places(machine: Machine) -> Iterator[Path]:
        yield machine.home.joinpath(*parts)

    return places


def _claude_code(machine: Machine) -> Iterator[Path]:
    folder = machine.folder("CLAUDE_CONFIG_DIR")
    if (folder / ".claude.json").is_file() or (machine.home / ".claude").is_dir():
        yield folder / ".claude.json"


def _claude_desktop(machine: Machine) -> Iterator[Path]:
    if machine.platform == "win32":
        packages = machine.folder("LOCALAPPDATA", "AppData", "Local") / "Packages"
        for package in sorted(packages.glob("Claude_*")):
            yield package / "LocalCache" / "Roaming" / "Claude" / "claude_desktop_config.json"
    yield machine.settings / "Claude" / "claude_desktop_config.json"


def _vscode_user(machine: Machine, *parts: str) -> Iterator[Path]:
    for build in ("Code", "Code - Insiders", "VSCodium"):
        yield machine.settings.joinpath(build, "User", *parts)


def _cline(machine: Machine) -> Iterator[Path]:
    if named := machine.environment.get("CLINE_MCP_SETTINGS_PATH"):
        yield Path(named)
    yield from _vscode_user(machine, "globalStorage", "saoudrizwan.claude-dev", "settings", "cline_mcp_settings.json")
    yield machine.folder("CLINE_DIR", ".cline") / "data" / "settings" / "cline_mcp_settings.json"


def _codex(machine: Machine) -> Iterator[Path]:
    yield machine.folder("CODEX_HOME", ".codex") / "config.toml"


def _copilot(machine: Machine) -> Iterator[Path]:
    yield machine.folder("COPILOT_HOME", ".copilot") / "mcp-config.json"


def _zed(machine: Machine) -> Iterator[Path]:
    if machine.platform == "win32":
        yield machine.settings / "Zed" / "settings.json"
    elif machine.platform == "darwin":
        yield machine.home / ".config" / "zed" / "settings.json"
    else:
        yield machine.settings / "zed" / "settings.json"


def _opencode(machine: Machine) -> Iterator[Path]:
    folder = machine.folder("XDG_CONFIG_HOME", ".config") / "opencode"
    yield folder / "opencode.jsonc"  # comes before the other where both are there
    yield folder / "opencode.json"


def _goose(machine: Machine) -> Iterator[Path]:
    if machine.platform == "win32":
        yield machine.settings / "Block" / "goose" / "config" / "config.yaml"
    else:
        yield machine.home / ".config" / "goose" / "config.yaml"


def _antigravity(machine: Machine) -> Iterator[Path]:
    yield machine.home / ".gemini" / "config" / "mcp_config.json"


def _devin(machine: Machine) -> Iterator[Path]:
    yield machine.settings / "devin" / "mcp_config.json"
    yield machine.home / ".codeium" / "windsurf" / "mcp_config.json"


_SWITCH_ON = "Restart {}, and switch the server on in its list of MCP servers."
CLIENTS: tuple[Client, ...] = (
    Client(name="claude-code", title="Claude Code", places=_claude_code, shape="typed", program="claude"),
    Client(
        name="claude-desktop",
        title="Claude Desktop",
        places=_claude_desktop,
        next_step="Quit {} from the tray or menu bar, and start it again.",
    ),
    Client(name="cursor", title="Cursor", places=_below_home(".cursor", "mcp.json"), next_step=_SWITCH_ON),
    Client(
        name="vscode",
        title="VS Code",
        places=lambda machine: _vscode_user(machine, "mcp.json"),
        keys=("servers",),
        shape="typed",
        next_step="In {}, start the server from the list of MCP servers; its tools are in Copilot's agent mode.",
    ),
    Client(name="copilot", title="Copilot CLI", places=_copilot, shape="copilot"),
    Client(name="codex", title="Codex", places=_codex, keys=("mcp_servers",), shape="codex", format="toml"),
    Client(name="gemini", title="Gemini CLI", places=_below_home(".gemini", "settings.json")),
    Client(name="zed", title="Zed", places=_zed, keys=("context_servers",)),
    Client(name="opencode", title="OpenCode", places=_opencode, keys=("mcp",), shape="opencode"),
    Client(name="cline", title="Cline", places=_cline, next_step="{} reads its file by itself."),
    Client(name="kiro", title="Kiro", places=_below_home(".kiro", "settings", "mcp.json")),
    Client(name="junie", title="JetBrains Junie", places=_below_home(".junie", "mcp", "mcp.json")),
    Client(name="lm-studio", title="LM Studio", places=_below_home(".lmstudio", "mcp.json")),
    Client(name="goose", title="Goose", places=_goose, keys=("extensions",), shape="goose", format="yaml", sure=False),
    Client(name="antigravity", title="Antigravity", places=_antigravity, sure=False),
    Client(name="devin", title="Devin Desktop (Windsurf)", places=_devin, sure=False),
)


def client_named(name: str) -> Client | None:
    """Return a client by its name on the command line."""
    return next((client for client in CLIENTS if client.name == name), None)
