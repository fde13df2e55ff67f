"""Two kinds of clients at work: agents on the open scene of an editor, visitors on files of a project.

Each works on things of its own, so that what it was promised can be checked one by one, and now and then on what all
share.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from random import Random
from typing import Any

from bench.soak.figures import Figures
from bench.soak.promises import Promises
from bench.soak.servers import Connection, ServerDied

__all__ = ["Agent", "FileVisitor"]

SCENE = "main.tscn"
PAUSE_SECONDS = 0.2  # before a client whose server died, or that was told to wait, tries again
MOST_NODES = 20  # of one agent, so that the scene does not grow with the hours
MOST_LINES = 200
BUGS = ("E_INTERNAL", "E_UNSUPPORTED")  # the rest may happen where many work at once, and says so


class _Client:
    """What both kinds do: call, measure, and note what was promised."""

    def __init__(self, name: str, connection: Connection, figures: Figures, random: Random) -> None:
        self.name = name
        self.promises = Promises(name)
        self.problems: list[str] = []
        self.random = random
        self._connection = connection
        self._figures = figures
        self._count = 0

    async def work(self, is_over: Callable[[], bool]) -> None:
        while not is_over():
            await self.do_something()

    async def do_something(self) -> None:
        raise NotImplementedError

    def new_name(self) -> str:
        self._count += 1
        return f"{self.name}_{self._count}"

    async def call(self, tool: str, **arguments: Any) -> dict[str, Any] | None:
        """Return the envelope, or None where the server died over it."""
        began = time.perf_counter()
        try:
            body = await self._connection.call(tool, arguments)
        except ServerDied:
            await asyncio.sleep(PAUSE_SECONDS)
            return None
        self._figures.seconds[tool].append(time.perf_counter() - began)
        if not body["ok"]:
            self._figures.faults[f"{tool} {body['error']['code']}"] += 1
            if body["error"]["code"] in BUGS:
                self.problems.append(f"{self.name}: {tool} {arguments}: {body['summary']}")
            await asyncio.sleep(PAUSE_SECONDS)
        return body


class Agent(_Client):
    """Adds, moves, reads and removes nodes of its own in the scene that the editor shows."""

    async def do_something(self) -> None:
        mine = [name for name in self.promises.kept if name not in self.promises.unknown]
        deed = self.random.choice(["add", "move", "move", "read", "read", "remove"])
        if not mine or (deed == "add" and len(mine) < MOST_NODES):
            await self._add()
        elif deed == "move":
            await self._move(self.random.choice(mine))
        elif deed == "read":
            await self._read(self.random.choice(mine))
        else:
            await self._remove(self.random.choice(mine))

    async def _add(self) -> None:
        name, place = self.new_name(), self._place()
        properties = {"position": list(place)}
        body = await self.call("add_node", scenePath=SCENE, nodeName=name, nodeType="Node2D", properties=properties)
        if body is None:
            self.promises.doubt(name, _vector(place))
        elif body["ok"]:
            self.promises.acknowledge(name, _vector(place))

    async def _move(self, name: str) -> None:
        place = self._place()
        arguments = {"scenePath": SCENE, "nodePath": name, "properties": {"position": list(place)}}
        body = await self.call("edit_node", **arguments)
        if body is None:
            self.promises.doubt(name, _vector(place), may_be_absent=False)
        elif body["ok"]:
            self.promises.acknowledge(name, _vector(place))

    async def _read(self, name: str) -> None:
        body = await self.call("get_property", scenePath=SCENE, nodePath=name, property="position")
        if body is not None and body["ok"]:
            said, promised = str(body["result"]["value"]), self.promises.kept[name]
            if said.replace(" ", "") != str(promised).replace(" ", ""):
                self.problems.append(f"{self.name}: '{name}' was read as {said}, acknowledged was {promised}")

    async def _remove(self, name: str) -> None:
        body = await self.call("remove_node", scenePath=SCENE, nodePath=name)
        if body is None:
            self.promises.doubt(name, self.promises.kept[name])
        elif body["ok"]:
            self.promises.take_away(name)

    def _place(self) -> tuple[int, int]:
        return self.random.randint(1, 9999), self.random.randint(1, 9999)


class FileVisitor(_Client):
    """Adds lines to a file of its own, takes some back through the history, reads; all share one counter."""

    def __init__(self, name: str, connection: Connection, figures: Figures, random: Random) -> None:
        super().__init__(name, connection, figures, random)
        self.path = f"visitors/{name}.txt"
        self.counted, self.maybe_counted = 0, 0
        self._begun = False

    async def do_something(self) -> None:
        if not self._begun:
            await self._begin()
            return
        deed = self.random.choice(["add"] * 4 + ["read"] * 4 + ["undo", "count"])
        if deed == "add" and self._count < MOST_LINES:
            await self._add()
        elif deed == "undo" and self._count < MOST_LINES:
            await self._add_and_undo()
        elif deed == "count":
            await self._add_one()
        else:
            await self.call("read_file", path=self.path)

    async def _begin(self) -> None:
        body = await self.call("write_file", path=self.path, content="END\n", overwrite=True)
        self._begun = body is not None and body["ok"]

    async def _add(self) -> int | None:
        name = self.new_name()
        body = await self.call("edit_file", path=self.path, find="END\n", replace=f"{name}\nEND\n")
        if body is None:
            self.promises.doubt(name, "")
            return None
        if not body["ok"]:
            return None
        self.promises.acknowledge(name, "")
        entry: int = body["execution"]["historyEntry"]
        return entry

    async def _add_and_undo(self) -> None:
        entry = await self._add()
        if entry is None:
            return
        name = f"{self.name}_{self._count}"
        body = await self.call("history", action="undo", entry=entry)
        if body is None:
            self.promises.doubt(name, "")
        elif body["ok"]:
            self.promises.take_away(name)

    async def _add_one(self) -> None:
        read = await self.call("read_file", path="counter.txt")
        if read is None or not read["ok"]:
            return
        number = int(read["result"]["text"])
        arguments = {"path": "counter.txt", "find": f"{number}\n", "replace": f"{number + 1}\n"}
        body = await self.call("edit_file", **arguments)
        if body is None:
            self.maybe_counted += 1
        elif body["ok"]:
            self.counted += 1


def _vector(place: tuple[int, int]) -> str:
    return f"Vector2({place[0]}, {place[1]})"
