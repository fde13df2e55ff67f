"""What a new component brings along, and what it is not put beside, as in the editor."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller
from tests.unity.operations.changed_copies import MAIN, done, files_of, refused
from tests.unity.raw_check import problems_of

pytestmark = pytest.mark.anyio


async def types_of(caller: Caller, path: str) -> list[str]:
    shown = await done(caller, "scene.components.list", scenePath=MAIN, gameObjectPath=path)
    return [row["type"] for row in shown["components"]]


async def added(caller: Caller, component: str, path: str = "New") -> dict[str, Any]:
    if path == "New":
        await done(caller, "scene.object.add", scenePath=MAIN, name="New")
    return await done(caller, "scene.component.add", scenePath=MAIN, gameObjectPath=path, componentType=component)


def write_script(project: Path, name: str, text: str) -> None:
    (project / f"Assets/Scripts/{name}.cs").write_text(f"using UnityEngine;\n{text}")
    (project / f"Assets/Scripts/{name}.cs.meta").write_text(f"fileFormatVersion: 2\nguid: {name.encode().hex():0<32}\n")


@pytest.mark.parametrize(
    ("component", "there"),
    [
        ("HingeJoint", ["Transform", "Rigidbody", "HingeJoint"]),
        ("SpringJoint2D", ["Transform", "Rigidbody2D", "SpringJoint2D"]),
        ("ParticleSystem", ["Transform", "ParticleSystem", "ParticleSystemRenderer"]),
        ("Image", ["RectTransform", "CanvasRenderer", "Image"]),
        ("GraphicRaycaster", ["RectTransform", "Canvas", "GraphicRaycaster"]),
        ("TextMeshPro", ["RectTransform", "MeshRenderer", "TextMeshPro"]),
        ("Skybox", ["Transform", "Camera", "Skybox"]),
    ],
)
async def test_a_component_brings_what_it_needs(
    component: str, there: list[str], caller: Caller, project: Path
) -> None:
    made = await added(caller, component)
    assert await types_of(caller, "New") == there
    assert made["alsoAdded"] == [name for name in there[1:] if name != component]
    assert problems_of((project / MAIN).read_bytes()) == []


async def test_what_is_there_already_is_not_brought_again(caller: Caller, project: Path) -> None:
    parts = ["HingeJoint", "Rigidbody", "SpringJoint"]
    await done(caller, "scene.object.add", scenePath=MAIN, name="New", components=parts)
    assert await types_of(caller, "New") == ["Transform", "Rigidbody", "HingeJoint", "SpringJoint"]
    assert "alsoAdded" not in await added(caller, "ConstantForce", "New")


async def test_a_script_brings_what_its_attributes_name(caller: Caller, project: Path) -> None:
    text = "[RequireComponent(typeof(Rigidbody), typeof(PlayerController))]\npublic class Base : MonoBehaviour {}\n"
    write_script(project, "Base", text)
    write_script(project, "Tank", "[RequireComponent(typeof(UnityEngine.AudioSource))]\npublic class Tank : Base {}\n")
    await added(caller, "Tank")
    assert await types_of(caller, "New") == ["Transform", "Rigidbody", "PlayerController", "AudioSource", "Tank"]


async def test_a_script_that_needs_a_kind_of_component_is_told_which_there_are(caller: Caller, project: Path) -> None:
    write_script(project, "Hit", "[RequireComponent(typeof(Collider))]\npublic class Hit : MonoBehaviour {}\n")
    assert (await added(caller, "Hit", "Player"))["componentType"] == "Hit"  # which has one
    before = files_of(project)
    at = {"scenePath": MAIN, "gameObjectPath": "Main Camera", "componentType": "Hit"}
    said = await refused(caller, "scene.component.add", **at)
    assert "needs a Collider" in said
    assert "SphereCollider" in said
    assert files_of(project) == before


async def test_what_a_script_needs_of_a_package_that_is_not_here_is_said(caller: Caller, project: Path) -> None:
    write_script(project, "Net", "[RequireComponent(typeof(NetworkIdentity))]\npublic class Net : MonoBehaviour {}\n")
    outcome = await caller.run(
        "scene.component.add", {"scenePath": MAIN, "gameObjectPath": "Player", "componentType": "Net"}
    )
    assert outcome.ok
    assert any("needs 'NetworkIdentity'" in warning for warning in outcome.call.warnings)


async def test_a_part_of_an_instance_gets_both(caller: Caller, project: Path) -> None:
    await added(caller, "FixedJoint", "Enemies/Grunt/Sword")
    assert (await types_of(caller, "Enemies/Grunt/Sword"))[-2:] == ["Rigidbody", "FixedJoint"]
    assert problems_of((project / MAIN).read_bytes()) == []
    assert (project / MAIN).read_text().count("--- !u!1 &") == (project / MAIN).read_text().count("\nGameObject:")


@pytest.mark.parametrize(
    ("first", "second", "says"),
    [
        ("Rigidbody", "Rigidbody", "only one"),
        ("BoxCollider", "Rigidbody2D", "no Rigidbody2D beside it"),
        ("MeshFilter", "SpriteRenderer", "no SpriteRenderer beside it"),
        ("Image", "TextMeshProUGUI", "has an Image"),
        ("Single", "Single", "only one"),
    ],
)
async def test_what_the_editor_does_not_put_together_is_refused(
    first: str, second: str, says: str, caller: Caller, project: Path
) -> None:
    write_script(project, "Single", "[DisallowMultipleComponent]\npublic class Single : MonoBehaviour {}\n")
    await added(caller, first)
    before = files_of(project)
    at = {"scenePath": MAIN, "gameObjectPath": "New", "componentType": second}
    assert says in await refused(caller, "scene.component.add", **at)
    assert files_of(project) == before


async def test_two_colliders_are_fine(caller: Caller, project: Path) -> None:
    await added(caller, "BoxCollider")
    await added(caller, "BoxCollider", "New")
    assert await types_of(caller, "New") == ["Transform", "BoxCollider", "BoxCollider"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("public class Odd : ScriptableObject {}", "a ScriptableObject"),
        ("public class Odd {}", "no MonoBehaviour"),
        ("public abstract class Odd : MonoBehaviour {}", "abstract"),
    ],
)
async def test_a_script_that_is_no_component_is_refused(text: str, says: str, caller: Caller, project: Path) -> None:
    write_script(project, "Odd", text)
    before = files_of(project)
    at = {"scenePath": MAIN, "gameObjectPath": "Player", "componentType": "Odd"}
    assert says in await refused(caller, "scene.component.add", **at)
    assert files_of(project) == before


async def test_a_script_below_a_class_of_a_package_is_added(caller: Caller, project: Path) -> None:
    write_script(project, "Odd", "public class Odd : NetworkBehaviour {}")
    await added(caller, "Odd", "Player")
