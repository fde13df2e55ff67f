"""The property elements of the XML format: for each kind of value, its tag and how its inside is read and written."""

from __future__ import annotations

import base64
import binascii
import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from scenewright.core.text.counts import with_article
from scenewright.roblox.kinds import stored_kind
from scenewright.roblox.place.errors import BrokenPlace
from scenewright.roblox.place.xml.scanner import Element, plain
from scenewright.roblox.values import Value, as_text, f32

__all__ = ["Context", "escaped", "number_text", "read_value", "wrapped", "write_value"]

_LEAF = re.compile(rb"<(\w+)>([^<]*)</\1\s*>")
_CHILD = re.compile(rb"<(\w+)\s*(/?)>")
_CONTROL = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_BASE64_LINE = 72
_STYLES = ("Normal", "Italic")


@dataclass(frozen=True, slots=True)
class Context:
    """What some elements only point to: instances by referent, shared strings by key."""

    instance: Callable[[str], Any]
    referent: Callable[[Any], str]
    shared: Callable[[str], bytes]
    share: Callable[[bytes], str]


class Unreadable(ValueError):
    """The inside of an element is not what its tag says."""


def read_value(data: bytes, element: Element, class_name: str, name: str, context: Context) -> Value:
    """Return the value of a property's element.

    Raises:
        BrokenPlace: its inside is not what its tag says.
    """
    tag = element.tag.decode("ascii", "replace")
    shown = _KIND_OF_TAG.get(tag)
    if shown is None:
        return Value("Unknown", data[element.start : element.end])
    kind = stored_kind(class_name, name, shown)
    try:
        inside = data[element.inner : element.outer]
        read = _READERS.get(shown)
        return Value(kind, read(inside) if read else _LINKED_READERS[shown](inside, kind, context))
    except (ValueError, KeyError, OverflowError, binascii.Error):
        raise BrokenPlace(f"'{name}' of {with_article(class_name)} cannot be read as <{tag}>.") from None


def write_value(name: str, value: Value, context: Context, indent: str) -> bytes:
    """Return a property's element, without the indentation of its first line."""
    if value.kind == "Unknown":
        return bytes(value.data)
    tag = _TAG_OF_KIND[value.kind]
    write = _WRITERS.get(value.kind)
    inside = write(value.data) if write else _LINKED_WRITERS[value.kind](value.data, context)
    if isinstance(inside, list):
        step = f"\n{indent}\t".encode()
        inside = step + step.join(inside) + f"\n{indent}".encode()
    return b'<%s name="%s">%s</%s>' % (tag, escaped(name.encode("utf-8", "surrogateescape")), inside, tag)


# Text


def escaped(text: bytes) -> bytes:
    text = text.replace(b"&", b"&amp;").replace(b"<", b"&lt;").replace(b">", b"&gt;").replace(b'"', b"&quot;")
    return _CONTROL.sub(lambda match: b"&#%d;" % match.group()[0], text)


def _script(text: bytes) -> bytes:
    # CDATA cannot hold its own end, nor what XML has no character for.
    return escaped(text) if b"]]>" in text or _CONTROL.search(text) or not text else b"<![CDATA[%s]]>" % text


def wrapped(data: bytes) -> bytes:
    text = base64.b64encode(data)
    return b"\n".join(text[place : place + _BASE64_LINE] for place in range(0, len(text), _BASE64_LINE))


def _encoded(inside: bytes) -> bytes:
    return base64.b64decode(plain(inside, 0, len(inside)))


def _text(inside: bytes) -> bytes:
    return plain(inside, 0, len(inside))


# Numbers


def _number(text: bytes) -> float:
    word = text.strip().decode("ascii", "replace")
    if "_" in word:
        raise Unreadable(word)
    lowered = word.lower()
    if "#" in lowered or "nan" in lowered:  # as old runtimes print it
        return math.copysign(math.inf, -1.0 if lowered.startswith("-") else 1.0) if "inf" in lowered else math.nan
    return float(word)


