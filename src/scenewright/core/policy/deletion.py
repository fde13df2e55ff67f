"""Whether a call deletes something, so that a policy can ask before it does; told by the names of what is called.

An operation deletes that is called so, such as `project.file.delete`, and one that is told to by its arguments:
`removeExtra: true`, `action: "remove"`, a list of edits with `method: "remove_node"` among them, or a value that it
declares (`deletes_with`), such as null for a setting.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scenewright.core.operations.declaration import Operation

__all__ = ["deletes"]

_WORDS = re.compile(r"[A-Z]?[a-z]+")
_DELETING = {"delete", "remove", "erase", "clear", "detach", "disconnect", "destroy"}
_CHOICES = {"action", "method"}  # arguments whose value names what is done
# Arguments that hold the arguments of what is done.
_REQUESTS = {"params", "args", "steps", "calls", "request_json", "plan", "tiles"}


def deletes(operation: Operation, arguments: Mapping[str, Any]) -> bool:
    """Return whether a call of an operation that writes deletes something by itself."""
    if not operation.writes or operation.runs_others:
        return False  # what a batch runs is decided one by one
    if any(key in arguments and arguments[key] == value for key, value in operation.deletes_with.items()):
        return True
    return _names_deletion(operation.id.rsplit(".", 1)[-1]) or _asks_for_deletion(arguments)


def _asks_for_deletion(value: Any) -> bool:
    if isinstance(value, str):
        value = _decoded(value)
    if isinstance(value, list):
        return any(map(_asks_for_deletion, value))
    if not isinstance(value, Mapping):
        return False
    return any(
        _is_deleting(str(key), each) or (key in _REQUESTS and _asks_for_deletion(each)) for key, each in value.items()
    )


def _is_deleting(key: str, value: Any) -> bool:
    if key in _CHOICES:
        return isinstance(value, str) and _names_deletion(value)
    return _names_deletion(key) and value not in (None, False, "", [], {})


def _names_deletion(name: str) -> bool:
    return bool({word.lower() for word in _WORDS.findall(name)} & _DELETING)


def _decoded(text: str) -> Any:
    """Return a text that may be a whole request, as the editor's bridge takes it."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
