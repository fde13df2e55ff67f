"""Enums, references, fonts and other kinds that have a form of their own."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from scenewright.core.faults import did_you_mean
from scenewright.roblox.backend import Target
from scenewright.roblox.property_migrations import MIGRATIONS
from scenewright.roblox.reflection.database import database
from scenewright.roblox.value_forms.records import split_text
from scenewright.roblox.value_forms.refusal import Refused
from scenewright.roblox.value_forms.scalars import as_content_id, as_single
from scenewright.roblox.values import Value
from scenewright.roblox.wire import PHYSICS

_OLD_FONT = re.compile(r"\s*(?:Font\.fromEnum\(\s*)?Enum\.Font\.(\w+)\s*\)?\s*")
_FAMILY = re.compile(r"[\w .-]+|[a-z]+://[^\s()\"']+")
_FONT = re.compile(
    r"\s*Font\.(?:new|from(Name|Id))\(\s*[\"']?([^\"',()]+)[\"']?"
    r"(?:\s*,\s*Enum\.FontWeight\.(\w+))?(?:\s*,\s*Enum\.FontStyle\.(\w+))?\s*\)\s*"
)

__all__ = ["as_content", "as_enum", "as_font", "as_physics", "as_reference", "as_unique", "bits_of"]


def as_physics(given: Any) -> tuple[float, ...] | None:
    if given is None:
        return None
    if isinstance(given, list) and 3 <= len(given) <= 6:
        given = dict(zip(PHYSICS, given, strict=False))
    if not isinstance(given, dict) or not set(given) - {"_type"} <= set(PHYSICS) or "density" not in given:
        raise Refused(f"null or PhysicalProperties with {', '.join(PHYSICS)}")
    usual = {"friction": 0.3, "elasticity": 0.5, "frictionWeight": 1, "elasticityWeight": 1}
    parts = tuple(as_single(given.get(key, usual.get(key))) for key in PHYSICS[:5])
    return (*parts, as_single(given[PHYSICS[5]])) if PHYSICS[5] in given else parts


def bits_of(kind: str, names: tuple[str, ...]) -> Callable[[Any], int]:
    def read(given: Any) -> int:
        if isinstance(given, dict):
            given = [key for key, on in given.items() if key != "_type" and on is True]
        if isinstance(given, str):
            given = split_text(given, kind)
        lowered = [str(name).rpartition(".")[2].lower() for name in given] if isinstance(given, list) else ["?"]
        if not set(lowered) <= set(names):
            raise Refused(f"{kind}, some of {', '.join(names)}")
        return sum(1 << names.index(name) for name in set(lowered))

    return read


def as_font(given: Any) -> tuple[bytes, int, int, bytes]:
    if isinstance(given, str):
        of_enum = _OLD_FONT.fullmatch(given)
        if of_enum:
            return _old_font(of_enum.group(1))
        given = _font_literal(given)
    if not isinstance(given, dict) or not isinstance(given.get("family"), str):
        raise Refused("a Font with family, weight and style")
    if not set(given) <= {"_type", "family", "weight", "style"}:
        raise Refused("a Font with family, weight and style, and nothing else")
    family = given["family"] if ":" in given["family"] else f"rbxasset://fonts/families/{given['family']}.json"
    weights, styles = database().enum("FontWeight") or {}, {"Normal": 0, "Italic": 1}
    weight, style = given.get("weight", 400), given.get("style", "Normal")
    weight = weights.get(weight, weight) if isinstance(weight, str) else weight
    if weight not in weights.values() or style not in styles:
        raise Refused(f"a Font whose weight is one of {', '.join(weights)} and whose style is Normal or Italic")
    return family.encode(), weight, styles[style], b""


def _old_font(name: str) -> tuple[bytes, int, int, bytes]:
    font = MIGRATIONS["FontToFontFace"].forward(Value("Enum", as_enum(name, "Font")))
    if font is None:
        raise Refused("a font of Enum.Font that is one, not Unknown")
    data: tuple[bytes, int, int, bytes] = font.data
    return data


def _font_literal(given: str) -> dict[str, Any]:
    """Return the parts of Font.new, Font.fromName or Font.fromId, or of a family alone."""
    literal = _FONT.fullmatch(given)
    if literal is None:
        if not _FAMILY.fullmatch(given):
            raise Refused(
                "a Font", 'For example "Arial", "Enum.Font.GothamBold" or {"family": "Arial", "weight": "Bold"}.'
            )
        return {"family": given}
    how, family, weight, style = literal.groups()
    if how == "Id":
        family = f"rbxassetid://{family}"
    more = {"weight": weight, "style": style}
    return {"family": family} | {key: word for key, word in more.items() if word}


def as_reference(given: Any) -> Target | None:
    if given is None or given == "":
        return None
    if isinstance(given, str):
        return Target(path=given, field="value")
    if isinstance(given, dict) and given.get("_type", "Ref") == "Ref":
        path, identifier, key = given.get("path"), given.get("instanceId"), given.get("key")
        if any(isinstance(each, str) for each in (path, identifier, key)):
            return Target(path=path, id=identifier, key=key, field="value")
    raise Refused("null, the path of an instance, or a Ref with path or instanceId")


def as_enum(given: Any, enum: str | None) -> int:
    items = database().enum(enum or "")
    if items is None:
        raise Refused(f"an item of an enum; there is no Enum.{enum}")
    if isinstance(given, dict) and given.get("_type", "Enum") == "Enum":
        if given.get("enum") not in (None, "", enum):
            raise Refused(f"an item of Enum.{enum}, not of Enum.{given.get('enum')}")
        given = given.get("value")
    if isinstance(given, int) and not isinstance(given, bool) and given in items.values():
        return given
    if isinstance(given, str):
        word = given.removeprefix(f"Enum.{enum}.").strip()
        if word in items:
            return items[word]
        raise Refused(
            f"an item of Enum.{enum}", did_you_mean(word, list(items)) or f"Some are {', '.join(list(items)[:12])}."
        )
    raise Refused(f"an item of Enum.{enum}, by name", f"Some are {', '.join(list(items)[:12])}.")


def as_unique(given: Any) -> tuple[int, int, int]:
    if not isinstance(given, str) or not re.fullmatch(r"[0-9a-fA-F]{32}", given):
        raise Refused("a UniqueId of 32 hexadecimal digits")
    bits = bytes.fromhex(given)
    random = int.from_bytes(bits[:8], "big", signed=True)
    return int.from_bytes(bits[12:], "big"), int.from_bytes(bits[8:12], "big"), random


def as_content(given: Any) -> Any:
    if isinstance(given, dict) and given.get("_type") == "Ref":
        return as_reference(given)
    return as_content_id(given) or None
