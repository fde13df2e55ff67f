"""What a Unity project's folder is known by; light, since a server looks at it before it has loaded anything."""

from __future__ import annotations

from scenewright.core.projects.project import Engine

__all__ = ["ENGINE"]

VERSION_FILE = "ProjectSettings/ProjectVersion.txt"
ENGINE = Engine(
    "unity",
    (VERSION_FILE,),
    companions=(".meta",),
    vendored=("Packages", "Assets/Plugins"),
    version=(VERSION_FILE, "m_EditorVersion:"),
)
