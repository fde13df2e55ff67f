"""Checks arguments against a schema and says what is wrong, where, and what was probably meant."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

import msgspec

from scenewright.core.calls.plain_values import is_plainly_valid
from scenewright.core.faults import Invalid, did_you_mean
from scenewright.core.operations.model import JsonSchema
from scenewright.core.operations.value_shapes import follow, shape

__all__ = ["Validator", "check", "compile_schema"]

MAX_REPORTED = 10
LARGE_BYTES = 50_000
_KINDS = {"type", "const", "enum"}
_BAGS = ("properties", "parameters")


class Validator:
    """A compiled schema."""

    def __init__(self, schema: JsonSchema) -> None:
        import jsonschema_rs  # 26 ms, and a server that is never called with arguments does without

        self._schema = schema
        self._compiled = jsonschema_rs.Draft202012Validator(schema, retriever=_refuse)

    def accepts(self, value: Any) -> bool:
        return self._compiled.is_valid(value)

    def problems(self, value: Any) -> list[dict[str, Any]]:
        """Return what is wrong with a value: `path`, `rule`, `message` and, where we can tell, `hint`."""
        problems: list[dict[str, Any]] = []
        for error in self._errors(value):
            problems.extend(_describe(error, self._schema, MAX_REPORTED - len(problems)))
            if len(problems) >= MAX_REPORTED:
                break
        return problems

    def _errors(self, value: Any) -> Iterable[Any]:
        # All errors are collected before the first is given out, which takes seconds for a large value that is
        # wrong throughout; of such a one the first must do.
        if len(msgspec.json.encode(value)) <= LARGE_BYTES:
            return self._compiled.iter_errors(value)
        try:
            self._compiled.validate(value)
        except ValueError as error:
            return [error]
        return []


def _refuse(uri: str) -> Any:
    raise ValueError(f"a schema may not load '{uri}'")


@lru_cache(maxsize=1024)
def _cached(key: int, holder: _Holder) -> Validator:
    del key
    return Validator(holder.schema)


class _Holder:
    """Lets a schema, which is a dict, be the key of a cache by its identity."""

    __slots__ = ("schema",)

    def __init__(self, schema: JsonSchema) -> None:
        self.schema = schema

    def __hash__(self) -> int:
        return id(self.schema)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Holder) and other.schema is self.schema


def compile_schema(schema: JsonSchema) -> Validator:
    """Return the validator of a schema, compiled once."""
    return _cached(id(schema), _Holder(schema))


def check(schema: JsonSchema, value: Any, *, signature: str) -> None:
    """Raise Invalid with the first problem as its message and all of them in its details."""
    if is_plainly_valid(schema, value):
        return
    validator = compile_schema(schema)
    if validator.accepts(value):
        return
    problems = validator.problems(value)
    first = problems[0]
    hints = [first["hint"]] if "hint" in first else []
    raise Invalid(
        first["message"],
        path=first["path"],
        rule=first["rule"],
        hint=" ".join([*hints, _expected_shape(schema, first) or f"Expected: {signature}."]),
        details={"problems": problems},
    )


def _expected_shape(schema: JsonSchema, problem: dict[str, Any]) -> str | None:
    """Return what belongs inside a parameter, where that is the place of the problem: no signature shows it."""
    parts = _parts(problem["path"])
    if problem["rule"] in ("additionalProperties", "required"):
        parts = parts[:-1]  # the place is where the name is too many or missing
    way = follow(schema, parts)
    has_inside = len(parts) > 1 or not way[-1].keys().isdisjoint(("properties", "items"))
    if not parts or len(way) <= len(parts) or not has_inside:
        return None
    about = way[-1].get("description") or way[-2].get("description")
    text = f"Expected {_path(parts).removeprefix('input.')}: {shape(way[-1], schema)}"
    return f"{text} ({about.rstrip('.')})." if about and len(way) > 1 else f"{text}."


def _parts(path: str) -> list[str | int]:
    """Return a path as it was written for a reader, in parts again."""
    matches = re.findall(r"\.([^.\[\]]+)|\[(\d+)\]", path.removeprefix("input"))
    return [int(number) if number else name for name, number in matches]


def _describe(error: Any, schema: JsonSchema, limit: int = MAX_REPORTED) -> list[dict[str, Any]]:
    path = _path(error.instance_path)
    rule = str(error.kind.name)
    if rule == "additionalProperties":
        node = _node(schema, error.schema_path[:-1])
        return [_unknown_parameter(path, name, node) for name in error.kind.unexpected[:limit]]
    if rule == "required":
        name = str(error.kind.property)
        return [{"path": f"{path}.{name}", "rule": rule, "message": f"'{name}' is required."}]
    if rule in ("anyOf", "oneOf"):
        inner = _meant_branch(error)
        return [problem for part in inner for problem in _describe(part, schema, limit)] or [_form_problem(path, rule)]
    problem = {"path": path, "rule": rule, "message": f"'{path}': {_shorten(error.message)}."}
    if rule == "enum":
        options = [str(option) for option in error.kind.options]
        problem["message"] = f"'{path}' must be one of: {', '.join(options)}."
        if isinstance(error.instance, str) and (hint := did_you_mean(error.instance[:100], options)):
            problem["hint"] = hint
    return [problem]


def _meant_branch(error: Any) -> list[Any]:
    """Return the errors of the one form that the value was meant to have: the only one whose kind of value it is."""
    own = len(error.instance_path)
    branches = [
        branch
        for branch in getattr(error.kind, "context", ())
        if not any(part.kind.name in _KINDS and len(part.instance_path) == own for part in branch)
    ]
    return list(branches[0]) if len(branches) == 1 else []


def _form_problem(path: str, rule: str) -> dict[str, Any]:
    return {"path": path, "rule": rule, "message": f"'{path}' does not have one of the forms it may have."}


def _unknown_parameter(path: str, name: str, node: JsonSchema) -> dict[str, Any]:
    shown = _shorten(name, 100)
    problem = {
        "path": f"{path}.{shown}",
        "rule": "additionalProperties",
        "message": f"'{shown}' is not a parameter here.",
    }
    known = node.get("properties", {})
    if hint := " ".join(filter(None, [did_you_mean(name[:100], list(known)), _hint_for_open_object(shown, known)])):
        problem["hint"] = hint
    return problem


def _hint_for_open_object(name: str, known: JsonSchema) -> str | None:
    """Return where values of any name go, such as the properties of a node that are no parameters of their own."""
    for bag in _BAGS:
        if known.get(bag, {}).get("type") == "object" and "additionalProperties" not in known[bag]:
            return f"Values of its own go into '{bag}', such as {{\"{name}\": …}}."
    return None


def _node(schema: Any, path: Sequence[str | int]) -> JsonSchema:
    for key in path:
        try:
            schema = schema[key]
        except (KeyError, IndexError, TypeError):
            return {}  # the path leads through a reference
    return schema if isinstance(schema, dict) else {}


def _path(parts: Sequence[str | int]) -> str:
    return "input" + "".join(f"[{part}]" if isinstance(part, int) else f".{_shorten(part, 100)}" for part in parts)


def _shorten(text: str, limit: int = 200) -> str:
    return text if len(text) <= limit else f"{text[: limit // 2]} … {text[-limit // 4 :]}"
