"""EditorMCP's Tool Definition Schema: an operation as a tool definition, and the rules a definition must keep.

Version 0.1 is checked as the document is written: read-only, core tier, standard categories. Version 0.2 is ours and
only adds: the two writing safety levels, the tiers, more categories, underscores in ids (Gox has them), the type `any`,
and `items`/`properties` in inputs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from scenewright.contracts.editormcp.wording import count_sentences, is_title_case
from scenewright.contracts.wording import output_in_words, schema_in_words
from scenewright.core.calls.validation import Validator
from scenewright.core.operations.declaration import Operation, Safety
from scenewright.core.operations.model import JsonSchema
from scenewright.core.operations.tiers import Tier

__all__ = ["STANDARD_CATEGORIES", "TYPES", "define", "problems_in", "problems_in_catalogue"]

STANDARD_CATEGORIES = ("mcp.platform", "project", "scene", "asset", "audio", "editor")
ADDED_CATEGORIES = (
    "core",
    "workflow",
    "history",
    "script",
    "resource",
    "animation",
    "physics",
    "tilemap",
    "shader",
    "navigation",
    "particles",
    "ui",
    "lighting",
    "debug",
    "instance",
    "prefab",
    "component",
)
TYPES = ("string", "integer", "number", "boolean", "array", "object")
_REQUIRED: dict[str, type] = {
    "id": str,
    "name": str,
    "description": str,
    "category": str,
    "safetyLevel": str,
    "tier": str,
    "inputs": dict,
    "outputs": dict,
}
_OPTIONAL: dict[str, type] = {"notes": str, "examples": list}
_JSON_NAMES: dict[type, str] = {str: "a string", dict: "an object", list: "an array"}
_INPUT_KEYS = {"type", "required", "description", "default", "enum", "minimum", "maximum"}
_NESTED_KEYS = {"items", "properties"}
_OUTPUT_KEYS = {"type", "description"} | _NESTED_KEYS
_IDS = {"0.1": r"[a-z0-9-]+(\.[a-z0-9-]+)+", "0.2": r"[a-z0-9_-]+(\.[a-z0-9_-]+)+"}


def define(operation: Operation) -> dict[str, Any]:
    """Return the operation's JSON form."""
    strict = operation.definition_version == "0.1"
    inputs = schema_in_words(operation, operation.input_schema, contractual=True)
    outputs = schema_in_words(operation, operation.output_schema or {}, contractual=True)
    input_keys = (_INPUT_KEYS if strict else _INPUT_KEYS | _NESTED_KEYS) - {"required"}
    output_keys = _OUTPUT_KEYS if strict else _OUTPUT_KEYS | {"enum"}
    required = inputs.get("required", [])
    definition: dict[str, Any] = {
        "id": operation.id,
        "name": operation.name,
        "description": operation.description,
        "category": operation.category,
        "safetyLevel": str(operation.safety),
        "tier": str(operation.tier),
        "inputs": {
            key: {"type": "any", "required": key in required} | _keep_keys(input_keys, part)
            for key, part in _properties(inputs).items()
        },
        "outputs": {key: {"type": "any"} | _keep_keys(output_keys, part) for key, part in _properties(outputs).items()},
    }
    if operation.notes:
        definition["notes"] = operation.notes
    if operation.examples:
        definition["examples"] = [
            {
                "description": example.description,
                "input": output_in_words(operation, example.input, contractual=True),
                "output": output_in_words(operation, example.output, contractual=True),
            }
            for example in operation.examples
        ]
    if not strict:
        definition["schemaVersion"] = operation.definition_version
    return definition


def _keep_keys(keys: set[str], schema: JsonSchema) -> dict[str, Any]:
    return {key: value for key, value in schema.items() if key in keys}


def _properties(schema: JsonSchema) -> dict[str, JsonSchema]:
    """The properties without `$ref`, for which a definition has no place; a type inside itself is just an object."""
    definitions = schema.get("$defs", {})
    parts = schema.get("properties", {})
    return {
        key: _inline_references(part, definitions, ()) if isinstance(part, dict) else {} for key, part in parts.items()
    }


