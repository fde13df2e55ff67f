"""What grows with a registry of 1,000 operations and a journal of 100,000 entries."""

from __future__ import annotations

import json
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import median
from time import process_time

from bench.figures import Figure
from scenewright.app import catalogues
from scenewright.core.config import Config
from scenewright.core.operations.registry import Catalogue, Registry, build_registry
from scenewright.core.operations.tool_index import ToolIndex
from scenewright.core.projects.project import Project
from scenewright.core.writes.changeset import Change
from scenewright.core.writes.journal import Author, Journal
from scenewright.server.surface import Surface

__all__ = ["run"]

OPERATIONS = 1000
ENTRIES = 100_000
FILES = 100
ROUNDS = 21


def run() -> Iterator[Figure]:
    shipped = catalogues()
    for parts in (shipped, [*shipped, _more(shipped)]):
        yield from _registry(parts)
    for entries in (ENTRIES // 100, ENTRIES):
        with tempfile.TemporaryDirectory() as name:
            yield from _journal(Path(name), entries)


def _registry(parts: list[Catalogue]) -> Iterator[Figure]:
    registry = build_registry(parts, verified=True)
    index = ToolIndex(registry)
    work: dict[str, Callable[[], object]] = {
        "registry": partial(build_registry, parts, verified=True),
        "full listing, first": partial(_listing, registry),
        "full listing, again": partial(_listing, registry),
        "first search": partial(index.search, "move a node"),
        "a search": partial(index.search, "add a light"),
    }
    who = f"{len(registry.operations):,} operations"
    for what, do in work.items():
        yield Figure(f"{who}, {what}", _busy(do) * 1000, "ms", clock="processor")
    yield Figure(f"{who}, full listing", len(_listing(registry)) / 1000, "kB")
    index.close()


def _more(shipped: list[Catalogue]) -> Catalogue:
    """As many further operations as make a thousand, made of those that are there."""
    known = [operation for part in shipped for operation in part.operations]
    further = [
        replace(known[number % len(known)], id=f"further.thing.act{number}", tool="", aliases=(), action=None)
        for number in range(OPERATIONS - len(known))
    ]
    return Catalogue(operations=tuple(further))


def _listing(registry: Registry) -> bytes:
    config = replace(Config(), toolset="full", engine="all")
    engines = frozenset(engine.name for engine in registry.engines)
    surface = Surface(registry=registry, config=config, engines=engines, has_project=True)
    return json.dumps([tool.wire() for tool in surface.tools()]).encode()


def _journal(folder: Path, entries: int) -> Iterator[Figure]:
    state = folder / ".scenewright"
    state.mkdir()
    journal = Journal(Project.at(folder), state, max_entries=2 * ENTRIES)
    for number in range(FILES):
        _commit(journal, f"file{number}.txt")
    _multiply(state / "journal.sqlite", entries)
    work: dict[str, Callable[[int], object]] = {
        "newest 20": lambda _: journal.entries(limit=20),
        "newest of one file": lambda _: journal.entries(limit=5, path="file7.txt"),
        "look for unfinished": lambda _: journal.recover(),
        "commit": lambda number: _commit(journal, f"new{number}.txt"),
    }
    for what, do in work.items():
        seconds = median(_busy(partial(do, number)) for number in range(ROUNDS))
        yield Figure(f"{entries:,} entries, {what}", seconds * 1000, "ms", clock="processor")
    journal.close()


def _multiply(book: Path, entries: int) -> None:
    """Repeat the entries of a book until there are so many, as if the same calls had been made again and again."""
    with closing(sqlite3.connect(book)) as database, database:
        for copy in range(1, entries // FILES):
            shift = copy * FILES
            database.execute(
                "INSERT INTO entry SELECT id + ?1, at, operation, actor, correlation_id, summary, state, folders,"
                " undoes FROM entry WHERE id <= ?2",
                (shift, FILES),
            )
            database.execute(
                "INSERT INTO file SELECT entry + ?1, path, before, after, mode FROM file WHERE entry <= ?2",
                (shift, FILES),
            )


def _commit(journal: Journal, path: str) -> None:
    journal.commit([Change(path, None, b"x\n")], Author("bench", "correlation", None, "Wrote a file."))


def _busy(do: Callable[[], object]) -> float:
    began = process_time()
    do()
    return process_time() - began
