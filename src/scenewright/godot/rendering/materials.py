"""Shader materials: which shader one has, its parameters by the shader's uniforms, and where a node takes one."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from functools import partial
from typing import Any

from scenewright.core.faults import Fault, Invalid, NotFound, Unsupported
from scenewright.godot.documents.tree import TreeNode
from scenewright.godot.project.addresses import Addresses
from scenewright.godot.project.workspace import Workspace
from scenewright.godot.rendering.shader_source import shader_type
from scenewright.godot.rendering.uniforms import Uniform, includes_of, uniforms_of
from scenewright.godot.scenes.scene_edit import SceneEdit

__all__ = [
    "SUFFIX",
    "Shader",
    "drawn_property",
    "included_file",
    "material_property",
    "parameters",
    "shaders_including",
]

SUFFIX = ".gdshader"
_SLOTS = {
    "GPUParticles2D": {"particles": "process_material", "canvas_item": "material"},
    "GPUParticles3D": {"particles": "process_material", "spatial": "material_override"},
    "GeometryInstance3D": {"spatial": "material_override"},
    "FogVolume": {"fog": "material"},
    "CanvasItem": {"canvas_item": "material"},
}


class Shader:
    """A shader file of the project."""

    def __init__(self, workspace: Workspace, path: str) -> None:
        file = Addresses(workspace).file(path)
        self.path = file.path
        if not self.path.endswith(SUFFIX):
            raise Invalid(
                f"'{self.path}' is not a shader file.",
                path="input.shaderPath",
                rule="suffix",
                hint=f"Its name must end in {SUFFIX}.",
            )
        self._workspace = workspace
        self.text = workspace.files.read(workspace.place(self.path)).decode("utf-8", "replace")
        self.type = shader_type(self.text) or ""

    @property
    def uniforms(self) -> dict[str, Uniform]:
        """What a material can set."""
        return uniforms_of(self.text, partial(included_file, self._workspace), self.path)


def included_file(workspace: Workspace, path: str, place: str) -> tuple[str, str] | None:
    """Return the file that a shader at a place includes, and its text; None where there is none in the project."""
    base = place.removeprefix("res://").rpartition("/")[0]
    try:
        target = workspace.place(path if "://" in path else f"{base}/{path}".lstrip("/"))
    except Fault:
        return None
    if not workspace.files.exists(target):
        return None
    return f"res://{target}", workspace.files.read(target).decode("utf-8-sig", "replace")


def shaders_including(workspace: Workspace, includes: Collection[str]) -> list[str]:
    """Return the shaders, by their paths from the root, that include one of some files, be it by another."""
    wanted = {f"res://{path}" for path in includes}
    include = partial(included_file, workspace)

    def reaches(path: str) -> bool:
        waiting, seen = [(path, workspace.files.read(workspace.place(path)).decode("utf-8-sig", "replace"))], {path}
        while waiting:
            place, text = waiting.pop()
            files = [file for each in includes_of(text) if (file := include(each, place)) is not None]
            waiting += [file for file in files if file[0] not in seen]
            seen |= {file[0] for file in files}
        return not wanted.isdisjoint(seen)

    return [path for path in workspace.listing(".gdshader") if reaches(f"res://{path}")]


def parameters(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return values by uniform as properties of a material."""
    return {f"shader_parameter/{name}": value for name, value in values.items()}


def material_property(edit: SceneEdit, node: TreeNode, kind: str, chosen: str | None, surface: int | None) -> str:
    """Return the property in which a node takes a material with a shader of this type.

    Raises:
        Invalid: it takes none of that type.
        NotFound: it has no such property.
    """
    if chosen is not None:
        if not edit.index.has_property(node.type or "", chosen):
            raise NotFound(f"A {node.type} has no property '{chosen}'.", hint="Leave materialProperty out.")
        return chosen
    if surface is not None:
        if not edit.index.is_a(node.type or "", "MeshInstance3D"):
            raise Invalid(
                f"A {node.type} has no surfaces.",
                path="input.surfaceIndex",
                rule="class",
                hint="Leave surfaceIndex out.",
            )
        return f"surface_material_override/{surface}"
    return _material_slot(edit, node, kind)


def _material_slot(edit: SceneEdit, node: TreeNode, kind: str) -> str:
    """The property for a shader type, by the node's class."""
    for base, slots in _SLOTS.items():
        if node.type in edit.index and edit.index.is_a(node.type or "", base):
            if kind in slots:
                return slots[kind]
            raise Invalid(
                f"A {node.type} takes no {kind or 'such'} shader.",
                path="input.shaderPath",
                rule="shaderType",
                hint=f"It takes {' or '.join(slots)}.",
            )
    raise Unsupported(f"A {node.type} takes no material.", hint="Name a node that draws something.")


def drawn_property(node: TreeNode, chosen: str | None, surface: int | None) -> str | None:
    """Return the property of a node that holds a material now."""
    if chosen is not None:
        return chosen
    if surface is not None:
        return f"surface_material_override/{surface}"
    names = [name for name in node.properties if re.fullmatch(r"(?:process_)?material(?:_override)?", name)]
    surfaces = [name for name in node.properties if name.startswith("surface_material_override/")]
    return next(iter([*names, *surfaces]), None)
