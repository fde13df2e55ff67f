"""Resources and nodes: by path or uid, by id, made in place with properties of their own, or by node path."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

import msgspec

from scenewright.core.faults import Fault, NotFound, did_you_mean
from scenewright.core.text.counts import with_article
from scenewright.godot.classes.property_order import property_rank
from scenewright.godot.classes.records import Property
from scenewright.godot.classes.variant import Hint
from scenewright.godot.documents import variant as v
from scenewright.godot.documents.variant_writer import write_variant
from scenewright.godot.values.context import Context, is_a, known_file
from scenewright.godot.values.elements import ANY
from scenewright.godot.values.named_resources import PROPS
from scenewright.godot.values.refusal import Mismatch, shown
from scenewright.godot.values.resource_forms import class_beside, in_engine_form
from scenewright.godot.values.shader_parameters import shader_parameter
from scenewright.godot.values.tree import Coerced, File, Inline, NodeTarget, Placeable, Slot

__all__ = [
    "file",
    "from_form",
    "from_other_form",
    "inline",
    "is_resource_form",
    "node",
    "object_from_text",
    "reference",
    "wants_node",
]

Property_: TypeAlias = Callable[[Any, Property], Coerced]
"""Coerces the value of a property of a resource, as `coerce` does."""

_LOADED = re.compile(r"(?:pre)?load\(\s*[\"']([^\"']+)[\"']\s*\)")
_NEW = re.compile(r"(\w+)(?:\.new\(\s*\))?")
_ADDRESS = ("res://", "uid://")
_PLACE = re.compile(r"(?!/)[^:*?\"<>|\\]+\.\w+")  # as a path from the project's root looks


def is_resource_form(value: Mapping[str, Any]) -> bool:
    return "$resource" in value or "$path" in value or "$ref" in value


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
    """Read `{"$path": …}`, `{"$ref": id}`, or `{"$resource": class}` with `props`, `path` or `id`.

    The properties of a new one may also stand beside its class. An id is that of one in the document, or the call's.
    """
    if "$ref" in value:
        _check_names(value, ("$ref",))
        return _referred(_read_text(value, "$ref"), wanted, context, deeper)
    if "$path" in value:
        _check_names(value, ("$path", "$resource"))
        named_file = file(_address(_read_text(value, "$path")), wanted, context)
        if "$resource" in value:
            _must_be(named_file.script or named_file.class_name, (_read_text(value, "$resource"),), context)
        return named_file
    class_name = _read_text(value, "$resource")
    props = _props_of(value)
    if "path" in value:
        if len(value) > 2:
            raise Mismatch("a resource has either a path, or props of its own and an id")
        named_file = file(_address(_read_text(value, "path")), wanted, context)
        _must_be(named_file.script or named_file.class_name, (class_name,), context)
        return named_file
    if "id" in value:
        context.named.collect(value)
        return _referred(_read_text(value, "id"), wanted, context, deeper)
    return inline(class_name, props, wanted, context, deeper)


def from_other_form(value: Mapping[str, Any], wanted: Property, context: Context, deeper: Property_) -> Coerced:
    """Read an object without a `$` that says its class or file all the same, which can mean nothing else here.

    Raises:
        Mismatch: it says neither.
    """
    if set(value) in ({"path"}, {"resource_path"}, {"load"}) and isinstance(place := next(iter(value.values())), str):
        return object_from_text(place, wanted, context, deeper)
    if form := class_beside(value, _classes(context)):
        return from_form(form, wanted, context, deeper)
    if (only := _only_class(wanted, context)) and value:
        return inline(only, value, wanted, context, deeper)
    raise Mismatch(f"{shown(value)} is not a resource", hint='{"$resource": class, "props": {…}} makes one.')


def _only_class(wanted: Property, context: Context) -> str | None:
    """The one class that a property takes, where no other can be meant."""
    if len(wanted.classes) != 1 or (name := wanted.classes[0]) not in context.index:
        return None
    index = context.index
    others = [sub for sub in index.subclasses(name) if index.row(sub).instantiable]
    return name if index.row(name).instantiable and not others else None


def _classes(context: Context) -> list[str]:
    return [*context.index.resource_classes(), *(context.scripts.classes() if context.scripts else ())]


def _props_of(value: Mapping[str, Any]) -> Any:
    """The properties of a new resource, in an object of their own or beside its class."""
    known = ("$resource", "path", "id", *PROPS)
    for name in PROPS:
        if name in value:
            _check_names(value, known)
            return value[name]
    return {name: part for name, part in value.items() if name not in known}


def _referred(name: str, wanted: Property, context: Context, deeper: Property_) -> Coerced:
    """A resource by id: of this call, made once however often it is used, else of the document."""
    kept = v.SubResource(name)
    if not context.named.is_defined(name, in_file=_is_declared(kept, context)):
        try:
            return reference(kept, wanted, context)
        except NotFound as problem:
            hint = f'One resource of this call has to say what it is: {{"$resource": class, "id": "{name[:100]}"}}.'
            raise NotFound(problem.message, hint=did_you_mean(name, list(context.named)) or hint) from None

    def make(form: Mapping[str, Any]) -> Inline:
        made = inline(_read_text(form, "$resource"), _props_of(form), ANY, context, deeper)
        return msgspec.structs.replace(made, slot=Slot())

    shared = context.named.get(name, make)
    _must_be(shared.script.path if shared.script else shared.class_name, wanted.classes, context)
    return shared


def _is_declared(kept: v.SubResource, context: Context) -> bool:
    try:
        context.declared(kept)
    except NotFound:
        return False
    return True


def _address(place: str) -> str:
    """A path from the project's root as the engine has it."""
    return f"res://{place}" if "://" not in place and _PLACE.fullmatch(place) else place


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
    values = dict(in_engine_form(native, props, context.index))
    if script is None and (address := _script_address(values.get("script"))):
        del values["script"]
        script = file(address, context.index.property(native, "script"), context)
        class_name = script.path
    _must_be(class_name, wanted.classes, context)
    known_as = script.path if script else native
    rank = property_rank(context.index, native, _exported(script, context))
    properties: list[tuple[str, Coerced]] = [("script", script)] if script else []
    properties += _coerce_properties(values, native, known_as, context, deeper)
    return Inline(native, tuple(sorted(properties, key=lambda item: rank(item[0]))), script)


def _coerce_properties(
    values: Mapping[str, Any], native: str, known_as: str, context: Context, deeper: Property_
) -> Iterator[tuple[str, Coerced]]:
    """The properties of a new resource; those of a material go by the shader it gets."""
    shader: Coerced = None
    if native == "ShaderMaterial" and "shader" in values:
        shader = deeper(values["shader"], _find_property(known_as, "shader", context))
    for given, value in values.items():
        name = given
        if name == "shader" and shader is not None:
            yield name, shader
            continue
        if shader is not None and _is_uniform(name, shader, context):
            name = f"shader_parameter/{name}"
        parameter = shader_parameter(name, value, shader, context) if native == "ShaderMaterial" else None
        wanted = parameter or _find_property(known_as, name, context)
        coerced = deeper(value, wanted)
        if wanted.default is None or isinstance(coerced, Placeable) or write_variant(coerced) != wanted.default:
            yield name, coerced


def _is_uniform(name: str, shader: Coerced, context: Context) -> bool:
    """Whether a name that is no property of a material is a parameter of its shader."""
    return not context.index.has_property("ShaderMaterial", name) and name in (context.uniforms(shader) or ())


def _exported(script: File | None, context: Context) -> list[str]:
    if script is None or context.scripts is None:
        return []
    return [property_.name for property_ in context.scripts.exported(script.path)]


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
