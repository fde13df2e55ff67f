"""What a Godot project's folder is known by; light, since a server looks at it before it has loaded anything."""

from __future__ import annotations

from scenewright.core.projects.project import Engine
from scenewright.godot.editor.addon_files import FOLDER

__all__ = ["ENGINE"]

ENGINE = Engine(
    "godot",
    ("project.godot",),
    audit_log=".godot_mcp/audit.log",
    generated=(FOLDER,),
    companions=(".import", ".uid"),
    vendored=("addons",),
)
