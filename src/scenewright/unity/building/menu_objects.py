"""Objects of the GameObject menu in one file: looks of the project, the canvas that UI needs, names as the editor's."""

from __future__ import annotations

import re

from scenewright.unity.building.recipes import Looks, Recipe, built_in, canvas, event_system, is_ui, recipe_for
from scenewright.unity.class_types.versions import read_version
from scenewright.unity.editing.session import EditSession
from scenewright.unity.objects.nodes import ObjectNode
from scenewright.unity.project import ProjectSettings
from scenewright.unity.workspace import Workspace

__all__ = ["canvas_for", "free_name", "looks_of", "missing_event_system", "recipe_in"]

_FONT = "8f586378b4e144a9851e7b34d9b748ee"
_MATERIALS = {
    "Universal Render Pipeline": "31321ba15b8f8eb4c954353edc038b1d",
    "High Definition Render Pipeline": "73c176f402d2c2f4d929aa5da7585d17",
}
_PARTICLES = {
    "Built-in Render Pipeline": built_in(10308),
    "Universal Render Pipeline": {"fileID": "2100000", "guid": "e823cd5b5d27c0f4b8256e7c12ee3e6d", "type": "2"},
}
_NUMBERED = re.compile(r"(.*) \(\d+\)")


def looks_of(workspace: Workspace) -> Looks:
    """Return what of a new object depends on the project."""
    settings = ProjectSettings(workspace)
    guid = _MATERIALS.get(settings.render_pipeline)
    material = {"fileID": "2100000", "guid": guid, "type": "2"} if guid else built_in(10303)
    wanted, locked = settings.packages()
    versions = {name: str(row.get("version", "")) for name, row in locked.items()} | wanted
    newer = read_version(f"{versions.get('com.unity.ugui', '0')}.0.0")
    has_font = _FONT in workspace.graph.by_guid
    handler = str(settings.settings("ProjectSettings").get("activeInputHandler", "0"))
    return Looks(
        material=material,
        with_text_mesh="com.unity.textmeshpro" in versions or (newer is not None and newer[0] >= 2),
        font={"fileID": "11400000", "guid": _FONT, "type": "2"} if has_font else None,
        font_material={"fileID": "2180264", "guid": _FONT, "type": "2"} if has_font else None,
        particle_material=_PARTICLES.get(settings.render_pipeline),
        input_module="InputSystemUIInputModule"
        if handler == "1" and "com.unity.inputsystem" in versions
        else "StandaloneInputModule",
    )


def recipe_in(session: EditSession, kind: str) -> Recipe:
    """Return what the editor makes of a kind in this project."""
    return recipe_for(kind, looks_of(session.workspace))


def canvas_for(session: EditSession, kind: str, parent: ObjectNode | None) -> ObjectNode | Recipe | None:
    """Return the canvas that an element goes below: one of the file, one to be made, None where it needs none."""
    if not is_ui(kind) or session.file.path.endswith(".prefab"):
        return None
    naming = session.workspace.naming
    if parent is not None:
        return None if _has_canvas(session, parent) else canvas()
    there = [node for node in session.tree if node.active and "Canvas" in naming.components(node)]
    return there[0] if there else canvas()


def missing_event_system(session: EditSession, kind: str) -> Recipe | None:
    """Return what takes the clicks, where a scene with a canvas has none."""
    if not (is_ui(kind) or kind == "Canvas") or session.file.path.endswith(".prefab"):
        return None
    naming = session.workspace.naming
    if any("EventSystem" in naming.components(node) for node in session.tree):
        return None
    return event_system(looks_of(session.workspace))


def free_name(name: str, siblings: list[ObjectNode]) -> str:
    """Return a name as the editor gives it to the second of the same: `Cube (1)`."""
    taken = {node.name for node in siblings}
    if name not in taken:
        return name
    numbered = _NUMBERED.fullmatch(name)
    plain = numbered[1] if numbered else name
    return next(text for number in range(1, len(taken) + 2) if (text := f"{plain} ({number})") not in taken)


def _has_canvas(session: EditSession, node: ObjectNode) -> bool:
    naming = session.workspace.naming
    above = {id(child): other for other in session.tree for child in other.children}
    place: ObjectNode | None = node
    while place is not None:
        if "Canvas" in naming.components(place):
            return True
        place = above.get(id(place))
    return False
