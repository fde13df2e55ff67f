"""The way in: JSON, the engine's literals and typed forms, coerced by a property's declared type.

What is not certain is refused: nothing is rounded, cut or guessed. A text for a property of any type is taken as it is
unless it has the form of the engine's literals; one that could also be a file is refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from scenewright.core.faults import Invalid, NotFound, did_you_mean
from scenewright.core.text.counts import with_article
from scenewright.godot.classes.ranges import meant_in_degrees, outside
from scenewright.godot.classes.records import Property
from scenewright.godot.classes.variant import PACKED_ELEMENTS, VARIANT_TYPES
from scenewright.godot.documents import variant as v
from scenewright.godot.values import containers, numbers, resources, transforms
from scenewright.godot.values.colors import color, color_from_text
from scenewright.godot.values.context import Context, is_known
from scenewright.godot.values.curves import packed_data
from scenewright.godot.values.elements import ANY, of_type, parts_of_type, real_type
from scenewright.godot.values.literals import is_literal, parse, type_name
from scenewright.godot.values.lossless_conversion import loosened, typed_like
from scenewright.godot.values.refusal import Mismatch, invalid, shown
from scenewright.godot.values.resource_forms import from_list
from scenewright.godot.values.tree import Coerced
from scenewright.godot.values.vectors import vector

__all__ = ["coerce"]

_DEEPEST = 64
_MARKERS = ("$type", "$literal", "$resource", "$path", "$node", "$ref")
_VERBATIM = ("String", "StringName", "NodePath")
_HANDLES: dict[str, v.Variant] = {"RID": v.RID(), "Callable": v.Callable(), "Signal": v.Signal()}
_NUMBERS = ("bool", "int", "float")
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)")
_ROW = re.compile(r"\s*[(\[]?\s*([+-]?[\d.]+(?:\s*,\s*[+-]?[\d.]+)+)\s*[)\]]?\s*")  # (10, 20), [10, 20] or 10, 20
_UNIFORM = ("scale", "zoom")  # where one number stands for all axes
_MATRICES: dict[str, Callable[[Any], v.Variant]] = {
    "Basis": transforms.basis,
    "Transform2D": transforms.transform_2d,
    "Transform3D": transforms.transform_3d,
    "Color": color,
    "PackedByteArray": containers.byte_array,
}


def coerce(value: Any, wanted: Property, context: Context) -> Coerced:
    """Return a value as a property of that type holds it.

    Raises:
        Invalid: it cannot be one; the message names the property, the type and an example.
        NotFound: a class, property, file or node that it names does not exist.
    """
    name = f"{wanted.owner}.{wanted.name}"
    if wanted.read_only:
        raise Invalid(f"{name} can only be read.", path=wanted.name, rule="readOnly")
    real = real_type(wanted)
    try:
        _check_depth(value)
        coercion = _Coercion(context)
        made = packed_data(coercion.value(value, real), real, coercion.fit)
    except Mismatch as problem:
        raise invalid(problem, value, real, context.index) from None
    except NotFound as problem:
        raise NotFound(f"{name}: {problem.message}", hint=problem.hint, details=problem.details) from None
    if (doubt := meant_in_degrees(made, real) or outside(made, real)) is not None:
        context.doubt(doubt)
    return made


class _Coercion:
    """One value on its way; `value` takes JSON, `fit` a value of the engine, and every other method says what for."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.index = context.index

    def value(self, value: Any, wanted: Property) -> Coerced:
        if value is None:
            return self._coerce_null(wanted)
        if isinstance(value, Mapping) and any(str(name).startswith("$") for name in value):
            return self._coerce_form(value, wanted)
        if isinstance(value, str):
            return self._coerce_text(value, wanted)
        return self._coerce_json(value, wanted, self.value)

    def fit(self, value: v.Variant, wanted: Property) -> Coerced:
        """Return a value of the engine for a property, as it is or converted where nothing is lost."""
        kind = type_name(value)
        if wanted.variant == "Nil":
            return self._fit_any(value)
        if wanted.variant == "Object":
            return self._fit_object(value, wanted)
        if kind == "Nil":
            raise Mismatch(f"null is not {with_article(wanted.variant)}")
        if wanted.variant in _HANDLES:
            return self._fit_handle(value, wanted)
        if isinstance(value, v.Dictionary) and wanted.variant == "Dictionary":
            made = containers.dictionary(value.entries, wanted, self._fit_part, self.context)
        else:
            made = self._coerce_json(loosened(value, wanted), wanted, self._fit_part)
        return made if "[" in wanted.type else typed_like(made, value)

    def _fit_part(self, value: Any, wanted: Property) -> Coerced:
        """An element of a literal, where a text is a text and nothing else."""
        if isinstance(value, str) and wanted.variant not in (*_VERBATIM, "Nil"):
            return self._coerce_text(value, wanted)
        return self.fit(value, wanted)

    def _coerce_null(self, wanted: Property) -> Coerced:
        """null clears: no object, no value, or the value the class starts with."""
        is_override = wanted.default is None and wanted.name.startswith("theme_override_")
        if wanted.variant in ("Object", "Nil") or wanted.default == "null" or is_override:
            return None
        if wanted.variant in _HANDLES:
            return _HANDLES[wanted.variant]
        if wanted.default is None:
            raise Mismatch("null is not a value for it, and its default is not known")
        return self.fit(parse(wanted.default, self.index), wanted)

    def _coerce_form(self, value: Mapping[str, Any], wanted: Property) -> Coerced:
        markers = [str(name) for name in value if str(name).startswith("$")]
        unknown = [name for name in markers if name not in _MARKERS]
        if unknown:
            raise Mismatch(f"{unknown[0]} is not one of {', '.join(_MARKERS)}", hint=did_you_mean(unknown[0], _MARKERS))
        if "$type" in value:
            return self._coerce_typed(value["$type"], {k: part for k, part in value.items() if k != "$type"}, wanted)
        if resources.is_resource_form(value):
            if set(value) == {"$path"} and wanted.variant in _VERBATIM and isinstance(value["$path"], str):
                return _text_value(value["$path"], wanted.variant)
            if wanted.variant not in ("Object", "Nil"):
                raise Mismatch(f"a resource is not {with_article(wanted.variant)}")
            return resources.from_form(value, wanted, self.context, self._of_resource)
        (marker, *others), (text, *_) = zip(*value.items(), strict=True)
        if others or not isinstance(text, str):
            raise Mismatch(f"{marker} takes one text and nothing beside it")
        return self.fit(parse(text, self.index), wanted) if marker == "$literal" else self._coerce_node(text, wanted)

    def _coerce_typed(self, type_: Any, rest: Mapping[str, Any], wanted: Property) -> Coerced:
        outer = str(type_).partition("[")[0]
        if outer not in VARIANT_TYPES or outer in ("Nil", "Object"):
            return self._of_class(str(type_), rest, wanted)
        target = of_type(str(type_), wanted.owner, wanted.name, self.index)
        if outer == wanted.variant and ("[" not in target.type or parts_of_type(wanted, self.index)):
            target = wanted
        made = self._coerce_payload(rest, target)
        return made if wanted.variant in (outer, "Nil") else self.fit(made, wanted)  # type: ignore[arg-type]

    def _coerce_payload(self, rest: Mapping[str, Any], target: Property) -> Coerced:
        if not rest and target.variant in _HANDLES:
            return _HANDLES[target.variant]
        if target.variant == "Dictionary" and set(rest) == {"entries"}:
            return containers.dictionary(_entry_pairs(rest["entries"]), target, self.value, self.context)
        payload = rest["value"] if set(rest) == {"value"} else rest
        if target.variant in _VERBATIM or isinstance(payload, Mapping):
            return self._coerce_json(payload, target, self.value)
        if payload is None:
            raise Mismatch(f"null is not {with_article(target.variant)}")
        return self.value(payload, target)

    def _of_class(self, class_name: str, rest: Mapping[str, Any], wanted: Property) -> Coerced:
        if not is_known(self.context, class_name):
            known = [*VARIANT_TYPES[1:], *self.index.resource_classes()]
            raise NotFound(f"There is no type '{class_name}'.", hint=did_you_mean(class_name, known))
        if wanted.variant not in ("Object", "Nil"):
            raise Mismatch(f"{with_article(class_name)} is not {with_article(wanted.variant)}")
        props = next(iter(rest.values())) if set(rest) in ({"props"}, {"properties"}) else rest
        return resources.inline(class_name, props, wanted, self.context, self._of_resource)

    def _of_resource(self, value: Any, wanted: Property) -> Coerced:
        if wanted.variant == "Object" and resources.wants_node(wanted, self.context):
            raise Mismatch(f"{wanted.name} of a resource cannot hold a node")
        return coerce(value, wanted, self.context)

    def _coerce_node(self, path: str, wanted: Property) -> Coerced:
        if wanted.variant == "Object":
            return resources.node(path, wanted, self.context)
        if wanted.variant not in ("NodePath", "Nil", "String"):
            raise Mismatch(f"a node is not {with_article(wanted.variant)}")
        names, colon, rest = path.partition(":")
        node_path = self.context.node(names).path + colon + rest
        return node_path if wanted.variant == "String" else v.NodePath(node_path)

    def _coerce_text(self, text: str, wanted: Property) -> Coerced:
        if "\0" in text:
            raise Mismatch("the engine's texts cannot hold a NUL")
        kind = wanted.variant
        if kind == "String" or kind in _NUMBERS:
            return self._coerce_json(text, wanted, self.value)
        if kind in ("StringName", "NodePath"):
            own = is_literal(text) and text.lstrip().startswith(('&"', '^"', f"{kind}("))
            return self.fit(parse(text, self.index), wanted) if own else self._coerce_json(text, wanted, self.value)
        if kind == "Nil":
            return self._free_text(text)
        if kind == "Object" and not is_literal(text):
            return resources.object_from_text(text, wanted, self.context, self._of_resource)
        if kind in v.FLOAT_STRUCTS or kind in v.INT_STRUCTS:
            numbers = _ROW.fullmatch(text)
            if numbers and kind != "Color":
                return self._coerce_json([float(part) for part in _NUMBER.findall(numbers[1])], wanted, self.value)
        color = color_from_text(text, self.index) if kind == "Color" else None
        return self.fit(color or parse(text, self.index), wanted)

    def _free_text(self, text: str) -> Coerced:
        as_text = '{"$type": "String", "value": …} stores it as text'
        if text.startswith(("res://", "uid://")):
            raise Mismatch("it may be a file or a text", hint=f'{{"$path": …}} takes the file, {as_text}.')
        if not is_literal(text):
            return text
        try:
            return self._fit_any(parse(text, self.index))
        except Mismatch as problem:
            raise Mismatch(problem.reason, hint=f"{as_text[0].upper()}{as_text[1:]}.") from None

    def _coerce_json(self, value: Any, wanted: Property, inner: containers.Inner) -> Coerced:
        """JSON's own forms of a type."""
        kind = wanted.variant
        if isinstance(value, Mapping) and (kind in v.FLOAT_STRUCTS or kind in v.INT_STRUCTS):
            value = {name: self._coerce_part(part) for name, part in value.items()}
        if kind in _MATRICES:
            return _MATRICES[kind](value)
        if kind in _NUMBERS:
            return self._coerce_number(value, wanted)
        if kind in _VERBATIM:
            return _text_value(value, kind)
        if kind in ("Array", *PACKED_ELEMENTS):
            make = containers.array if kind == "Array" else containers.packed
            return make(value, wanted, inner, self.context)
        if kind == "Quaternion" and isinstance(value, Mapping) and not {"x", "y", "z", "w"} & set(value):
            return transforms.quaternion(value)
        if kind in ("Vector2", "Vector3") and wanted.name.endswith(_UNIFORM) and type(value) in (int, float):
            value = [value] * int(kind[-1])
        if kind in v.FLOAT_STRUCTS or kind in v.INT_STRUCTS:
            return vector(value, kind)
        return self._coerce_other(value, wanted, inner)

    def _coerce_part(self, value: Any) -> Any:
        """A vector inside a vector, which may come in any form itself."""
        is_form = is_literal(value) if isinstance(value, str) else isinstance(value, Mapping) and "$type" in value
        return self.value(value, ANY) if is_form else value

    def _coerce_other(self, value: Any, wanted: Property, inner: containers.Inner) -> Coerced:
        if wanted.variant == "Dictionary":
            if not isinstance(value, Mapping):
                raise Mismatch(f"{shown(value)} is not an object with keys and values")
            return containers.json_object(value, wanted, inner, self.context)
        if wanted.variant == "Nil":
            return self._any_json(value, wanted, inner)
        if wanted.variant == "Object":
            if isinstance(value, list) and (form := from_list(value, wanted.classes)):
                return resources.inline(*form, wanted, self.context, self._of_resource)
            if isinstance(value, Mapping) and not resources.wants_node(wanted, self.context):
                return resources.from_other_form(value, wanted, self.context, self._of_resource)
            raise Mismatch(f"{shown(value)} is not a resource")
        raise Mismatch(f"{shown(value)} is not {with_article(wanted.variant)}")

    def _any_json(self, value: Any, wanted: Property, inner: containers.Inner) -> Coerced:
        if isinstance(value, list | tuple):
            return containers.array(value, wanted, inner, self.context)
        if isinstance(value, Mapping):
            return containers.json_object(value, wanted, inner, self.context)
        if isinstance(value, bool):
            return value
        return numbers.real(value) if isinstance(value, float) else numbers.integer(value)

    def _coerce_number(self, value: Any, wanted: Property) -> Coerced:
        if wanted.variant == "bool":
            return numbers.boolean(value)
        choices = self.index.choices(wanted)
        if type(value) is int and str(value) == wanted.default:
            return value  # some start with a number that has no name
        if choices is None or (isinstance(value, float) and wanted.variant == "float"):
            return numbers.integer(value) if wanted.variant == "int" else numbers.real(value)
        layers = self.context.layer_names(wanted.hint) if choices.is_flags else {}
        number = numbers.chosen(value, choices, layers)
        return number if wanted.variant == "int" else float(number)

    def _fit_any(self, value: v.Variant) -> Coerced:
        """A value of the engine where any is taken."""
        if value is None or isinstance(value, str | v.StringName | v.NodePath | v.Resource):
            return value
        own = of_type(type_name(value), "", "value", self.index)
        if own.variant == "Object":
            return resources.reference(value, ANY, self.context)
        return self.fit(value, own)

    def _fit_object(self, value: v.Variant, wanted: Property) -> Coerced:
        if value is None:
            return None
        if isinstance(value, v.NodePath) and resources.wants_node(wanted, self.context):
            return resources.node(value.text, wanted, self.context)
        if type_name(value) == "Object":
            return resources.reference(value, wanted, self.context)
        if isinstance(value, str):
            return resources.object_from_text(value, wanted, self.context, self._of_resource)
        raise Mismatch(f"{with_article(type_name(value))} is not an object")

    def _fit_handle(self, value: v.Variant, wanted: Property) -> Coerced:
        if type_name(value) != wanted.variant:
            raise Mismatch(f"{with_article(type_name(value))} is not {with_article(wanted.variant)}")
        if isinstance(value, v.RID) and value.number:
            raise Mismatch("a RID is a handle of a running engine and cannot be stored")
        return value


def _text_value(value: Any, kind: str) -> v.Variant:
    if not isinstance(value, str):
        raise Mismatch(f"{shown(value)} is not text", hint=f"As text it would be {shown(str(value))}.")
    if "\0" in value:
        raise Mismatch("the engine's texts cannot hold a NUL")
    return value if kind == "String" else v.StringName(value) if kind == "StringName" else v.NodePath(value)


def _entry_pairs(entries: Any) -> list[tuple[Any, Any]]:
    if not isinstance(entries, list | tuple) or any(not isinstance(e, list | tuple) or len(e) != 2 for e in entries):
        raise Mismatch("entries is not a list of [key, value] pairs")
    return [(key, value) for key, value in entries]


def _check_depth(value: Any) -> None:
    level, depth = [value], 0
    while level:
        if depth > _DEEPEST:
            raise Mismatch(f"it is nested deeper than {_DEEPEST} levels")
        inside = (part.values() if isinstance(part, Mapping) else part for part in level)
        level = [item for parts in inside if not isinstance(parts, str) for item in _iterated(parts)]
        depth += 1


def _iterated(parts: Any) -> Iterable[Any]:
    return parts if isinstance(parts, Iterable) else ()
