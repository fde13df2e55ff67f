"""The serialized properties of an object as they are in effect, with what prefab instances override."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scenewright.unity.objects.facts import number, target_of
from scenewright.unity.objects.nodes import Component, ObjectNode
from scenewright.unity.objects.prefab_expansion import modifications_of
from scenewright.unity.yaml.property_spans import PathStep, property_path

__all__ = ["effective_data", "overridden", "value_at", "with_value"]


def effective_data(part: Component | ObjectNode) -> dict[str, Any]:
    """Return the properties of an object; from the innermost prefab outwards, each instance changes some."""
    chain = [part]
    while chain[-1].inner is not None:
        chain.append(chain[-1].inner)
    document = chain[-1].file.by_id.get(chain[-1].file_id)
    data: dict[str, Any] = document.data if document is not None else {}
    for outer, inner in zip(reversed(chain[:-1]), reversed(chain[1:]), strict=True):
        for row in modifications_of(outer.instance) if outer.instance is not None else ():
            if target_of(row.get("target"))[0] == inner.file_id:
                data = _apply_override(data, row)
    return data


def overridden(part: Component | ObjectNode) -> set[str]:
    """Return the property paths that the outermost instance changes."""
    if part.inner is None or part.instance is None:
        return set()
    rows = modifications_of(part.instance)
    return {str(row.get("propertyPath")) for row in rows if target_of(row.get("target"))[0] == part.inner.file_id}


def _apply_override(data: dict[str, Any], row: Mapping[str, Any]) -> dict[str, Any]:
    steps = property_path(str(row.get("propertyPath", "")))
    reference, value = row.get("objectReference"), row.get("value", "")
    if target_of(reference)[0]:
        value = reference
    elif value == "" and isinstance(value_at(data, steps), dict):
        value = {"fileID": "0"}
    if steps[-2:] == ["Array", "size"]:
        return _resize_list(data, steps[:-2], number(value))
    changed = with_value(data, steps, value)
    return changed if isinstance(changed, dict) else data


def with_value(data: Any, steps: Sequence[PathStep], value: Any) -> Any:
    """Return a copy with another value at a path; containers on the way that are missing are made."""
    if not steps:
        return value
    step, rest = steps[0], steps[1:]
    if isinstance(step, int):
        items = list(data) if isinstance(data, list) else []
        items += [""] * (step + 1 - len(items))
        items[step] = with_value(items[step], rest, value)
        return items
    inside = dict(data) if isinstance(data, dict) else {}
    inside[step] = with_value(inside.get(step), rest, value)
    return inside


def _resize_list(data: dict[str, Any], steps: Sequence[PathStep], size: int) -> dict[str, Any]:
    items = value_at(data, steps)
    items = items[:size] if isinstance(items, list) else []
    # As the editor does it, a list that grows repeats its last item.
    items = [*items, *[items[-1] if items else ""] * min(size - len(items), 10_000)]
    changed = with_value(data, steps, items)
    return changed if isinstance(changed, dict) else data


def value_at(data: Any, steps: Sequence[PathStep]) -> Any:
    """Return what is at a path, None where nothing is."""
    for step in steps:
        if isinstance(data, dict) and isinstance(step, str):
            data = data.get(step)
        elif isinstance(data, list) and isinstance(step, int) and step < len(data):
            data = data[step]
        else:
            return None
    return data
