"""Where the scripts of a scene name a node in code: `$Body/Arm`, `%Arm`, `get_node("Body/Arm")`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from scenewright.core.faults import Fault
from scenewright.godot.documents import paths
from scenewright.godot.project.sources import decode
from scenewright.godot.project.workspace import Workspace
from scenewright.godot.scenes.outline import SceneOutline

__all__ = ["mentions_in_code"]

_MOST = 20
_PATHS = re.compile(
    r"""\$"(?P<a>[^"\n]+)"|\$'(?P<b>[^'\n]+)'|\$(?P<c>(?:\.\./)*%?\w+(?:/%?\w+)*)"""
    r"""|(?<![\w)\]"' ])(?P<d>%\w+)|(?<=[=(,:] )(?P<g>%[A-Za-z_]\w*)"""
    r"""|\b(?:get_node|get_node_or_null|has_node|NodePath)\s*\(\s*[&^]?["'](?P<e>[^"'\n]+)["']|\^"(?P<f>[^"\n]+)\""""
)


def mentions_in_code(workspace: Workspace, outline: SceneOutline, path: str, *, renamed: bool) -> list[str]:
    """Return the lines of the scene's scripts that lead to a node or through it, as `res://a.gd:3: $Body`."""
    unique = {node.name: node.path for node in outline.tree.nodes.values() if node.unique_name and node.depth == 0}
    lines: dict[str, None] = {}
    for script, holder in _scripts_of_nodes(outline):
        for number, line in enumerate(_read_text(workspace, script).splitlines(), 1):
            if any(_leads_through(way, holder, path, unique, renamed=renamed) for way in _paths_in_line(line)):
                lines[f"{script}:{number}: {line.strip()[:120]}"] = None
    return list(lines)[:_MOST]


def _leads_through(way: str, holder: str, path: str, unique: Mapping[str, str], *, renamed: bool) -> bool:
    target = paths.resolve(holder, way, unique)
    if target is None or not paths.is_within(target, path):
        return False
    if not way.startswith("%"):
        return True
    base = unique[way.partition("/")[0][1:]]  # found wherever it is, as long as it keeps its name
    return renamed if base == path else paths.is_within(path, base)


def _scripts_of_nodes(outline: SceneOutline) -> Iterator[tuple[str, str]]:
    for node in outline.tree.root.walk():
        script = outline.script(node)
        if script is not None and script.startswith("res://") and script.endswith(".gd"):
            yield script, node.path


def _read_text(workspace: Workspace, script: str) -> str:
    try:
        return decode(workspace.files.read(workspace.place(script)))
    except Fault:
        return ""


def _paths_in_line(line: str) -> Iterator[str]:
    for match in _PATHS.finditer(line.split("#", 1)[0]):
        way = next(part for part in match.groups() if part)
        yield way.partition(":")[0]
