"""The check of the shop: the project as a place, and its modules run."""

from __future__ import annotations

import json
from math import isclose
from pathlib import Path
from typing import Any

from evals.checks.roblox import attributes, compiles, instance, material, place, result_of, source, tags, value


def module(project: Path, name: str) -> str:
    return source(instance(place(project), f"ReplicatedStorage.{name}", "ModuleScript"))


def near(found: Any, expected: tuple[float, ...], what: str) -> None:
    close = found is not None and all(isclose(one, two, abs_tol=0.01) for one, two in zip(found, expected, strict=True))
    assert close, f"{what} is {found}, expected {expected}"


def sentence_1(project: Path) -> None:
    found = result_of(module(project, "Items"), "M")
    expected = {
        "sword": {"price": 100, "kind": "weapon"},
        "potion": {"price": 25, "kind": "drink"},
        "shield": {"price": 75, "kind": "armor"},
    }
    assert found == expected, f"the items are {found}"


def sentence_2(project: Path) -> None:
    for coins, price, expected in ((100, 75, True), (75, 75, True), (74, 75, False), (10, -1, False)):
        found = result_of(module(project, "Wallet"), f"M.canPay({coins}, {price})")
        assert found is expected, f"canPay({coins}, {price}) is {found}, expected {expected}"


def sentence_3(project: Path) -> None:
    for coins, price, expected in ((100, 75, 25), (75, 75, 0), (74, 75, None)):
        found = result_of(module(project, "Wallet"), f"M.pay({coins}, {price})")
        assert found == expected, f"pay({coins}, {price}) is {found}, expected {expected}"


def _part(project: Path, name: str, size: tuple[float, ...], position: tuple[float, ...]) -> None:
    one = instance(place(project), f"Workspace.Shop.{name}", "Part")
    near(value(one, "Size"), size, f"the size of {name}")
    near(value(one, "Position"), position, f"the place of {name}")
    assert value(one, "Anchored") is True, f"{name} is not anchored"


def sentence_4(project: Path) -> None:
    instance(place(project), "Workspace.Shop", "Model")
    _part(project, "Counter", (12, 4, 2), (0, 2, -20))
    _part(project, "Sign", (8, 2, 0.5), (0, 9, -20))
    assert material(instance(place(project), "Workspace.Shop.Counter")) == "WoodPlanks", (
        "the counter is not of WoodPlanks"
    )
    colour = value(instance(place(project), "Workspace.Shop.Sign"), "Color")
    scale = 1 if max(colour) > 1 else 255
    near([round(scale * part) for part in colour], (170, 60, 50), "the colour of Sign")


def sentence_5(project: Path) -> None:
    tree = place(project)
    counter = instance(tree, "Workspace.Shop.Counter")
    assert attributes(counter).get("Open") is True, f"the attributes are {attributes(counter)}"
    assert "Shop" in tags(counter), f"the tags are {tags(counter)}"
    prompt = instance(tree, "Workspace.Shop.Counter.Buy", "ProximityPrompt")
    assert value(prompt, "ActionText") == "Buy", f"the action text is {value(prompt, 'ActionText')}"
    assert value(prompt, "HoldDuration") == 0.5, f"the holding time is {value(prompt, 'HoldDuration')}"


def sentence_6(project: Path) -> None:
    instance(place(project), "ReplicatedStorage.Purchase", "RemoteFunction")


def sentence_7(project: Path) -> None:
    main = source(instance(place(project), "ServerScriptService.Main", "Script"))
    compiles(main)
    said = result_of(f"local game = {{ ReplicatedStorage = {{}} }}\n{STAND_IN}{main}\nreturn said", "M")
    assert said == "Welcome to the market: 3 items", f"it says {said!r}"


# What the script finds around it: three items, and a print that is kept.
STAND_IN = """\
local said
local function require(_) return { a = 1, b = 2, c = 3 } end
local function print(text) said = text end
"""


def sentence_8(project: Path) -> None:
    text = json.loads((project / "default.project.json").read_text(encoding="utf-8"))
    assert text["tree"]["ReplicatedStorage"]["$path"] == "src/shared", "src/shared is not ReplicatedStorage any more"
    scripts = [file for file in project.rglob("*.luau") if ".scenewright" not in file.parts]
    outside = [file.name for file in scripts if "src" not in file.relative_to(project).parts]
    assert not outside, f"outside src/ are {outside}"
    wallet = project / "src/shared/Wallet.luau"
    assert wallet.is_file() or (project / "src/shared/Wallet/init.luau").is_file(), (
        "the wallet is no file of src/shared"
    )
