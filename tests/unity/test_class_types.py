"""The table of the engine's classes, beside what an editor wrote."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from tests.unity.corpus import PROJECTS, TEXTS, needs_corpus

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


def _differences(new: dict[str, Any], data: dict[str, Any]) -> set[str]:
    return {name for name, value in new.items() if data[name] != value}


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


# What a person or another object of the file has set in every one that the corpus has.
SET_IN_ALL = {
    "Animation": {"m_Animation", "m_Animations", "m_PlayAutomatically"},
    "AnimationClip": {
        "m_Legacy",
        "m_UseHighQualityCurve",
        "m_FloatCurves",
        "m_AnimationClipSettings",
        "m_EditorCurves",
    },
    "AudioSource": {"OutputAudioMixerGroup", "m_audioClip", "m_PlayOnAwake", "m_Volume"},
    "Button": {"m_Navigation", "m_Colors", "m_TargetGraphic"},
    "Camera": {"m_Depth"},  # -1 of the main camera
    "CanvasScaler": {"m_UiScaleMode", "m_ReferenceResolution"},
    "EventSystem": {"m_sendNavigationEvents"},
    "GameObject": {"m_Component"},
    "HorizontalLayoutGroup": {"m_ChildAlignment", "m_ChildForceExpandWidth"},
    "Light": {"m_Type", "m_Color", "m_Shadows"},
    "LineRenderer": {"m_Positions", "m_Parameters", "m_UseWorldSpace"},
    "Mask": {"m_ShowMaskGraphic"},
    "Material": {"m_Shader", "m_SavedProperties"},
    "MeshCollider": {"m_Mesh"},
    "ParticleSystem": {"moveWithTransform", "InitialModule"},
    "ParticleSystemRenderer": {"m_UseCustomVertexStreams", "m_VertexStreams"},
    "RectTransform": {"m_SizeDelta", "m_Father"},
    "RenderSettings": {"m_SkyboxMaterial", "m_SpotCookie", "m_IndirectSpecularColor"},
    "ScrollRect": {
        "m_Content",
        "m_Horizontal",
        "m_MovementType",
        "m_ScrollSensitivity",
        "m_Viewport",
        "m_VerticalScrollbar",
        "m_HorizontalScrollbarVisibility",
        "m_VerticalScrollbarVisibility",
        "m_HorizontalScrollbarSpacing",
    },
    "Scrollbar": {"m_Navigation", "m_Colors", "m_TargetGraphic", "m_HandleRect", "m_Direction", "m_Value", "m_Size"},
    "Slider": {"m_TargetGraphic", "m_FillRect", "m_HandleRect"},
    "TextMeshPro": {
        "m_fontAsset",
        "m_sharedMaterial",
        "m_fontSize",
        "m_fontSizeBase",
        "m_fontStyle",
        "m_HorizontalAlignment",
        "m_VerticalAlignment",
        "m_enableWordWrapping",
        "m_renderer",
    },
    "TextMeshProUGUI": {"m_fontAsset", "m_sharedMaterial", "m_fontStyle"},
    "Toggle": {"m_TargetGraphic", "graphic"},
    "TrailRenderer": {"m_Time", "m_Parameters"},
    "VerticalLayoutGroup": {"m_ChildAlignment", "m_ChildForceExpandHeight"},
}
OF_EACH = {"m_GameObject", "m_Name", "m_text", "m_Materials"}
ACTIONS = {"InputSystemUIInputModule"}  # whose actions are those of the package


@needs_corpus
def test_a_new_object_equals_one_that_an_editor_wrote_field_by_field() -> None:
    """Of each class there is one with the same fields in the same order, and the same values but those set in all."""
    version = read_version((PROJECTS[0] / "ProjectSettings/ProjectVersion.txt").read_text().split()[1])
    assert version is not None
    closest: dict[str, set[str]] = {}
    seen: set[str] = set()
    files = [UnityFile(path.read_bytes(), path.name) for path in TEXTS if path.suffix != ".meta"]
    for document in (document for file in files for document in file.documents if not document.stripped):
        kind = table().class_type(document.class_id, version)
        row = None if kind is None else _frame_and_rest(document, kind)
        if row is None:
            continue
        name, new, data = row
        seen.add(name)
        if list(new) == list(data):
            other = _differences(new, data) - OF_EACH
            if name not in closest or len(other) < len(closest[name]):
                closest[name] = other
    assert closest.keys() == seen
    assert len(closest) >= 40
    more = {name: other - SET_IN_ALL.get(name, set()) for name, other in closest.items() if name not in ACTIONS}
    assert {name: other for name, other in more.items() if other} == {}
