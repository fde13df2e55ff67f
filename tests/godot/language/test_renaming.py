"""Renames in the quest: everything that means the symbol and nothing else, and it still compiles."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller

pytestmark = [pytest.mark.anyio, pytest.mark.godot, pytest.mark.xdist_group("language")]


def contents(caller: Caller) -> dict[str, bytes]:
    root = caller.runtime.project.root
    kept = (path for path in root.rglob("*") if path.is_file() and not path.relative_to(root).parts[0].startswith("."))
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in kept}


async def rename(caller: Caller, path: str, symbol: str, new: str, **more: Any) -> dict[str, Any]:
    return await caller.result("rename_symbol", scriptPath=path, symbol=symbol, newName=new, **more)


async def refusal(caller: Caller, path: str, symbol: str, new: str, **more: Any) -> dict[str, Any]:
    arguments = {"scriptPath": path, "symbol": symbol, "newName": new, **more}
    body = (await caller.reply("rename_symbol", arguments)).structured
    assert body is not None
    assert not body["ok"], body
    return dict(body["error"])


# What is renamed, and how often the new name then stands in each file.
RENAMES = {
    (
        "actors/actor.gd",
        "take_damage",
        None,
    ): "actors/actor.gd 1, actors/goblin.gd 2, actors/hero.gd 1, world/main.tscn 1",
    ("actors/actor.gd", "health", 12): "actors/actor.gd 4, actors/hero.gd 1, world/main.gd 1, world/main.tscn 3,"
    " world/weather.gd 1",
    ("actors/actor.gd", "fallen", None): "actors/actor.gd 2, actors/ally.gd 1, world/main.gd 1, world/main.tscn 1,"
    " world/spawner.gd 1",
    ("actors/ally.gd", "follow", None): "actors/ally.gd 1, world/main.tscn 1",
    ("actors/hero.gd", "Ledger", 14): "actors/goblin.gd 1, actors/hero.gd 1, actors/king.gd 1, project.godot 1,"
    " ui/counter.gd 2, ui/menu.gd 1, world/main.gd 2",
    ("items/item.gd", "Item", None): "bus.gd 1, items/bag.gd 6, items/item.gd 3, items/loot.gd 2, items/weapon.gd 1",
    ("actors/king.gd", "Crown.worth", None): "actors/king.gd 4, world/main.gd 1",
    ("actors/hero.gd", "health", 23): "actors/hero.gd 2",
    ("actors/actor.gd", "CALM", None): "actors/actor.gd 2, actors/ally.gd 1, actors/hero.gd 1",
}


@pytest.mark.parametrize("what", RENAMES, ids=lambda what: f"{what[0]}:{what[1]}")
async def test_a_rename_reaches_what_means_the_symbol_and_undo_brings_back_each_byte(
    quest: Caller, what: tuple[str, str, int | None]
) -> None:
    path, symbol, line = what
    before = contents(quest)
    done = await rename(quest, path, symbol, "zyx", uncertain="leave", **({"line": line} if line else {}))
    after = contents(quest)
    counts = {name: len(re.findall(rb"\bzyx\b", content)) for name, content in after.items()}
    assert ", ".join(f"{name} {count}" for name, count in sorted(counts.items()) if count) == RENAMES[what]
    assert done["places"] >= sum(counts.values()) - 2  # a scene counts as one
    old = symbol.rpartition(".")[2].encode()
    assert {name: re.sub(rb"\bzyx\b", old, content) for name, content in after.items()} == before
    assert done["compiled"], done
    await quest.result("history", action="undo")
    assert contents(quest) == before


async def test_a_probe_sees_the_same_after_renames(quest: Caller) -> None:
    before = contents(quest)
    scene = {"scenePath": "world/main.tscn"}
    checks = ["$Counter.text", "$Hero.bag.items.size()", "$Ally.leader == $Hero"]
    seen = await quest.result("probe_scene", **scene, checks=[*checks, "$Hero.health"])
    for path, symbol, new in (
        ("actors/actor.gd", "health", "vigour"),
        ("actors/actor.gd", "take_damage", "suffer"),
        ("actors/actor.gd", "fallen", "beaten"),
        ("ledger.gd", "gold_changed", "riches_changed"),
        ("actors/actor.gd", "Actor", "Creature"),
    ):
        await rename(quest, path, symbol, new, uncertain="rename")
    again = await quest.result("probe_scene", **scene, checks=[*checks, "$Hero.vigour"])
    assert [each["value"] for each in again["checks"]] == [each["value"] for each in seen["checks"]]
    assert (again["output"], again["errors"]) == (seen["output"], seen["errors"])
    for _ in range(5):
        await quest.result("history", action="undo")
    assert contents(quest) == before


async def test_a_rename_that_a_string_may_mean_is_refused_until_the_caller_decides(quest: Caller) -> None:
    before = contents(quest)
    refused = await refusal(quest, "actors/actor.gd", "fallen", "beaten")
    places = {(each["path"], each["line"]) for each in refused["details"]["uncertain"]}
    assert places == {("res://ui/menu.gd", 16), ("res://ui/menu.gd", 17)}
    assert contents(quest) == before
    await rename(quest, "actors/actor.gd", "fallen", "beaten", uncertain="rename")
    assert (quest.runtime.project.root / "ui/menu.gd").read_text().count('"beaten"') == 2
    await quest.result("history", action="undo")
    assert contents(quest) == before


@pytest.mark.parametrize(
    ("path", "symbol", "new", "said"),
    [
        ("actors/actor.gd", "health", "speed", "a member of Actor"),
        ("actors/actor.gd", "health", "position", "a member of Node2D"),
        ("actors/actor.gd", "speed", "weapon", "a member of Hero"),
        ("actors/actor.gd", "Actor", "Hero", "a class or an autoload"),
        ("actors/actor.gd", "fall", "while", "cannot be a name"),
        ("actors/hero.gd", "_ready", "begin", "the engine calls it"),
        ("world/main.gd", "free", "release", "not declared in this project"),
        ("actors/hero.gd", "total", "companion", "something else on line"),
        ("actors/actor.gd", "mood", "damage", "something else on line"),
    ],
)
async def test_a_name_that_is_taken_or_none_is_refused(
    quest: Caller, path: str, symbol: str, new: str, said: str
) -> None:
    before = contents(quest)
    assert said in (await refusal(quest, path, symbol, new, uncertain="leave"))["message"]
    assert contents(quest) == before


async def test_a_dry_run_of_a_rename_writes_nothing(quest: Caller) -> None:
    before = contents(quest)
    reply = await quest.reply(
        "rename_symbol", {"scriptPath": "ledger.gd", "symbol": "gold", "newName": "coins", "dryRun": True}
    )
    assert reply.structured is not None
    assert reply.structured["ok"], reply.structured
    assert contents(quest) == before
    found = await quest.result("find_references", scriptPath="ledger.gd", symbol="gold")
    assert found["total"] == 6


async def test_answers_are_about_what_a_batch_has_staged(quest: Caller) -> None:
    before = contents(quest)
    staged = (
        "class_name Actor\nextends Node2D\n\n\n" + before["actors/actor.gd"].decode().partition("extends Node2D\n")[2]
    )
    calls = [
        {"tool": "write_script", "args": {"scriptPath": "actors/actor.gd", "content": staged, "overwrite": True}},
        {"tool": "find_definition", "args": {"scriptPath": "actors/hero.gd", "symbol": "take_damage"}},
    ]
    done = await quest.result("batch_operations", operations=calls, dryRun=True)
    assert "actor.gd:19" in str(done) or "'line': 19" in str(done), done
    assert contents(quest) == before


async def test_a_file_that_was_changed_behind_it_is_seen(quest: Caller) -> None:
    place = quest.runtime.project.root / Path("ledger.gd")
    before = place.read_bytes()
    first = await quest.result("find_definition", scriptPath="ui/counter.gd", symbol="gold_changed")
    place.write_bytes(b"# one\r\n# two\r\n" + before.replace(b"\n", b"\r\n"))
    second = await quest.result("find_definition", scriptPath="ui/counter.gd", symbol="gold_changed")
    place.write_bytes(before)
    third = await quest.result("find_definition", scriptPath="ui/counter.gd", symbol="gold_changed")
    assert [each["definition"]["line"] for each in (first, second, third)] == [4, 6, 4]
