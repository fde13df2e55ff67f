"""Real places in the Luau machine: every property that a script can read has the value that the file has."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from scenewright.roblox.edits import tidy
from scenewright.roblox.luau.machine import Machine
from scenewright.roblox.luau.world import TreeWorld
from scenewright.roblox.place.documents import read_tree
from scenewright.roblox.properties import read

CORPUS = Path(os.environ.get("SCENEWRIGHT_CORPUS") or Path(__file__).parents[4] / "shared" / "corpus") / "roblox"
FILES = sorted(CORPUS.rglob("*.rbxm")) + sorted(CORPUS.rglob("*.rbxl"))
READ = """
return function(row)
    local record = roblox.recordOf(row)
    local object, found = roblox.wrap(record), {}
    roblox.load(record)
    for name in record.properties do
        local property = record.class and record.class.properties[name]
        if property and property.visible then
            local ok, wire = roblox.encode(object[name])
            found[name] = if ok then (if wire == nil then { _type = "Nil" } else wire) else { unknown = wire }
        end
    end
    return found
end
"""


@pytest.mark.skipif(not FILES, reason="the corpus is not there")
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_scripts_read_what_the_file_holds(path: Path):
    world = TreeWorld(read_tree(path.name, path.read_bytes()))
    machine = Machine(world)
    machine.roblox.set("plugin", True)
    machine.roblox.get("open")(0)
    environment = machine.lua.create_table()
    environment.set("roblox", machine.roblox)
    look = machine.lua.load_chunk(READ, name="=look", env=environment)()[0]
    different: list[tuple[str, str, Any, Any]] = []
    for row, instance in enumerate(world.rows[1:], 1):
        if world.class_(instance.class_name) is None:
            continue
        found = machine.values.out(look(row)[0])
        for name, wire in found.items() if isinstance(found, dict) else ():
            value = read(instance, name)
            assert value is not None
            expected = _named(world._wire(instance.class_name, name, value))
            if _named(tidy(wire)) != _named(tidy(expected)):
                different.append((instance.path, name, expected, wire))
    assert not different, "\n".join(map(str, different[:20]))


def _named(wire: Any) -> Any:
    """References by row alone."""
    if isinstance(wire, dict) and wire.get("_type") == "Ref":
        return {"row": wire.get("row")}
    return wire
