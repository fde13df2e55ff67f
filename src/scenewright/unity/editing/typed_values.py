"""A value as it may be given, in the kind that the field is declared with, or refused."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from scenewright.core.faults import Invalid, did_you_mean
from scenewright.unity.class_types.numbers import LIMITS, number_text
from scenewright.unity.class_types.objects import default_value
from scenewright.unity.class_types.table import UNKNOWN, Field
from scenewright.unity.editing.values import coerce, color_parts

__all__ = ["TypedValues"]

Names = Callable[[str], Mapping[str, int]]  # the names of an enum's numbers, by the field's kind or path
_NUMBER = re.compile(r"\s*-?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?\s*")
_VECTORS = {"Vector2f", "Vector3f", "Vector4f", "Quaternionf", "ColorRGBA", "int2_storage", "int3_storage", "Rectf"}
_EVERYTHING = 0xFFFF_FFFF


@dataclass(frozen=True, slots=True)
class TypedValues:
    """Coerces values for one file."""

    resolve: Callable[[Any, str, str | None], dict[str, str]]
    names: Names
    layers: Callable[[str], int]
    parameter: str = "input.value"
    packs: bool = True  # lists of whole numbers become the text of their bytes

    def coerce(self, value: Any, field: Field, existing: Any, path: str) -> Any:
        """Return the value as text, mapping or list.

        Raises:
            Invalid: it does not fit.
        """
        if field.refers_to is not None:
            return self.resolve(value, path, field.refers_to)
        if field.kind == UNKNOWN:
            return self._unknown(value, existing, path)
        if field.kind == "vector":
            return self._list(value, field, existing, path)
        if field.kind == "map":
            return coerce(value, existing if existing is not None else [], path, self._any_reference)
        if field.kind == "BitField":
            return self._mask(value, field, existing, path)
        if field.children:
            return self._parts(value, field, existing, path)
        if field.kind == "string":
            return self._text(value, path)
        return self._number(value, field, path)

    def _any_reference(self, value: Any, path: str) -> dict[str, str]:
        return self.resolve(value, path, None)

    def _unknown(self, value: Any, existing: Any, path: str) -> Any:
        if isinstance(value, dict) and {"fileId", "fileID", "assetPath", "gameObject"} & value.keys():
            return self.resolve(value, path, None)
        if existing is None:
            raise Invalid(
                f"How '{path}' is written is not known: Unity does not save its type, or the source is not here.",
                path=self.parameter,
                rule="type",
                hint="A reference can be given as {'assetPath': '…'} or {'gameObject': '…', 'component': '…'}.",
            )
        return coerce(value, existing, path, self._any_reference)

    def _text(self, value: Any, path: str) -> str:
        if isinstance(value, (dict, list, bool)) or value is None:
            raise self._refusal(value, path, "a text")
        return str(value)

    def _number(self, value: Any, field: Field, path: str) -> str:
        if isinstance(value, str):
            value = self._named(value, field, path)
        elif isinstance(value, list) and self.names(_key(field, path)):
            value = self._together(value, field, path)
        elif isinstance(value, bool) and not (field.is_truth or field.kind in LIMITS):
            raise self._refusal(value, path, "a number")
        if not isinstance(value, (int, float)):
            raise self._refusal(value, path, _expected(field))
        if field.kind in ("float", "double"):
            try:
                return number_text(value, field.kind)
            except OverflowError:
                raise self._refusal(value, path, "a number that a float of 32 bits can hold") from None
        least, most = LIMITS.get(field.kind, LIMITS["int"])
        if field.is_truth:
            least, most = 0, 1
        if value != int(value) or not least <= value <= most:
            raise self._refusal(value, path, _expected(field))
        return str(int(value))

    def _named(self, text: str, field: Field, path: str) -> float:
        word = text.strip()
        if field.is_truth and word.lower() in ("true", "false"):
            return word.lower() == "true"
        if _NUMBER.fullmatch(text):
            return float(word) if field.kind in ("float", "double") or not word.lstrip("-").isdigit() else int(word)
        if field.kind in ("float", "double") and word in ("Infinity", "-Infinity"):
            return float(word)
        known = self.names(_key(field, path))
        if not known:
            if path.endswith("m_Layer"):
                return self.layers(word)
            raise self._refusal(text, path, _expected(field))
        return self._together(re.split(r"\s*[|,]\s*", word), field, path)

    def _together(self, words: list[Any], field: Field, path: str) -> int:
        """Return the bits of several names together."""
        known = {name.casefold(): number for name, number in self.names(_key(field, path)).items()}
        total = 0
        for word in words:
            name = str(word).rpartition(".")[2].casefold()
            if name not in known:
                names = list(self.names(_key(field, path)))
                raise Invalid(
                    f"'{path}' has no value '{word}'.",
                    path=self.parameter,
                    rule="enum",
                    hint=did_you_mean(str(word), names) or f"It has: {', '.join(names)}.",
                )
            total |= known[name]
        return total

    def _mask(self, value: Any, field: Field, existing: Any, path: str) -> Any:
        """Layers by their bits, or by their names."""
        if isinstance(value, dict):
            return self._parts(value, field, existing, path)
        if isinstance(value, str) and value.strip().lower() in ("everything", "nothing"):
            value = _EVERYTHING if value.strip().lower() == "everything" else 0
        if isinstance(value, str) and not _NUMBER.fullmatch(value):
            value = [value]
        if isinstance(value, list):
            value = sum({1 << self.layers(str(layer)) for layer in value})
        if value == -1:
            value = _EVERYTHING
        bits = self._number(value, field.children[0], path)
        return {**({"serializedVersion": str(field.version)} if field.version > 1 else {}), "m_Bits": bits}

    def _parts(self, value: Any, field: Field, existing: Any, path: str) -> dict[str, Any]:
        names = [child.name for child in field.children]
        if field.kind == "ColorRGBA" and isinstance(value, str):
            value = color_parts(value, path)
        if field.kind == "ColorRGBA32" and isinstance(value, str):
            value = {"rgba": _packed_color(color_parts(value, path))}
        if isinstance(value, (list, tuple)) and field.kind in _VECTORS:
            value = self._listed(value, field, path)
        if not isinstance(value, dict):
            raise self._refusal(value, path, _expected(field))
        for key in value:
            if key not in names and key != "serializedVersion":
                raise Invalid(
                    f"'{path}' has no '{key}'.",
                    path=self.parameter,
                    rule="additionalProperties",
                    hint=did_you_mean(str(key), names) or f"It has: {', '.join(names)}.",
                )
        base = existing if isinstance(existing, dict) else default_value(field, {}, path)
        made = {key: part for key, part in base.items() if key not in value}
        for child in field.children:
            if child.name in value:
                made[child.name] = self.coerce(value[child.name], child, base.get(child.name), f"{path}.{child.name}")
        order = list(base)
        return {key: made[key] for key in [*order, *(name for name in names if name not in order)] if key in made}

    def _listed(self, value: Any, field: Field, path: str) -> dict[str, Any]:
        names = [child.name for child in field.children]
        if field.kind == "ColorRGBA" and len(value) == 3:
            value = [*value, 1]
        if len(value) != len(names):
            raise self._refusal(value, path, _expected(field))
        return dict(zip(names, value, strict=True))

    def _list(self, value: Any, field: Field, existing: Any, path: str) -> Any:
        (item,) = field.children
        if not isinstance(value, (list, tuple)):
            raise self._refusal(value, path, "a list")
        made = [self.coerce(row, item, None, f"{path}[{number}]") for number, row in enumerate(value)]
        if self.packs and item.kind in LIMITS and not isinstance(existing, list):
            return _packed(made, item.kind)
        return made

    def _refusal(self, value: Any, path: str, expected: str) -> Invalid:
        shown = "null" if value is None else f"'{str(value)[:80]}'"
        return Invalid(f"{shown} does not fit '{path}', which takes {expected}.", path=self.parameter, rule="type")


def _packed_color(parts: Mapping[str, float]) -> int:
    """Return a colour of four bytes as the number that they are."""
    return sum(round(parts[key] * 255) << (8 * at) for at, key in enumerate("rgba"))


def _packed(items: list[str], kind: str) -> str:
    """Return whole numbers as the engine writes a list of them: their bytes, lowest first."""
    least, most = LIMITS[kind]
    size = max(1, (most - least).bit_length() // 8)
    return b"".join(int(item).to_bytes(size, "little", signed=least < 0) for item in items).hex()


def _key(field: Field, path: str) -> str:
    return field.kind if field.kind.startswith("enum ") else path


def _expected(field: Field) -> str:
    if field.is_truth:
        return "true or false"
    if field.kind in ("float", "double"):
        return "a number"
    if field.kind == "ColorRGBA":
        return "a colour such as '#ff8800' or [1, 0.5, 0, 1]"
    if field.kind in _VECTORS:
        return f"{len(field.children)} numbers ({', '.join(child.name for child in field.children)})"
    if field.children:
        return f"an object with {', '.join(child.name for child in field.children[:12])}"
    least, most = LIMITS.get(field.kind, LIMITS["int"])
    return f"a whole number from {least} to {most}"
