"""The serialized fields of scripts, typed by their C# sources: base classes first, as the editor writes them."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any

from scenewright.core.calls.deadline import check_deadline
from scenewright.core.faults import Fault, Unsupported
from scenewright.unity.class_types.objects import default_value
from scenewright.unity.class_types.package_scripts import PackageScript, event_field, package_script
from scenewright.unity.class_types.table import UNKNOWN, Field, table
from scenewright.unity.class_types.versions import Version
from scenewright.unity.classes import PACKAGE_SCRIPTS
from scenewright.unity.csharp import DeclaredField, DeclaredType, read_types
from scenewright.unity.initial_values import initial_value

if TYPE_CHECKING:
    from scenewright.unity.workspace import Workspace

__all__ = ["ScriptTypes"]

_FLOW = 1
_PLAIN = {
    "int": "int",
    "uint": "unsigned int",
    "long": "SInt64",
    "ulong": "UInt64",
    "short": "SInt16",
    "ushort": "UInt16",
    "byte": "UInt8",
    "sbyte": "SInt8",
    "char": "UInt16",
    "float": "float",
    "double": "double",
    "bool": "bool",
    "string": "string",
    "String": "string",
    "Int32": "int",
    "Single": "float",
    "Boolean": "bool",
}
_STRUCTS: dict[str, tuple[str, str, str]] = {
    "Vector2": ("Vector2f", "float", "x y"),
    "Vector3": ("Vector3f", "float", "x y z"),
    "Vector4": ("Vector4f", "float", "x y z w"),
    "Quaternion": ("Quaternionf", "float", "x y z w"),
    "Vector2Int": ("int2_storage", "int", "x y"),
    "Vector3Int": ("int3_storage", "int", "x y z"),
    "Color": ("ColorRGBA", "float", "r g b a"),
}
_X, _Y, _Z, _WIDTH, _HEIGHT = (Field("float", name, 1, 0, ()) for name in ("x", "y", "z", "width", "height"))
_BLOCKS: dict[str, tuple[str, int, tuple[Field, ...]]] = {
    "Rect": ("Rectf", 2, (_X, _Y, _WIDTH, _HEIGHT)),
    "Bounds": ("AABB", 1, tuple(Field("Vector3f", name, 1, _FLOW, (_X, _Y, _Z)) for name in ("m_Center", "m_Extent"))),
    "Color32": ("ColorRGBA32", 2, (Field("unsigned int", "rgba", 1, 0, ()),)),
}
# Until then the name of an event's class is saved with it.
_EVENTS_WITHOUT_TYPES: Version = (2020, 1, 0, 0, 0)
# Classes of packages that objects are referred to by, beside the scripts that are known whole.
_PACKAGE_OBJECTS = {
    "Graphic",
    "InputActionAsset",
    "InputActionReference",
    "LayoutGroup",
    "MaskableGraphic",
    "PanelSettings",
    "Selectable",
    "TMP_Dropdown",
    "TMP_FontAsset",
    "TMP_InputField",
    "TMP_SpriteAsset",
    "TMP_Text",
    "UIDocument",
    "VisualTreeAsset",
}
_DEFAULT_MADE = re.compile(r"new(?:\s+[\w.]+)?\s*\(\s*\)")
_LIST = re.compile(r"(?:[\w.]+\.)?List<(.+)>|(.+)\[\]", re.DOTALL)
_INTERFACE = re.compile(r"I[A-Z]\w*")
_DEEPEST = 7  # the engine goes no deeper into classes inside classes


class ScriptTypes:
    """Reads what scripts declare; each file of the project is read once."""

    def __init__(self, workspace: Workspace, version: Callable[[], Version]) -> None:
        self._workspace = workspace
        self._version_of_file = version
        self._read: dict[str, dict[str, DeclaredType]] = {}

    def fields(self, guid: str) -> tuple[Field, ...] | None:
        """Return the fields that a script's objects save; None where its source, or that of a base, is not here."""
        packaged = self.packaged(guid)
        if packaged is not None:
            return packaged.fields
        asset = self._workspace.graph.by_guid.get(guid)
        if asset is None or asset.suffix != ".cs" or asset.kind == "missing":
            return None
        declared = self._types(asset.path).get(self._workspace.naming.script_class(asset).name)
        rows = None if declared is None else self._all_fields(declared)
        if rows is None:
            return None
        return tuple(field for row in rows if _is_saved(field := self._field(row.name, row.type, 0)))

    def packaged(self, guid: str) -> PackageScript | None:
        """Return what a well-known script of a package saves."""
        name = PACKAGE_SCRIPTS.get(guid)
        return None if name is None else package_script(name, self._version)

    @cached_property
    def _version(self) -> Version | None:
        try:
            return self._version_of_file()
        except Unsupported:
            return None

    def new_values(self, guid: str) -> dict[str, Any]:
        """Return what the fields of a new object of a script have; what only running it would tell is left out, and
        the engine fills it in.
        """
        asset = self._workspace.graph.by_guid.get(guid)
        declared = None if asset is None else self._types(asset.path).get(self.class_name(guid))
        return {} if declared is None else self._new_values(declared, 0)

    def _new_values(self, declared: DeclaredType, depth: int) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for row in self._all_fields(declared) or ():
            field = self._field(row.name, row.type, depth)
            value = self._new_value(field, row, depth) if _is_saved(field) and field.kind != UNKNOWN else None
            if value is not None:
                values[field.name] = value
        return values

    def _new_value(self, field: Field, row: DeclaredField, depth: int) -> Any:
        inner = self.declared(field.kind) if field.children and field.kind == _plain(row.type) else None
        if inner is not None and (row.initial is None or _DEFAULT_MADE.fullmatch(row.initial)):
            return self._new_values(inner, depth + 1) or None
        members = self._members(field)
        value = ... if row.initial is None else initial_value(row.initial, field, members)
        if value is ... and field.kind == "Quaternionf":
            value = {"w": 0}
        return None if value is None else default_value(field, {field.name: value}, field.name)

    def _members(self, field: Field) -> dict[str, int]:
        declared = self.declared(field.kind.removeprefix("enum ")) if field.kind.startswith("enum ") else None
        return {} if declared is None else declared.members

    def ancestors(self, name: str) -> list[str]:
        """Return a class and those above it, the engine's own included; the last may be one that is not known."""
        names: list[str] = []
        while name and name not in names:
            names.append(name)
            declared = self.declared(name)
            if declared is None:
                return [*names[:-1], *(table().ancestors(name) or [name])]
            name = _plain(declared.bases[0]) if declared.bases else ""
        return names

    def class_name(self, guid: str) -> str:
        """Return the class that components of a script have."""
        return self._workspace.naming.script(guid)

    def required(self, name: str) -> list[str]:
        """Return the components that a script's class, or one above it, says its GameObject must have."""
        if self._is_foreign(name):
            return []
        rows = [declared.requires for each in self.ancestors(name) if (declared := self.declared(each)) is not None]
        return [required for names in reversed(rows) for required in names]

    def is_a(self, name: str, wanted: str) -> bool:
        """Return whether a class is another one or derives from it, as far as that is known."""
        if name == wanted:
            return True
        return wanted in (table().ancestors(name) or ([] if self._is_foreign(name) else self.ancestors(name)))

    def is_alone(self, name: str) -> bool:
        """Return whether a script's class says that an object has only one."""
        declared = None if self._is_foreign(name) else self.declared(name)
        return declared is not None and "DisallowMultipleComponent" in declared.attributes

    def _is_foreign(self, name: str) -> bool:
        """Return whether a class is the engine's or a well-known one of a package, whose source is not looked for."""
        return table().number(name) is not None or name in PACKAGE_SCRIPTS.values()

    def declared(self, name: str) -> DeclaredType | None:
        """Return a type of the project by its name; what is called like its file is found without reading all."""
        for path in self._paths.get(name, ()):
            if name in (types := self._types(path)):
                return types[name]
        return self._everything.get(name)

    @cached_property
    def _paths(self) -> dict[str, list[str]]:
        paths: dict[str, list[str]] = {}
        for asset in self._workspace.graph.files():
            if asset.suffix == ".cs":
                paths.setdefault(asset.name, []).append(asset.path)
        return paths

    @cached_property
    def _everything(self) -> dict[str, DeclaredType]:
        types: dict[str, DeclaredType] = {}
        for paths in self._paths.values():
            for path in paths:
                for name, declared in self._types(path).items():
                    types.setdefault(name, declared)
        return types

    def _types(self, path: str) -> dict[str, DeclaredType]:
        if path not in self._read:
            check_deadline()
            try:
                self._read[path] = read_types(self._workspace.content(path))
            except Fault:
                self._read[path] = {}
        return self._read[path]

    def _all_fields(self, declared: DeclaredType) -> list[DeclaredField] | None:
        chain: list[DeclaredType] = []
        one: DeclaredType | None = declared
        while one is not None and one not in chain:
            chain.insert(0, one)
            base = _plain(one.bases[0]) if one.bases else ""
            above = self.declared(base) if base else None
            if above is not None and above.kind == "interface":
                above = None
            elif base and above is None and not _is_of_engine(base):
                return None  # a class of a package, whose fields come first and are not known
            one = above
        return [row for each in chain for row in each.fields]

    def _field(self, name: str, written: str, depth: int) -> Field:
        """Return a field of the kind that a type as it is written has."""
        listed = _LIST.fullmatch(written.strip())
        if listed is not None:
            item = self._field("data", (listed[1] or listed[2]).strip(), depth)
            return Field("vector", name, 1, 0, (item,))
        plain = _plain(written)
        if plain in _PLAIN:
            return Field(_PLAIN[plain], name, 1, 0, ())
        if plain in _STRUCTS:
            kind, item_kind, keys = _STRUCTS[plain]
            return Field(kind, name, 1, _FLOW, tuple(Field(item_kind, key, 1, 0, ()) for key in keys.split()))
        if plain in _BLOCKS:
            kind, number, parts = _BLOCKS[plain]
            return Field(kind, name, number, 0, parts)
        if plain in ("AnimationCurve", "Gradient"):
            structure = None if self._version is None else table().structure(plain, name, self._version)
            return structure or Field(UNKNOWN, name, 1, 0, ())
        if plain == "UnityEvent" and self._version is not None and self._version >= _EVENTS_WITHOUT_TYPES:
            return event_field(name)
        if plain == "LayerMask":
            return Field("BitField", name, 2, 0, (Field("unsigned int", "m_Bits", 1, 0, ()),))
        return self._field_of_class(name, plain, depth)

    def _field_of_class(self, name: str, plain: str, depth: int) -> Field:
        if "Object" in table().ancestors(plain) or plain in _ENGINE_OBJECTS:
            return Field(f"PPtr<{plain}>", name, 1, 0, ())
        declared = self.declared(plain)
        if declared is None:
            is_referred_to = plain in PACKAGE_SCRIPTS.values() or plain in _PACKAGE_OBJECTS
            return Field(f"PPtr<{plain}>" if is_referred_to else UNKNOWN, name, 1, 0, ())
        if declared.kind == "enum":
            return Field(f"enum {plain}", name, 1, 0, ())
        if set(self.ancestors(plain)) & _ENGINE_OBJECTS:
            return Field(f"PPtr<{plain}>", name, 1, 0, ())
        rows = self._all_fields(declared)
        if "Serializable" not in declared.attributes or depth >= _DEEPEST or rows is None:
            return Field(UNKNOWN, name, 1, 0, ())
        children = tuple(self._field(row.name, row.type, depth + 1) for row in rows)
        return Field(plain, name, 1, 0, children)


_ENGINE_OBJECTS = {"Object", "Component", "Behaviour", "MonoBehaviour", "ScriptableObject", "GameObject", "Transform"}


def _is_of_engine(name: str) -> bool:
    return name in _ENGINE_OBJECTS or bool(table().ancestors(name)) or bool(_INTERFACE.fullmatch(name))


def _plain(written: str) -> str:
    """Return the name of a type without its namespace and what is between angle brackets."""
    return written.partition("<")[0].strip().rpartition(".")[2]


def _is_saved(field: Field) -> bool:
    """Return whether the engine saves a field: lists of lists it does not."""
    return not (field.kind == "vector" and field.children[0].kind == "vector")
