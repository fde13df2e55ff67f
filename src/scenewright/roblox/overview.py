"""A Roblox project at one look, as sections: the tree of services of each place, and its scripts."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import anyio.from_thread

from scenewright.core.faults import Fault
from scenewright.core.projects.overview import Item, Scope, Section
from scenewright.core.text.counts import count_noun
from scenewright.core.text.short_trees import Branch, lines_of
from scenewright.roblox.backend import Backend, InstanceView, Snapshot, Source, Target, View
from scenewright.roblox.openers import PlaceInputs, is_open_in_studio, open_backend, places_in
from scenewright.roblox.set_values import MOST_INSTANCES, is_changed, values_of

if TYPE_CHECKING:
    from scenewright.core.calls.call import Call

__all__ = ["sections_of"]

_MOST_PLACES = 3
_DEPTHS = (1, 3, 8)
_MOST_CHILDREN = 40
_MOST_NODES = 5000
_DEEPEST = 32
_ROOT = Target(path="game")
_OF_PLACES = (".rbxl", ".rbxlx", ".rbxm", ".rbxmx", ".lua", ".luau", ".json", ".jsonc", ".toml", ".txt", ".csv")


def sections_of(call: Call, scope: Scope) -> Sequence[Section]:
    """Return what is to be told of the places: of that in Studio where one is open there, else of the files."""
    if is_open_in_studio(call):
        return _sections(call, scope, [None], [])
    if scope.changed is not None and not any(path.endswith(_OF_PLACES) for path in scope.changed):
        return []
    places = places_in(call.state.project.root)
    return _sections(call, scope, places[:_MOST_PLACES], places[_MOST_PLACES:])


def _sections(call: Call, scope: Scope, places: Sequence[str | None], further: Sequence[str]) -> list[Section]:
    trees: list[Item] = []
    scripts: list[Item] = []
    unread: list[str] = []
    for place in places:
        try:
            backend, views, sources = anyio.from_thread.run(partial(_read, call, place))
        except Fault as problem:
            trees.append(Item(place or "Studio", (f"cannot be read: {problem.message}",)))
            continue
        name = _name(backend)
        values = values_of(views[-1], sources)
        if values is not None:
            scope.values[name] = values
        if values is None or name not in scope.before:
            trees.append(_tree_item(name, views))
        else:
            sources = [source for source in sources if is_changed(source, scope.before[name], values)]
        start = f"{backend.place}: " if len(places) > 1 else ""
        scripts += [_script_item(start, source, scope) for source in sources[: scope.most_items]]
        unread += [start + source.info.path for source in sources[scope.most_items :]]
    return [
        Section(
            name="tree", items=trees, more="roblox.scene_snapshot or roblox.instance_list_children", unread=further
        ),
        Section(name="scripts", items=scripts, more="roblox.script_get_source {scriptPath}", unread=unread),
    ]


async def _read(call: Call, place: str | None) -> tuple[Backend, list[InstanceView], list[Source]]:
    backend = await open_backend(call, PlaceInputs(place_path=place))
    depths = [Snapshot(View(tags=True), depth, _MOST_CHILDREN, _MOST_NODES) for depth in _DEPTHS]
    whole = Snapshot(View(properties=(), attributes=True, tags=True), _DEEPEST, MOST_INSTANCES, MOST_INSTANCES)
    views = [await backend.snapshot(_ROOT, wanted) for wanted in (*depths, whole)]
    return backend, views, list(await backend.sources(_ROOT))


def _name(backend: Backend) -> str:
    return f"{backend.place} (open in Studio)" if backend.name == "studio" else backend.place


def _tree_item(name: str, views: Sequence[InstanceView]) -> Item:
    texts = ["\n".join(_tree_lines(view)) for view in views[: len(_DEPTHS)]]
    lengths = tuple(dict.fromkeys(text for text in texts if text)) or ("empty",)
    return Item(name, lengths, first=True)


def _tree_lines(game: InstanceView) -> list[str]:
    """The services with what is in them, and in one line those that are empty."""
    empty = [view for view in game.children if not (view.children or view.left_out or view.tags)]
    full = [_branch(view) for view in game.children if view not in empty]
    named = ", ".join(dict.fromkeys(view.info.class_name for view in empty))
    return [*lines_of(full), *([f"empty: {named}"] if named else [])]


def _branch(view: InstanceView) -> Branch:
    children = [_branch(child) for child in view.children]
    marks = [f"tag {tag}" for tag in view.tags] + ([f"{view.left_out} more inside"] if view.left_out else [])
    kind = f"{view.info.class_name} ({', '.join(marks)})" if marks else view.info.class_name
    return Branch(view.info.name, kind, children)


def _script_item(start: str, source: Source, scope: Scope) -> Item:
    head = f"{source.info.class_name} ({count_noun(len(source.text.splitlines()), 'line')})"
    return Item(start + source.info.path, scope.lengths_of(head, source.text))