def _inline_references(part: Any, definitions: Mapping[str, JsonSchema], inside: tuple[str, ...]) -> Any:
    if isinstance(part, list):
        return [_inline_references(item, definitions, inside) for item in part]
    if not isinstance(part, dict):
        return part
    if isinstance(part.get("$ref"), str):
        name = part["$ref"].rpartition("/")[2]
        beside = {key: value for key, value in part.items() if key != "$ref"}
        if name in inside or name not in definitions:
            return {"type": definitions.get(name, {}).get("type", "object")} | beside
        return _inline_references(definitions[name], definitions, (*inside, name)) | beside
    return {key: _inline_references(value, definitions, inside) for key, value in part.items()}


def problems_in_catalogue(operations: Iterable[Operation]) -> Iterator[str]:
    """Yield every rule that an operation breaks, each as a sentence that names the operation."""
    seen: set[str] = set()
    for operation in operations:
        if operation.id in seen:
            yield f"{operation.id}: the id is taken already"
        seen.add(operation.id)
        for problem in problems_in(define(operation), version=operation.definition_version):
            yield f"{operation.id}: {problem}"


def problems_in(definition: Mapping[str, Any], *, version: str) -> Iterator[str]:
    """Yield the rules of EditorMCP's schema ("Constraints", "Validation Rules") that a definition breaks."""
    problems = [*_shape_problems(definition, version)]
    if not problems:
        problems += _identity_problems(definition, version)
        problems += _level_problems(definition, version)
        for key, part in definition["inputs"].items():
            problems += _part_problems(f"input '{key}'", key, part, version)
            problems += _input_problems(f"input '{key}'", part, version) if isinstance(part, dict) else []
        for key, part in definition["outputs"].items():
            problems += _part_problems(f"output '{key}'", key, part, version)
            problems += _output_problems(f"output '{key}'", part, version) if isinstance(part, dict) else []
    if not problems:  # only sound parts make a schema to hold examples against
        problems += _example_problems(definition)
    yield from problems


def _shape_problems(definition: Mapping[str, Any], version: str) -> Iterator[str]:
    for key, kind in (_REQUIRED | _OPTIONAL).items():
        if key not in definition:
            if key in _REQUIRED:
                yield f"'{key}' is missing"
        elif not isinstance(definition[key], kind):
            yield f"'{key}' must be {_JSON_NAMES[kind]}"
        elif kind is str and not definition[key].strip():
            yield f"'{key}' is empty"
    # A tool that takes nothing has no inputs; one that returns nothing is no use as a read.
    if version == "0.1" and definition.get("outputs") == {}:
        yield "'outputs' is empty"
    known = {*_REQUIRED, *_OPTIONAL} | (set() if version == "0.1" else {"schemaVersion"})
    for extra in sorted(set(definition) - known):
        yield f"'{extra}' is not a key of a definition"


def _identity_problems(definition: Mapping[str, Any], version: str) -> Iterator[str]:
    if not re.fullmatch(_IDS[version], definition["id"]):
        yield "the id must be lowercase words separated by dots, such as scene.hierarchy.dump"
    name = definition["name"]
    if not is_title_case(name):
        yield f"the name '{name}' is not in title case, such as List Project Scenes"
    if len(name) >= 50:
        yield "the name is longer than 49 characters"
    if not 1 <= (count := count_sentences(definition["description"])) <= 3:
        yield f"the description must be 1 to 3 sentences, each with its full stop; it has {count}"
    if not 1 <= len(definition.get("examples", [{}])) <= 3:
        yield "there should be 1 to 3 examples"


