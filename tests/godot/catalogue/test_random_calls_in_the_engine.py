"""Random calls on random scenes: after each, the real engine loads the tree and the values that our reads tell."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import anyio
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from tests.godot.catalogue.random_calls import BAG, CALLS, Dice, Scenery
from tests.godot.documents.described import ask, describe, nodes_of, wires_of
from tests.godot.documents.game import FILES
from tests.support.gdscript_runner import make_project

from scenewright.app import make_runtime
from scenewright.core.calls.call import Request
from scenewright.core.config import Config
from scenewright.core.runtime import Runtime
from scenewright.core.writes.changeset import Changeset
from scenewright.godot.documents import paths
from scenewright.godot.documents.tree import Tree, TreeNode
from scenewright.godot.documents.variant import ExtResource, NodePath, SubResource
from scenewright.godot.documents.variant_reader import parse_variant
from scenewright.godot.project.workspace import Workspace
from scenewright.godot.scenes.outline import SceneOutline
from scenewright.godot.values.presentation import present

pytestmark = [pytest.mark.godot, pytest.mark.xdist_group("godot-operations")]

SEEDS = 12  # which calls
EXAMPLES = 2  # with which values, the first time the simplest there are
STEPS = 14
SOURCES = (".tscn", ".gd", ".tres")


class Game:
    """A project that random calls change, and what it was after each of them."""

    def __init__(self, folder: Path, start: str) -> None:
        self.project = make_project(folder / "project", {**FILES, "bag.gd": BAG})
        self.engine = make_project(folder / "engine")
        self.runtime: Runtime = make_runtime(Config(project=self.project, rate_limit=None))
        self.current = start
        self.before: list[str] = []  # the scene that was current before each change that can be undone
        self.states: list[tuple[str, str, Tree, dict[str, dict[str, Any]]]] = []
        self.done: Counter[str] = Counter()

    def outline(self) -> SceneOutline:
        return SceneOutline(Workspace(Changeset(self.runtime.state_for(None).project)), self.current)

    def scenery(self) -> Scenery:
        outline = self.outline()
        nodes = outline.tree.nodes.items()
        own = [path for path, node in nodes if node.depth == 0 and node.layers[-1].scene == self.current]
        return Scenery(outline.tree, own, [path for path, node in nodes if outline.script(node) == "res://bag.gd"])

    async def call(self, tool: str, arguments: dict[str, Any]) -> Any:
        outcome = await self.runtime.run(Request(tool=tool, arguments=arguments))
        assert outcome.fault is None or outcome.fault.kind != "internal", (tool, arguments)
        return outcome

    async def step(self, dice: Dice) -> None:
        if self.before and dice.chance(0.1):
            outcome = await self.call("history_undo", {})
            assert outcome.ok, outcome.summary
            self.current = self.before.pop()
            await self.keep("history_undo")
            return
        tool, make = dice.one(CALLS)
        arguments = make(self.scenery(), dice)
        sources = self.sources()
        outcome = await self.call(tool, {"scenePath": self.current, **arguments})
        if not outcome.ok:
            assert self.sources() == sources
            return
        if outcome.call.entry is not None:
            self.before.append(self.current)
        if tool == "save_scene":
            self.current = arguments["newPath"]
        await self.keep(f"{tool} {arguments}")
        self.done[tool] += 1

    def sources(self) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in self.project.iterdir() if path.suffix in SOURCES}

    async def keep(self, what: str) -> None:
        """Notes what our reads tell, and copies the project for the engine, with every path led into the copy."""
        folder = f"state_{len(self.states)}"
        (self.engine / folder).mkdir()
        for name, content in self.sources().items():
            text = re.sub(r' uid="uid://\w+"', "", content.decode()).replace("res://", f"res://{folder}/")
            (self.engine / folder / name).write_text(text, newline="")
        tree = self.outline().tree
        told = await self.call("get_node_tree", {"scenePath": self.current, "expand": True, "limit": 5000})
        assert told.ok
        rows = [[row.path, row.type, sorted(row.groups or []), row.unique_name] for row in told.call.output.nodes]
        assert rows == [[path, kind, groups, unique] for path, kind, groups, _, unique in nodes_of(tree)], what
        self.states.append((f"res://{folder}/{self.current}", what, tree, await self.values(tree)))

    async def values(self, tree: Tree) -> dict[str, dict[str, Any]]:
        """What reading each node tells, but for resources, which have no literal."""
        found: dict[str, dict[str, Any]] = {}
        for node in tree.root.walk():
            told = await self.call("get_node_properties", {"scenePath": self.current, "nodePath": node.path})
            assert told.ok
            plain = {
                name: value
                for name, value in told.call.output.properties.items()
                if _is_plain(node, told.call.output.script, name)
            }
            found[node.path] = {
                name: _target(tree, node, value) if name == "held" else value for name, value in plain.items()
            }
        return {path: values for path, values in found.items() if values}

    def check(self) -> None:
        jobs = [ask(scene, {path: list(values) for path, values in told.items()}) for scene, _, _, told in self.states]
        for (scene, what, tree, told), reply in zip(self.states, describe(self.engine, jobs), strict=True):
            text = (self.engine / scene.removeprefix("res://")).read_text()
            assert reply.complaints == [], (what, text)
            assert reply.value["nodes"] == nodes_of(tree), (what, text)
            assert sorted(tuple(wire[:5]) for wire in reply.value["connections"]) == wires_of(tree), (what, text)
            said = {
                path: {name: _shown(name, value) for name, value in values.items()}
                for path, values in reply.value["values"].items()
            }
            assert said == told, (what, text)


def _is_plain(node: TreeNode, script: str | None, name: str) -> bool:
    """Whether the value can be compared as a literal, and the node has such a property at all."""
    found = node.find(name)
    of_actor = name in ("speed", "way", "look") and script != "res://actor.gd"
    other = of_actor or name.startswith(("libraries", "metadata")) or name in ("target", "friends", "by_name")
    return found is not None and not other and not isinstance(found.value, ExtResource | SubResource)


def _target(tree: Tree, node: TreeNode, told: Any) -> Any:
    """The node that a path leads to, as the engine's answer has it."""
    known = parse_variant(told) if isinstance(told, str) else None
    target = paths.resolve(node.path, known.text, {}) if isinstance(known, NodePath) else None
    return f"-> {target}" if target is not None and tree.find(target) is not None else None


