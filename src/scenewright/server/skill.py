"""The skill: how an agent works with this server, as a file that hosts read when it is needed."""

from __future__ import annotations

import json
from pathlib import Path

from scenewright import __version__

__all__ = ["HOSTS", "NAME", "plugin_files", "skill_file", "skill_text"]

NAME = "scenewright"
# Where each host looks for skills, in a project as in the user's own folder.
HOSTS = {"claude": Path(".claude/skills"), "codex": Path(".agents/skills")}
_ABOUT = "Work on Godot, Unity and Roblox projects: run what was made, look at it, compare, then report."


def skill_text() -> str:
    return Path(__file__).with_name("SKILL.md").read_text(encoding="utf-8")


def skill_file(host: str) -> Path:
    """Return where a host finds the skill, below a project or the user's folder."""
    return HOSTS[host] / NAME / "SKILL.md"


def plugin_files() -> dict[str, str]:
    """Return a plugin that Claude Code and Codex both take: the skill, and this server."""
    manifest = {"name": NAME, "version": __version__, "description": _ABOUT}
    server = {"mcpServers": {NAME: {"command": "scenewright", "args": ["serve"]}}}
    return {
        ".claude-plugin/plugin.json": _json({**manifest, "author": {"name": NAME}}),
        ".codex-plugin/plugin.json": _json({**manifest, "skills": "./skills/", "mcpServers": "./.mcp.json"}),
        ".mcp.json": _json(server),
        f"skills/{NAME}/SKILL.md": skill_text(),
    }


def _json(value: object) -> str:
    return json.dumps(value, indent=2) + "\n"
