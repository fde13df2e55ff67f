"""The MCP bundle: one file that a desktop client installs by a double click, run by the client's own `uv`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from release.archive import Files, project_files
from release.project import ROOT, ProjectFacts

__all__ = ["bundle_files", "bundle_manifest"]

_ENTRY = "src/scenewright/__main__.py"


def bundle_manifest(project: ProjectFacts) -> dict[str, Any]:
    return {
        "manifest_version": "0.4",
        "name": project.name,
        "display_name": project.name,
        "version": project.version,
        "description": project.description,
        "author": {"name": f"the {project.name} authors"},
        "repository": {"type": "git", "url": project.urls["Repository"]},
        "documentation": project.urls["Documentation"],
        "support": project.urls["Issues"],
        "icon": "icon.png",
        "license": project.license,
        "keywords": project.keywords,
        "tools_generated": True,  # which tools there are depends on the project
        "prompts_generated": True,
        "server": {
            "type": "uv",
            "entry_point": _ENTRY,
            "mcp_config": {
                "command": "uv",
                "args": [
                    "run",
                    "--directory",
                    "${__dirname}",
                    project.name,
                    "serve",
                    "--project",
                    "${user_config.project}",
                ],
                "env": {"READ_ONLY_MODE": "${user_config.read_only}"},
            },
        },
        "compatibility": {
            "platforms": ["darwin", "win32", "linux"],
            "runtimes": {"python": project.requires_python},
        },
        "user_config": {
            "project": {
                "type": "directory",
                "title": "Project",
                "description": "The folder of your Godot, Roblox or Unity project",
                "required": True,
            },
            "read_only": {
                "type": "boolean",
                "title": "Read only",
                "description": "Offer nothing that writes or runs code of the project",
                "default": False,
                "required": False,
            },
        },
    }


def bundle_files(project: ProjectFacts) -> Files:
    manifest = json.dumps(bundle_manifest(project), indent=2) + "\n"
    return {"manifest.json": manifest.encode(), **dict(_package_files())}


def _package_files() -> Iterator[tuple[str, bytes]]:
    """Yield what the package is built from, so that the bundle needs nothing but its dependencies."""
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        yield name, (ROOT / name).read_bytes()
    yield "icon.png", (ROOT / "docs/icon.png").read_bytes()
    for name in project_files("src"):
        yield name, (ROOT / name).read_bytes()
