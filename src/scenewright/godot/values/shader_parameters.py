"""Parameters of a shader material: no class knows their types, the uniforms of its shader do."""

from __future__ import annotations

from typing import Any

from scenewright.core.faults import did_you_mean
from scenewright.godot.classes.records import Property
from scenewright.godot.values.colors import color_from_text
from scenewright.godot.values.context import Context
from scenewright.godot.values.elements import of_type
from scenewright.godot.values.refusal import Mismatch
from scenewright.godot.values.tree import Coerced

__all__ = ["shader_parameter"]

_PREFIX = "shader_parameter/"


def shader_parameter(name: str, value: Any, shader: Coerced, context: Context) -> Property | None:
    """Return what a parameter takes, by its uniform; None for other properties and unreadable shaders."""
    uniforms = context.uniforms(shader) if name.startswith(_PREFIX) and shader is not None else None
    if uniforms is None:
        return None
    plain = name.removeprefix(_PREFIX)
    kind = uniforms.get(plain)
    if kind is None:
        hint = did_you_mean(plain, list(uniforms)) or f"It has {', '.join(uniforms) or 'none'}."
        context.doubt(f"The shader has no uniform '{plain}', so the engine ignores {name}. {hint}")
        return None
    if kind == "Vector4" and isinstance(value, str) and _is_color(value, context):
        kind = "Color"  # which the engine takes for any four numbers
    return of_type(kind, "ShaderMaterial", name, context.index)


def _is_color(text: str, context: Context) -> bool:
    try:
        return color_from_text(text, context.index) is not None
    except Mismatch:
        return False
