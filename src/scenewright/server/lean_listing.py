"""The compact listing in the portable dialect, made short: every session of a model pays for each byte of it.

Nothing is lost that a call needs. Limits are checked by the server, and said in its refusals; a text that several
tools share is told where it comes first; what a client assumes anyway is left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scenewright.core.operations.call_lines import form_of, inlined, is_outdated, says_its_name
from scenewright.core.operations.declaration import Manager, Operation
from scenewright.core.operations.model import JsonSchema

__all__ = ["BRIEF_ACTIONS", "LeanWriter", "describe_actions", "lean_annotations"]

LONGEST = 2_000  # characters of a description, which hosts cut beyond
LITTLE_MORE = 5  # characters that are worth a call for help
_LIMITS = frozenset(
    ["minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minItems", "maxItems"]
)
_UNREMARKABLE = (None, False, 0, "", ".")  # defaults that one expects
_CLEAR_NAMES = (
    "actor",
    "correlationId",
    "dryRun",
    "height",
    "limit",
    "offset",
    "projectPath",
    "width",
)  # the same everywhere, and told in the instructions
BRIEF_ACTIONS = " Actions: "  # before the names of a brief manager's
# What MCP has a client assume where a tool does not say.
_ASSUMED = {"readOnlyHint": False, "destructiveHint": True, "idempotentHint": False, "openWorldHint": True}


def describe_actions(manager: Manager, actions: Mapping[str, Operation]) -> tuple[str, str]:
    """Return what to say of a manager, and of its `params` where the first has no room for all.

    What is common is shown whole, the rest in fewer words; of a brief manager only the names.
    """
    if manager.brief:
        return f"{manager.description}{BRIEF_ACTIONS}{', '.join(actions)}", ""
    told: dict[str, str] = {}
    whole = [op.whole_call(name, told) for name, op in actions.items() if op.common]
    short = _joined([_in_few_words(op, name, manager.told) for name, op in actions.items() if not op.common])
    description = "\n".join([f"{manager.description} Actions:", *whole, *short])
    if len(description) <= LONGEST:
        return description, ""
    return "\n".join([f"{manager.description} Actions, and those in params:", *short]), "\n".join(whole)


def _joined(calls: list[str]) -> list[str]:
    """Put calls that take the same on one line: `pause|resume(gameId?)`."""
    names: dict[str, list[str]] = {}
    for call in calls:
        name, _, rest = call.partition("(")
        names.setdefault(rest, []).append(name)
    return [f"{'|'.join(each)}({rest}" for rest, each in names.items()]


def _in_few_words(operation: Operation, name: str, told: frozenset[str]) -> str:
    """Return the outline of a call, or all of it where that is hardly longer: a model then need not ask."""
    outline, whole = operation.outline(name, told), operation.whole_call(name, without=told)
    return whole if len(whole) <= len(outline) + LITTLE_MORE else outline


class LeanWriter:
    """Shortens the schemas of one listing's tools, in their order."""

    def __init__(self) -> None:
        self._texts: set[str] = set()

    def shorten(self, schema: JsonSchema) -> JsonSchema:
        """Return the schema without limits, expected defaults and what an earlier one told.

        One that names its own dialect was not made from a declaration, and is kept as it is.
        """
        if "$schema" in schema:
            return schema
        parts = inlined(schema)["properties"]
        kept = {name: part for name, part in parts.items() if not is_outdated(part)}
        lean = {"type": "object", "properties": {name: self._parameter(name, part) for name, part in kept.items()}}
        return lean | ({"required": required} if (required := schema.get("required")) else {})

    def _parameter(self, name: str, schema: JsonSchema) -> JsonSchema:
        text = schema.get("description", "")
        if text in self._texts or name in _CLEAR_NAMES or says_its_name(text, name):
            text = ""
        self._texts.add(text)
        if form := _form_inside(schema):
            text = f"{text.rstrip('.')}: {form}" if text else form
        lean = {key: value for key, value in _part(schema).items() if key != "description"}
        return ({"description": text} if text else {}) | lean


def _form_inside(schema: JsonSchema) -> str:
    """Return what is inside of a value in one line, which is shorter than its schema."""
    items = schema.get("items", {})
    return form_of(schema) if schema.get("properties") or items.get("properties") else ""


def _part(schema: JsonSchema) -> JsonSchema:
    lean = {key: value for key, value in schema.items() if not _says_little(key, value)}
    if isinstance(items := lean.get("items"), dict):
        kept = {key: items[key] for key in ("type", "enum") if key in items}
        lean["items"] = kept or _part(items)
    return lean


def _says_little(key: str, value: Any) -> bool:
    if key == "default":
        return isinstance(value, dict) or value in _UNREMARKABLE
    return key in _LIMITS or key in ("properties", "required", "additionalProperties")


def lean_annotations(whole: Mapping[str, Any]) -> dict[str, Any]:
    """Return the hints that a client does not assume; what a write may do is nothing to say of a tool that reads."""
    if whole["readOnlyHint"]:
        return {"readOnlyHint": True}
    return {name: hint for name, hint in whole.items() if hint is not _ASSUMED[name]}
