"""What names mean in a project of sixteen scripts; the answers were written by hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from tests.conftest import Caller

pytestmark = [pytest.mark.anyio, pytest.mark.godot, pytest.mark.xdist_group("language")]

# By `script:line name`: where it is declared, what kind it is, and every line that means the same, once for each time.
MEANINGS = {
    "actors/actor.gd:12 health": (
        "export",
        "actors/actor.gd 12 18 20 22, actors/hero.gd 30, world/main.gd 15, world/weather.gd 13",
    ),
    "actors/actor.gd:17 take_damage": ("function", "actors/actor.gd 17, actors/goblin.gd 9 11, actors/hero.gd 23"),
    "actors/actor.gd:5 hit": ("signal", "actors/actor.gd 5 19, actors/ally.gd 11, actors/hero.gd 13"),
    "actors/actor.gd:6 fallen": (
        "signal",
        "actors/actor.gd 6 26, actors/ally.gd 12, world/main.gd 17, world/spawner.gd 15",
    ),
    "actors/actor.gd:25 fall": ("function", "actors/actor.gd 21 25, actors/goblin.gd 14 16, actors/king.gd 19 21"),
    "actors/actor.gd:8 Mood": (
        "enum",
        "actors/actor.gd 8 13 13, actors/ally.gd 16 16 16, actors/goblin.gd 10, actors/hero.gd 31 37, world/main.gd 15",
    ),
    "actors/actor.gd:8 CALM": ("enum value", "actors/actor.gd 8 13, actors/ally.gd 16, actors/hero.gd 31"),
    "actors/actor.gd:8 AFRAID": ("enum value", "actors/actor.gd 8, actors/ally.gd 16, actors/hero.gd 37"),
    "actors/actor.gd:10 LIMIT": ("constant", "actors/actor.gd 10 12, actors/hero.gd 36"),
    "items/bag.gd:4 LIMIT": ("constant", "items/bag.gd 4 18"),
    "actors/actor.gd:13 mood": (
        "export",
        "actors/actor.gd 13, actors/ally.gd 17, actors/goblin.gd 10, actors/hero.gd 31 37, world/main.gd 15",
    ),
    "actors/actor.gd:14 speed": ("variable", "actors/actor.gd 14, world/spawner.gd 14"),
    "world/spawner.gd:5 speed": ("export", "world/spawner.gd 5 12 14"),
    "actors/actor.gd:30 describe": ("function", "actors/actor.gd 30, actors/hero.gd 18 19, world/main.gd 22"),
    "actors/actor.gd:1 Actor": (
        "class",
        "actors/actor.gd 1, actors/ally.gd 2, actors/goblin.gd 1, actors/hero.gd 2 9 22, world/main.gd 15,"
        " world/spawner.gd 11 19, world/weather.gd 11",
    ),
    "actors/hero.gd:8 weapon": ("variable", "actors/hero.gd 8 23"),
    "actors/hero.gd:9 companions": ("variable", "actors/ally.gd 10, actors/hero.gd 9 29"),
    "actors/hero.gd:5 bag": ("export", "actors/hero.gd 5 15"),
    "ledger.gd:10 earn": ("function", "actors/goblin.gd 15, actors/king.gd 20, ledger.gd 10 18"),
    "ledger.gd:7 gold": ("variable", "ledger.gd 7 11 12 16, ui/counter.gd 7, world/main.gd 16"),
    "ledger.gd:4 gold_changed": ("signal", "actors/hero.gd 14, ledger.gd 4 12, ui/counter.gd 6"),
    "ledger.gd:6 START": ("constant", "ledger.gd 6 7, world/main.gd 22"),
    "bus.gd:4 died": ("signal", "actors/actor.gd 27, bus.gd 4"),
    "bus.gd:5 picked_up": ("signal", "bus.gd 5, items/bag.gd 21"),
    "items/item.gd:1 Item": (
        "class",
        "bus.gd 5, items/bag.gd 6 10 17 25 26 26, items/item.gd 1 9 10, items/loot.gd 4 4, items/weapon.gd 2",
    ),
    "items/item.gd:6 weight": ("export", "items/bag.gd 10 18 26 26, items/item.gd 6 12 17"),
    "items/item.gd:16 worth": ("function", "items/item.gd 16, items/loot.gd 10, items/weapon.gd 12 13"),
    "items/loot.gd:7 worth": ("function", "actors/goblin.gd 15, items/loot.gd 7"),
    "actors/king.gd:7 worth": ("function", "actors/king.gd 7 12 13 20, world/main.gd 15"),
    "actors/king.gd:5 jewels": ("variable", "actors/king.gd 5 8 20, world/main.gd 15"),
    "actors/king.gd:16 crown": ("variable", "actors/king.gd 16 20 20, world/main.gd 13"),
    "actors/king.gd:4 Crown": ("class", "actors/king.gd 4 11, world/main.gd 13"),
    "world/main.gd:4 KingScript": ("constant", "world/main.gd 4 12 13"),
    "actors/goblin.gd:4 Loot": ("constant", "actors/goblin.gd 4 6 6"),
    "items/weapon.gd:4 Kind": ("enum", "items/weapon.gd 4 6 9"),
    "items/weapon.gd:4 AXE": ("enum value", "items/weapon.gd 4 9"),
    "items/weapon.gd:6 kind": ("variable", "items/weapon.gd 6 9"),
    "items/weapon.gd:7 damage": ("variable", "actors/hero.gd 23, items/weapon.gd 7 13"),
    "items/bag.gd:6 items": ("variable", "items/bag.gd 6 12 20 26 27 27"),
    "items/item.gd:9 make": ("function", "items/item.gd 9, items/loot.gd 4"),
    "ui/counter.gd:10 show_gold": ("function", "ui/counter.gd 6 7 10"),
    "world/weather.gd:4 health": ("variable", "world/weather.gd 4 13"),
    "actors/hero.gd:23 health": ("local", "actors/hero.gd 23 24"),
    "actors/hero.gd:14 amount": ("local", "actors/hero.gd 14 14"),
    "items/bag.gd:10 item": ("local", "items/bag.gd 10 10"),
    "items/bag.gd:12 item": ("local", "items/bag.gd 12 13"),
    "items/bag.gd:17 item": ("local", "items/bag.gd 17 18 20 21"),
    "items/bag.gd:26 a": ("local", "items/bag.gd 26 26"),
    "items/loot.gd:9 piece": ("local", "items/loot.gd 9 10"),
    "world/spawner.gd:13 goblin": ("local", "world/spawner.gd 13 14 15 15 16"),
    "world/spawner.gd:19 goblin": ("local", "world/spawner.gd 19 20"),
}
# A member of that name on a value without a type: it may be this one, whatever the engine has read before.
UNCERTAIN = {
    "actors/actor.gd:17 take_damage": "ui/menu.gd 15",
    "ui/counter.gd:10 show_gold": "world/main.gd 16",
}


def query(key: str) -> dict[str, Any]:
    where, _, name = key.partition(" ")
    path, _, line = where.partition(":")
    return {"scriptPath": path, "symbol": name, "line": int(line)}


def lines(places: list[Mapping[str, Any]]) -> str:
    """Places as this file writes them."""
    by_path: dict[str, list[int]] = {}
    for place in places:
        by_path.setdefault(place["path"].removeprefix("res://"), []).append(place["line"])
    return ", ".join(f"{path} {' '.join(map(str, sorted(found)))}" for path, found in sorted(by_path.items()))


@pytest.mark.parametrize("key", MEANINGS)
async def test_a_name_means_what_a_reader_says(quest: Caller, key: str) -> None:
    kind, expected = MEANINGS[key]
    found = await quest.result("find_references", **query(key))
    assert lines(found["references"]) == expected
    assert lines(found.get("uncertain") or []) == UNCERTAIN.get(key, "")
    defined = await quest.result("find_definition", **query(key))
    assert (defined["kind"], lines([defined["definition"]])) == (kind, key.partition(" ")[0].replace(":", " "))


def results(done: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What the last calls of a batch found, without those that wrote."""
    assert all(each["success"] for each in done["results"]), done
    return [each["result"] for each in done["results"] if each["tool"] != "write_script"]


