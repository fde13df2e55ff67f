"""Three writers on one real editor, in random order and at the same time: a person at the editor, agents through tools,
and another program on the files. Whatever they do, no change disappears unless somebody is told.

`INTERLEAVINGS=2000 INTERLEAVINGS_SEED=7 pytest -n0 tests/godot/editor/test_three_writers.py` looks for more.
"""

from __future__ import annotations

import os
import re
from collections.abc import AsyncIterator, Callable, Coroutine
from pathlib import Path
from random import Random
from typing import Any

import anyio
import pytest
from tests.godot.editor.conftest import Workbench, workbench
from tests.godot.editor.editors import make_live_project, running_editor

pytestmark = [pytest.mark.anyio, pytest.mark.godot, pytest.mark.xdist_group("three-writers"), pytest.mark.timeout(3600)]

TIMES = int(os.environ.get("INTERLEAVINGS", "200"))
SEED = int(os.environ.get("INTERLEAVINGS_SEED", "15"))
MAIN = {"scenePath": "main.tscn"}
SCENE = "res://main.tscn"
OWN = {"person": "Hers", "agent": "Mine", "program": "Its"}
SHARED = "Shared"
FILES = {
    "main.tscn": '[gd_scene format=3 uid="uid://bthree0main01"]\n\n'
    '[ext_resource type="PackedScene" path="res://mob.tscn" id="1_mob"]\n\n[node name="Main" type="Node2D"]\n'
    + "".join(
        f'\n[node name="{name}" type="Node2D" parent="."]\nposition = Vector2(1, 0)\n'
        for name in (*OWN.values(), SHARED)
    )
    + '\n[node name="Mob" parent="." instance=ExtResource("1_mob")]\n',
    "mob.tscn": '[gd_scene format=3 uid="uid://bthree0mob001"]\n\n[node name="Mob" type="Node2D"]\n\n'
    '[node name="Eye" type="Node2D" parent="."]\nposition = Vector2(1, 0)\n',
}
LOOK = "var found = {}\nfor node in root.get_children():\n\tfound[node.name] = node.position.x\nreturn found"
TABS = "EditorInterface.get_base_control().find_children('*', 'EditorSceneTabs', true, false)[0]"
CLOSE = f"var bar = {TABS}.find_children('*', 'TabBar', true, false)[0]\nbar.tab_close_pressed.emit(bar.current_tab)"
PRESS = """var wanted = InputMap.action_get_events('{action}')[0]
for bar in EditorInterface.get_base_control().find_children('*', 'MenuBar', true, false):
	for menu in bar.get_children():
		for index in menu.item_count if menu is PopupMenu else 0:
			var shortcut = menu.get_item_shortcut(index)
			if shortcut != null and shortcut.matches_event(wanted):
				menu.id_pressed.emit(menu.get_item_id(index))
				return true
return false"""
Deed = Callable[[], Coroutine[Any, Any, None]]


