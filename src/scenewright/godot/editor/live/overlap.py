"""Whether two changes of one open scene concern the same things: then one of them must give way."""

from __future__ import annotations

from collections.abc import Iterator

from scenewright.godot.documents import paths
from scenewright.godot.documents.document import Document
from scenewright.godot.documents.scene import Scene
from scenewright.godot.scenes.comparison import compare, pair_nodes

__all__ = ["overlap"]

_WHOLE = frozenset({"added", "removed", "retyped", "renamed", "moved"})  # of these the node itself
_GONE = frozenset({"removed", "retyped"})  # and all below it
_ELSEWHERE = _GONE | {"renamed", "moved"}  # what is below is no longer to be found where it was
_Touched = tuple[str, str, str]  # kind, node as the first scene has it, and which of its things


def overlap(before: bytes, mine: bytes, theirs: bytes) -> list[str]:
    """Return what both changes of a scene touch, in words; nothing where they can be made one after the other."""
    old = Scene(Document.parse(before, "before.tscn"))
    own = list(_list_touched(old, Scene(Document.parse(mine, "mine.tscn"))))
    others = list(_list_touched(old, Scene(Document.parse(theirs, "theirs.tscn"))))
    overlaps = (_describe_change(other) for other in others for one in own if _do_collide(one, other))
    return list(dict.fromkeys(overlaps))


def _list_touched(old: Scene, new: Scene) -> Iterator[_Touched]:
    pairs = pair_nodes(old, new)
    for difference in compare(old, new, pairs):
        if difference.kind in ("resource", "uid"):
            continue
        name = "*" if difference.kind in _WHOLE else difference.name or difference.kind
        if difference.kind in ("connected", "disconnected"):
            name = f"{difference.name} {difference.before or difference.after}"
        yield difference.kind, _old_path(difference.node, pairs), name


def _old_path(path: str, pairs: dict[str, str]) -> str:
    """Where a node was, if it was there."""
    above = path
    while above != "." and above not in pairs:
        above = paths.parent_of(above)
    return paths.rebased(path, above, pairs.get(above, above))


def _do_collide(mine: _Touched, theirs: _Touched) -> bool:
    (kind, node, name), (their_kind, their_node, their_name) = mine, theirs
    if node == their_node:
        return name == their_name or "*" in (name, their_name)
    if their_kind in _ELSEWHERE and paths.is_within(node, their_node):
        return True
    return kind in _GONE and paths.is_within(their_node, node)


def _describe_change(touched: _Touched) -> str:
    kind, node, name = touched
    return f"'{node}' was {kind}" if name == "*" else f"'{name}' of '{node}' was changed"
