"""A place of 50,000 instances: open it, find by name, set one property and save; goals in seconds.

The place is made like a real one: parts with the properties that Studio writes for each, in models and folders.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from bench.figures import Figure
from scenewright.roblox.backend import Search
from scenewright.roblox.defaults import default_value
from scenewright.roblox.place.documents import PlaceDocument, open_place, write_tree
from scenewright.roblox.place.instance_reader import Looker
from scenewright.roblox.reflection.database import database
from scenewright.roblox.tree import Instance, InstanceTree
from scenewright.roblox.values import Value

__all__ = ["run"]

INSTANCES = 50_000
ROUNDS = 3
GOALS = {
    "open .rbxl": 0.5,
    "open .rbxlx": 1.5,
    "find .rbxl": 0.05,
    "find .rbxlx": 0.05,
    "set .rbxl": 1.5,
    "set .rbxlx": 1.5,
}


def run() -> Iterator[Figure]:
    tree = _place()
    for suffix in (".rbxl", ".rbxlx"):
        path = f"bench{suffix}"
        content = write_tree(path, tree)
        yield Figure(f"size of {suffix}", len(content) / 1e6, "MB", note=f"{INSTANCES:,} instances")
        document = open_place(path, content)
        yield _limit(f"open {suffix}", _fastest(lambda: open_place(path, content)))  # noqa: B023 - called at once
        yield _limit(f"find {suffix}", _fastest(lambda: _find(document)))  # noqa: B023
        yield _limit(f"set {suffix}", _fastest(lambda: _set(open_place(path, content)), after=True))  # noqa: B023


def _place() -> InstanceTree:
    tree = InstanceTree()
    workspace = Instance("Workspace", "Workspace")
    workspace.attach(tree.root)
    usual = {
        entry.stored_as: value
        for name, entry in database().properties("Part").items()
        if entry.stored_as and name != "Name" and (value := default_value("Part", entry.stored_as)) is not None
    }
    model = workspace
    for number in range(INSTANCES - 1):
        if number % 50 == 0:
            model = Instance("Model", f"Model{number // 50}")
            model.attach(workspace)
            continue
        part = Instance("Part", f"Part{number}")
        part.changes = {name: value for name, value in usual.items() if name is not None}
        part.changes["CFrame"] = Value("CFrame", (float(number), 1.0, 2.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0))
        part.parent = model
        model.children.append(part)
    return tree


def _find(document: PlaceDocument) -> None:
    found = Looker(document).find(document.tree.root, Search(name_contains="part49998"), 0, 50)
    assert [match.name for match in found.matches] == ["Part49998"]


def _set(document: PlaceDocument) -> Callable[[], object]:
    """What is to be measured: one property set, and the file made."""
    part = next(each for each in document.tree.walk() if each.name == "Part25001")

    def change() -> object:
        part.store("Transparency", Value("Float32", 0.5))
        return _saved(document)

    return change


def _saved(document: PlaceDocument) -> bytes:
    class _Files:
        content = b""

        def write(self, path: str, content: bytes) -> None:
            del path
            self.content = content

    files = _Files()
    document.save(files)  # type: ignore[arg-type]  # it only writes
    return files.content


def _fastest(work: Callable[[], object], *, after: bool = False) -> float:
    """Processor seconds of the best round; with `after`, of what the work hands back to be done."""
    best = 1e9
    for _ in range(ROUNDS):
        measured = work() if after else work
        start = time.process_time()
        assert callable(measured)
        measured()
        best = min(best, time.process_time() - start)
    return best


def _limit(what: str, seconds: float) -> Figure:
    return Figure(what, seconds, "s", GOALS[what], clock="processor", note=f"best of {ROUNDS}")
