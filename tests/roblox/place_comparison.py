"""Compares trees value by value."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from scenewright.roblox.tree import Instance, InstanceTree
from scenewright.roblox.values import TEXT_KINDS, Value, same

__all__ = ["differences"]


def differences(one: InstanceTree, other: InstanceTree, *, tolerance: float = 0.0, defaults: bool = False) -> list[str]:
    """Where two trees differ; with `defaults`, a property that only one of them has does not count."""
    return list(_differences(one, other, tolerance, defaults=defaults))


def _differences(one: InstanceTree, other: InstanceTree, tolerance: float, *, defaults: bool) -> Iterator[str]:
    left, right = list(one.walk()), list(other.walk())
    if len(left) != len(right):
        yield f"{len(left)} and {len(right)} instances"
        return
    places = [{id(instance): place for place, instance in enumerate(side)} for side in (left, right)]
    for a, b in zip(left, right, strict=True):
        if (a.class_name, a.name, a.depth) != (b.class_name, b.name, b.depth):
            yield f"{a!r} and {b!r}"
            continue
        names = [set(a.stored_names()), set(b.stored_names())]
        if names[0] != names[1] and not defaults:
            yield f"{a!r}: {sorted(names[0] ^ names[1])} only in one"
        for name in sorted(names[0] & names[1]):
            mine, theirs = _plain(a.stored(name), places[0]), _plain(b.stored(name), places[1])
            if mine[0] != theirs[0] or not same(mine[1], theirs[1], tolerance=tolerance):
                yield f"{a!r}.{name}: {mine!r} and {theirs!r}"


def _plain(value: Value | None, places: dict[int, int]) -> tuple[str, Any]:
    assert value is not None
    kind = "text" if value.kind in TEXT_KINDS else value.kind
    return kind, ("instance", places.get(id(value.data))) if isinstance(value.data, Instance) else value.data
