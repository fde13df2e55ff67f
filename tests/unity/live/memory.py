"""A scene as the stand-in for Unity holds it: the text of the file, with values read and set in it."""

from __future__ import annotations

import re
from typing import Any

import yaml

__all__ = ["Refused", "Scene", "text_of"]

HEAD = re.compile(r"^--- !u!(\d+) &(-?\d+)( stripped)?\n", re.MULTILINE)
GLOBAL_ID = re.compile(r"GlobalObjectId_V1-2-([0-9a-f]{32})-(\d+)-0")
BOOLEANS = {"m_IsActive", "m_Enabled", "m_IsTrigger", "orthographic"}
FLOATS = {"speed", "near clip plane", "far clip plane", "field of view"}
ENUMS = {"m_ClearFlags"}


class Refused(Exception):
    """What a command throws."""


class Scene:
    """One open scene."""

    def __init__(self, path: str, text: str, guid: str) -> None:
        self.path = path
        self.text = text
        self.guid = guid
        self.unsaved = False

    def resolve(self, handle: Any) -> int:
        """Return the file id of the object that a handle names."""
        named = handle.get("globalId") if isinstance(handle, dict) else None
        match = GLOBAL_ID.fullmatch(named or "")
        if match is None:
            raise Refused(f"Invalid globalId '{named}'.")
        number = int(match[2])
        if match[1] != self.guid or self._span(number) is None:
            raise Refused(f"globalId '{named}' did not resolve to a loaded object.")
        return number

    def _span(self, number: int) -> tuple[int, int] | None:
        for head in HEAD.finditer(self.text):
            if int(head[2]) == number and not head[3]:
                end = HEAD.search(self.text, head.end())
                return head.end(), end.start() if end else len(self.text)
        return None

    def _properties(self, number: int) -> tuple[str, dict[str, Any]]:
        span = self._span(number)
        assert span is not None
        kind, properties = next(iter(yaml.load(self.text[slice(*span)], yaml.CBaseLoader).items()))
        return kind, properties

    def value(self, number: int, field: str) -> tuple[str, Any]:
        """Return the kind and the value of a serialized property."""
        kind, found = self._properties(number)
        if kind == "GameObject":
            raise Refused("Target is a GameObject. Pass --component <TypeName> to pick a component on it.")
        found = _walk(found, field)
        return _as_unity_has_it(field.rpartition(".")[2], found, self.guid)

    def set_value(self, number: int, field: str, value: Any) -> None:
        kind, _ = self.value(number, field)
        text = _as_the_file_has_it(kind, value, self.guid)
        self._write(number, field, text)

    def set_plain(self, number: int, field: str, text: str) -> None:
        self._write(number, field, text)

    def _write(self, number: int, field: str, text: str) -> None:
        span = self._span(number)
        assert span is not None
        body = self.text[slice(*span)]
        top, _, rest = field.partition(".")
        if rest.startswith("Array."):
            body = _set_in_list(body, top, rest, text)
        elif rest:
            body = re.sub(rf"^(  {re.escape(top)}: {{.*\b{rest}: )[^,}}]+", rf"\g<1>{text}", body, flags=re.MULTILINE)
        else:
            body = re.sub(rf"^  {re.escape(top)}: .*$", lambda _: f"  {top}: {text}", body, flags=re.MULTILINE)
        self.text = self.text[: span[0]] + body + self.text[span[1] :]
        self.unsaved = True


def _walk(found: Any, field: str) -> Any:
    for part in re.sub(r"\.Array\.data\[(\d+)\]", r".[\1]", field).split("."):
        try:
            found = found[int(part[1:-1])] if part.startswith("[") else found[part]
        except (KeyError, IndexError, TypeError):
            raise Refused(f"Field '{field}' was not found.") from None
    return found


def _as_unity_has_it(name: str, raw: Any, guid: str) -> tuple[str, Any]:
    if isinstance(raw, dict):
        if "fileID" in raw:
            return "ObjectReference", _described(raw, guid)
        kinds = {"xy": "Vector2", "xyz": "Vector3", "xyzw": "Quaternion", "rgba": "Color"}
        kind = kinds.get("".join(raw))
        return (
            (kind, {key: float(part) for key, part in raw.items()}) if kind else ("Generic", {"unsupported": "Generic"})
        )
    if name in ENUMS:
        return "Enum", ["None", "Skybox", "Color", "Depth"][int(raw)]
    if name in BOOLEANS:
        return "Boolean", raw == "1"
    if name in FLOATS or re.fullmatch(r"-?\d+\.\d+", raw):
        return "Float", float(raw)
    return ("Integer", int(raw)) if re.fullmatch(r"-?\d+", raw) else ("String", raw)


def _described(raw: dict[str, str], guid: str) -> dict[str, Any] | None:
    if raw["fileID"] == "0":
        return None
    if "guid" in raw:
        return {"type": "Material", "guid": raw["guid"], "fileId": int(raw["fileID"])}
    return {"type": "GameObject", "instanceId": -7, "globalId": f"GlobalObjectId_V1-2-{guid}-{raw['fileID']}-0"}


def text_of(value: str) -> str:
    """Return a text as YAML has it on one line."""
    return yaml.safe_dump(value, width=10**6).removesuffix("\n...\n").rstrip("\n")


def _as_the_file_has_it(kind: str, value: Any, guid: str) -> str:
    match kind, value:
        case "Boolean", bool():
            return str(int(value))
        case "Integer", int() if not isinstance(value, bool):
            return str(value)
        case "Float", int() | float() if not isinstance(value, bool):
            return f"{value:g}"
        case "String", str():
            return text_of(value)
        case "ObjectReference", None:
            return "{fileID: 0}"
        case "ObjectReference", {"guid": other, "fileId": int(number)}:
            return f"{{fileID: {number}, guid: {other}, type: 2}}"
        case "ObjectReference", {"globalId": str(named)}:
            return f"{{fileID: {named.split('-')[-2]}}}"
        case "Vector2" | "Vector3" | "Quaternion" | "Color", dict():
            return "{" + ", ".join(f"{key}: {part:g}" for key, part in value.items()) + "}"
    raise Refused(f"Cannot assign {value!r} to a field of type '{kind}'.")


def _set_in_list(body: str, top: str, rest: str, text: str) -> str:
    match = re.fullmatch(r"Array\.data\[(\d+)\]\.(\w+)", rest)
    assert match, rest
    lines, inside, row = body.split("\n"), False, -1
    for place, line in enumerate(lines):
        if re.match(r"  \w[\w ]*:", line):
            inside = line.startswith(f"  {top}:")
            continue
        row += inside and line.startswith("  - ")
        if inside and row == int(match[1]) and re.match(rf"  [- ] {match[2]}: ", line):
            lines[place] = line[: line.index(":") + 2] + text
    return "\n".join(lines)
