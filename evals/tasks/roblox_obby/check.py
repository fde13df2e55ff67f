"""The check of the obstacle course: the place as scripts see it, and its module run."""

from __future__ import annotations

from math import isclose
from pathlib import Path
from typing import Any

from evals.checks.roblox import attributes, compiles, instance, material, place, result_of, source, tags, value

from scenewright.roblox.tree import Instance, InstanceTree


def steps(tree: InstanceTree) -> list[Instance]:
    return [instance(tree, f"Workspace.Course.Step{number}", "Part") for number in range(1, 7)]


def near(found: Any, expected: tuple[float, ...], what: str) -> None:
    close = found is not None and all(isclose(one, two, abs_tol=0.01) for one, two in zip(found, expected, strict=True))
    assert close, f"{what} is {found}, expected {expected}"


def colour(one: Instance) -> tuple[float, ...]:
    found = value(one, "Color")
    return tuple(found) if max(found) > 1 else tuple(255 * part for part in found)


def sentence_1(project: Path) -> None:
    tree = place(project)
    instance(tree, "Workspace.Course", "Folder")
    for number, step in enumerate(steps(tree), 1):
        near(value(step, "Size"), (6, 1, 6), f"the size of {step.name}")
        near(value(step, "Position"), (0, 10 + 3 * number, -12 * number), f"the place of {step.name}")
        assert value(step, "Anchored") is True, f"{step.name} is not anchored"


def sentence_2(project: Path) -> None:
    found = steps(place(project))
    materials = [material(step) for step in found]
    assert materials == ["Neon", "SmoothPlastic"] * 3, f"the materials are {materials}"
    near(colour(found[5]), (255, 215, 0), "the colour of Step6")


def sentence_3(project: Path) -> None:
    for number, step in enumerate(steps(place(project)), 1):
        assert attributes(step).get("Checkpoint") == number, f"{step.name} has the attributes {attributes(step)}"
        assert "Step" in tags(step), f"{step.name} has the tags {tags(step)}"


def sentence_4(project: Path) -> None:
    lava = instance(place(project), "Workspace.Course.Lava", "Part")
    near(value(lava, "Size"), (60, 1, 100), "its size")
    near(value(lava, "Position"), (0, 2, -40), "its place")
    near(colour(lava), (255, 0, 0), "its colour")
    assert value(lava, "Anchored") is True, "it is not anchored"
    assert value(lava, "CanCollide") is False, "one collides with it"
    assert isclose(value(lava, "Transparency"), 0.5), f"its transparency is {value(lava, 'Transparency')}"
    assert material(lava) == "CrackedLava", f"its material is {material(lava)}"
    assert "Lava" in tags(lava), f"its tags are {tags(lava)}"


def sentence_5(project: Path) -> None:
    module = source(instance(place(project), "ReplicatedStorage.Rewards", "ModuleScript"))
    for step, seconds, coins in ((1, 5, 10), (3, 100, 30), (5, 10, 50), (6, 29.9, 110), (6, 30, 60), (0, 1, 0)):
        found = result_of(module, f"M.coins({step}, {seconds})")
        assert found == coins, f"coins({step}, {seconds}) is {found}, expected {coins}"


def sentence_6(project: Path) -> None:
    tree = place(project)
    instance(tree, "ReplicatedStorage.StepReached", "RemoteEvent")
    script = instance(tree, "ServerScriptService.Course", "Script")
    assert value(script, "Disabled") in (None, False), "the script is disabled"
    compiles(source(script))
    assert "require(" in source(script), "the script requires nothing"
    assert "Rewards" in source(script), "the script does not require the module"


def sentence_7(project: Path) -> None:
    tree = place(project)
    assert value(instance(tree, "StarterGui.Hud", "ScreenGui"), "ResetOnSpawn") is False, "it is not kept"
    label = instance(tree, "StarterGui.Hud.Coins", "TextLabel")
    assert value(label, "Text") == "Coins: 0", f"the text is {value(label, 'Text')}"
    near(value(label, "Size"), (0, 200, 0, 50), "its size")
    anchor = value(label, "AnchorPoint")
    x_scale, x, y_scale, y = value(label, "Position")
    corner = (x_scale, x + 200 * (1 - anchor[0]), y_scale, y - 50 * anchor[1])
    near(corner, (1, -20, 0, 20), "its upper right corner")


def sentence_8(project: Path) -> None:
    tree = place(project)
    assert value(instance(tree, "Lighting"), "ClockTime") is not None, "Lighting has no clock time"
    near((_clock(instance(tree, "Lighting")),), (18.5,), "the clock time")
    near(value(instance(tree, "Workspace.Baseplate", "Part"), "Size"), (512, 20, 512), "the baseplate's size")
    near(value(instance(tree, "Workspace.SpawnLocation"), "Size"), (12, 1, 12), "the spawn location's size")


def _clock(lighting: Instance) -> float:
    told = value(lighting, "TimeOfDay")
    if lighting.stored("TimeOfDay") is not None:
        hours, minutes, seconds = (int(part) for part in told.split(":"))
        return hours + minutes / 60 + seconds / 3600
    return float(value(lighting, "ClockTime"))
