"""Animator controllers: read in words, and changed so that what is not asked for keeps its bytes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller
from tests.unity.operations.changed_copies import changed, done, files_of, refused

from scenewright.unity.yaml.source import UnityFile

pytestmark = pytest.mark.anyio

HERO, RUN = "Assets/Animation/Hero.controller", "Assets/Animation/Run.anim"


async def base_layer(caller: Caller, path: str = HERO) -> dict[str, Any]:
    read = await done(caller, "asset.animator.read", assetPath=path)
    layer: dict[str, Any] = read["layers"][0]
    return layer


async def test_a_controller_is_built_from_nothing(caller: Caller, project: Path) -> None:
    path = "Assets/Animation/Door.controller"
    await done(caller, "asset.create", assetPath=path)
    await done(
        caller,
        "asset.animator.edit",
        assetPath=path,
        parameters=[{"name": "Open", "type": "Bool"}, {"name": "Level", "type": "Int", "default": 2}],
        layers=[{"name": "Shake", "weight": 0.5, "blending": "Additive"}],
        states=[{"name": "Closed"}, {"name": "Opened", "motion": RUN, "speed": 2}, {"name": "Still", "layer": "Shake"}],
        transitions=[
            {"fromState": "Closed", "toState": "Opened", "conditions": ["Open", "Level > 1"], "duration": 0},
            {"fromState": "Opened", "toState": "Exit"},
            {"fromState": "Entry", "toState": "Opened", "conditions": ["!Open"]},
        ],
    )
    read = await done(caller, "asset.animator.read", assetPath=path)
    assert read["parameters"] == [
        {"name": "Open", "type": "Bool", "default": False},
        {"name": "Level", "type": "Int", "default": 2},
    ]
    base, shake = read["layers"]
    closed, opened = base["states"]
    assert base["defaultState"] == "Closed"
    assert closed["transitions"] == [{"to": "Opened", "conditions": ["Open", "Level > 1"], "duration": 0}]
    assert (opened["motion"], opened["speed"]) == (RUN, 2)
    assert opened["transitions"] == [{"to": "Exit", "conditions": [], "exitTime": 1, "duration": 0.25}]
    assert base["entry"] == [{"to": "Opened", "conditions": ["!Open"]}]
    assert (shake["weight"], shake["blending"], shake["states"][0]["name"]) == (0.5, "Additive", "Still")
    file = UnityFile((project / path).read_bytes())
    assert len(file.by_id) == len(file.documents) == 9
    for document in file.documents[1:]:
        assert document.data["m_ObjectHideFlags"] == "1"
    states = [document for document in file.documents if document.type_name == "AnimatorState"]
    assert next(iter(states[0].data)) == "serializedVersion"  # where the editor writes it


async def test_a_new_transition_changes_only_its_state(caller: Caller, project: Path) -> None:
    before = (project / HERO).read_bytes()
    step = {"fromState": "Run", "toState": "Idle", "conditions": ["Speed < 0.1"]}
    await done(caller, "asset.animator.edit", assetPath=HERO, transitions=[step])
    added, removed, other = changed(before, (project / HERO).read_bytes())
    assert (len(added), removed, other) == (1, [], [2002])
    once = (project / HERO).read_bytes()
    await done(caller, "asset.animator.edit", assetPath=HERO, transitions=[step])
    assert (project / HERO).read_bytes() == once
    await done(caller, "asset.animator.edit", assetPath=HERO, transitions=[step | {"exitTime": 0.9}])
    (idle,) = (await base_layer(caller))["states"][1]["transitions"]
    assert idle["exitTime"] == 0.9


async def test_a_state_goes_with_all_that_leads_to_it(caller: Caller, project: Path) -> None:
    await done(caller, "asset.animator.edit", assetPath=HERO, remove=[{"state": "Run"}])
    layer = await base_layer(caller)
    assert [state["name"] for state in layer["states"]] == ["Idle"]
    assert "transitions" not in layer["states"][0]
    assert UnityFile((project / HERO).read_bytes()).by_id.keys() == {9100000, 1001, 2001}
    await done(caller, "asset.animator.edit", assetPath=HERO, remove=[{"state": "Idle"}])
    assert (await base_layer(caller)).get("defaultState") is None


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"transitions": [{"fromState": "Idle", "toState": "Fly"}]}, "no state 'Fly'"),
        ({"transitions": [{"fromState": "Idle", "toState": "Run", "conditions": ["Sped > 1"]}]}, "Speed"),
        ({"transitions": [{"fromState": "Idle", "toState": "Run", "conditions": ["Speed == 1"]}]}, "Speed > 0.5"),
        ({"transitions": [{"fromState": "Idle", "toState": "Run", "conditions": ["Speed"]}]}, "no condition"),
        ({"states": [{"name": "Idle", "motion": "Assets/Materials/Red.mat"}]}, "takes a Motion"),
        ({"states": [{"name": "Idle", "layer": "Legs"}]}, "no layer 'Legs'"),
        ({"parameters": [{"name": "Speed", "default": True}]}, "no default"),
        ({"remove": [{"parameter": "Nope"}]}, "no parameter 'Nope'"),
        ({"remove": [{"layer": "Base Layer"}]}, "needs a layer"),
        ({}, "Nothing to change"),
    ],
)
async def test_what_cannot_be_is_refused(change: dict[str, Any], says: str, caller: Caller, project: Path) -> None:
    before = files_of(project)
    assert says in await refused(caller, "asset.animator.edit", assetPath=HERO, **change)
    assert files_of(project) == before


@pytest.mark.parametrize(
    "change", [{"remove": [{"parameter": "Speed"}]}, {"parameters": [{"name": "Speed", "type": "Bool"}]}]
)
async def test_conditions_that_lose_their_parameter_are_said(
    change: dict[str, Any], caller: Caller, project: Path
) -> None:
    step = {"fromState": "Idle", "toState": "Run", "conditions": ["Speed > 0.5"]}
    first = await caller.run("asset.animator.edit", {"assetPath": HERO, "transitions": [step]})
    assert first.ok
    assert not [warning for warning in first.call.warnings if "conditions" in warning]
    outcome = await caller.run("asset.animator.edit", {"assetPath": HERO, **change})
    assert outcome.ok
    assert any("'Speed > 0.5'" in warning for warning in outcome.call.warnings)


async def test_a_blend_tree_is_told_with_its_motions(caller: Caller, project: Path) -> None:
    tree = (
        "--- !u!206 &4001\nBlendTree:\n  m_Name: Walk\n  m_Childs:\n  - serializedVersion: 2\n"
        "    m_Motion: {fileID: 7400000, guid: a1000000000000000000000000000002, type: 2}\n    m_Threshold: 0.5\n"
        "  m_BlendParameter: Speed\n  m_BlendType: 0\n"
    )
    text = (project / HERO).read_text().replace("m_Name: Run\n", "m_Name: Run\n", 1)
    motion = "  m_Motion: {fileID: 7400000, guid: a1000000000000000000000000000002, type: 2}\n"
    (project / HERO).write_text(text.replace(motion, "  m_Motion: {fileID: 4001}\n") + tree)
    run = (await base_layer(caller))["states"][1]
    assert run["motion"] == {"blendTree": "1D", "parameter": "Speed", "motions": [{"motion": RUN, "threshold": 0.5}]}
