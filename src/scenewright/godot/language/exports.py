"""What the engine would list of a script's exported variables: type, hint, usage and default of each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from scenewright.godot.classes.records import Property
from scenewright.godot.classes.variant import Hint, PropertyUsage
from scenewright.godot.language.constant_expressions import fold, preloaded_path
from scenewright.godot.language.constant_values import Folded, converted, float_text, literal, zero_of
from scenewright.godot.language.inspector_names import capitalized
from scenewright.godot.language.records import Annotation, VariableDecl
from scenewright.godot.language.scope import UNNAMED, Scope
from scenewright.godot.language.types import ANY, TypeRef, type_of_variable

__all__ = ["exported_property"]

_SCRIPT: Final = int(PropertyUsage.SCRIPT_VARIABLE)
_SHOWN: Final = int(PropertyUsage.DEFAULT | PropertyUsage.SCRIPT_VARIABLE)

# The hint of an annotation, and the type of a variable that says none.
_HINTS: Final[dict[str, tuple[Hint, str]]] = {
    "export_enum": (Hint.ENUM, "int"),
    "export_file": (Hint.FILE, "String"),
    "export_file_path": (Hint.FILE_PATH, "String"),
    "export_dir": (Hint.DIR, "String"),
    "export_global_file": (Hint.GLOBAL_FILE, "String"),
    "export_global_dir": (Hint.GLOBAL_DIR, "String"),
    "export_multiline": (Hint.MULTILINE_TEXT, "String"),
    "export_placeholder": (Hint.PLACEHOLDER_TEXT, "String"),
    "export_range": (Hint.RANGE, "float"),
    "export_exp_easing": (Hint.EXP_EASING, "float"),
    "export_color_no_alpha": (Hint.COLOR_NO_ALPHA, "Color"),
    "export_node_path": (Hint.NODE_PATH_VALID_TYPES, "NodePath"),
    "export_flags": (Hint.FLAGS, "int"),
    "export_flags_2d_render": (Hint.LAYERS_2D_RENDER, "int"),
    "export_flags_2d_physics": (Hint.LAYERS_2D_PHYSICS, "int"),
    "export_flags_2d_navigation": (Hint.LAYERS_2D_NAVIGATION, "int"),
    "export_flags_3d_render": (Hint.LAYERS_3D_RENDER, "int"),
    "export_flags_3d_physics": (Hint.LAYERS_3D_PHYSICS, "int"),
    "export_flags_3d_navigation": (Hint.LAYERS_3D_NAVIGATION, "int"),
    "export_flags_avoidance": (Hint.LAYERS_AVOIDANCE, "int"),
}


class _Shown(NamedTuple):
    """What the inspector is told of a property."""

    hint: int
    hint_string: str
    usage: int = _SHOWN


def exported_property(variable: VariableDecl, scope: Scope) -> Property | None:
    """Return the property an exported variable makes, or None for a variable that is not exported."""
    annotation = variable.export
    if annotation is None:
        return None
    type_ = _effective_type(variable, annotation, scope)
    shown = _inspector_hint(annotation, type_, scope)
    return Property(
        owner=scope.place.full_name,
        name=variable.name,
        type=_readable(type_),
        variant=type_.variant,
        default=_default(variable, type_, scope),
        enum=type_.enum.name if type_.enum else "",
        hint=shown.hint,
        hint_string=shown.hint_string,
        usage=shown.usage,
        setter=variable.setter,
        getter=variable.getter,
        description=variable.description,
    )


def _effective_type(variable: VariableDecl, annotation: Annotation, scope: Scope) -> TypeRef:
    type_ = type_of_variable(variable, scope)
    if annotation.name == "export_tool_button":
        return TypeRef("Callable", "Callable")
    if annotation.name in ("export_storage", "export_custom"):
        # These take the type as it is: a variable without one stays open to any value.
        return type_ if type_ and (variable.type or variable.is_inferred) else ANY
    if type_ is not None and type_.is_any and variable.value is not None:
        type_ = type_of_variable(_without_type(variable), scope)
    if type_ is None and annotation.name in _HINTS:
        fallback = _HINTS[annotation.name][1]
        return TypeRef(fallback, fallback)
    return type_ or ANY


def _without_type(variable: VariableDecl) -> VariableDecl:
    return VariableDecl(name=variable.name, lines=variable.lines, value=variable.value)


def _inspector_hint(annotation: Annotation, type_: TypeRef, scope: Scope) -> _Shown:
    if annotation.name == "export":
        return _shown_by_type(type_)
    if annotation.name == "export_storage":
        return _storage_hint(type_)
    if annotation.name == "export_custom":
        return _custom(annotation.arguments, scope)
    texts = ",".join(_argument(argument, scope) for argument in annotation.arguments)
    if annotation.name == "export_tool_button":
        return _Shown(Hint.TOOL_BUTTON, texts, _SCRIPT | int(PropertyUsage.EDITOR))
    hint = _HINTS[annotation.name][0] if annotation.name in _HINTS else Hint.NONE
    if type_.variant == "Array" or type_.variant.startswith("Packed"):
        element = type_.element or ANY
        return _Shown(Hint.TYPE_STRING, f"{element.number}/{hint.value}:{texts}")
    return _Shown(hint, texts)


def _storage_hint(type_: TypeRef) -> _Shown:
    """Not for the inspector: containers say their types as elsewhere in the engine, nothing else says more."""
    usage = _SCRIPT | int(PropertyUsage.STORAGE)
    if type_.enum is not None:
        return _Shown(Hint.NONE, "", usage | int(PropertyUsage.CLASS_IS_ENUM))
    if type_.is_any:
        return _Shown(Hint.NONE, "", usage | int(PropertyUsage.NIL_IS_VARIANT))
    parts = [part for part in (type_.key, type_.element) if part is not None]
    if type_.variant.startswith("Packed") or all(part.is_any for part in parts):
        return _Shown(Hint.NONE, "", usage)
    names = (part.enum.name if part.enum else part.class_name or part.name for part in parts)
    return _Shown(Hint.DICTIONARY_TYPE if type_.key else Hint.ARRAY_TYPE, ";".join(names), usage)


def _custom(arguments: Sequence[str], scope: Scope) -> _Shown:
    values = [fold(argument, scope) for argument in arguments]
    raw = [value.raw if isinstance(value, Folded) else None for value in values]
    hint, text, usage = (*raw, *(None, None, None))[:3]
    return _Shown(int(hint or 0), str(text or ""), (PropertyUsage.DEFAULT if usage is None else int(usage)) | _SCRIPT)


def _shown_by_type(type_: TypeRef) -> _Shown:
    hint, text = _hint_of_type(type_)
    usage = _SHOWN | int(PropertyUsage.CLASS_IS_ENUM) if type_.enum else _SHOWN
    return _Shown(hint, text, usage)


def _hint_of_type(type_: TypeRef) -> tuple[int, str]:
    if type_.enum is not None:
        members = () if type_.enum.name.endswith(UNNAMED) else type_.enum.members.items()
        return Hint.ENUM, ",".join(f"{capitalized(name)}:{value}" for name, value in members)
    if type_.variant == "Object":
        return (Hint.RESOURCE_TYPE if type_.is_resource else Hint.NODE_TYPE), type_.class_name
    parts = [part for part in (type_.key, type_.element) if part is not None]
    if parts and not all(part.is_any for part in parts):
        return Hint.TYPE_STRING, ";".join(map(_element, parts))
    return Hint.NONE, ""


def _element(type_: TypeRef) -> str:
    hint, text = _hint_of_type(type_)
    # The engine says no more of arrays inside arrays than that they are arrays.
    simple = hint in (Hint.NONE, Hint.TYPE_STRING)
    return f"{type_.number}:" if simple else f"{type_.number}/{int(hint)}:{text}"


def _argument(expression: str, scope: Scope) -> str:
    value = fold(expression, scope)
    if not isinstance(value, Folded):
        return expression
    return float_text(value.raw) if value.type in ("int", "float") else str(value.raw)


def _readable(type_: TypeRef) -> str:
    if type_.enum is not None:
        return "int"
    return type_.class_name or type_.name if type_.variant == "Object" else type_.name or type_.variant


def _default(variable: VariableDecl, type_: TypeRef, scope: Scope) -> str | None:
    """The initial value as a literal; None where only the engine can work it out."""
    if type_.variant == "Callable":
        return None
    if variable.value is None:
        zero = Folded("Nil") if not variable.type or type_.variant in ("Object", "Nil") else zero_of(type_.variant)
        return _typed(zero, type_) if zero else None
    if path := preloaded_path(variable.value):
        return f'Resource("{scope.resolved_path(path)}")'
    value = fold(variable.value, scope)
    if not isinstance(value, Folded):
        return None
    if variable.type and value.type != "Nil" and not type_.is_any:
        value = converted(value, type_.variant)
    return _typed(value, type_) if value else None


def _typed(value: Folded, type_: TypeRef) -> str:
    text = literal(value)
    parts = [part for part in (type_.key, type_.element) if part is not None]
    names = [name for part in parts if (name := _type_name(part))]
    if value.type not in ("Array", "Dictionary") or all(part.is_any for part in parts) or len(names) < len(parts):
        return text
    return f"{value.type}[{', '.join(names)}]({text})"


def _type_name(type_: TypeRef) -> str | None:
    """None for a script's class, which a literal names by its file."""
    if type_.variant == "Object":
        return type_.native if type_.native == type_.name else None
    return "Variant" if type_.is_any else type_.variant
