"""The order in which the editor writes properties: base classes first, then the script and what it exports.

The engine sets them in the order of the file, so that what one undoes in another (the mode of a layout its anchors) has
to stand before it; the editor's own order sees to that.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TypeAlias

from scenewright.core.faults import NotFound
from scenewright.godot.classes.element_names import pattern_of
from scenewright.godot.classes.index import ClassIndex

__all__ = ["Rank", "property_rank"]

Place: TypeAlias = "tuple[int, int, int, int]"
Rank: TypeAlias = Callable[[str], Place]

_NUMBER = re.compile(r"\d+")
_SCRIPT: Place = (1 << 16, 0, 0, 0)
_METADATA: Place = (1 << 16, 2, 0, 0)
_OVERRIDES = "theme_override_"  # listed with the class that has the item, and written by the one that takes it
_TAKE_OVERRIDES = ("Control", "Window")


def property_rank(index: ClassIndex, kind: str, exported: Sequence[str]) -> Rank:
    """Return what names of properties sort by, for an object of a class with a script's properties."""
    own = {name: at for at, name in enumerate(exported)}

    def rank(name: str) -> Place:
        if name == "script":
            return _SCRIPT
        if name in own:
            return (*_SCRIPT[:1], 1, own[name], 0)
        if name.startswith("metadata/"):
            return _METADATA
        return _engine_place(index, kind, name) if kind in index else (0, 0, 0, 0)

    return rank


@lru_cache(4096)
def _engine_place(index: ClassIndex, kind: str, name: str) -> Place:
    """By the class that has it, then those registered with the class, then those that objects make themselves."""
    try:
        property_ = index.property(kind, name)
    except NotFound:
        return (*_SCRIPT[:1], 1, 1 << 16, 0)
    chain = list(reversed(list(index.chain(kind))))
    listed = [known.name for known in index.properties(property_.owner, inherited=False)]
    pattern = pattern_of(name)
    at = listed.index(pattern) if pattern in listed else len(listed)
    owner = property_.owner
    if name.startswith(_OVERRIDES):
        at += len(listed) * chain.index(owner)
        owner = next((taker for taker in _TAKE_OVERRIDES if taker in chain), owner)
    number = _NUMBER.search(name) if pattern != name else None
    is_made = property_.dynamic or name.startswith(_OVERRIDES) or at == len(listed)
    return chain.index(owner), int(is_made), int(number[0]) if number else -1, at
