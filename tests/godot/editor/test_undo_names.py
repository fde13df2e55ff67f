"""What undo aims at and says, on a real editor whose own undo and redo are used meanwhile."""

from __future__ import annotations

from typing import Any

import pytest
from tests.godot.editor.conftest import Workbench

pytestmark = [pytest.mark.anyio, pytest.mark.godot, pytest.mark.xdist_group("editor")]

MAIN = {"scenePath": "main.tscn"}


async def added(live: Workbench, name: str) -> int:
    body = await live("add_node", **MAIN, nodeType="Node2D", nodeName=name)
    return int(body["execution"]["historyEntry"])


async def steps(live: Workbench) -> list[dict[str, Any]]:
    found = (await live.ask("scenewright.get_history", scene="res://main.tscn"))["steps"]
    return list(found)


async def test_the_editors_undo_says_that_it_took_something_back(live: Workbench) -> None:
    await added(live, "Lamp")
    assert (await live("editor_undo"))["summary"].startswith("Undone: Added 'Lamp'")
    assert (await live("editor_redo"))["summary"].startswith("Redone: Added 'Lamp'")
    assert (await live("history", action="undo"))["summary"].startswith("Took back entry ")


async def test_the_editors_history_names_what_a_batch_did(live: Workbench) -> None:
    operations = [{"tool": "add_node", "args": {**MAIN, "nodeType": "Node2D", "nodeName": name}} for name in "ABCD"]
    body = await live("batch_operations", operations=operations, atomic=True)
    name = (await steps(live))[-1]["name"]
    assert name == "Added 'A' (Node2D), Added 'B' (Node2D), Added 'C' (Node2D) and 1 more."
    rows = (await live.result("history", action="list", limit=1))["entries"]
    assert rows[0]["summary"] == name
    undone = await live("history", action="undo", entry=body["execution"]["historyEntry"])
    assert name in undone["summary"]


async def test_undo_aims_at_what_the_person_made_again(live: Workbench) -> None:
    before = await live.text()
    one, two = await added(live, "One"), await added(live, "Two")
    assert (await live.result("history", action="undo"))["undone"] == [two]
    await live.ask("scenewright.redo")  # the person's own
    assert 'name="Two"' in await live.text()
    assert (await live.result("history", action="undo"))["undone"] == [two]
    assert (await live.result("history", action="undo"))["undone"] == [one]
    assert await live.text() == before


async def test_undo_passes_over_what_the_person_took_back(live: Workbench) -> None:
    before = await live.text()
    one, two = await added(live, "One"), await added(live, "Two")
    await live.ask("scenewright.undo")  # the person's own
    again = await live.body("history", action="undo", entry=two)
    assert again["error"]["retryable"] is False
    assert "turned back in the editor" in again["error"]["message"]
    assert (await live.result("history", action="undo"))["undone"] == [one]
    assert await live.text() == before


async def test_undo_to_goes_back_over_what_the_person_took_back(live: Workbench) -> None:
    before = await live.text()
    one, _two = await added(live, "One"), await added(live, "Two")
    await live.ask("scenewright.undo")
    await live("history", action="undo_to", entry=one - 1)
    assert await live.text() == before


async def test_a_step_of_the_same_name_in_the_place_of_one_that_is_gone_is_not_taken_for_it(live: Workbench) -> None:
    first = await added(live, "Same")
    await live.ask("scenewright.undo")
    second = await added(live, "Same")
    refused = await live.body("history", action="undo", entry=first)
    assert refused["error"]["retryable"] is False
    assert 'name="Same"' in await live.text()
    assert (await live.result("history", action="undo"))["undone"] == [second]


async def test_undo_below_an_edit_of_the_person_is_refused_for_good_with_what_to_do(live: Workbench) -> None:
    await added(live, "Low")
    await live.ask("scenewright.set_properties", node_path="Player", properties={"rotation": 1.0})
    error = (await live.body("history", action="undo"))["error"]
    assert error["retryable"] is False
    assert "in the editor" in error["suggestedFix"]
    await live.ask("scenewright.undo")
    await live("history", action="undo")
