"""The table of the engine's classes, beside what an editor wrote."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller
from tests.unity.corpus import PROJECTS, TEXTS, needs_corpus

from scenewright.unity.building.recipes import KINDS
from scenewright.unity.class_types.defaults import DEFAULTS
from scenewright.unity.class_types.enums import ENUMS
from scenewright.unity.class_types.numbers import LIMITS, number_text
from scenewright.unity.class_types.objects import default_value, new_object
from scenewright.unity.class_types.package_scripts import package_script
from scenewright.unity.class_types.table import SHIPPED, Field, table
from scenewright.unity.class_types.versions import read_version
from scenewright.unity.classes import PACKAGE_SCRIPTS
from scenewright.unity.editing.documents import COMPONENTS
from scenewright.unity.yaml.source import UnityFile

pytestmark = pytest.mark.anyio
VERSIONS = [
    "5.0.0f4",
    "5.4.3f1",
    "2017.4.40f1",
    "2018.4.36f1",
    "2019.4.40f1",
    "2021.3.2f1",
    "2022.3.10f1",
    "6000.0.20f1",
]
# An older save of the project: the editor leaves a file alone that nobody saves again.
LATER = {"m_ConstrainProportionsScale", "m_StaticShadowCaster", "customEmitterVelocity"}


def test_the_table_is_small_and_says_where_it_is_from() -> None:
    assert SHIPPED.stat().st_size < 500_000
    assert table().source.startswith("UnityPy ")
    assert table().first == "5.0.0f1"


def test_the_table_is_only_loaded_when_a_class_is_asked_for() -> None:
    code = "import sys, scenewright.unity.catalogue; sys.exit('scenewright.unity.class_types.table' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=60).returncode == 0


@pytest.mark.parametrize("version", VERSIONS)
def test_new_components_of_each_version_belong_to_an_object(version: str) -> None:
    at = read_version(version)
    assert at is not None
    for name in COMPONENTS:
        kind = table().class_type(COMPONENTS[name], at)
        if kind is not None:
            assert "m_GameObject" in new_object(kind, {}), name


def test_every_default_names_a_class_and_field_of_the_engine() -> None:
    versions = [read_version(text) for text in [*VERSIONS, table().last]]
    for name, fields in DEFAULTS.items():
        number = table().number(name)
        assert number is not None, name
        kinds = [kind for at in versions if at and (kind := table().class_type(number, at))]
        known = {field.name for kind in kinds for field in kind.fields}
        shared = {"m_ProvidesContacts", "m_SmallMeshCulling", "m_ForceMeshLod", "m_BreakAction", "m_Enabled", "m_Axis"}
        shared |= {"m_AutoConfigureConnectedAnchor", "m_EnablePreprocessing"}
        assert {path.partition(".")[0] for path in fields} - known <= shared | LAYERS_2D, name


LAYERS_2D = {"m_ForceSendLayers", "m_ForceReceiveLayers", "m_ContactCaptureLayers", "m_CallbackLayers"}


def test_every_named_number_is_of_a_field_that_there_is() -> None:
    versions = [at for text in [*VERSIONS, table().last] if (at := read_version(text)) is not None]
    for name, fields in ENUMS.items():
        number = table().number({"PhysicMaterial": "PhysicsMaterial"}.get(name, name))
        trees = [kind.fields for at in versions if number and (kind := table().class_type(number, at))]
        packaged = [package_script(name, at) for at in versions]
        trees += [script.fields for script in packaged if script is not None]
        known = {path for tree in trees for path in _whole_numbers(tree, "")}
        assert fields.keys() - known == set(), name


def _whole_numbers(fields: tuple[Field, ...], above: str) -> Iterator[str]:
    for field in fields:
        if field.kind in LIMITS:
            yield f"{above}{field.name}"
        yield from _whole_numbers(field.children, f"{above}{field.name}.")


@pytest.mark.parametrize(("version", "hdr", "preserved"), [("5.5.0f3", "0", "1"), ("2021.3.2f1", "1", "0")])
def test_old_versions_have_the_values_of_their_time(version: str, hdr: str, preserved: str) -> None:
    at = read_version(version)
    assert at is not None
    camera, renderer = table().class_type(20, at), table().class_type(23, at)
    assert camera is not None
    assert renderer is not None
    assert new_object(camera, {})["m_HDR"] == hdr
    assert new_object(renderer, {})["m_PreserveUVs"] == preserved


@pytest.mark.parametrize(
    ("value", "kind", "text"),
    [
        (0x88 / 255, "float", "0.53333336"),
        (0.1, "float", "0.1"),
        (2.0, "float", "2"),
        (-0.5, "float", "-0.5"),
        (1 / 3, "float", "0.33333334"),
        (7, "int", "7"),
    ],
)
def test_numbers_have_as_many_digits_as_the_engine_writes(value: float, kind: str, text: str) -> None:
    assert number_text(value, kind) == text


def _objects() -> list[tuple[UnityFile, Any]]:
    files = [UnityFile(path.read_bytes(), path.name) for path in TEXTS if path.suffix in (".unity", ".prefab")]
    return [(file, document) for file in files for document in file.documents if not document.stripped]


@needs_corpus
def test_new_components_have_the_fields_of_those_that_an_editor_wrote() -> None:
    text = (PROJECTS[0] / "ProjectSettings/ProjectVersion.txt").read_text().split()[1]
    version = read_version(text)
    assert version is not None
    seen: dict[str, bool] = {}
    for _, document in _objects():
        kind = table().class_type(document.class_id, version)
        if kind is None or kind.name not in DEFAULTS or document.class_id == 114:
            continue
        new = [name for name in new_object(kind, {}) if name in document.data or name not in LATER]
        seen[kind.name] = seen.get(kind.name, False) or new == list(document.data)
    assert [name for name, same in seen.items() if not same] == []
    assert len(seen) >= 18


@needs_corpus
def test_the_editor_wrote_the_shape_that_a_new_component_has() -> None:
    """Each value of a new component has the kind that the editor's value of the same field has."""
    version = read_version((PROJECTS[0] / "ProjectSettings/ProjectVersion.txt").read_text().split()[1])
    assert version is not None
    wrong = set()
    for _, document in _objects():
        kind = table().class_type(document.class_id, version)
        if kind is None or kind.name not in DEFAULTS or document.class_id == 114:
            continue
        for name, value in new_object(kind, {}).items():
            there = document.data.get(name)
            if (
                isinstance(there, dict)
                and isinstance(value, dict)
                and "fileID" not in there
                and list(there) != [key for key in value if key in there or key not in LATER]
            ):
                wrong.add((kind.name, name, tuple(there), tuple(value)))
    assert wrong == set()


