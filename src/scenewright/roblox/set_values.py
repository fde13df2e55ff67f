"""What is set in a place, instance by instance in few words: by it a later look tells what has changed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence

from scenewright.core.projects.overview import Thing, Values
from scenewright.core.text.counts import count_noun
from scenewright.roblox.backend import InstanceView, Source
from scenewright.roblox.change_report import show_value
from scenewright.roblox.defaults import default_wire

__all__ = ["MOST_INSTANCES", "is_changed", "values_of"]

MOST_INSTANCES = 1_500  # of a larger place nothing is remembered
_OF_FILES = frozenset(["UniqueId", "HistoryId", "SourceAssetId", "ScriptGuid", "WorldPivotData"])
_OF_PLANS = "gox"


def values_of(game: InstanceView, sources: Sequence[Source]) -> Values | None:
    """Return what is set of every instance; None where there are more than anyone would look through."""
    views = list(_walk(game))
    if len(views) >= MOST_INSTANCES or any(view.left_out for view in views):
        return None
    texts = {source.info.instance_id: source.text for source in sources}
    values: dict[tuple[str, str], Thing] = {}
    for view in views:
        info, name, number = view.info, view.info.name, 1
        while (info.parent_path, name) in values:
            number += 1
            name = f"{info.name} ({number})"
        text = texts.get(info.instance_id)
        told = {} if text is None else {"Source": _source(text)}
        values[info.parent_path, name] = Thing(info.class_name, dict(_set(view)) | told)
    return values


def is_changed(source: Source, before: Values, now: Values) -> bool:
    """Return whether a script is new, or its source another than before."""
    key = (source.info.parent_path, source.info.name)
    return key not in before or before[key] != now.get(key)


def _walk(view: InstanceView) -> Iterator[InstanceView]:
    for child in view.children:
        yield child
        yield from _walk(child)


def _set(view: InstanceView) -> Iterator[tuple[str, str]]:
    for name, value in view.properties.items():
        if name not in _OF_FILES and name != "Source" and value != default_wire(view.info.class_name, name):
            yield name, show_value(value)
    for name, value in view.attributes.items():
        if not name.startswith(_OF_PLANS):
            yield f"@{name}", show_value(value)
    tags = [tag for tag in view.tags if not tag.startswith(_OF_PLANS)]
    if tags:
        yield "tags", ", ".join(tags)


def _source(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:6]
    return f"{count_noun(len(text.splitlines()), 'line')} ({digest})"