def _shown(name: str, answer: Any) -> Any:
    if name == "held":
        return None if answer == "null" else answer
    return present(parse_variant(answer))


@pytest.mark.since_godot(4, 5)  # older ones mark connections as inherited
def test_the_engine_has_what_our_reads_tell_after_every_call() -> None:
    done: Counter[str] = Counter()
    for seed in range(SEEDS):

        @settings(
            max_examples=EXAMPLES,
            deadline=None,
            derandomize=True,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(st.data(), st.just(seed))
        def play(data: st.DataObject, seed: int) -> None:
            done.update(_played(Dice(Random(seed), data.draw)))

        play()
    assert set(done) == {tool for tool, _ in CALLS}, "an operation was refused each time and so was not tried"


def _played(dice: Dice) -> Counter[str]:
    """Some calls on one scene, shown to the engine; what was called."""
    folder = Path(tempfile.mkdtemp(prefix="scenewright-random-"))
    try:
        game = Game(folder, dice.one(["level.tscn", "boss.tscn", "old.tscn", "actor.tscn"]))
        try:
            anyio.run(_steps, game, dice)
        finally:
            game.runtime.close()
        game.check()
        return game.done
    finally:
        shutil.rmtree(folder)


async def _steps(game: Game, dice: Dice) -> None:
    for _ in range(STEPS):
        await game.step(dice)
