"""A hint, a warning and a description name tools as the listing does."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller, MakeCaller

import scenewright
from scenewright.contracts import tool_names
from scenewright.contracts.tool_names import as_listed
from scenewright.core.calls.call import Call
from scenewright.core.operations.declaration import Operation
from scenewright.server.instructions import instructions
from scenewright.server.lean_listing import BRIEF_ACTIONS
from scenewright.server.surface import Surface, surface_of

pytestmark = pytest.mark.anyio
SOURCE = Path(scenewright.__file__).parent
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
WORD = re.compile(r"[a-z0-9]+(?:[_.][a-z0-9]+)+")
# What says itself by which names tools can be called, and is tested for it.
OF_LISTINGS = ("instructions.py", "prompts.py")


@pytest.fixture
async def managed(caller: Caller) -> Call:
    """A call through a manager."""
    return (await caller.run("history", {"action": "list"})).call


@pytest.mark.parametrize(
    ("said", "listed"),
    [
        ("get_node_tree shows the nodes.", "godot_inspector_manager scene_tree.get shows the nodes."),
        ("Try add_node, or edit_node.", "Try godot_scene_manager create, or godot_scene_manager update."),
        ("history_undo takes it back.", "history undo takes it back."),
        ("godot_scene_manager create_scene makes one.", "godot_scene_manager create_scene makes one."),
        ("Did you mean 'add_node'?", "Did you mean 'add_node'?"),
        ("See add_node.gd, there add_node().", "See add_node.gd, there add_node()."),
        ("There is add_node. See edit_node.", "There is godot_scene_manager create. See godot_scene_manager update."),
        ("Pass max_depth, or core_ping.", "Pass max_depth, or core_ping."),
    ],
)
async def test_who_called_a_manager_is_told_of_managers(managed: Call, said: str, listed: str) -> None:
    assert as_listed(said, managed) == listed


async def test_who_called_a_tool_by_its_own_name_is_told_such_names(caller: Caller) -> None:
    call = (await caller.run("history_list", {})).call
    assert as_listed("get_node_tree shows the nodes.", call) == "get_node_tree shows the nodes."


async def test_a_refusal_through_a_manager_has_the_managers_words(caller: Caller) -> None:
    root = caller.runtime.project.root
    (root / "project.godot").write_text("config_version=5\n")
    (root / "a.tscn").write_text('[gd_scene format=3]\n\n[node name="Main" type="Node"]\n')
    given: dict[str, Any] = {"scenePath": "a.tscn", "nodePath": "qqqq"}
    through = await caller.reply("godot_inspector_manager", {"action": "inspect", **given})
    flat = await caller.reply("get_node_properties", given)
    assert through.structured is not None
    assert flat.structured is not None
    assert "godot_inspector_manager scene_tree.get shows" in through.structured["error"]["suggestedFix"]
    assert "get_node_tree shows" in flat.structured["error"]["suggestedFix"]


LISTINGS = [
    {"engine": engine, "toolset": toolset, "dialect": dialect}
    for engine in ("godot", "roblox", "unity")
    for toolset in ("compact", "full")
    for dialect in ("portable", "contract")
]


@pytest.mark.parametrize("settings", LISTINGS, ids=["-".join(each.values()) for each in LISTINGS])
def test_no_description_names_a_tool_that_the_listing_has_not(
    settings: dict[str, str], make_caller: MakeCaller
) -> None:
    runtime = make_caller(**settings).runtime
    surface = surface_of(runtime)
    shown = _shown(surface)
    texts = [_without_own_actions(text, surface) for tool in surface.tools() for text in _texts(tool.wire())]
    texts += [surface.names.in_text(text) for op in _on_offer(surface) for text in _texts_of(op)]
    assert [text for text in [*texts, instructions(runtime)] if _unlisted(text, surface, shown)] == []


def test_no_hint_names_a_tool_that_the_listing_has_not(make_caller: MakeCaller) -> None:
    """All texts in the source that name a tool, as each listing of its engine has them."""
    operations = make_caller(engine="all").runtime.registry.operations.values()
    names = {name for op in operations for name in (op.flat_name, op.id)}
    sources = [path.read_text(encoding="utf-8") for path in SOURCE.rglob("*.py") if path.name not in OF_LISTINGS]
    texts = [text for source in sources if names & set(WORD.findall(source)) for text in _literals(source)]
    named = 0
    for settings in LISTINGS[:2]:
        surface = surface_of(make_caller(**settings | {"engine": "all"}).runtime)
        shown = _shown(surface)
        told = [(text, surface.names.in_text(text)) for text in texts]
        named += sum(text != listed for text, listed in told)
        assert [listed for _, listed in told if _unlisted(listed, surface, shown)] == []
    assert named > 30


def _without_own_actions(text: str, surface: Surface) -> str:
    """A brief manager's description ends with the names of its actions, which are said of that manager."""
    head, _, names = text.partition(BRIEF_ACTIONS)
    actions = [list(actions) for actions in surface.registry.actions.values()]
    return head if names.split(", ") in actions else text


def _shown(surface: Surface) -> set[str]:
    """What the listing has: tools, and managers with their actions."""
    actions = {f"{name} {action}" for name, actions in surface.registry.actions.items() for action in actions}
    listed = {tool.name for tool in surface.tools()}
    return listed | {each for each in actions if each.partition(" ")[0] in listed}


def _unlisted(text: str, surface: Surface, shown: set[str]) -> list[str]:
    """The names of operations and managers in a text that are not in the listing, nor said with their manager."""
    wrong = []
    for match in tool_names.NAME.finditer(text):
        target = surface.registry.named(match[0])
        before = text[: match.start()].rstrip().rpartition(" ")[2].lstrip("(`")
        said = before.endswith("action:") or f"{before} {match[0]}" in shown
        if target is not None and match[0] not in shown and not said:
            wrong.append(match[0])
    return wrong


def _on_offer(surface: Surface) -> list[Operation]:
    registry = surface.registry
    engines = {*surface.engines, None}
    return [op for op in registry.operations.values() if getattr(registry.engine_of[op.id], "name", None) in engines]


def _texts_of(op: Operation) -> list[str]:
    return [op.description, op.notes or "", *_texts(op.input_schema)]


def _texts(part: Any) -> list[str]:
    if isinstance(part, list):
        return [text for each in part for text in _texts(each)]
    if not isinstance(part, dict):
        return []
    own = [part["description"]] if isinstance(part.get("description"), str) else []
    return own + [text for each in part.values() for text in _texts(each)]


def _literals(source: str) -> list[str]:
    """The sentences among a module's texts; a docstring that no operation shows is for us."""
    nodes = list(ast.walk(ast.parse(source)))
    documented = (node for node in nodes if isinstance(node, DOCUMENTED) and ast.get_docstring(node))
    docs = {id(first.value) for node in documented if isinstance(first := node.body[0], ast.Expr)}
    values = (node for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str))
    return [str(node.value) for node in values if id(node) not in docs and " " in str(node.value).strip()]
