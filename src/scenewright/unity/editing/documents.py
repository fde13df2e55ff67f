"""New documents as the engine writes them, with as few fields as it needs: it fills in the rest when it loads them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from scenewright.unity.classes import CLASSES
from scenewright.unity.yaml.writer import write_block

__all__ = ["COMPONENTS", "component", "game_object", "quaternion", "script", "stripped", "transform"]

_NOTHING = {"fileID": "0"}
# Classes that can be put on a GameObject; transforms come with it.
COMPONENTS = {
    name: number
    for number, name in CLASSES.items()
    if name
    in {
        "AimConstraint",
        "Animation",
        "Animator",
        "AreaEffector2D",
        "AudioChorusFilter",
        "AudioDistortionFilter",
        "AudioEchoFilter",
        "AudioHighPassFilter",
        "AudioListener",
        "AudioLowPassFilter",
        "AudioReverbFilter",
        "AudioReverbZone",
        "AudioSource",
        "BillboardRenderer",
        "BoxCollider",
        "BoxCollider2D",
        "BuoyancyEffector2D",
        "Camera",
        "Canvas",
        "CanvasGroup",
        "CanvasRenderer",
        "CapsuleCollider",
        "CapsuleCollider2D",
        "CharacterController",
        "CharacterJoint",
        "CircleCollider2D",
        "Cloth",
        "CompositeCollider2D",
        "ConfigurableJoint",
        "ConstantForce",
        "ConstantForce2D",
        "DistanceJoint2D",
        "EdgeCollider2D",
        "FixedJoint",
        "FixedJoint2D",
        "FlareLayer",
        "FrictionJoint2D",
        "Grid",
        "HingeJoint",
        "HingeJoint2D",
        "LODGroup",
        "LensFlare",
        "Light",
        "LightProbeGroup",
        "LightProbeProxyVolume",
        "LineRenderer",
        "LookAtConstraint",
        "MeshCollider",
        "MeshFilter",
        "MeshRenderer",
        "NavMeshAgent",
        "NavMeshObstacle",
        "OcclusionArea",
        "OcclusionPortal",
        "OffMeshLink",
        "ParentConstraint",
        "ParticleSystem",
        "ParticleSystemForceField",
        "ParticleSystemRenderer",
        "PlatformEffector2D",
        "PlayableDirector",
        "PointEffector2D",
        "PolygonCollider2D",
        "PositionConstraint",
        "Projector",
        "ReflectionProbe",
        "RelativeJoint2D",
        "Rigidbody",
        "Rigidbody2D",
        "RotationConstraint",
        "ScaleConstraint",
        "SkinnedMeshRenderer",
        "Skybox",
        "SliderJoint2D",
        "SortingGroup",
        "SphereCollider",
        "SpringJoint",
        "SpringJoint2D",
        "SpriteMask",
        "SpriteRenderer",
        "SurfaceEffector2D",
        "TargetJoint2D",
        "Terrain",
        "TerrainCollider",
        "TextMesh",
        "Tilemap",
        "TilemapCollider2D",
        "TilemapRenderer",
        "TrailRenderer",
        "Tree",
        "VideoPlayer",
        "VisualEffect",
        "WheelCollider",
        "WheelJoint2D",
        "WindZone",
    }
}
# These cannot be switched off, so they have no such field.
_ALWAYS_ON = {
    "Rigidbody",
    "Rigidbody2D",
    "MeshFilter",
    "CanvasRenderer",
    "ParticleSystem",
    "TextMesh",
    "CharacterJoint",
    "ConfigurableJoint",
    "FixedJoint",
    "HingeJoint",
    "SpringJoint",
    "OcclusionArea",
    "LightProbeGroup",
    "Tree",
}


def _document(class_id: int, file_id: int, name: str, fields: Mapping[str, Any]) -> str:
    body = "".join(write_block(key, value, 2) for key, value in fields.items())
    return f"--- !u!{class_id} &{file_id}\n{name}:\n{body}"


def _common(owner: int | None = None) -> dict[str, Any]:
    common: dict[str, Any] = {
        "m_ObjectHideFlags": "0",
        "m_CorrespondingSourceObject": _NOTHING,
        "m_PrefabInstance": _NOTHING,
        "m_PrefabAsset": _NOTHING,
    }
    return common if owner is None else common | {"m_GameObject": {"fileID": str(owner)}}


def game_object(file_id: int, name: str, components: Sequence[int], **fields: Any) -> str:
    rows = [{"component": {"fileID": str(part)}} for part in components]
    return _document(
        1,
        file_id,
        "GameObject",
        _common()
        | {
            "serializedVersion": "6",
            "m_Component": rows,
            "m_Layer": str(fields.get("layer", 0)),
            "m_Name": name,
            "m_TagString": fields.get("tag", "Untagged"),
            "m_Icon": _NOTHING,
            "m_NavMeshLayer": "0",
            "m_StaticEditorFlags": "0",
            "m_IsActive": "1" if fields.get("active", True) else "0",
        },
    )


def transform(file_id: int, owner: int, father: int, *, is_rect: bool, order: int | None) -> str:
    """Return a transform at its parent's place; `order` only for versions that write it."""
    fields = _common(owner) | {
        "m_LocalRotation": {"x": "0", "y": "0", "z": "0", "w": "1"},
        "m_LocalPosition": _vector(0),
        "m_LocalScale": _vector(1),
        "m_ConstrainProportionsScale": "0",
        "m_Children": [],
        "m_Father": {"fileID": str(father)},
    }
    if order is not None:
        fields["m_RootOrder"] = str(order)
    fields["m_LocalEulerAnglesHint"] = _vector(0)
    if is_rect:
        half = {"x": "0.5", "y": "0.5"}
        fields |= {
            "m_AnchorMin": half,
            "m_AnchorMax": half,
            "m_AnchoredPosition": {"x": "0", "y": "0"},
            "m_SizeDelta": {"x": "100", "y": "100"},
            "m_Pivot": half,
        }
    return _document(224 if is_rect else 4, file_id, "RectTransform" if is_rect else "Transform", fields)


