"""A virtual machine with the environment loaded: what it is told of the world, and the loop that runs its threads."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from scenewright.roblox.luau.engine import LuauError, Values, pluau, text

__all__ = ["ENVIRONMENT", "FOLDER", "MODULES", "Machine", "World"]

FOLDER = Path(__file__).parent
ENVIRONMENT = (
    "objects",
    "vectors",
    "frames",
    "enums",
    "colors",
    "sizes",
    "sequences",
    "values",
    "scheduling",
    "wire",
    "classes",
    "instances",
    "members",
    "parts",
    "services",
    "frame_clock",
    "sharing",
    "space",
    "session",
)
MODULES = FOLDER.parent / "plugin"


class World(Protocol):
    """What the environment asks of the world outside; rows are instances of the loaded place."""

    def class_(self, name: str) -> dict[str, Any] | None: ...

    def property(self, class_name: str, name: str) -> dict[str, Any] | None: ...

    def default(self, class_name: str, name: str) -> Any: ...

    def enum(self, name: str) -> dict[str, int] | None: ...

    def enums(self) -> list[str]: ...

    def brick_colors(self) -> list[tuple[int, str, int, int, int]]: ...

    def children(self, row: int) -> list[tuple[int, str, str]]: ...

    def parent(self, row: int) -> int | None: ...

    def instance(self, row: int) -> dict[str, Any]: ...

    def value(self, row: int, name: str) -> Any: ...

    def say(self, level: str, message: str) -> None: ...


class Machine:
    """Luau with Roblox's API over a world."""

    def __init__(self, world: World, *, memory: int | None = None, strict: bool = False) -> None:
        self.lua = pluau.Lua()
        if memory is not None:
            self.lua.set_memory_limit(memory)
        self.values = Values(self.lua, strict=strict)
        self._world = world
        self.host = self.lua.create_table()
        self.roblox = self.lua.create_table()
        globals_ = self.lua.create_table()
        globals_.set_metatable(self._make_environment())
        self.roblox.set("globals", globals_)
        self._tell_of_the_world()
        for name in ENVIRONMENT:
            self.run_file(FOLDER / "env" / f"{name}.luau")

    def _make_environment(self) -> Any:
        table = self.lua.create_table()
        table.set("__index", self.lua.globals())
        return table

    def run_file(self, path: Path, *extra: Any) -> list[Any]:
        """Run a part of the environment, which gets the host and the environment as arguments."""
        chunk = self.lua.load_chunk(path.read_bytes(), name=f"={path.stem}")
        results: list[Any] = chunk(self.host, self.roblox, *extra)
        return results

    def offer(self, name: str, action: Callable[..., Any]) -> None:
        """Give the environment a function of the host; it takes Luau's values and returns JSON ones."""

        def call(_: Any, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
            result = action(*(self._to_python(argument) for argument in arguments))
            return (
                tuple(self.values.into(part) for part in result)
                if isinstance(result, tuple)
                else (self.values.into(result),)
            )

        self.host.set(name, self.lua.create_function(call))

    def offer_raw(self, name: str, action: Callable[..., tuple[Any, ...]]) -> None:
        """As `offer`, without a conversion either way."""
        self.host.set(name, self.lua.create_function(lambda _, arguments: action(*arguments)))

    @staticmethod
    def _to_python(argument: Any) -> Any:
        if isinstance(argument, pluau.String):
            return text(argument)
        return int(argument) if isinstance(argument, float) and argument.is_integer() else argument

    def _tell_of_the_world(self) -> None:
        world = self._world
        answers: dict[str, Callable[..., Any]] = {
            "class": world.class_,
            "property": world.property,
            "default": world.default,
            "enum": world.enum,
            "enums": world.enums,
            "brickColors": lambda: [list(entry) for entry in world.brick_colors()],
            "children": lambda row: [list(entry) for entry in world.children(row)],
            "parent": world.parent,
            "instance": world.instance,
            "value": world.value,
            "say": world.say,
            "module": lambda name: (MODULES / f"{name}.luau").read_text(),
            "guid": lambda: str(uuid.uuid4()).upper(),
        }
        for name, action in answers.items():
            self.offer(name, action)
        self.offer_raw("userdata", lambda metatable: (self.lua.create_userdata(None, metatable),))
        self.offer_raw("vectorMetatable", self._set_vector_metatable)
        self.offer_raw("clock", lambda: (time.monotonic(),))
        self.offer_raw("time", lambda: (time.time(),))
        self.offer_raw("load", self._load)
        self.offer_raw("jsonEncode", self._json_encode)
        self.offer_raw("jsonDecode", self._json_decode)

    def _set_vector_metatable(self, metatable: Any) -> tuple[Any, ...]:
        self.lua.set_type_metatable(pluau.LuaType.Vector, metatable)
        return ()

    def _load(self, source: Any, name: Any, environment: Any) -> tuple[Any, ...]:
        try:
            return (self.lua.load_chunk(source, name=f"={text(name)}", env=environment),)
        except LuauError as error:
            return (None, self.values.into(str(error).removeprefix("syntax error: ")))

    def _json_encode(self, value: Any) -> tuple[Any, ...]:
        try:
            encoded = json.dumps(self.values.out(value), ensure_ascii=False, separators=(",", ":"))
            return (self.lua.create_string(encoded.encode()),)
        except (ValueError, UnicodeEncodeError) as error:
            return (None, self.values.into(f"Can't convert to JSON: {error}"))

    def _json_decode(self, source: Any) -> tuple[Any, ...]:
        try:
            return (True, self.values.into(json.loads(text(source))))
        except (ValueError, RecursionError):
            return (False,)

    def run_due(self) -> float | None:
        """Run the threads that are due; return the seconds until another is, or None where none waits."""
        seconds: float | None = next(iter(self.roblox.get("runDue")()), None)
        return seconds
