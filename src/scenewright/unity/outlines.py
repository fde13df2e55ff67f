"""What is in a text asset at a glance: C#, input actions, assembly definitions, UI documents and styles."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import PurePosixPath
from typing import Any

from scenewright.core.faults import Invalid, Unsupported
from scenewright.unity.building.input_actions import described_maps
from scenewright.unity.csharp import read_members, read_types
from scenewright.unity.yaml.source import kind_of, pointer_fault

__all__ = ["outline_of"]

_OPENED = re.compile(r"<(/?)([\w.:-]+)")
_INSIDE = re.compile(r"[^<>\"']+|\"[^\"]*\"|'[^']*'")
_ATTRIBUTE = re.compile(r"([\w:-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_LONGEST_TAG = 4000
_SHOWN = ("name", "class", "text", "src", "template", "binding-path")
_MOST = 1000
_NO_ELEMENTS = {"UXML", "Style"}


def outline_of(path: str, content: bytes) -> dict[str, Any]:
    """Return what is in an asset, in a shape of its kind.

    Raises:
        Unsupported: it is of a kind that has no outline, or a git-LFS pointer.
    """
    if kind_of(content[:64]) == "lfs-pointer":
        raise pointer_fault(f"'{path}'")
    text = content.decode("utf-8", "replace").removeprefix("\ufeff")
    suffix = PurePosixPath(path).suffix.lower()
    if suffix == ".cs":
        return {"types": _types(content)}
    if suffix == ".inputactions":
        parsed = _json(path, text)
        schemes = [one.get("name") for one in parsed.get("controlSchemes") or [] if isinstance(one, dict)]
        return {"maps": described_maps(parsed), "controlSchemes": schemes}
    if suffix in (".asmdef", ".asmref"):
        return {key: value for key, value in _json(path, text).items() if value not in ("", [], False)}
    if suffix == ".uxml":
        return _elements(text)
    if suffix in (".uss", ".tss"):
        rules = islice(_rules(text), _MOST)
        return {"rules": [{"selector": " ".join(name.split()), "properties": _declared(body)} for name, body in rules]}
    raise Unsupported(
        f"'{path}' has no outline.", hint="Outlines are for .cs, .inputactions, .asmdef, .asmref, .uxml, .uss and .tss."
    )


def _types(content: bytes) -> list[dict[str, Any]]:
    members = read_members(content)
    rows = []
    for name, declared in read_types(content).items():
        own = members.get(name)
        row: dict[str, Any] = {"name": name, "kind": declared.kind}
        if own is not None:
            row["line"] = own.line
        if declared.bases:
            row["bases"] = declared.bases
        if declared.members:
            row["members"] = list(declared.members)
        if declared.fields:
            row["serializedFields"] = [
                f"{field.type} {field.name}" + (f" = {field.initial}" if field.initial else "")
                for field in declared.fields
            ]
        if own is not None and own.methods:
            row["methods"] = own.methods
        rows.append(row)
    return rows


def _elements(text: str) -> dict[str, Any]:
    """Return the elements of a document with their depth, and tags that do not close."""
    rows: list[dict[str, Any]] = []
    open_tags: list[str] = []
    problems, styles = [], []
    for at, closing, name, attributes in _tags(text):
        if closing:
            if not open_tags or open_tags.pop() != name:
                problems.append(f"line {text.count(chr(10), 0, at) + 1}: </{name}> closes nothing that is open")
            continue
        plain = name.rpartition(":")[2]
        if plain == "Style":
            styles += [value for key, value in _shown(attributes) if key == "src"]
        elif plain not in _NO_ELEMENTS and len(rows) < _MOST:
            depth = sum(tag.rpartition(":")[2] not in _NO_ELEMENTS for tag in open_tags)
            rows.append({"element": plain, "depth": depth, **dict(_shown(attributes))})
        if not attributes.endswith("/"):
            open_tags.append(name)
    problems += [f"<{name}> is not closed" for name in open_tags[:_MOST]]
    return {"elements": rows, "styles": styles} | ({"problems": problems[:_MOST]} if problems else {})


def _tags(text: str) -> Iterator[tuple[int, bool, str, str]]:
    """Yield where each tag begins, whether it closes one, its name and what else is in it."""
    at = 0
    while (at := text.find("<", at)) >= 0:
        opened = _OPENED.match(text, at)
        if opened is None:
            end = text.find("-->", at) if text.startswith("<!--", at) else at
            at = end + 1 if end >= 0 else len(text)
            continue
        end = opened.end()
        while (part := _INSIDE.match(text, end)) is not None:
            end = part.end()
        if text[end : end + 1] in ("'", '"', ""):
            return  # a quote that never ends
        yield at, bool(opened[1]), opened[2], text[opened.end() : end][:_LONGEST_TAG]
        at = end


def _rules(text: str) -> Iterator[tuple[str, str]]:
    """Yield selectors with what is between their braces; comments are left out."""
    parts = text.split("/*")
    text = parts[0] + "".join(part.partition("*/")[2] for part in parts[1:])
    at = 0
    while (opened := text.find("{", at)) >= 0 and (closed := text.find("}", opened)) >= 0:
        yield text[at:opened], text[opened + 1 : closed]
        at = closed + 1


def _shown(attributes: str) -> Iterator[tuple[str, str]]:
    for key, double, single in _ATTRIBUTE.findall(attributes):
        if key in _SHOWN:
            yield key, double or single


def _declared(body: str) -> list[str]:
    return [" ".join(row.split()) for row in body.split(";") if row.strip()]


def _json(path: str, text: str) -> dict[str, Any]:
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as problem:
        raise Invalid(f"'{path}' is no JSON: {problem}", path="input.assetPath", rule="format") from None
    if not isinstance(content, dict):
        raise Invalid(f"'{path}' holds no JSON object.", path="input.assetPath", rule="format")
    return content
