"""Errors that came again and again, such as once a frame: told once, with how often."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

__all__ = ["folded"]


def folded(errors: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the errors in order, each once, with `times` if it came more than once."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for error in errors:
        same = {key: value for key, value in error.items() if key != "timestamp"}
        groups.setdefault(json.dumps(same, sort_keys=True), []).append(error)
    return [same[0] | ({"times": len(same)} if len(same) > 1 else {}) for same in groups.values()]
