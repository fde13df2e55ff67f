"""Whether a step is to be done (`when`), and whether its output is as it should be (`expect`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from scenewright.workflow.model import Expect, When
from scenewright.workflow.references import MISSING, find

__all__ = ["equal", "holds", "unmet"]

MAX_SHOWN = 200


def equal(one: Any, other: Any) -> bool:
    """Equality of JSON values: true is not 1, and the order of keys says nothing."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(equal(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(equal, one, other))
    return bool(one == other)


def holds(when: When | None, outputs: Mapping[str, Any]) -> bool:
    """Return whether a condition is met; a step that was skipped, or a value that is not there, meets none."""
    if when is None:
        return True
    source = outputs.get(when.step_id, MISSING)
    value = MISSING if source is MISSING else find(source, when.path)
    return value is not MISSING and equal(value, when.equals)


def unmet(expected: list[Expect], output: Any) -> str | None:
    """Return the first thing about an output that is not as expected, as a sentence."""
    for expect in expected:
        value = find(output, expect.path)
        place = f"'{expect.path}'" if expect.path else "the output"
        if (expect.exists is not None) and expect.exists is (value is MISSING):
            return f"{place} {'is missing' if expect.exists else 'should not be there'}"
        if expect.equals is not MISSING and (value is MISSING or not equal(value, expect.equals)):
            return f"{place} is {_show_value(value)}, not {_show_value(expect.equals)}"
        if expect.contains is not MISSING and not _contains(value, expect.contains):
            return f"{place} does not contain {_show_value(expect.contains)}"
    return None


def _contains(value: Any, part: Any) -> bool:
    if isinstance(value, str):
        return isinstance(part, str) and part in value
    return isinstance(value, list) and any(equal(item, part) for item in value)


def _show_value(value: Any) -> str:
    if value is MISSING:
        return "missing"
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}…"
