"""What inputs and outputs are called: the same in every engine, or as the document of a contract has them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scenewright.core.operations.declaration import Operation
from scenewright.core.operations.model import JsonSchema

__all__ = ["output_in_words", "path_in_words", "schema_in_words"]


def schema_in_words(operation: Operation, schema: JsonSchema, *, contractual: bool) -> JsonSchema:
    """Return a schema of inputs or outputs as one dialect shows it."""
    words, hidden = _words(operation, contractual=contractual)
    if not (words or hidden):
        return schema
    properties = {words.get(key, key): part for key, part in schema.get("properties", {}).items() if key not in hidden}
    required = {"required": [words.get(key, key) for key in schema["required"]]} if "required" in schema else {}
    return schema | {"properties": properties} | required


def output_in_words(operation: Operation, output: dict[str, Any], *, contractual: bool) -> dict[str, Any]:
    """Return an output as one dialect says it."""
    words, hidden = _words(operation, contractual=contractual)
    return {words.get(key, key): value for key, value in output.items() if key not in hidden}


def path_in_words(operation: Operation, path: str | None) -> str | None:
    """Return the path of what is wrong in a call, as the document calls it."""
    head, dot, name = (path or "").partition(".")
    return f"{head}{dot}{operation.contract_words.get(name, name)}" if path else path


def _words(operation: Operation, *, contractual: bool) -> tuple[Mapping[str, str], frozenset[str]]:
    return (operation.contract_words, frozenset()) if contractual else ({}, operation.contract_only)
