"""Resources and nodes: by path or uid, by id, made in place with properties of their own, or by node path."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

from scenewright.core.faults import Fault, NotFound, did_you_mean
from scenewright.godot.classes.records import Property
from scenewright.godot.classes.variant import Hint
from scenewright.godot.documents import variant as v
from scenewright.godot.values.context import Context, is_a, known_file
from scenewright.godot.values.curves import with_points
from scenewright.godot.values.refusal import Mismatch, shown, with_article
from scenewright.godot.values.shader_parameters import shader_parameter
from scenewright.godot.values.tree import Coerced, File, Inline, NodeTarget

__all__ = ["file", "from_form", "inline", "is_resource_form", "node", "object_from_text", "reference", "wants_node"]

Property_: TypeAlias = Callable[[Any, Property], Coerced]
"""Coerces the value of a property of a resource, as `coerce` does."""

_LOADED = re.compile(r"(?:pre)?load\(\s*[\"']([^\"']+)[\"']\s*\)")
_NEW = re.compile(r"(\w+)(?:\.new\(\s*\))?")
_ADDRESS = ("res://", "uid://")
_PLACE = re.compile(r"(?!/)[^:*?\"<>|\\]+\.\w+")  # as a path from the project's root looks
_PROPS = ("props", "properties")


def is_resource_form(value: Mapping[str, Any]) -> bool:
    return "$resource" in value or "$path" in value


def wants_node(wanted: Property, context: Context) -> bool:
    if wanted.hint == Hint.NODE_TYPE:
        return True
    return any(name in context.index and context.index.is_a(name, "Node") for name in wanted.classes)


def object_from_text(text: str, wanted: Property, context: Context, deeper: Property_) -> Coerced:
    """Read a node's path, a file's address, `load("res://…")`, or a class to make one of."""
    plain = text.strip()
    if wants_node(wanted, context):
        return node(plain, wanted, context)
    if loaded := _LOADED.fullmatch(plain):
        plain = loaded[1]
    if plain.startswith(_ADDRESS):
        return file(plain, wanted, context)
    if (made := _NEW.fullmatch(plain)) and (made[1] in context.index or _find_script(context, made[1])):
        return inline(made[1], {}, wanted, context, deeper)
    address = f"res://{plain.lstrip('/')}"
    missing = _hint_if_missing(address, context) if "." in plain or "/" in plain else ""
    if missing is None and _PLACE.fullmatch(plain):
        return file(address, wanted, context)
    hint = f"Did you mean '{address}'?" if missing is None else missing or None
    raise Mismatch(f"{shown(text)} is neither a file of the project nor a uid:// nor a class", hint=hint)


def _hint_if_missing(address: str, context: Context) -> str | None:
    """What is to be said where there is no such file; None where there is one."""
    try:
        known_file(context, address)
    except Fault as problem:
        return problem.hint or ""
    return None


def from_form(value: Mapping[str, Any], wanted: Property, context: Context, deeper: Property_) -> Coerced:
    """Read `{"$path": …}`, or `{"$resource": class}` with `props`, `path` or the `id` of one in the document."""
    if "$path" in value:
        _check_names(value, ("$path", "$resource"))
        named_file = file(_read_text(value, "$path"), wanted, context)
        if "$resource" in value:
            _must_be(named_file.script or named_file.class_name, (_read_text(value, "$resource"),), context)
        return named_file
    class_name = _read_text(value, "$resource")
    _check_names(value, ("$resource", "path", "id", *_PROPS))
    if len([name for name in value if name != "$resource"]) > 1:
        raise Mismatch("a resource has either props, a path or an id")
    if "path" in value:
        named_file = file(_read_text(value, "path"), wanted, context)
        _must_be(named_file.script or named_file.class_name, (class_name,), context)
        return named_file
    if "id" in value:
        return reference(v.SubResource(_read_text(value, "id")), wanted, context)
    props: Any = next((value[name] for name in _PROPS if name in value), {})
    return inline(class_name, props, wanted, context, deeper)


def file(address: str, wanted: Property, context: Context) -> File:
    """Return a file that exists and is of the wanted class."""
    if not address.startswith(_ADDRESS):
        raise Mismatch(f"{shown(address)} is neither a res:// path nor a uid://")
    known = known_file(context, address)
    _must_be(known.script or known.class_name, wanted.classes, context)
    return known


def reference(value: v.Variant, wanted: Property, context: Context) -> Coerced:
    """Return a resource by its id in the document, or an object written in place."""
    if isinstance(value, v.ExtResource | v.SubResource):
        _must_be(context.declared(value), wanted.classes, context)
    elif isinstance(value, v.Resource):
        return file(value.uid or value.path, wanted, context)
    elif isinstance(value, v.Object):
        _must_be(value.type, wanted.classes, context)
    return value


def node(path: str, wanted: Property, context: Context) -> NodeTarget:
    """Return a node that exists and is of the wanted class."""
    target = context.node(path)
    _must_be(target.class_name, wanted.classes, context)
    return NodeTarget(target.path)


def inline(class_name: str, props: Any, wanted: Property, context: Context, deeper: Property_) -> Inline:
    """Return a resource to be made, its properties coerced by its own class."""
    if not isinstance(props, Mapping):
        raise Mismatch(f"the props of {class_name} are not an object with names and values")
    script = _find_script(context, class_name)
    native = context.scripts.native_base(class_name) if script and context.scripts else class_name
    _must_be_made(native, class_name, context)
    values = dict(with_points(native, props))
    if script is None and (address := _script_address(values.get("script"))):
        del values["script"]
        script = file(address, context.index.property(native, "script"), context)
        class_name = script.path
    _must_be(class_name, wanted.classes, context)
    known_as = script.path if script else native
    return Inline(native, tuple(_coerce_properties(values, native, known_as, context, deeper)), script)


def _coerce_properties(
    values: Mapping[str, Any], native: str, known_as: str, context: Context, deeper: Property_
) -> Iterator[tuple[str, Coerced]]:
    """The properties of a new resource; those of a material go by the shader it gets."""
    shader: Coerced = None
    if native == "ShaderMaterial" and "shader" in values:
        shader = deeper(values["shader"], _find_property(known_as, "shader", context))
    for name, value in values.items():
        if name == "shader" and shader is not None:
            yield name, shader
            continue
        parameter = shader_parameter(name, value, shader, context) if native == "ShaderMaterial" else None
        yield name, deeper(value, parameter or _find_property(known_as, name, context))


def _script_address(script: Any) -> str | None:
    address = script.get("$path") if isinstance(script, Mapping) else script
    return address if isinstance(address, str) else None


def _find_property(class_name: str, name: str, context: Context) -> Property:
    if context.scripts is not None and class_name.startswith("res://"):
        return context.scripts.property(class_name, name)
    return context.index.property(class_name, name)


def _find_script(context: Context, class_name: str) -> File | None:
    if context.scripts is None or class_name in context.index:
        return None
    path = context.scripts.classes().get(class_name)
    return known_file(context, path) if path else None


def _must_be_made(native: str, class_name: str, context: Context) -> None:
    if native not in context.index:
        known = [*context.index.resource_classes(), *(context.scripts.classes() if context.scripts else ())]
        raise NotFound(
            f"There is no class '{class_name}'.",
            hint=did_you_mean(class_name, known, "search_docs finds classes by what they do."),
        )
    if not context.index.is_a(native, "Resource"):
        raise Mismatch(f"{class_name} is not a resource")
    if not context.index.row(native).instantiable:
        made = [name for name in context.index.subclasses(native) if context.index.row(name).instantiable]
        raise Mismatch(f"{class_name} is abstract", hint=f"Make one of {', '.join(made[:8])}." if made else None)


def _must_be(class_name: str, wanted: tuple[str, ...], context: Context) -> None:
    if class_name and wanted and not any(is_a(context, class_name, name) for name in wanted):
        called = class_name.rpartition("/")[2]
        raise Mismatch(f"{with_article(called)} is not {with_article(' or '.join(wanted))}")


def _check_names(value: Mapping[str, Any], known: tuple[str, ...]) -> None:
    unknown = [name for name in value if name not in known]
    if unknown:
        hint = did_you_mean(unknown[0], known) or "The properties of the resource go into props."
        raise Mismatch(f"'{unknown[0]}' is not one of {', '.join(known)}", hint=hint)


def _read_text(value: Mapping[str, Any], name: str) -> str:
    text = value[name]
    if not isinstance(text, str):
        raise Mismatch(f"{name} is {shown(text)} instead of text")
    return text
