"""`server.json`: how the MCP registry, and clients that read it, know this server."""

from __future__ import annotations

from typing import Any

from release.project import ProjectFacts

__all__ = ["MOST_DESCRIPTION", "server_entry"]

SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
MOST_DESCRIPTION = 100
_ABOUT = "Inspect, edit, run and check Godot, Roblox and Unity projects; every write undoable."
assert len(_ABOUT) <= MOST_DESCRIPTION


def server_entry(project: ProjectFacts) -> dict[str, Any]:
    return {
        "$schema": SCHEMA,
        "name": project.registry_name,
        "title": project.name,
        "description": _ABOUT,
        "version": project.version,
        "repository": {"url": project.urls["Repository"], "source": "github"},
        "websiteUrl": project.urls["Documentation"],
        "packages": [
            {
                "registryType": "pypi",
                "identifier": project.name,
                "version": project.version,
                "runtimeHint": "uvx",
                "transport": {"type": "stdio"},
                "packageArguments": [
                    {"type": "positional", "value": "serve"},
                    {
                        "type": "named",
                        "name": "--project",
                        "description": "Folder of the game; default is the project that the working folder is in",
                        "format": "filepath",
                        "isRequired": False,
                        "isRepeated": True,
                    },
                ],
                "environmentVariables": [
                    {
                        "name": "GODOT_PATH",
                        "description": "Godot editor to use; found by itself in the usual places",
                        "format": "filepath",
                        "isRequired": False,
                    },
                    {
                        "name": "READ_ONLY_MODE",
                        "description": "Offer nothing that writes or runs code of the project",
                        "format": "boolean",
                        "default": "false",
                        "isRequired": False,
                    },
                ],
            }
        ],
    }
