"""Resources inside a scene that two of its texts have in common, so that an editor keeps the very same objects."""

from __future__ import annotations

import re

from scenewright.godot.documents.scene import Scene
from scenewright.godot.documents.variant import SubResource

__all__ = ["kept_resources"]

_INNER = re.compile(r'SubResource\("([^"]*)"\)')


def kept_resources(old: Scene, new: Scene) -> dict[str, tuple[str, str]]:
    """Return resources that mean the same in both, by id: the node and the property that hold each now."""
    same = _unchanged_ids(_resource_texts(old), _resource_texts(new))
    holders: dict[str, tuple[str, str]] = {}
    for node in old.nodes if same else ():
        for name, value in node.section.values().items():
            if isinstance(value, SubResource) and value.id in same:
                holders.setdefault(value.id, (node.path, name))
    return holders


def _resource_texts(scene: Scene) -> dict[str, str]:
    return {section.string("id") or "": section.chunk.text.strip() for section in scene.document.tagged("sub_resource")}


def _unchanged_ids(old: dict[str, str], new: dict[str, str]) -> set[str]:
    """Ids with one text, all of whose inner resources have one too."""
    same = {id_ for id_, text in new.items() if old.get(id_) == text}
    while gone := {id_ for id_ in same if not set(_INNER.findall(new[id_])) <= same}:
        same -= gone
    return same
