"""Tells whoever subscribed of files that change, whoever changes them, and of what happens to the running game.

Nothing is watched before the first client listens.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from threading import Event
from typing import TYPE_CHECKING
from urllib.parse import quote

from scenewright.core.runtime import Runtime
from scenewright.core.writes.file_sizes import read_limited
from scenewright.godot.assets.import_states import KINDS

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop

__all__ = ["changed_uris", "watch"]

_DEBUG = tuple(f"godot://debug/{part}" for part in ("output", "stream", "stack", "variables"))
_KIND = {ending: kind for kind, endings in KINDS.items() for ending in endings}


async def watch(runtime: Runtime) -> None:
    """Watch the project for as long as the server serves."""
    await runtime.listened_to.wait()
    _watch_games(runtime)
    await _watch_files(runtime)


async def _watch_files(runtime: Runtime) -> None:
    from watchfiles import Change, awatch

    root = runtime.project.root
    async for changes in awatch(root, watch_filter=lambda _, path: _is_seen(root, path), step=50, debounce=400):
        uris = [
            uri
            for change, path in sorted(changes)
            for uri in changed_uris(Path(path).relative_to(root).as_posix(), modified=change is Change.modified)
        ]
        if any((root / "project.godot") == Path(path) for _, path in changes):
            uris += _section_uris(root)
        for uri in dict.fromkeys(uris):
            runtime.changed(uri)


def _is_seen(root: Path, path: str) -> bool:
    """Whether a file is one of the project's, not of the engine's cache or a hidden folder."""
    try:
        parts = Path(path).relative_to(root).parts
    except ValueError:
        return False
    return bool(parts) and not any(part.startswith(".") for part in parts)


def changed_uris(path: str, *, modified: bool) -> Iterator[str]:
    """Return the resources that a file is part of; one that came or went changes the lists too."""
    suffix = PurePosixPath(path).suffix.lower()
    if path == "project.godot":
        yield from ("godot://project/info", "godot://project/settings")
    elif path == "export_presets.cfg":
        yield "godot://export/presets"
    elif suffix == ".tscn":
        yield from _spell_uri("godot://scene/{}", path)
        yield from _spell_uri("godot://scene/{}/tree", path)
    elif suffix == ".gd":
        yield from _spell_uri("godot://script/{}", path)
        yield "godot://script/errors"
    if suffix in (".tscn", ".gd", ".tres", ".uid", ".import"):
        yield from _spell_uri("godot://uid/{}", path.removesuffix(".uid").removesuffix(".import"))
    if kind := _KIND.get(suffix):
        yield from ("godot://assets", f"godot://assets/{kind}")
    if not modified:
        yield from _lists(suffix)


def _lists(suffix: str) -> Iterable[str]:
    lists = {".tscn": "scenes", ".gd": "scripts", ".tres": "resources", ".res": "resources"}
    return (f"godot://{lists[suffix]}", "godot://project/info") if suffix in lists else ()


def _spell_uri(form: str, path: str) -> Iterable[str]:
    """The URI as clients may write it: with the slashes of the path, or encoded."""
    return dict.fromkeys((form.format(path), form.format(quote(path, safe="")), form.format(f"res://{path}")))


def _section_uris(root: Path) -> Iterator[str]:
    from scenewright.godot.documents.document import Document
    from scenewright.godot.documents.errors import ParseError

    try:
        sections = Document.parse(read_limited(root / "project.godot"), "project.godot").sections
    except (OSError, ParseError):
        return
    yield from (f"godot://project/settings/{section.tag}" for section in sections if section.tag)


def _watch_games(runtime: Runtime) -> None:
    import asyncio

    from scenewright.godot.engine.games import Games

    loop: AbstractEventLoop = asyncio.get_running_loop()
    is_told = Event()  # of a game that prints without end, clients hear once per turn of the loop

    def tell() -> None:
        is_told.clear()
        for uri in _DEBUG:
            runtime.changed(uri)

    def happened(project: Path) -> None:
        if project == runtime.project.root and not is_told.is_set() and not loop.is_closed():
            is_told.set()
            loop.call_soon_threadsafe(tell)

    runtime.services.get(Games, Games).on_news = happened
