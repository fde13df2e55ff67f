"""Arguments as no one should send them, made from what a schema says one should."""

from __future__ import annotations

import math
from typing import Any

from hypothesis import strategies as st

Json = Any
Schema = dict[str, Any]


def nested(depth: int) -> Json:
    value: Json = 1
    for level in range(depth):
        value = [value] if level % 2 else {"a": value}
    return value


PATHS = (
    "..",
    "../secret.txt",
    "../../../../etc/passwd",
    "/etc/passwd",
    "~",
    "~/x",
    "~root/.bashrc",
    "a.txt/../../secret.txt",
    "out.txt",
    "outside/secret.txt",
    "loop",
    "loop/x",
    "dangling",
    "pipe",
    "scenes",
    ".",
    "./",
    "",
    " ",
    "a.txt/b",
    "\0",
    "a\0b",
    ".scenewright/token",
    ".git/config",
    ".godot_mcp/audit.log",
    "scenes/../.scenewright/token",
    "C:\\Windows",
    "\\\\host\\share",
    "file:///etc/passwd",
    "res://a.txt",
    "a.txt",
    "scenes/level.gd",
    "binary.dat",
    "new/file.txt",
    "\u202e.txt",
    "/dev/zero",
    "/dev/stdin",
    "/proc/self/mem",
)
TEXTS = (
    *PATHS,
    "true",
    "null",
    "5",
    "-1",
    "1e999",
    "{}",
    "[]",
    "[[[[",
    '{"a":',
    "[1]",
    "%s%n",
    "' OR 1=1 --",
    "${HOME}",
    "$(id)",
    "\x1b[31m",
    "\ud800",
    "\udfff!",
)
NUMBERS = (
    0,
    -1,
    1,
    2,
    3,
    5.0,
    0.5,
    -0.0,
    1e308,
    2**31,
    2**53 + 1,
    2**63 - 1,
    2**63,
    -(2**63) - 1,
    10**30,
    10**400,
    math.nan,
    math.inf,
    -math.inf,
)
OTHERS: tuple[Json, ...] = (None, True, False, [], {}, [None], {"": 1}, [[]], {"x": {}}, {"\ud800": 1})
# Drawn by name: the strategies would print and hash the values themselves over and over.
LARGE = {
    "name": "x" * 300,
    "path": "d/" * 600 + "x",
    "long path": "x" * 5000,
    "two bytes each": "é" * 200,
    "long text": "a" * 20_000,
    "digits": "9" * 400,
    "brackets": "[" * 3000 + "]" * 3000,
    "list": list(range(300)),
    "deep": nested(70),
    "deeper": nested(150),
}
BEYOND_JSON = {"very deep": nested(5_000), "bottomless": nested(100_000)}
ALL = LARGE | BEYOND_JSON


def hostile(*, deep: bool = True) -> st.SearchStrategy[Json]:
    """A value that fits hardly anywhere. `deep` adds what no JSON text can carry."""
    large = st.sampled_from(sorted(ALL if deep else LARGE)).map(lambda name: ALL[name])
    return st.one_of(
        st.sampled_from(TEXTS), st.sampled_from(NUMBERS), st.sampled_from(OTHERS), large, st.text(max_size=20)
    )


def fitting(schema: Schema) -> st.SearchStrategy[Json]:
    """A value that the schema probably accepts."""
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    if "anyOf" in schema:
        return st.one_of([fitting(branch) for branch in schema["anyOf"]])
    kind = schema.get("type")
    if kind == "integer":
        least = schema.get("minimum", -5)
        return st.integers(least, max(least, min(schema.get("maximum", 50), 1000)))
    if kind == "array":
        fewest = schema.get("minItems", 0)
        return st.lists(fitting(schema.get("items", {})), min_size=fewest, max_size=max(fewest, 3))
    if kind == "object":
        return objects(schema)
    simple = {"string": st.sampled_from(PATHS), "number": st.floats(-100, 100), "boolean": st.booleans()}
    return simple.get(str(kind), st.sampled_from((None, "a.txt", 1, {}, [])))


def objects(schema: Schema) -> st.SearchStrategy[dict[str, Json]]:
    properties = schema.get("properties", {})
    required = {name: fitting(properties[name]) for name in schema.get("required", ())}
    optional = {name: fitting(part) for name, part in properties.items() if name not in required}
    return st.fixed_dictionaries(required, optional=optional)


@st.composite
def arguments(draw: st.DrawFn, schema: Schema, *, deep: bool = True) -> dict[str, Json]:
    """Arguments that would nearly do: some spoilt, some missing, some that do not belong there."""
    found = draw(objects(schema))
    names = [
        *schema.get("properties", {}),
        "projectPath",
        "project_path",
        "dryRun",
        "dry_run",
        "params",
        "action",
        "pth",
    ]
    for name in draw(st.lists(st.sampled_from(names), max_size=3)):
        found[name] = draw(hostile(deep=deep))
    for name in draw(st.lists(st.sampled_from(sorted(found)), max_size=1)) if found else ():
        value = found.pop(name)
        if draw(st.booleans()):
            found[draw(st.sampled_from((_snake(name), name.upper(), name + "s", f"{name}{name}" * 50)))] = value
    return found


def metadata() -> st.SearchStrategy[dict[str, Json] | None]:
    """Request metadata, mostly none."""
    keys = st.sampled_from(("actor", "correlationId", "dryRun", "approved", "other"))
    return (
        st.none() | st.none() | st.dictionaries(keys, st.sampled_from((True, "true", "no", "", "x" * 201, 5, [], None)))
    )


def _snake(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)