def _single(text: bytes) -> float:
    return f32(_number(text))


def _whole_number(text: bytes) -> int:
    word = text.strip()
    if b"_" in word or len(word) > 24:
        raise Unreadable(word)
    return int(word)


def number_text(number: float, digits: int = 9) -> bytes:
    """Return a number as Studio writes it: the fewest digits that give the same number again, INF and NAN as such."""
    if number != number:
        return b"NAN"
    if math.isinf(number):
        return b"INF" if number > 0 else b"-INF"
    return (f"{number:.{digits}g}" if digits < 17 else repr(number).removesuffix(".0")).encode()


def _in_line(inside: bytes, width: int) -> tuple[tuple[float, ...], ...]:
    numbers = [_single(word) for word in inside.split()]
    if len(numbers) % width:
        raise Unreadable(inside)
    return tuple(tuple(numbers[place : place + width]) for place in range(0, len(numbers), width))


def _to_line(numbers: Any) -> bytes:
    return b"".join(number_text(number) + b" " for number in numbers)


def _leaves(inside: bytes, tags: str, read: Callable[[bytes], Any]) -> tuple[Any, ...]:
    """Return the texts of the innermost elements, which may come in another order where each has its own name."""
    names = tags.encode().split()
    leaves = _LEAF.findall(inside)
    if [name for name, _ in leaves] != names:
        by_name = dict(leaves)
        if len(by_name) != len(names) or set(by_name) != set(names):
            raise Unreadable(inside)
        leaves = [(name, by_name[name]) for name in names]
    return tuple(read(text) for _, text in leaves)


def _leaf(tag: str, text: bytes) -> bytes:
    return b"<%s>%s</%s>" % (tag.encode(), text, tag.encode())


_XYZ = "X Y Z"
_FRAME = "X Y Z R00 R01 R02 R10 R11 R12 R20 R21 R22"
_PHYSICS = "Density Friction Elasticity FrictionWeight ElasticityWeight AcousticAbsorption"


def _flat(tags: str) -> Callable[[Any], list[bytes]]:
    names = tags.split()
    return lambda data: [_leaf(tag, number_text(part)) for tag, part in zip(names, data, strict=True)]


def _nested(outer: tuple[str, ...], tags: str) -> Callable[[Any], list[bytes]]:
    names = tags.split()

    def write(data: Any) -> list[bytes]:
        lines = []
        for number, tag in enumerate(outer):
            lines.append(f"<{tag}>".encode())
            part = data[number * len(names) : (number + 1) * len(names)]
            lines += [b"\t" + _leaf(name, number_text(each)) for name, each in zip(names, part, strict=True)]
            lines.append(f"</{tag}>".encode())
        return lines

    return write


# Particular kinds


def _color(inside: bytes, kind: str, context: Context) -> Any:
    del context
    if b"<" in inside:
        parts = _leaves(inside, "R G B", _single)
        return parts if kind == "Color3" else tuple(max(0, min(255, int(part * 255 + 0.5))) for part in parts)
    packed = _whole_number(inside)
    parts = tuple(packed >> shift & 255 for shift in (16, 8, 0))
    return tuple(f32(part / 255) for part in parts) if kind == "Color3" else parts


def _reference(inside: bytes, context: Context) -> Any:
    return context.instance(as_text(_text(inside).strip()))


def _content(inside: bytes, kind: str, context: Context) -> Any:
    child = _CHILD.search(inside)
    tag = child.group(1) if child else b"null"
    text = b""
    if child and not child.group(2):
        end = inside.find(b"</" + tag, child.end())
        text = _text(inside[child.end() : end if end >= 0 else len(inside)])
    if tag == b"Ref" and kind == "Content":
        return _reference(text, context)
    data = text if tag in (b"url", b"uri") else b""
    return data if kind != "Content" else data or None


def _write_content(data: Any, context: Context) -> bytes:
    if data is None:
        return b"<null></null>"
    if isinstance(data, bytes):
        return _leaf("uri", escaped(data))
    return _leaf("Ref", context.referent(data).encode())