class Stage:
    """The editor, the files, and what the writers were told to have done."""

    def __init__(self, live: Workbench, random: Random) -> None:
        self.live, self.random = live, random
        self.file = live.project / "main.tscn"
        self.number = 1
        self.made: dict[str, tuple[str, float | None]] = {}  # by node: who made it, and its place, or that it is gone
        self.told: list[str] = []
        self.log: list[str] = []

    def new(self) -> int:
        self.number += 1
        return self.number

    async def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """A tool's reply, good or bad; what it warns of is remembered."""
        body = await self.live.body(tool, **arguments)
        self.told += body.get("warnings", [])
        outcome = body["execution"]["mode"] if body["ok"] and "execution" in body else body["error"] or "ok"
        self.log.append(f"agent {tool} {arguments} -> {outcome}")
        return body

    async def look(self) -> dict[str, float]:
        """Where the nodes are: in the editor, or on the disk where the scene is not open."""
        if await self.is_at_hand():
            return dict(await self.live.act(LOOK))
        return self.on_disk()

    def on_disk(self) -> dict[str, float]:
        found = {}
        for section in self.file.read_text(encoding="utf-8").split("[node ")[2:]:
            name = section.partition('name="')[2].partition('"')[0]
            place = re.search(r"^position = Vector2\(([-0-9.e]+),", section, re.MULTILINE)
            found[name] = float(place.group(1)) if place else 0.0
        return found

    async def row(self) -> dict[str, Any]:
        state = await self.live.ask("scenewright.get_state")
        return next((row for row in state["scenes"] if row["path"] == SCENE), {})

    async def is_open(self) -> bool:
        return bool(await self.row())

    async def is_at_hand(self) -> bool:
        """Whether the scene is open; the person then looks at it."""
        row = await self.row()
        if row and not row["current"]:
            await self.live.act(f"EditorInterface.open_scene_from_path('{SCENE}')")
        return bool(row)

    async def bring(self) -> None:
        await self.live.ask("scenewright.open_scene", scene_path=SCENE)

    # What the person does

    async def person_moves(self) -> None:
        if not await self.is_at_hand():
            return
        node = self.random.choice([OWN["person"], OWN["person"], SHARED])
        place = self.new()
        self.log.append(f"person moves {node} to {place}")
        await self.live.move(node, place, 0)
        self.made[node] = ("person", place)

    async def person_turns_back(self) -> None:
        """Undo or redo, of whatever is next; what that changes is meant."""
        if not await self.is_at_hand():
            return
        before = await self.look()
        action = self.random.choice(["ui_undo", "ui_undo", "ui_redo"])
        self.log.append(f"person {action}")
        await self.live.act(PRESS.replace("{action}", action))
        await self.forgive(before)

    async def person_saves(self) -> None:
        if await self.is_at_hand():
            self.log.append("person saves")
            await self.live.act("EditorInterface.save_scene_as('res://main.tscn', false)")

    async def person_changes_tabs(self) -> None:
        self.log.append("person changes tabs")
        await self.live.act("EditorInterface.open_scene_from_path('res://mob.tscn')")
        if self.random.random() < 0.5:
            await self.live.act("EditorInterface.open_scene_from_path('res://main.tscn')")

    async def person_closes(self) -> None:
        row = await self.row()
        if row.get("current") and not row["unsaved"] and not row.get("clash"):
            self.log.append("person closes the scene")
            await self.live.act(CLOSE)

    # What agents do

    async def agent_moves(self) -> None:
        node, place = self.random.choice([OWN["agent"], OWN["agent"], SHARED]), self.new()
        body = await self.call("set_property", **MAIN, nodePath=node, property="position", value=[place, 0])
        if body["ok"]:
            self.made[node] = ("agent", place)

    async def agent_adds(self) -> None:
        name, place = f"N{self.new()}", self.new()
        body = await self.call(
            "add_node", **MAIN, nodeType="Node2D", nodeName=name, properties={"position": [place, 0]}
        )
        if body["ok"]:
            self.made[name] = ("agent", place)

    async def agent_removes(self) -> None:
        names = [name for name in await self.look() if name.startswith("N")]
        if names and (await self.call("remove_node", **MAIN, nodePath=(name := self.random.choice(names))))["ok"]:
            self.made[name] = ("agent", None)

    async def agent_renames(self) -> None:
        before = await self.look()
        names = [name for name in before if name.startswith("N")]
        if names:
            name, new = self.random.choice(names), f"N{self.new()}"
            if (await self.call("rename_node", **MAIN, nodePath=name, newName=new))["ok"]:
                self.made |= {name: ("agent", None), new: ("agent", before[name])}

    async def agent_batches(self) -> None:
        name, place = f"N{self.new()}", self.new()
        calls = [
            {"tool": "add_node", "args": {**MAIN, "nodeType": "Node2D", "nodeName": name}},
            {"tool": "set_property", "args": {**MAIN, "nodePath": name, "property": "position", "value": [place, 0]}},
            {
                "tool": "set_property",
                "args": {**MAIN, "nodePath": OWN["agent"], "property": "position", "value": [place, 0]},
            },
        ]
        if (await self.call("batch_operations", operations=calls, atomic=True))["ok"]:
            self.made |= {name: ("agent", place), OWN["agent"]: ("agent", place)}

    async def agent_applies(self) -> None:
        name, place = f"N{self.new()}", self.new()
        tree = {"name": "Main", "children": [{"name": name, "type": "Node2D", "properties": {"position": [place, 0]}}]}
        if (await self.call("apply_scene", **MAIN, mode="apply", tree=tree))["ok"]:
            self.made[name] = ("agent", place)

    async def agent_saves(self) -> None:
        await self.call("save_scene", **MAIN)

    # What another program does

    async def program_writes(self) -> None:
        text, place = self.file.read_text(encoding="utf-8"), self.new()
        section = re.compile(rf'(\[node name="{OWN["program"]}"[^\n]*\n(?:position = )?)(?:Vector2\([^\n]*)?')
        changed = section.sub(lambda found: found.group(1) + f"Vector2({place}, 0)", text, count=1)
        self.log.append(f"program writes {place}")
        self.file.write_text(changed.replace("]\nVector2", "]\nposition = Vector2"), encoding="utf-8")
        self.made[OWN["program"]] = ("program", place)

    async def program_changes_the_mob(self) -> None:
        mob = self.live.project / "mob.tscn"
        place = self.new()
        self.log.append(f"program writes the mob {place}")
        mob.write_text(re.sub(r"Vector2\([0-9]+, 0\)", f"Vector2({place}, 0)", mob.read_text()), encoding="utf-8")

    # What must hold

    async def forgive(self, before: dict[str, float]) -> None:
        """What is different now was meant by the person, who did nothing else."""
        now = await self.look()
        for name in before.keys() | now.keys():
            if before.get(name) != now.get(name):
                self.made.pop(name, None)

    async def check(self) -> None:
        """Every change is there, or somebody was told where it is not."""
        await self.call("get_editor_state")  # with the news that are still to be told
        now, row = await self.look(), await self.row()
        for name, (who, place) in self.made.items():
            if now.get(name) == place:
                continue
            assert who == "program", f"{who}'s change of {name} to {place} is gone: {now.get(name)}"
            said = " ".join(self.told)
            kept = [Path(path).read_text(encoding="utf-8") for path in re.findall(r"kept in (\S+)\.", said)]
            excused = row.get("clash") or any(f"Vector2({place}, 0)" in text for text in kept)
            assert excused, f"the program's change of {name} to {place} is gone without a word: {now.get(name)}"
        if not row:
            return
        if not row["unsaved"] and not row.get("clash"):
            assert self.on_disk() | {"Mob": 0.0} == now | {"Mob": 0.0}, "a saved scene differs from its file"
        if row.get("current"):
            eye = await self.live.act("return root.get_node('Mob/Eye').position.x")
            read = await self.call("get_property", **MAIN, nodePath="Mob/Eye", property="position:x")
            assert read["result"]["value"] == eye
        await self.check_reads(now)

    async def check_reads(self, now: dict[str, float]) -> None:
        name = self.random.choice(sorted(now))
        read = await self.call("get_property", **MAIN, nodePath=name, property="position")
        assert read["result"]["value"] == f"Vector2({now[name]:g}, 0)", f"{name} is at {now[name]}"

    async def check_undo(self) -> None:
        """What an agent takes back is gone to the last byte, in the editor and, saved, on the disk."""
        row = await self.row()
        if not row or row.get("clash"):
            return
        if not (await self.call("save_scene", **MAIN))["ok"]:
            return
        await self.bring()
        text, disk = await self.live.text(), self.file.read_bytes()
        body = await self.call(
            "set_property", **MAIN, nodePath=OWN["agent"], property="position", value=[self.new(), 0]
        )
        assert body["ok"], body
        assert body["execution"]["mode"] == "live"
        assert self.file.read_bytes() == disk, "a live edit went to the file"
        await self.call("save_scene", **MAIN)
        undone = await self.call("history", action="undo", entry=body["execution"]["historyEntry"])
        assert undone["ok"], undone
        assert await self.live.text() == text
        assert (await self.call("save_scene", **MAIN))["ok"]
        assert self.file.read_bytes() == disk

    async def settle_clash(self) -> None:
        """The person decides which version stays, and means it."""
        row = await self.row()
        if not row.get("clash"):
            return
        await self.bring()
        if self.random.random() < 0.5:
            self.log.append("person takes the file's version")
            await self.live.act("EditorInterface.reload_scene_from_path('res://main.tscn')")
            self.made.clear()
        else:
            theirs = self.on_disk()
            self.log.append("person saves over the file")
            await self.live.act("EditorInterface.save_scene_as('res://main.tscn', false)")
            await self.call("get_editor_state")
            kept = re.findall(r"kept in (\S+)\.", " ".join(self.told))
            assert any(f"Vector2({theirs[OWN['program']]:g}, 0)" in Path(path).read_text() for path in kept)
            self.made.pop(OWN["program"], None)
        assert not (await self.row()).get("clash")

    # Rounds

    async def play(self) -> None:
        """One interleaving: a few deeds one after the other or at the same time, then all must hold."""
        alone: list[Deed] = [
            self.person_turns_back,
            self.person_saves,
            self.person_changes_tabs,
            self.person_closes,
            self.agent_removes,
            self.agent_renames,
            self.agent_saves,
            self.check_undo,
            self.program_changes_the_mob,
            self.person_moves,
        ]
        together: list[Deed] = [
            self.agent_moves,
            self.agent_adds,
            self.agent_batches,
            self.agent_applies,
            self.person_moves,
            self.program_writes,
        ]
        for _ in range(self.random.randint(1, 3)):
            if self.random.random() < 0.5:
                await self.random.choice(alone)()
                continue
            deeds = self.random.sample(together, self.random.randint(1, 3))
            shared = self.made.get(SHARED)
            async with anyio.create_task_group() as group:
                for deed in deeds:
                    group.start_soon(deed)
            if {self.agent_moves, self.person_moves} <= set(deeds) and self.made.get(SHARED) != shared:
                self.made.pop(SHARED, None)  # either may have come last
        await self.check()
        await self.settle_clash()
        self.made.clear()
        self.told.clear()
        if self.random.random() < 0.3:
            await self.bring()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_live_project(tmp_path_factory.mktemp("three") / "project", FILES)


@pytest.fixture
async def live(folder: Path) -> AsyncIterator[Workbench]:
    with running_editor(folder) as editor:
        bench = workbench(editor)
        yield bench
        bench.caller.runtime.close()


async def test_three_writers_lose_nothing_without_a_word(live: Workbench) -> None:
    for number in range(TIMES):
        stage = Stage(live, Random(f"{SEED} {number}"))
        stage.number = number * 100 + 2
        try:
            await stage.play()
        except BaseException as problem:
            told = "\n".join([*stage.log, *stage.told])
            problem.add_note(f"INTERLEAVINGS_SEED={SEED}, interleaving {number}:\n{told}")
            raise
