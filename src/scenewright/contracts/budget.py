"""The last resort against a reply that would fill the model's whole memory: it is cut, says so, and is kept whole.

Operations bound their own answers, by pages and depths; this is for what they did not think of, and for whoever asks
for more than a model can read. A command line has no such memory and gets everything.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from scenewright.contracts.rendered import as_text, replace_surrogates
from scenewright.contracts.tool_names import as_listed
from scenewright.core.calls.call import Call
from scenewright.core.calls.reply_cache import Leftovers

__all__ = ["cut_to", "output_within_budget"]

_NARROWING = (
    "names",
    "filter",
    "include",
    "section",
    "region",
    "rootPath",
    "folder",
    "maxDepth",
    "maxChars",
    "limit",
    "offset",
)
_MOST_CUTS = 200
_MANY_KEYS = 20


def output_within_budget(call: Call, output: Any) -> tuple[Any, list[str]]:
    """Return the output of a call as it is sent, and a warning if that is not all of it."""
    budget = call.runtime.config.max_reply_bytes
    if call.request.origin != "mcp" or not isinstance(output, dict):
        return output, []
    text = as_text(replace_surrogates(output))
    size = len(text.encode())
    if size <= budget:
        return output, []
    output, cuts = cut_to(replace_surrogates(output), budget)
    number = call.runtime.services.get(Leftovers, Leftovers).keep(text)
    output["truncated"] = True
    return output, [
        f"The result is cut to {budget:,} of {size:,} bytes: {'; '.join(cuts[:5])}. {_asking_for_less(call)}"
        f"All of it, in parts: {as_listed('read_reply', call)}, number {number}."
    ]


def _asking_for_less(call: Call) -> str:
    parameters = call.operation.input_schema.get("properties", {})
    names = [name for name in _NARROWING if name in parameters]
    return f"Ask for less at once with {' or '.join(names)}. " if names else ""


def cut_to(value: dict[str, Any], budget: int) -> tuple[dict[str, Any], list[str]]:
    """Return a copy of at most so many bytes, and what was left out: first the ends of the longest lists and texts."""
    root: dict[str, Any] = {"": value}
    cuts: dict[str, tuple[int, int]] = {}
    for _ in range(_MOST_CUTS):
        excess = _size(root[""]) - budget
        if excess <= 0:
            break
        holder, key, path = _find_heaviest(root, excess)
        before, holder[key] = holder[key], _shorten_part(holder[key], excess)
        cuts[path] = (_length(holder[key]), cuts[path][1] if path in cuts else _length(before))
    return root[""], [f"{path or 'it'} has {kept:,} of {of:,}" for path, (kept, of) in cuts.items()]


def _find_heaviest(holder: Any, excess: int) -> tuple[Any, Any, str]:
    """Where the most can be taken off: down the heaviest part each time, as far as that alone would do."""
    key: Any = ""
    names: list[str] = []
    while True:
        part = holder[key] = _copy_part(holder[key])
        inner = max(_parts(part), key=lambda name: _size(part[name]), default=None)
        if inner is None or not _is_inside(part, _size(part[inner]), excess):
            return holder, key, ".".join(names)
        holder, key = part, inner
        names.append(str(inner))


def _is_inside(part: Any, heaviest: int, excess: int) -> bool:
    """Whether to cut inside the heaviest part; an object of few keys is a record, which is never cut itself."""
    if isinstance(part, dict) and len(part) <= _MANY_KEYS:
        return True
    return len(part) == 1 or heaviest > max(excess, _size(part) // 2)


def _parts(part: Any) -> Iterator[Any]:
    if isinstance(part, dict):
        yield from part
    elif isinstance(part, list):
        yield from range(len(part))


def _copy_part(part: Any) -> Any:
    return dict(part) if isinstance(part, dict) else list(part) if isinstance(part, list) else part


def _shorten_part(part: Any, excess: int) -> Any:
    room = max(_size(part) - excess, 0)
    if isinstance(part, str):
        return part[: len(part) * max(room - 2, 0) // _size(part)]  # some characters are written as several
    if isinstance(part, dict):
        names = _items_that_fit(list(part), [_size(name) + _size(part[name]) + 2 for name in part], room)
        return {name: part[name] for name in names}
    return _items_that_fit(part, [_size(item) + 1 for item in part], room) if isinstance(part, list) else part


def _length(part: Any) -> int:
    return len(part) if isinstance(part, (str, list, dict)) else 1


def _items_that_fit(items: list[Any], sizes: list[int], room: int) -> list[Any]:
    """The first items that fit; one at least, in which the next cut is then made."""
    count = 0
    while count < len(items) and sizes[count] <= room:
        room -= sizes[count]
        count += 1
    return items[: max(count, 1)]


def _size(value: Any) -> int:
    return len(as_text(value).encode())