def _level_problems(definition: Mapping[str, Any], version: str) -> Iterator[str]:
    strict = version == "0.1"
    roots = STANDARD_CATEGORIES if strict else STANDARD_CATEGORIES + ADDED_CATEGORIES
    category = definition["category"]
    below = any(category == root or category.startswith(f"{root}.") for root in roots)
    if not below or not re.fullmatch(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*", category):
        yield f"the category '{category}' is not one of {', '.join(roots)}, or lowercase words under one"
    if strict and definition["safetyLevel"] != Safety.READ_ONLY:
        yield "a v0.1 tool must be read-only"
    if strict and definition["tier"] != Tier.CORE:
        yield "a v0.1 tool must be in the core tier"
    if definition["safetyLevel"] not in list(Safety):
        yield f"the safety level '{definition['safetyLevel']}' is not one of {', '.join(Safety)}"
    if definition["tier"] not in list(Tier):
        yield f"the tier '{definition['tier']}' is not one of {', '.join(Tier)}"


def _part_problems(where: str, key: str, part: Any, version: str) -> Iterator[str]:
    if not isinstance(part, dict):
        yield f"{where}: must be an object"
        return
    if not re.fullmatch(r"[A-Za-z_$][A-Za-z0-9_$]*", key):
        yield f"{where}: the name is not an identifier"
    if not isinstance(part.get("description"), str) or not part["description"].strip():
        yield f"{where}: has no description"
    types = TYPES if version == "0.1" else (*TYPES, "any")
    if part.get("type") not in types:
        yield f"{where}: the type '{part.get('type')}' is not one of {', '.join(types)}"


def _input_problems(where: str, part: dict[str, Any], version: str) -> Iterator[str]:
    for extra in sorted(set(part) - (_INPUT_KEYS if version == "0.1" else _INPUT_KEYS | _NESTED_KEYS)):
        yield f"{where}: '{extra}' is not a key of a parameter"
    if not isinstance(part.get("required"), bool):
        yield f"{where}: 'required' must be true or false"
    if part.get("required") and "default" in part:
        yield f"{where}: a required parameter must not have a default"
    if "enum" in part and not (isinstance(part["enum"], list) and part["enum"]):
        yield f"{where}: 'enum' must be a list with values"
        return
    limits = [part[key] for key in ("minimum", "maximum") if key in part]
    if not all(isinstance(limit, (int, float)) and not isinstance(limit, bool) for limit in limits):
        yield f"{where}: 'minimum' and 'maximum' must be numbers"
        return
    if len(limits) == 2 and limits[0] > limits[1]:
        yield f"{where}: 'minimum' is above 'maximum'"
    if part.get("type") in TYPES:
        yield from _value_problems(where, part)


def _value_problems(where: str, part: dict[str, Any]) -> Iterator[str]:
    of_type = Validator({"type": part["type"]})
    if not all(value is None or of_type.accepts(value) for value in part.get("enum", ())):
        yield f"{where}: 'enum' holds what is not of type {part['type']}"
    default = part.get("default")
    if default is not None and not Validator(_schema_of_part(part)).accepts(default):
        yield f"{where}: the default does not fit the parameter"


def _output_problems(where: str, part: dict[str, Any], version: str) -> Iterator[str]:
    for extra in sorted(set(part) - (_OUTPUT_KEYS if version == "0.1" else _OUTPUT_KEYS | {"enum"})):
        yield f"{where}: '{extra}' is not a key of an output"
    if part.get("type") == "array" and not isinstance(part.get("items"), dict):
        yield f"{where}: an array must say what its items are"
    if not isinstance(part.get("properties", {}), dict):
        yield f"{where}: 'properties' must be an object"


def _example_problems(definition: Mapping[str, Any]) -> Iterator[str]:
    sides: dict[str, Validator] = {}
    for side in ("input", "output"):
        try:
            sides[side] = Validator(_schema(definition[f"{side}s"], closed=side == "input"))
        except ValueError as error:
            yield f"the {side}s do not make a valid schema: {str(error).partition(chr(10))[0]}"
            return
    for number, example in enumerate(definition.get("examples", ()), 1):
        if not isinstance(example, dict) or set(example) != {"description", *sides}:
            yield f"example {number}: must have description, input and output"
            continue
        if not isinstance(example["description"], str) or not example["description"].strip():
            yield f"example {number}: has no description"
        for side, validator in sides.items():
            for problem in validator.problems(example[side]):
                yield f"example {number}: {side}: {problem['message']}"


def _schema(parts: Mapping[str, dict[str, Any]], *, closed: bool) -> JsonSchema:
    return {
        "type": "object",
        "properties": {key: _schema_of_part(part) for key, part in parts.items()},
        "required": [key for key, part in parts.items() if part.get("required")],
        # Version 0.2 may leave its outputs open by naming none.
        "additionalProperties": not (closed or parts),
    }


def _schema_of_part(part: Mapping[str, Any]) -> JsonSchema:
    return {key: value for key, value in part.items() if key != "required" and value != "any"}
