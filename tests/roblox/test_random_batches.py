"""Random edits in one atomic batch: what the batch reads at its end is what the place is once it is committed."""

from __future__ import annotations

import os
import random
import sys
from typing import Any

import pytest
from tests.roblox.conftest import Game

pytestmark = pytest.mark.anyio
ROUNDS = 12
EDITS = 14
START = ["Workspace", "Workspace.Baseplate", "Workspace.House", "Workspace.House.Roof", "Workspace.House.Wall"]
Call = tuple[str, dict[str, Any]]


class Author:
    """Makes up edits of a tree that it keeps the paths and classes of."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._count = 0
        self._tree = {path: "Model" if path == "Workspace.House" else "Part" for path in START}

    def edit(self) -> Call:
        makers = (
            self._create,
            self._create,
            self._resize,
            self._rename,
            self._mark,
            self._tag,
            self._move,
            self._copy,
            self._delete,
        )
        return self._chance.choice(makers)()

    def _any(self) -> str:
        return self._chance.choice(list(self._tree)[1:] or ["Workspace"])

    def _parent(self) -> str:
        return self._chance.choice(list(self._tree))

    def _name(self) -> str:
        self._count += 1
        return f"N{self._count}"

    def _size(self) -> list[int]:
        return [self._chance.randint(1, 9) for _ in range(3)]

    def _below(self, path: str) -> dict[str, str]:
        return {each: kind for each, kind in self._tree.items() if each == path or each.startswith(f"{path}.")}

    def _put(self, path: str, new: str) -> None:
        self._tree |= {new + each[len(path) :]: kind for each, kind in self._below(path).items()}

    def _drop(self, path: str) -> None:
        for each in self._below(path):
            del self._tree[each]

    def _create(self) -> Call:
        parent, name = self._parent(), self._name()
        self._tree[f"{parent}.{name}"] = "Part"
        given = {"parentPath": parent, "className": "Part", "name": name, "properties": {"Size": self._size()}}
        return "instance_create", given | {"attributes": {"n": self._count}, "tags": [f"t{self._count % 3}"]}

    def _resize(self) -> Call:
        parts = [path for path, kind in self._tree.items() if kind == "Part" and path != "Workspace"]
        if not parts:
            return self._create()
        given = {"instancePath": self._chance.choice(parts), "propertyName": "Size", "value": self._size()}
        return "instance_set_property", given

    def _rename(self) -> Call:
        path, name = self._any(), self._name()
        if path == "Workspace":
            return self._create()
        self._put(path, f"{path.rpartition('.')[0]}.{name}")
        self._drop(path)
        return "instance_set_property", {"instancePath": path, "propertyName": "Name", "value": name}

    def _mark(self) -> Call:
        value = self._chance.choice([None, 1, "x", True])
        return "instance_set_attributes", {"instancePath": self._any(), "attributes": {"a": value, "b": 2}}

    def _tag(self) -> Call:
        return "instance_set_tags", {"instancePath": self._any(), "add": [f"t{self._chance.randint(0, 3)}"]}

    def _move(self) -> Call:
        path, parent = self._any(), self._parent()
        if path == "Workspace" or parent in self._below(path) or f"{parent}.{path.rpartition('.')[2]}" in self._tree:
            return self._create()
        self._put(path, f"{parent}.{path.rpartition('.')[2]}")
        self._drop(path)
        return "instance_move", {"instancePath": path, "newParentPath": parent}

    def _copy(self) -> Call:
        path, name = self._any(), self._name()
        if path == "Workspace":
            return self._create()
        self._put(path, f"{path.rpartition('.')[0]}.{name}")
        return "instance_duplicate", {"instancePath": path, "name": name}

    def _delete(self) -> Call:
        path = self._any()
        if path == "Workspace":
            return self._create()
        self._drop(path)
        return "instance_delete", {"instancePath": path}


def plain(value: Any) -> Any:
    """A snapshot without ids, which of what is below a copy are given anew."""
    if isinstance(value, dict):
        return {key: plain(part) for key, part in value.items() if key != "instanceId"}
    return [plain(part) for part in value] if isinstance(value, list) else value


LOOK: dict[str, Any] = {
    "rootPath": "Workspace",
    "includeProperties": True,
    "includeAttributes": True,
    "includeTags": True,
    "maxDepth": 20,
}


async def test_a_batch_reads_at_its_end_what_is_there_after_it(game: Game) -> None:
    seed = int(os.environ.get("CHAOS_SEED") or 20_261_118)
    sys.stdout.write(f"CHAOS_SEED={seed}\n")
    before = game.contents()
    for number in range(ROUNDS):
        author = Author(random.Random(seed + number))
        edits = [author.edit() for _ in range(EDITS)]
        calls = [*edits, ("scene_snapshot", LOOK)]
        items = [{"tool": f"roblox.{tool}", "args": arguments} for tool, arguments in calls]
        tried = await game.caller.reply("batch_operations", {"operations": items, "dryRun": True})
        assert game.contents() == before
        made = await game.caller.reply("batch_operations", {"operations": items, "atomic": True})
        assert tried.structured is not None
        assert made.structured is not None
        assert made.structured["ok"], (seed + number, made.structured["error"])
        now = await game.ask("scene_snapshot", **LOOK)
        assert plain(made.structured["result"]["results"][-1]["result"]) == plain(now), seed + number
        assert plain(tried.structured["result"]["results"][-1]["result"]) == plain(now), seed + number
        await game.undo()
        assert game.contents() == before