async def test_names_mean_the_same_in_text_that_is_not_saved(quest: Caller) -> None:
    """Each script begins with two lines more, which a batch has staged and no disk has."""
    root = quest.runtime.project.root
    scripts = {path.relative_to(root).as_posix(): path.read_text() for path in sorted(root.rglob("*.gd"))}
    writes = [
        {"tool": "write_script", "args": {"scriptPath": path, "content": f"# 1\n# 2\n{text}", "overwrite": True}}
        for path, text in scripts.items()
    ]
    asked = list(MEANINGS)[::4]
    calls = [{"tool": "find_references", "args": {**query(key), "line": query(key)["line"] + 2}} for key in asked]
    done = await quest.result("batch_operations", operations=[*writes, *calls], dryRun=True)
    for key, result in zip(asked, results(done), strict=True):
        saved: list[Mapping[str, Any]] = [{**each, "line": each["line"] - 2} for each in result["references"]]
        assert lines(saved) == MEANINGS[key][1], key
    assert scripts == {path: (root / path).read_text() for path in scripts}


# A name that is used: where what it means is declared.
DEFINITIONS = {
    "actors/hero.gd:23 take_damage": "actors/actor.gd 17",
    "actors/hero.gd:23 damage": "items/weapon.gd 7",
    "actors/goblin.gd:15 worth": "items/loot.gd 7",
    "actors/goblin.gd:15 Ledger": "ledger.gd 1",
    "actors/king.gd:20 worth": "actors/king.gd 12",
    "actors/king.gd:13 worth": "actors/king.gd 7",
    "actors/king.gd:21 fall": "actors/goblin.gd 14",
    "actors/hero.gd:30 health": "actors/actor.gd 12",
    "actors/hero.gd:24 health": "actors/hero.gd 23",
    "actors/ally.gd:10 companions": "actors/hero.gd 9",
    "items/bag.gd:18 LIMIT": "items/bag.gd 4",
    "actors/hero.gd:36 LIMIT": "actors/actor.gd 10",
    "items/loot.gd:10 worth": "items/item.gd 16",
    "items/bag.gd:26 weight": "items/item.gd 6",
    "world/main.gd:12 KingScript": "world/main.gd 4",
    "world/main.gd:15 jewels": "actors/king.gd 5",
    "world/main.gd:15 mood": "actors/actor.gd 13",
    "world/spawner.gd:14 speed": "actors/actor.gd 14",
    "ui/counter.gd:6 gold_changed": "ledger.gd 4",
}


