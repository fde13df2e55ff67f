"""Roblox's API as scripts of a place see it, in a real Luau virtual machine."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.roblox.luau.places import place_with

from scenewright.roblox.luau.machine import Machine
from scenewright.roblox.luau.world import TreeWorld

SPECS = sorted((Path(__file__).parent / "specs").glob("*.luau"))


@pytest.mark.parametrize("spec", SPECS, ids=lambda path: path.stem)
def test_the_specs_hold(spec: Path):
    world = TreeWorld(place_with(Double="return function(n) return n * 2 end").tree)
    machine = Machine(world)
    machine.roblox.get("open")(0)
    chunk = machine.roblox.get("chunk")(machine.values.into(spec.read_text()), spec.stem, None)
    assert chunk[0] is not None, chunk[1]
    thread = machine.lua.create_thread(chunk[0])
    thread.resume()
    while machine.run_due() is not None:
        pass
    assert [message for level, message in world.said if level == "error"] == []
    assert [message for _, message in world.said][-1:] == ["done"], "the spec waits for something that never comes"