def _physics(inside: bytes) -> Any:
    numbers = dict(_LEAF.findall(inside))
    if numbers.get(b"CustomPhysics", b"").strip().lower() != b"true":
        return None
    return tuple(_single(numbers[name]) for name in _PHYSICS.encode().split() if name in numbers)


def _write_physics(data: Any) -> list[bytes]:
    if data is None:
        return [_leaf("CustomPhysics", b"false")]
    names = _PHYSICS.split()
    leaves = [_leaf(name, number_text(part)) for name, part in zip(names, data, strict=False)]
    return [_leaf("CustomPhysics", b"true"), *leaves]


def _font(inside: bytes) -> Any:
    weight = re.search(rb"<Weight>([^<]*)</Weight>", inside)
    style = re.search(rb"<Style>([^<]*)</Style>", inside)
    name = style.group(1).strip().decode("ascii", "replace") if style else "Normal"
    return (
        _address(inside, b"Family"),
        _whole_number(weight.group(1)) if weight else 400,
        _STYLES.index(name) if name in _STYLES else 0,
        _address(inside, b"CachedFaceId"),
    )


def _address(inside: bytes, tag: bytes) -> bytes:
    url = re.search(rb"<" + tag + rb">\s*<url>([^<]*)</url>", inside)
    return _text(url.group(1)) if url else b""


def _write_font(data: Any) -> list[bytes]:
    family, weight, style, face = data
    name = _STYLES[style] if style < len(_STYLES) else str(style)
    lines = [
        _leaf("Family", _leaf("url", escaped(family)) if family else b"<null></null>"),
        _leaf("Weight", str(weight).encode()),
        _leaf("Style", name.encode()),
    ]
    return lines + ([_leaf("CachedFaceId", _leaf("url", escaped(face)))] if face else [])


def _unique(inside: bytes) -> Any:
    bits = bytes.fromhex(inside.strip().decode("ascii"))
    if len(bits) != 16:
        raise Unreadable(inside)
    random = int.from_bytes(bits[:8], "big", signed=True)
    return int.from_bytes(bits[12:], "big"), int.from_bytes(bits[8:12], "big"), random


def _write_unique(data: Any) -> bytes:
    index, time, random = data
    return b"%016x%08x%08x" % (random & (1 << 64) - 1, time, index)


_READERS: dict[str, Callable[[bytes], Any]] = {
    "String": _text,
    "ProtectedString": _text,
    "BinaryString": _encoded,
    "Bool": lambda inside: inside.strip().lower() == b"true",
    "Int32": _whole_number,
    "Int64": _whole_number,
    "Enum": _whole_number,
    "BrickColor": _whole_number,
    "SecurityCapabilities": _whole_number,
    "Float32": _single,
    "Float64": _number,
    "Vector2": lambda inside: _leaves(inside, "X Y", _single),
    "Vector3": lambda inside: _leaves(inside, _XYZ, _single),
    "Vector2int16": lambda inside: _leaves(inside, "X Y", _whole_number),
    "Vector3int16": lambda inside: _leaves(inside, _XYZ, _whole_number),
    "Ray": lambda inside: _leaves(inside, f"{_XYZ} {_XYZ}", _single),
    "Rect": lambda inside: _leaves(inside, "X Y X Y", _single),
    "CFrame": lambda inside: _leaves(inside, _FRAME, _single),
    "OptionalCFrame": lambda inside: _leaves(inside, _FRAME, _single) if b"<X>" in inside else None,
    "UDim": lambda inside: _udims(inside, "S O"),
    "UDim2": lambda inside: _udims(inside, "XS XO YS YO"),
    "Axes": lambda inside: _leaves(inside, "axes", _whole_number)[0] & 7,
    "Faces": lambda inside: _leaves(inside, "faces", _whole_number)[0] & 63,
    "NumberRange": lambda inside: _in_line(inside, 2)[0],
    "NumberSequence": lambda inside: _in_line(inside, 3),
    "ColorSequence": lambda inside: _in_line(inside, 5),
    "PhysicalProperties": _physics,
    "Font": _font,
    "UniqueId": _unique,
}
_LINKED_READERS: dict[str, Callable[[bytes, str, Context], Any]] = {
    "Color3": _color,
    "Color3uint8": _color,
    "ContentId": _content,
    "Ref": lambda inside, _, context: _reference(inside, context),
    "SharedString": lambda inside, _, context: context.shared(as_text(_text(inside).strip())),
}


