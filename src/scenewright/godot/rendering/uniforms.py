"""The uniforms of a shader's text, and which type of value each takes in the engine."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from scenewright.core.faults import NotFound, did_you_mean

__all__ = ["Include", "Uniform", "blank_comments", "includes_of", "typed", "uniforms_of"]

_COMMENT = re.compile(r'(?P<text>"[^"\n]*")|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)
_INCLUDE = re.compile(r'^[ \t]*#include\s+"([^"]+)"', re.MULTILINE)
_UNIFORM = re.compile(
    r"(?:(?P<scope>global|instance)\s+)?\buniform\s+(?:(?:lowp|mediump|highp)\s+)?(?P<type>\w+)\s*(?P<before>\[[^\]]{0,200}\])?"
    r"\s+(?P<name>\w+)\s*(?P<after>\[[^\]]{0,200}\])?\s*(?::(?P<hints>[^=;]{0,2000}+))?+(?:=[^;]{0,10000}+)?+;"
)
_ENGINE_MADE = ("hint_screen_texture", "hint_depth_texture", "hint_normal_roughness_texture")
_SINGLE = {
    "bool": "bool",
    "int": "int",
    "uint": "int",
    "float": "float",
    "bvec2": "int",
    "bvec3": "int",
    "bvec4": "int",
    "ivec2": "Vector2i",
    "ivec3": "Vector3i",
    "ivec4": "Vector4i",
    "uvec2": "Vector2i",
    "uvec3": "Vector3i",
    "uvec4": "Vector4i",
    "vec2": "Vector2",
    "vec3": "Vector3",
    "vec4": "Vector4",
    "mat2": "Transform2D",
    "mat3": "Basis",
    "mat4": "Projection",
}
_MANY = {
    "float": "PackedFloat32Array",
    "vec2": "PackedVector2Array",
    "vec3": "PackedVector3Array",
    "vec4": "PackedVector4Array",
    "mat2": "PackedFloat32Array",
    "mat3": "PackedFloat32Array",
    "mat4": "PackedFloat32Array",
}
_TEXTURES = {"sampler2D": "Texture2D", "sampler3D": "Texture3D"}  # all others are layered


# Asked with a path as it is written and the place of the file that has it; answers with the place and text it leads to.
Include = Callable[[str, str], tuple[str, str] | None]


class Uniform(msgspec.Struct, frozen=True):
    """One that a material can set; `instance` is for one that each node sets for itself."""

    name: str
    type: str
    instance: bool = False
    many: bool = False

    @property
    def value_type(self) -> str:
        """The type that a value of it has; textures in a row may be anything."""
        return "Variant" if self.many and self.is_texture else self.type

    @property
    def is_texture(self) -> bool:
        return self.type.startswith("Texture")


def uniforms_of(text: str, include: Include, place: str = "") -> dict[str, Uniform]:
    """Return what a shader at a place declares; `include` returns the included files."""
    uniforms: dict[str, Uniform] = {}
    waiting, seen = [(place, text)], set[str]()
    while waiting:
        place, written = waiting.pop()
        code = blank_comments(written)
        for match in _UNIFORM.finditer(code):
            uniform = _read_uniform(match)
            if uniform is not None:
                uniforms.setdefault(uniform.name, uniform)
        included = [file for path in includes_of(written) if (file := include(path, place)) is not None]
        waiting += [file for file in included if file[0] not in seen]
        seen |= {file[0] for file in included}
    return uniforms


def includes_of(text: str) -> list[str]:
    """Return the paths that a shader's text includes, as written."""
    return _INCLUDE.findall(blank_comments(text))


def blank_comments(text: str) -> str:
    """Return a shader's text with spaces for comments; lines and places stay."""
    return _COMMENT.sub(lambda match: match[0] if match["text"] else re.sub(r"[^\n]", " ", match[0]), text)


def typed(uniforms: Mapping[str, Uniform], values: Mapping[str, Any], parameter: str) -> dict[str, Any]:
    """Return the values by uniform, in forms that state their types.

    Raises:
        NotFound: the shader has no such uniform.
    """
    forms: dict[str, Any] = {}
    for name, value in values.items():
        plain = name.removeprefix("shader_parameter/")
        uniform = uniforms.get(plain)
        if uniform is None:
            hint = did_you_mean(plain, list(uniforms)) or f"It has {', '.join(uniforms) or 'none'}."
            raise NotFound(f"The shader has no uniform '{plain}' ({parameter}).", hint=hint)
        forms[plain] = _value_form(uniform, value)
    return forms


def _read_uniform(match: re.Match[str]) -> Uniform | None:
    hints = match["hints"] or ""
    if match["scope"] == "global" or any(hint in hints for hint in _ENGINE_MADE):
        return None  # set elsewhere
    many = bool(match["before"] or match["after"])
    kind = _type(match["type"], many=many, is_color="source_color" in hints)
    return None if kind is None else Uniform(match["name"], kind, match["scope"] == "instance", many)


def _type(kind: str, *, many: bool, is_color: bool) -> str | None:
    if "sampler" in kind:
        return _TEXTURES.get(kind, "TextureLayered")
    if kind not in _SINGLE:
        return None
    if is_color and kind in ("vec3", "vec4"):
        return "PackedColorArray" if many else "Color"
    return _MANY.get(kind, "PackedInt32Array") if many else _SINGLE[kind]


def _value_form(uniform: Uniform, value: Any) -> Any:
    if value is None:
        return None
    if not uniform.is_texture:
        # What a material takes, its shader says; what a node takes for itself, nothing does.
        return {"$type": uniform.type, "value": value} if uniform.instance else value
    if uniform.many and isinstance(value, list):
        return [_texture(uniform, part) for part in value]
    return _texture(uniform, value)


def _texture(uniform: Uniform, value: Any) -> Any:
    if isinstance(value, str):
        path = value if value.startswith(("res://", "uid://")) else f"res://{value}"
        return {"$resource": uniform.type, "path": path}
    return value