def component(file_id: int, owner: int, name: str) -> str:
    """Return a component of one of the engine's classes."""
    enabled = {} if name in _ALWAYS_ON else {"m_Enabled": "1"}
    return _document(COMPONENTS[name], file_id, name, _common(owner) | enabled)


def script(file_id: int, owner: int, guid: str) -> str:
    """Return a component of a script."""
    return _document(
        114,
        file_id,
        "MonoBehaviour",
        _common(owner)
        | {
            "m_Enabled": "1",
            "m_EditorHideFlags": "0",
            "m_Script": {"fileID": "11500000", "guid": guid, "type": "3"},
            "m_Name": "",
            "m_EditorClassIdentifier": "",
        },
    )


def stripped(class_id: int, file_id: int, source: int, guid: str, instance: int) -> str:
    """Return a stand-in for an object that a prefab instance brings."""
    fields = {
        "m_CorrespondingSourceObject": {"fileID": str(source), "guid": guid, "type": "3"},
        "m_PrefabInstance": {"fileID": str(instance)},
        "m_PrefabAsset": _NOTHING,
    }
    text = _document(class_id, file_id, CLASSES[class_id], fields)
    return text.replace(f"&{file_id}\n", f"&{file_id} stripped\n", 1)


def _vector(value: int) -> dict[str, str]:
    return {"x": str(value), "y": str(value), "z": str(value)}


def quaternion(degrees: Sequence[float]) -> dict[str, float]:
    """Return euler angles as a rotation, in the engine's order: about z, then x, then y."""
    (sx, cx), (sy, cy), (sz, cz) = ((math.sin(half), math.cos(half)) for half in (math.radians(a) / 2 for a in degrees))
    return {
        "x": sx * cy * cz + cx * sy * sz,
        "y": cx * sy * cz - sx * cy * sz,
        "z": cx * cy * sz - sx * sy * cz,
        "w": cx * cy * cz + sx * sy * sz,
    }
