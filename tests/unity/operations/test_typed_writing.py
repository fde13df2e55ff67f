"""New components whole, in the editor's order, and each value in the kind that its field is declared with."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller
from tests.unity.operations.changed_copies import BOSS, ENEMY, MAIN, done, files_of, refused

from scenewright.core.faults import Invalid
from scenewright.unity.editing.components import addable_components
from scenewright.unity.yaml.source import UnityFile

pytestmark = pytest.mark.anyio

SPAWNER = """using System;
using System.Collections.Generic;
using UnityEngine;

public enum Mode { Off, Slow = 4, Fast }

[Serializable]
public class Wave { public int count; public Color color; }

public class Spawner : MonoBehaviour
{
    public float interval = 2.5f;
    public GameObject enemy;
    public EnemyAI brain;
    public Mode mode = Mode.Slow;
    public Vector3 offset;
    public List<Wave> waves;
    public int[] levels;
    public LayerMask mask;
    public AudioClip sound;
    [SerializeField] bool loop = true;
    [NonSerialized] public int hidden;
    public static int total;
    private int own;
    public Dictionary<string, int> table;
}
"""


def the(project: Path, path: str, file_id: str) -> dict[str, Any]:
    return UnityFile((project / path).read_bytes(), path).document(int(file_id)).data


def text_of(project: Path, path: str, file_id: str) -> str:
    document = UnityFile((project / path).read_bytes(), path).document(int(file_id))
    return document.file.data[document.start : document.end].decode()


async def add(caller: Caller, component: str, **properties: Any) -> dict[str, Any]:
    more = {"properties": properties} if properties else {}
    return await done(
        caller, "scene.component.add", scenePath=MAIN, gameObjectPath="Player", componentType=component, **more
    )


async def test_a_new_component_has_every_field_in_the_order_of_the_editor(caller: Caller, project: Path) -> None:
    added = await add(caller, "Rigidbody", m_Mass=2, m_Constraints="FreezeRotation")
    assert list(the(project, MAIN, added["fileId"])) == [
        "m_ObjectHideFlags",
        "m_CorrespondingSourceObject",
        "m_PrefabInstance",
        "m_PrefabAsset",
        "m_GameObject",
        "serializedVersion",
        "m_Mass",
        "m_Drag",
        "m_AngularDrag",
        "m_CenterOfMass",
        "m_InertiaTensor",
        "m_InertiaRotation",
        "m_IncludeLayers",
        "m_ExcludeLayers",
        "m_ImplicitCom",
        "m_ImplicitTensor",
        "m_UseGravity",
        "m_IsKinematic",
        "m_Interpolate",
        "m_Constraints",
        "m_CollisionDetection",
    ]
    assert added["properties"] == {"m_Mass": 2, "m_Constraints": 112}
    assert the(project, MAIN, added["fileId"])["serializedVersion"] == "4"
    assert the(project, MAIN, added["fileId"])["m_UseGravity"] == "1"


async def test_values_of_a_new_component_are_written_as_the_editor_would(caller: Caller, project: Path) -> None:
    at = {"scenePath": MAIN, "gameObjectPath": "Player"}
    await done(caller, "scene.component.remove", **at, componentType="BoxCollider")
    added = await add(caller, "BoxCollider2D", m_Size=[6, 3], m_IsTrigger=True)
    text = text_of(project, MAIN, added["fileId"])
    assert "\n  m_IsTrigger: 1\n" in text
    assert "\n  m_Size: {x: 6, y: 3}\n" in text
    light = await add(caller, "Light", **{"m_Color": "#ff8800", "m_Shadows.m_Type": "Soft", "m_CullingMask": ["UI"]})
    text = text_of(project, MAIN, light["fileId"])
    assert "m_Color: {r: 1, g: 0.53333336, b: 0, a: 1}" in text
    assert "m_Shadows:\n    m_Type: 2\n    m_Resolution: -1\n" in text
    assert "m_CullingMask:\n    serializedVersion: 2\n    m_Bits: 32\n" in text


async def test_a_reference_is_checked_by_its_class(caller: Caller, project: Path) -> None:
    before = files_of(project)
    arguments = {"scenePath": MAIN, "gameObjectPath": "Player", "componentType": "AudioSource"}
    wrong = {"m_audioClip": "Assets/Materials/Red.mat"}
    assert "takes an AudioClip" in await refused(caller, "scene.component.add", **arguments, properties=wrong)
    assert files_of(project) == before


@pytest.mark.parametrize(
    ("reference", "says"),
    [
        ({"fileId": "2100000", "guid": "a7000000000000000000000000000001", "type": 2}, "is a Material"),
        ({"fileId": "7", "guid": "a7000000000000000000000000000001", "type": 2}, "no object with the file id 7"),
        ({"fileId": "2800000", "guid": "7e000000000000000000000000000001", "type": 3}, "is a Texture2D"),
        ({"fileId": "300"}, "is a GameObject"),
        ({"fileId": "8300000", "guid": "zz"}, "not a guid"),
    ],
)
async def test_a_reference_by_ids_is_checked_by_its_class(
    reference: dict[str, Any], says: str, caller: Caller, project: Path
) -> None:
    before = files_of(project)
    arguments = {"scenePath": MAIN, "gameObjectPath": "Player", "componentType": "AudioSource"}
    assert says in await refused(caller, "scene.component.add", **arguments, properties={"m_audioClip": reference})
    assert files_of(project) == before


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [("m_Layer", 40, "no layer '40'"), ("m_Layer", "Nope", "no layer"), ("m_TagString", "Nope", "no tag 'Nope'")],
)
async def test_a_layer_and_a_tag_are_of_the_project(
    name: str, value: Any, says: str, caller: Caller, project: Path
) -> None:
    for path in ("Player", "Enemies/Grunt"):
        at = {"scenePath": MAIN, "gameObjectPath": path, "property": name}
        assert says in await refused(caller, "scene.property.set", **at, value=value)


@pytest.mark.parametrize(
    ("component", "name", "value", "number"),
    [
        ("Image", "m_Type", "Filled", 3),
        ("CanvasScaler", "m_UiScaleMode", "ScaleWithScreenSize", 1),
        ("TextMeshProUGUI", "m_fontStyle", ["Bold", "Italic"], 3),
        ("Text", "m_FontData.m_Alignment", "MiddleCenter", 4),
        ("ParticleSystem", "ShapeModule.type", "Circle", 10),
        ("Light", "m_Shadows.m_Resolution", "VeryHigh", 3),
    ],
)
async def test_names_of_numbers(
    component: str, name: str, value: Any, number: int, caller: Caller, project: Path
) -> None:
    added = await add(caller, component, **{name: value})
    assert added["properties"] == {name: number}


async def test_static_flags_go_by_their_names(caller: Caller, project: Path) -> None:
    at = {"scenePath": MAIN, "gameObjectPath": "Player", "property": "m_StaticEditorFlags"}
    changed = await done(caller, "scene.property.set", **at, value=["ContributeGI", "BatchingStatic"])
    assert changed["value"] == 5


async def test_a_field_that_a_class_does_not_have_is_no_override(caller: Caller, project: Path) -> None:
    before = files_of(project)
    at = {"scenePath": MAIN, "gameObjectPath": "Enemies/Grunt", "componentType": "EnemyAI", "create": True}
    assert "'speed'" in await refused(caller, "scene.property.set", **at, property="sped", value=1)
    assert files_of(project) == before


@pytest.mark.parametrize(
    ("component", "properties", "says"),
    [
        ("Light", {"m_Colour": "#ffffff"}, "'m_Color'"),
        ("Light", {"m_Intensity": None}, "a number"),
        ("Light", {"m_RenderMode": 1.7}, "a whole number"),
        ("Light", {"m_RenderMode": "Sometimes"}, "ForcePixel"),
        ("Light", {"m_Color": [1, 2]}, "a colour"),
        ("Rigidbody", {"m_Mass": "heavy"}, "a number"),
        ("Rigidbody", {"m_GameObject": {"fileId": "300"}}, "holds the file together"),
        ("EnemyAI", {"sped": 3}, "'speed'"),
        ("EnemyAI", {"speed": "fast"}, "a number"),
        ("EnemyAI", {"settings": "Assets/Materials/Red.mat"}, "takes a GameSettings"),
        ("Button", {"m_Colors": [1, 2]}, "an object with m_NormalColor"),
        ("CinemachineBrain", {"m_Lens": [1, 2]}, "is not known here"),
    ],
)
async def test_what_a_field_does_not_take_is_refused(
    component: str, properties: dict[str, Any], says: str, caller: Caller, project: Path
) -> None:
    before = files_of(project)
    arguments = {"scenePath": MAIN, "gameObjectPath": "Player", "componentType": component}
    assert says in await refused(caller, "scene.component.add", **arguments, properties=properties)
    assert files_of(project) == before


async def test_the_fields_of_a_script_are_typed_by_its_source(caller: Caller, project: Path) -> None:
    await caller.reply("write_file", {"path": "Assets/Scripts/Spawner.cs", "content": SPAWNER})
    added = await add(
        caller,
        "Spawner",
        interval=1.5,
        enemy=ENEMY,
        brain=ENEMY,
        mode="Fast",
        offset=[1, 2, 3],
        waves=[{"count": 2, "color": "#00ff00"}],
        levels=[1, 258],
        mask=["UI"],
    )
    text = text_of(project, MAIN, added["fileId"])
    assert text.partition("m_EditorClassIdentifier: \n")[2] == (
        "  interval: 1.5\n"
        "  enemy: {fileID: 7310000000000000001, guid: f0000000000000000000000000000001, type: 3}\n"
        "  brain: {fileID: 7310000000000000003, guid: f0000000000000000000000000000001, type: 3}\n"
        "  mode: 5\n"
        "  offset: {x: 1, y: 2, z: 3}\n"
        "  waves:\n"
        "  - count: 2\n"
        "    color: {r: 0, g: 1, b: 0, a: 1}\n"
        "  levels: 0100000002010000\n"
        "  mask:\n"
        "    serializedVersion: 2\n"
        "    m_Bits: 32\n"
        "  sound: {fileID: 0}\n"
        "  loop: 1\n"
    )


async def test_a_field_of_an_older_file_is_added_in_its_place(caller: Caller, project: Path) -> None:
    arguments = {"scenePath": MAIN, "gameObjectPath": "Main Camera", "componentType": "Camera"}
    await done(caller, "scene.property.set", **arguments, propertyPath="m_Depth", value=-1)
    await done(caller, "scene.property.set", **arguments, propertyPath="m_NormalizedViewPortRect.width", value=0.5)
    data = the(project, MAIN, "102")
    written = ["m_NormalizedViewPortRect", "near clip plane", "far clip plane", "field of view", "orthographic"]
    assert list(data)[-6:] == [*written, "m_Depth"]
    assert data["m_NormalizedViewPortRect"]["height"] == "1"
    assert data["m_Depth"] == "-1"


async def test_a_list_of_whole_numbers_in_an_override_has_an_entry_each(caller: Caller, project: Path) -> None:
    source = project / "Assets/Scripts/EnemyAI.cs"
    source.write_text(source.read_text().replace("public float", "public int[] levels;\n        public float"))
    arguments = {"scenePath": MAIN, "gameObjectPath": "Enemies/Grunt", "componentType": "EnemyAI"}
    await done(caller, "scene.property.set", **arguments, propertyPath="levels", value=[3, 4])
    text = (project / MAIN).read_text()
    assert "propertyPath: levels.Array.size\n      value: 2\n" in text
    assert "propertyPath: levels.Array.data[1]\n      value: 4\n" in text


async def test_new_objects_of_a_prefab_are_written_whole(caller: Caller, project: Path) -> None:
    added = await done(caller, "scene.object.add", scenePath=BOSS, name="Arm", parentPath="Boss")
    assert "\n  m_LocalScale: {x: 1, y: 1, z: 1}\n" in text_of(project, BOSS, str(int(added["fileId"]) + 1))


async def test_fields_below_a_class_of_a_package_are_not_taken_for_all_there_are(caller: Caller, project: Path) -> None:
    source = project / "Assets/Scripts/EnemyAI.cs"
    source.write_text(source.read_text().replace("EnemyAI : MonoBehaviour", "EnemyAI : Identity"))
    added = await add(caller, "EnemyAI", fromPackage=3)
    assert text_of(project, MAIN, added["fileId"]).endswith("  m_EditorClassIdentifier: \n  fromPackage: 3\n")


@pytest.mark.parametrize(
    ("component", "near"), [("LODGroup", "SortingGroup"), ("CharacterJoint", "HingeJoint"), ("WheelCollider", "")]
)
async def test_a_component_whose_values_are_not_known_is_refused(
    component: str, near: str, caller: Caller, project: Path
) -> None:
    before = files_of(project)
    at = {"scenePath": MAIN, "gameObjectPath": "Player", "componentType": component}
    said = await refused(caller, "scene.component.add", **at)
    assert f"new '{component}' is not known" in said
    assert "in the editor" in said
    assert near in said
    with_one = {"scenePath": MAIN, "name": "Far", "components": ["BoxCollider", component]}
    assert "is not known" in await refused(caller, "scene.object.add", **with_one)
    assert files_of(project) == before


async def test_a_new_tilemap_and_director_have_the_lines_that_the_editor_writes(caller: Caller, project: Path) -> None:
    tilemap = the(project, MAIN, (await add(caller, "Tilemap"))["fileId"])
    assert tilemap["m_Size"] == {"x": "0", "y": "0", "z": "1"}
    director = text_of(project, MAIN, (await add(caller, "PlayableDirector"))["fileId"])
    assert "  m_ExposedReferences:\n    m_References: []\n" in director


def test_the_guide_says_how_many_components_can_be_added() -> None:
    guide = (Path(__file__).parents[3] / "docs/unity.md").read_text()
    assert f"{len(addable_components())} of the engine's components" in guide


@pytest.mark.parametrize(
    ("tool", "arguments", "name"),
    [
        (
            "scene.component.add",
            {"scenePath": MAIN, "gameObjectPath": "Player", "componentType": "SphereCollider"},
            "m_Radius",
        ),
        ("asset.object.set", {"assetPath": "Assets/Materials/Red.mat"}, "m_EnableInstancingVariants"),
        ("asset.create", {"assetPath": "Assets/New.anim"}, "m_SampleRate"),
    ],
)
async def test_a_refusal_names_the_property_of_several(
    tool: str, arguments: dict[str, Any], name: str, caller: Caller
) -> None:
    outcome = await caller.run(tool, {**arguments, "properties": {name: "much"}})
    assert isinstance(outcome.fault, Invalid), outcome.fault
    assert outcome.fault.path == f"input.properties.{name}"
