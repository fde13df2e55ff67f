"""Names of tools in hints and warnings, as the caller knows them.

An operation speaks of others by their own tools' names. Who called through a manager has only managers in its listing,
and is told the manager and the action.
"""

from __future__ import annotations

import re

from scenewright.core.calls.call import Call
from scenewright.core.operations.declaration import Operation

__all__ = ["as_listed"]

# Every tool's own name has an underscore. What stands in quotes is a value of the project, or a choice.
_NAME = re.compile(r"(?<![\w.'\"/$%-])[a-z0-9]+(?:_[a-z0-9]+)+(?![\w('\"/-]|\.\w)")


def as_listed(text: str, call: Call) -> str:
    """Return the text with `manager action` for the name of each tool that a manager offers."""
    if call.action is None:
        return text

    def placed(match: re.Match[str]) -> str:
        place = _manager_action(match[0], call)
        if place is None or text[: match.start()].endswith(f"{place[0]} "):
            return match[0]
        return " ".join(place)

    return _NAME.sub(placed, text)


def _manager_action(name: str, call: Call) -> tuple[str, str] | None:
    operation = call.runtime.registry.named(name)
    return operation.action if isinstance(operation, Operation) and operation.flat_name == name else None