@pytest.mark.parametrize("key", DEFINITIONS)
async def test_a_use_leads_to_its_declaration(quest: Caller, key: str) -> None:
    defined = await quest.result("find_definition", **query(key))
    assert lines([defined["definition"]]) == DEFINITIONS[key]


async def test_a_member_of_an_untyped_value_is_nobodys(quest: Caller) -> None:
    defined = await quest.result("find_definition", scriptPath="ui/menu.gd", symbol="take_damage")
    assert "definition" not in defined
    assert "native" not in defined


async def test_what_is_the_engines_is_called_so(quest: Caller) -> None:
    defined = await quest.result("find_definition", scriptPath="world/main.gd", symbol="free")
    assert defined["native"] == "func Object.free() -> void"


async def test_what_a_name_is_comes_with_the_type_that_the_engine_infers(quest: Caller) -> None:
    told = await quest.result("describe_symbol", scriptPath="actors/king.gd", symbol="crown")
    assert told["signature"] == "var crown: GoldenCrown"
    assert lines([told["definition"]]) == "actors/king.gd 16"


async def test_symbols_are_found_by_their_letters(quest: Caller) -> None:
    found = await quest.result("find_symbols", name="tkdmg")
    assert [(each["name"], each["path"]) for each in found["symbols"]] == [
        ("take_damage", "res://actors/actor.gd"),
        ("take_damage", "res://actors/goblin.gd"),
    ]
    found = await quest.result("find_symbols", name="crown", kinds=["class"])
    assert [each["name"] for each in found["symbols"]] == ["Crown", "GoldenCrown"]
    hero = (await quest.result("find_symbols", name="Hero", kinds=["class"]))["symbols"][0]
    text = (quest.runtime.project.root / "actors/hero.gd").read_text().splitlines()
    assert text[hero["line"] - 1].startswith("class_name Hero")


async def test_members_of_a_value_are_completed(quest: Caller) -> None:
    found = await quest.result("complete_code", scriptPath="actors/hero.gd", line=23, expression="weapon.da")
    assert found["completions"][0]["name"] == "damage"
    again = await quest.result("find_definition", scriptPath="actors/hero.gd", symbol="take_damage")
    assert lines([again["definition"]]) == "actors/actor.gd 17"


async def test_without_godot_the_syntax_answers_what_it_can(quest: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GODOT_PATH", "")
    body = (await quest.reply("find_references", query("ledger.gd:10 earn"))).structured
    assert body is not None
    assert lines(body["result"]["references"]) == MEANINGS["ledger.gd:10 earn"][1]
    assert "Answered from the syntax alone" in str(body)
