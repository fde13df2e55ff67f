"""Which parameters are declared, and what became of each: `python -m tests.support.given_parameters LOG [ENGINE]`.

The logs are those of `tests.support.ignored_parameters`. What every operation takes, such as `projectPath`, the
pipeline takes out before inputs are read; it has tests of its own and is not counted here.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

from msgspec import inspect

from scenewright.app import catalogues
from scenewright.core.operations.declaration import Operation
from scenewright.core.operations.registry import build_registry

Parameter: TypeAlias = tuple[str, str]  # an operation's id, and the path of a field in its inputs: "tracks[].path"


def below(path: str, *, several: bool) -> str:
    """What the fields of a parameter's records begin with; children of children are children."""
    return re.sub(r"(\w+\[\]\.)\1", r"\1", f"{path}[]." if several else f"{path}.")


def declared(engine: str) -> list[Parameter]:
    """Every parameter of every operation of an engine, the fields of inner records too."""
    registry = build_registry(catalogues(), verified=True)
    own = [operation for name, operation in registry.operations.items() if _is_of(registry.engine_of[name], engine)]
    return [(operation.id, path) for operation in own for path in dict.fromkeys(_paths(operation))]


def _is_of(engine: object, name: str) -> bool:
    return getattr(engine, "name", None) == name


def _paths(operation: Operation) -> Iterator[str]:
    if isinstance(operation.inputs, dict):
        yield from operation.inputs.get("properties", {})
    else:
        yield from _fields(inspect.type_info(operation.inputs), "", frozenset())


def _fields(kind: inspect.Type, prefix: str, around: frozenset[str]) -> Iterator[str]:
    """The paths in a type; a record in a record of its own kind has been gone through already."""
    if not isinstance(kind, inspect.StructType) or prefix in around:
        return
    for field in kind.fields:
        path = f"{prefix}{field.encode_name}"
        yield path
        for inner, several in _records(field.type):
            yield from _fields(inner, below(path, several=several), around | {prefix})


def _records(kind: inspect.Type, *, several: bool = False) -> Iterator[tuple[inspect.Type, bool]]:
    match kind:
        case inspect.Metadata():
            yield from _records(kind.type, several=several)
        case inspect.UnionType():
            for branch in kind.types:
                yield from _records(branch, several=several)
        case inspect.ListType() | inspect.VarTupleType():
            yield from _records(kind.item_type, several=True)
        case inspect.StructType():
            yield kind, several


def main(log: str, engine: str = "godot") -> None:
    tried: dict[Parameter, bool] = {}
    for line in Path(log).read_text(encoding="utf-8").splitlines():
        operation, path, _, failure = json.loads(line)
        tried[operation, path] = tried.get((operation, path), False) or failure is not None
    all_of_them = declared(engine)
    unnoticed = [parameter for parameter in all_of_them if tried.get(parameter) is False]
    never = [parameter for parameter in all_of_them if parameter not in tried]
    for what, left in (("not noticed", unnoticed), ("never given", never)):
        for operation, path in left:
            sys.stdout.write(f"{what}: {operation} {path}\n")
    noticed = len(all_of_them) - len(unnoticed) - len(never)
    sys.stdout.write(
        f"{len(all_of_them)} parameters: {noticed} noticed, {len(unnoticed)} not, {len(never)} not given\n"
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
