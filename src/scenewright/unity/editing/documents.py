"""New documents as the engine writes them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from scenewright.unity.class_types.objects import new_object
from scenewright.unity.class_types.table import ClassType
from scenewright.unity.classes import CLASSES
from scenewright.unity.yaml.writer import write_block

__all__ = [
    "COMPONENTS",
    "component",
    "game_object",
    "object_text",
    "quaternion",
    "script",
    "stripped",
    "text_of",
    "transform",
    "transform_fields",
]

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


def _document(class_id: int, file_id: int, name: str, fields: Mapping[str, Any]) -> str:
    body = "".join(write_block(key, value, 2) for key, value in fields.items())
    return f"--- !u!{class_id} &{file_id}\n{name}:\n{body}"


def _whole(kind: ClassType, file_id: int, given: Mapping[str, Any]) -> str:
    return _document(kind.class_id, file_id, kind.name, new_object(kind, given))


def game_object(kind: ClassType, file_id: int, name: str, components: Mapping[int, int], **fields: Any) -> str:
    """Return a GameObject; `components` has the class of each."""
    listed = kind.field("m_Component")
    is_old = listed is not None and listed.children[0].kind == "pair"  # which names each by the number of its class
    rows = [{str(class_id) if is_old else "component": {"fileID": str(part)}} for part, class_id in components.items()]
    return _whole(
        kind,
        file_id,
        {
            "m_Component": rows,
            "m_Layer": str(fields.get("layer", 0)),
            "m_Name": name,
            "m_TagString": fields.get("tag", "Untagged"),
            "m_IsActive": "1" if fields.get("active", True) else "0",
        },
    )


def transform(kind: ClassType, file_id: int, owner: int, father: int, *, order: int | None) -> str:
    """Return a transform at its parent's place; `order` where the file has one for each."""
    return text_of(kind, file_id, transform_fields(kind, owner, father, order=order))


def transform_fields(kind: ClassType, owner: int, father: int, *, order: int | None) -> dict[str, Any]:
    """Return the fields of a transform at its parent's place."""
    fields = new_object(kind, {"m_GameObject": {"fileID": str(owner)}, "m_Father": {"fileID": str(father)}})
    if order is not None and "m_RootOrder" in fields:
        fields["m_RootOrder"] = str(order)
    elif order is not None:
        fields = {
            name: part
            for key, value in fields.items()
            for name, part in ((key, value), *([("m_RootOrder", str(order))] if key == "m_Father" else []))
        }
    return fields


def text_of(kind: ClassType, file_id: int, fields: Mapping[str, Any]) -> str:
    """Return an object with just these fields."""
    return _document(kind.class_id, file_id, kind.name, fields)


def object_text(kind: ClassType, file_id: int, given: Mapping[str, Any]) -> str:
    """Return any object, with the values that are given and the defaults of a new one."""
    return _whole(kind, file_id, given)


def component(kind: ClassType, file_id: int, owner: int) -> str:
    """Return a component of one of the engine's classes."""
    return _whole(kind, file_id, {"m_GameObject": {"fileID": str(owner)}})


def script(kind: ClassType, file_id: int, owner: int, guid: str, fields: Mapping[str, Any]) -> str:
    """Return a component of a script, with the script's own fields."""
    given = {
        "m_GameObject": {"fileID": str(owner)},
        "m_Script": {"fileID": "11500000", "guid": guid, "type": "3"},
    }
    return _document(114, file_id, "MonoBehaviour", {**new_object(kind, given), **fields})


def stripped(class_id: int, file_id: int, source: int, guid: str, instance: int) -> str:
    """Return a stand-in for an object that a prefab instance brings."""
    fields = {
        "m_CorrespondingSourceObject": {"fileID": str(source), "guid": guid, "type": "3"},
        "m_PrefabInstance": {"fileID": str(instance)},
        "m_PrefabAsset": _NOTHING,
    }
    text = _document(class_id, file_id, CLASSES[class_id], fields)
    return text.replace(f"&{file_id}\n", f"&{file_id} stripped\n", 1)


def quaternion(degrees: Sequence[float]) -> dict[str, float]:
    """Return euler angles as a rotation, in the engine's order: about z, then x, then y."""
    (sx, cx), (sy, cy), (sz, cz) = ((math.sin(half), math.cos(half)) for half in (math.radians(a) / 2 for a in degrees))
    return {
        "x": sx * cy * cz + cx * sy * sz,
        "y": cx * sy * cz - sx * cy * sz,
        "z": cx * cy * sz - sx * sy * cz,
        "w": cx * cy * cz + sx * sy * sz,
    }
