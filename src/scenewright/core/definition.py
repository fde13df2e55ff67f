"""Seed 002: an operation as a tool definition, and the rules a definition must keep.

Version 0.1 is checked as the document is written: read-only, core tier, standard categories. Version 0.2 is ours and
only adds: the two writing safety levels, the tiers, more categories, underscores in ids (seed 001 has them), and
`items`/`properties` in inputs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from scenewright.core.model import JsonSchema
from scenewright.core.operation import Operation, Safety, Tier

__all__ = ["STANDARD_CATEGORIES", "TYPES", "define", "problems_in", "problems_in_catalogue"]

STANDARD_CATEGORIES = ("mcp.platform", "project", "scene", "asset", "audio", "editor")
ADDED_CATEGORIES = (
    "core", "workflow", "history", "script", "resource", "animation", "physics", "tilemap", "shader",
    "navigation", "particles", "ui", "lighting", "debug", "instance", "prefab", "component", "conformance",
)  # fmt: skip
TYPES = ("string", "integer", "number", "boolean", "array", "object")
_REQUIRED = ("id", "name", "description", "category", "safetyLevel", "tier", "inputs", "outputs")
_INPUT_KEYS = {"type", "required", "description", "default", "enum", "minimum", "maximum"}
_NESTED_KEYS = {"items", "properties"}
_IDS = {"0.1": r"[a-z0-9-]+(\.[a-z0-9-]+)+", "0.2": r"[a-z0-9_-]+(\.[a-z0-9_-]+)+"}
_SMALL_WORDS = {"a", "an", "and", "as", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with"}


def define(operation: Operation) -> dict[str, Any]:
    """The operation's JSON form."""
    strict = operation.definition_version == "0.1"
    schema = operation.input_schema
    required = schema.get("required", [])
    definition: dict[str, Any] = {
        "id": operation.id,
        "name": operation.name,
        "description": operation.description,
        "category": operation.category,
        "safetyLevel": str(operation.safety),
        "tier": str(operation.tier),
        "inputs": {
            key: _input(part, required=key in required, strict=strict)
            for key, part in schema.get("properties", {}).items()
        },
        "outputs": {key: _output(part) for key, part in (operation.output_schema or {}).get("properties", {}).items()},
    }
    if operation.notes:
        definition["notes"] = operation.notes
    if operation.examples:
        definition["examples"] = [
            {"description": example.description, "input": example.input, "output": example.output}
            for example in operation.examples
        ]
    if not strict:
        definition["schemaVersion"] = operation.definition_version
    return definition


def _input(schema: JsonSchema, *, required: bool, strict: bool) -> dict[str, Any]:
    keys = _INPUT_KEYS if strict else _INPUT_KEYS | _NESTED_KEYS
    parameter = {key: schema[key] for key in schema if key in keys and key != "required"}
    return {"type": schema.get("type", "any"), "required": required} | parameter


def _output(schema: JsonSchema) -> dict[str, Any]:
    kept = {key: schema[key] for key in ("description", "items", "properties", "enum") if key in schema}
    return {"type": schema.get("type", "any")} | kept


def problems_in_catalogue(operations: Iterable[Operation]) -> Iterator[str]:
    """Every rule that an operation breaks, each as one sentence that names it."""
    seen: set[str] = set()
    for operation in operations:
        if operation.id in seen:
            yield f"{operation.id}: the id is taken already"
        seen.add(operation.id)
        for problem in problems_in(define(operation), version=operation.definition_version):
            yield f"{operation.id}: {problem}"


def problems_in(definition: dict[str, Any], *, version: str) -> Iterator[str]:
    """The rules of seed 002 ("Constraints", "Validation Rules") that a definition breaks."""
    for key in _REQUIRED:
        if key not in definition:
            yield f"'{key}' is missing"
        elif key not in ("inputs", "outputs") and not definition[key]:
            yield f"'{key}' is empty"
    if any(key not in definition for key in _REQUIRED):
        return
    yield from _identity_problems(definition, version)
    yield from _level_problems(definition, version)
    for key, parameter in definition["inputs"].items():
        yield from _input_problems(key, parameter, version)
    for key, part in definition["outputs"].items():
        yield from _output_problems(f"output '{key}'", part, version)


def _identity_problems(definition: dict[str, Any], version: str) -> Iterator[str]:
    if not re.fullmatch(_IDS[version], definition["id"]):
        yield "the id must be lowercase words separated by dots, such as scene.hierarchy.dump"
    if not _is_title(definition["name"]):
        yield f"the name '{definition['name']}' is not in title case"
    if len(definition["name"]) >= 50:
        yield "the name is longer than 49 characters"
    sentences = re.findall(r"[.!?](?=\s|$)", definition["description"].replace("e.g.", "eg"))
    if not 1 <= len(sentences) <= 3:
        yield f"the description has {len(sentences)} sentences; 1 to 3 are right"
    if not 1 <= len(definition.get("examples", [{}])) <= 3:
        yield "there should be 1 to 3 examples"


def _is_title(name: str) -> bool:
    words = re.findall(r"[A-Za-z][\w'-]*", name)
    return bool(words) and all(word[0].isupper() or word in _SMALL_WORDS for word in words)


def _level_problems(definition: dict[str, Any], version: str) -> Iterator[str]:
    roots = STANDARD_CATEGORIES if version == "0.1" else STANDARD_CATEGORIES + ADDED_CATEGORIES
    category = definition["category"]
    if not any(category == root or category.startswith(root + ".") for root in roots):
        yield f"the category '{category}' is not one of {', '.join(roots)}"
    if version == "0.1":
        if definition["safetyLevel"] != Safety.READ_ONLY:
            yield "a v0.1 tool must be read-only"
        if definition["tier"] != Tier.CORE:
            yield "a v0.1 tool must be in the core tier"
    elif definition["safetyLevel"] not in list(Safety):
        yield f"the safety level '{definition['safetyLevel']}' is unknown"
    elif definition["tier"] not in list(Tier):
        yield f"the tier '{definition['tier']}' is unknown"


def _input_problems(key: str, parameter: dict[str, Any], version: str) -> Iterator[str]:
    where = f"input '{key}'"
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", key):
        yield f"{where}: the name is not an identifier"
    allowed = _INPUT_KEYS if version == "0.1" else _INPUT_KEYS | _NESTED_KEYS
    for extra in sorted(set(parameter) - allowed):
        yield f"{where}: '{extra}' is not a key of a parameter"
    if not parameter.get("description"):
        yield f"{where}: has no description"
    if not isinstance(parameter.get("required"), bool):
        yield f"{where}: 'required' must be true or false"
    if parameter.get("required") and "default" in parameter:
        yield f"{where}: a required parameter must not have a default"
    yield from _type_problems(where, parameter, version)
    if "enum" in parameter and not (isinstance(parameter["enum"], list) and parameter["enum"]):
        yield f"{where}: 'enum' must be a list with values"


def _output_problems(where: str, part: dict[str, Any], version: str) -> Iterator[str]:
    if not part.get("description"):
        yield f"{where}: has no description"
    yield from _type_problems(where, part, version)
    if part.get("type") == "array" and "items" not in part:
        yield f"{where}: an array must say what its items are"


def _type_problems(where: str, part: dict[str, Any], version: str) -> Iterator[str]:
    allowed = TYPES if version == "0.1" else (*TYPES, "any")
    if part.get("type") not in allowed:
        yield f"{where}: the type '{part.get('type')}' is not one of {', '.join(allowed)}"
