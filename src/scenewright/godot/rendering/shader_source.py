"""A shader's text out of its parts: type, render modes, uniforms and the bodies of its functions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from scenewright.core.faults import Invalid

__all__ = ["FUNCTIONS", "shader_text", "shader_type"]

# By shader type: the functions it has, by the parameter that gives the body.
FUNCTIONS: dict[str, dict[str, str]] = {
    "canvas_item": {"vertexCode": "vertex", "fragmentCode": "fragment", "lightCode": "light"},
    "spatial": {"vertexCode": "vertex", "fragmentCode": "fragment", "lightCode": "light"},
    "particles": {"startCode": "start", "processCode": "process"},
    "sky": {"fragmentCode": "sky"},
    "fog": {"fragmentCode": "fog"},
}
_TYPE = re.compile(r"^[ \t]*shader_type\s+(\w+)\s*;", re.MULTILINE)
_WHOLE = re.compile(r"^\s*void\s+\w+\s*\(")


def shader_type(text: str) -> str | None:
    """Return the type that a shader's text declares, or None if it declares none."""
    match = _TYPE.search(text)
    return match[1] if match else None


def shader_text(kind: str, modes: Iterable[str], uniforms: Iterable[str], bodies: Mapping[str, str]) -> str:
    """Return the whole text of a shader; `bodies` maps parameters to function bodies.

    Raises:
        Invalid: this type has no such function.
    """
    parts = [f"shader_type {kind};"]
    if render_modes := [mode.strip() for mode in modes]:
        parts.append(f"render_mode {', '.join(render_modes)};")
    if lines := [_uniform(line) for line in uniforms]:
        parts.append("\n" + "\n".join(lines))
    known = FUNCTIONS[kind]
    for parameter, body in bodies.items():
        if parameter not in known:
            raise Invalid(
                f"A {kind} shader has no function for {parameter}.",
                path=f"input.{parameter}",
                rule="shaderType",
                hint=f"It takes {', '.join(known)}.",
            )
        parts.append("\n" + _function(known[parameter], body))
    return "\n".join(parts) + "\n"


def _uniform(line: str) -> str:
    text = line.strip().rstrip(";")
    is_whole = re.match(r"(?:(?:global|instance)\s+)?uniform\b|group_uniforms\b|varying\b|const\b", text)
    return f"{text};" if is_whole else f"uniform {text};"


def _function(name: str, body: str) -> str:
    """A function around a body; a whole function stays as it is."""
    if _WHOLE.match(body):
        return body.strip()
    lines = [f"\t{line.rstrip()}" if line.strip() else "" for line in body.strip("\n").splitlines()]
    return "\n".join([f"void {name}() {{", *lines, "}"])
