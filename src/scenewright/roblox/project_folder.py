"""What a Roblox project's folder is known by; light, since a server looks at it before it has loaded anything."""

from __future__ import annotations

from scenewright.core.projects.project import Engine

__all__ = ["ENGINE"]

ENGINE = Engine(
    "roblox",
    ("default.project.json", "default.project.jsonc"),
    loose=("*.rbxl", "*.rbxlx", "*.rbxm", "*.rbxmx", "*.project.json", "*.project.jsonc"),
    vendored=("Packages", "ServerPackages", "DevPackages"),
)