def _frame_and_rest(document: Any, kind: Any) -> tuple[str, dict[str, Any], dict[str, Any]] | None:
    """Return the name of an object's class, the fields of a new one, and those that the editor wrote."""
    if document.class_id != 114:
        return (kind.name, new_object(kind, {}), document.data) if kind.name in DEFAULTS else None
    name = PACKAGE_SCRIPTS.get(document.data.get("m_Script", {}).get("guid", ""), "")
    packaged = package_script(name)
    if packaged is None:
        return None
    own = {field.name for field in kind.fields}
    new = {field.name: default_value(field, packaged.defaults, field.name) for field in packaged.fields}
    return name, new, {key: value for key, value in document.data.items() if key not in own}


NAMES = {"m_Name", "m_text"}


def _leaves(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Yield the values in an object by path, but for references to others, which are of each, and names."""
    if isinstance(value, dict) and "fileID" not in value:
        for key, part in value.items():
            if key not in NAMES:
                yield from _leaves(part, f"{path}.{key}" if path else key)
    elif isinstance(value, str) or (isinstance(value, list) and not _are_references(value)):
        yield path, value


def _are_references(rows: list[Any]) -> bool:
    return all(isinstance(row, dict) and "fileID" in row.get("component", row) for row in rows)


def _differences(new: dict[str, Any], data: dict[str, Any]) -> set[str] | None:
    """Return what differs; None where the fields are others or stand in another order."""
    if list(new) != list(data):
        return None
    one, other = dict(_leaves(new, "")), dict(_leaves(data, ""))
    return {path for path in one.keys() | other.keys() if one.get(path) != other.get(path)}


# What people have set in each one that the corpus has, so that it cannot tell what the editor begins with.
SET_IN_ALL: dict[str, set[str]] = {
    "Animation": {"m_PlayAutomatically"},
    "AnimationClip": {"m_EditorCurves", "m_FloatCurves", "m_AnimationClipSettings.m_LoopTime", "m_Legacy"},
    "AudioSource": {"m_Volume"},
    "Button": {  # of which a slider and a toggle have what is new
        *(f"m_Colors.m_NormalColor.{part}" for part in "rg"),
        *(f"m_Colors.m_HighlightedColor.{part}" for part in "rgb"),
        "m_Navigation.m_Mode",
    },
    "CanvasScaler": {"m_UiScaleMode", "m_ReferenceResolution.x", "m_ReferenceResolution.y"},
    "EventSystem": {"m_sendNavigationEvents"},
    "HorizontalLayoutGroup": {"m_ChildForceExpandWidth"},
    "LineRenderer": {"m_Positions", "m_Parameters.widthCurve.m_Curve", "m_UseWorldSpace"},
    "Material": {f"m_SavedProperties.{name}" for name in ("m_Floats", "m_TexEnvs", "m_Colors")},  # of their shaders
    "ParticleSystemRenderer": {"m_UseCustomVertexStreams", "m_VertexStreams"},
    "RenderSettings": {f"m_IndirectSpecularColor.{part}" for part in "rgb"},  # worked out of the sky by baking
    "ScrollRect": {"m_ScrollSensitivity", "m_Horizontal", "m_MovementType"},
    "Scrollbar": {*(f"m_Colors.m_NormalColor.{part}" for part in "rgb"), "m_Navigation.m_Mode", "m_Size", "m_Value"},
    "TextMeshPro": {
        *("m_HorizontalAlignment", "m_VerticalAlignment", "m_enableWordWrapping"),
        *("m_fontSize", "m_fontSizeBase", "m_fontStyle"),
    },
    "TrailRenderer": {"m_Time", "m_Parameters.widthCurve.m_Curve", "m_Parameters.colorGradient.key1.a"},
    "VerticalLayoutGroup": {"m_ChildAlignment"},
}


@needs_corpus
async def test_a_new_object_equals_one_that_an_editor_wrote_field_by_field(caller: Caller, project: Path) -> None:
    """Of each class there is one with the same fields in the same order, and the same values: as a new component, or
    as the menu makes it. Where a person has changed that one, another has the value.
    """
    text = (PROJECTS[0] / "ProjectSettings/ProjectVersion.txt").read_text()
    (project / "ProjectSettings/ProjectVersion.txt").write_text(text)
    made = await _made_by_the_menu(caller, project)
    version = read_version(text.split()[1])
    assert version is not None
    closest: dict[str, set[str]] = {}
    begins: dict[str, dict[str, Any]] = {}  # the values of a new one by class and path
    seen: dict[str, set[tuple[str, str]]] = {}  # that some object has them
    files = [UnityFile(path.read_bytes(), path.name) for path in TEXTS if path.suffix != ".meta"]
    for document in (document for file in files for document in file.documents if not document.stripped):
        kind = table().class_type(document.class_id, version)
        if kind is None or (row := _frame_and_rest(document, kind)) is None:
            continue
        name, new, data = row
        begins.setdefault(name, dict(_leaves(new, "")))
        seen.setdefault(name, set()).update((path, str(value)) for path, value in _leaves(data, ""))
        both = [_differences(one, data) for one in (new, *made.get(name, ()))]
        for different in [each for each in both if each is not None]:
            if name not in closest or len(different) < len(closest[name]):
                closest[name] = different
    left = {
        name: {path for path in paths if (path, str(begins[name].get(path))) not in seen[name]}
        for name, paths in closest.items()
    }
    assert {name: paths for name, paths in left.items() if paths} == SET_IN_ALL
    assert len(closest) >= 40


async def _made_by_the_menu(caller: Caller, project: Path) -> dict[str, list[dict[str, Any]]]:
    """Return the components of each kind of object, by class."""
    scene = "Assets/Scenes/Kinds.unity"
    made: dict[str, list[dict[str, Any]]] = {}
    (project / scene).write_bytes(b"%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n")
    (project / f"{scene}.meta").write_bytes(b"fileFormatVersion: 2\nguid: ab120000000000000000000000000001\n")
    for kind in KINDS:
        outcome = await caller.run("scene.object.add", {"scenePath": scene, "kind": kind})
        assert outcome.ok, (kind, outcome.fault)
    file = UnityFile((project / scene).read_bytes(), scene)
    for document in file.documents:
        known = table().class_type(document.class_id, (2021, 3, 2, 3, 1))
        row = _frame_and_rest(document, known)
        if row is not None:
            made.setdefault(row[0], []).append(row[2])
    return made