def _udims(inside: bytes, tags: str) -> tuple[Any, ...]:
    texts = _leaves(inside, tags, lambda text: text)
    return tuple(_whole_number(text) if place % 2 else _single(text) for place, text in enumerate(texts))


_WRITERS: dict[str, Callable[[Any], bytes | list[bytes]]] = {
    "String": escaped,
    "ProtectedString": _script,
    "BinaryString": wrapped,
    "Tags": wrapped,
    "Attributes": wrapped,
    "MaterialColors": wrapped,
    "Bytecode": wrapped,
    "Bool": lambda data: b"true" if data else b"false",
    **{
        kind: lambda data: str(data).encode()
        for kind in ("Int32", "Int64", "Enum", "BrickColor", "SecurityCapabilities")
    },
    "Float32": number_text,
    "Float64": lambda data: number_text(data, 17),
    "Color3": _flat("R G B"),
    "Color3uint8": lambda data: str(255 << 24 | data[0] << 16 | data[1] << 8 | data[2]).encode(),
    "Vector2": _flat("X Y"),
    "Vector3": _flat(_XYZ),
    "Vector2int16": _flat("X Y"),
    "Vector3int16": _flat(_XYZ),
    "Ray": _nested(("origin", "direction"), _XYZ),
    "Rect": _nested(("min", "max"), "X Y"),
    "CFrame": _flat(_FRAME),
    "OptionalCFrame": lambda data: _nested(("CFrame",), _FRAME)(data) if data else b"",
    "UDim": _flat("S O"),
    "UDim2": _flat("XS XO YS YO"),
    "Axes": lambda data: [_leaf("axes", str(data).encode())],
    "Faces": lambda data: [_leaf("faces", str(data).encode())],
    "NumberRange": _to_line,
    "NumberSequence": lambda data: _to_line(part for point in data for part in point),
    "ColorSequence": lambda data: _to_line(part for point in data for part in point),
    "PhysicalProperties": _write_physics,
    "Font": _write_font,
    "UniqueId": _write_unique,
    "ContentId": lambda data: _leaf("url", escaped(data)) if data else b"<null></null>",
}
_LINKED_WRITERS: dict[str, Callable[[Any, Context], bytes]] = {
    "Content": _write_content,
    "Ref": lambda data, context: context.referent(data).encode(),
    "SharedString": lambda data, context: context.share(data).encode(),
    "NetAssetRef": lambda data, context: context.share(data).encode(),
}
_TAGS = {
    "String": "string",
    "Bool": "bool",
    "Int32": "int",
    "Int64": "int64",
    "Enum": "token",
    "Float32": "float",
    "Float64": "double",
    "CFrame": "CoordinateFrame",
    "OptionalCFrame": "OptionalCoordinateFrame",
    "Rect": "Rect2D",
    "ContentId": "Content",
}
_KIND_OF_TAG = {_TAGS.get(kind, kind): kind for kind in (*_READERS, *_LINKED_READERS)} | {
    "ContentId": "ContentId",
    "NetAssetRef": "SharedString",
    "CFrame": "CFrame",
    "Rect": "Rect",
}
_TAG_OF_KIND = {kind: _TAGS.get(kind, kind).encode() for kind in (*_WRITERS, *_LINKED_WRITERS)} | {
    "BrickColor": b"int",
    "Tags": b"BinaryString",
    "Attributes": b"BinaryString",
    "MaterialColors": b"BinaryString",
    "Bytecode": b"BinaryString",
}
