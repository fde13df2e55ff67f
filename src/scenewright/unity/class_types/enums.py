"""Names of the numbers that the engine's fields take, as its scripting interface calls them."""

from __future__ import annotations

from scenewright.unity.class_types.package_enums import PACKAGE_ENUMS

__all__ = ["ENUMS"]


def _numbered(names: str, start: int = 0) -> dict[str, int]:
    return {name: number for number, name in enumerate(names.split(), start)}


_AXES = {
    "None": 0,
    "FreezePositionX": 2,
    "FreezePositionY": 4,
    "FreezePositionZ": 8,
    "FreezePosition": 14,
    "FreezeRotationX": 16,
    "FreezeRotationY": 32,
    "FreezeRotationZ": 64,
    "FreezeRotation": 112,
    "FreezeAll": 126,
}
_AXES_2D = {
    "None": 0,
    "FreezePositionX": 1,
    "FreezePositionY": 2,
    "FreezePosition": 3,
    "FreezeRotation": 4,
    "FreezeAll": 7,
}
_SHADOWS = {"FromQualitySettings": -1, **_numbered("Low Medium High VeryHigh")}
_ANCHOR = _numbered(
    "UpperLeft UpperCenter UpperRight MiddleLeft MiddleCenter MiddleRight LowerLeft LowerCenter LowerRight"
)
_FONT_STYLE = _numbered("Normal Bold Italic BoldAndItalic")
_RENDERER = {
    "m_CastShadows": _numbered("Off On TwoSided ShadowsOnly"),
    "m_MotionVectors": _numbered("Camera Object ForceNoMotion"),
    "m_LightProbeUsage": {"Off": 0, "BlendProbes": 1, "UseProxyVolume": 2, "ExplicitIndex": 3, "CustomProvided": 4},
    "m_ReflectionProbeUsage": _numbered("Off BlendProbes BlendProbesAndSkybox Simple"),
    "m_RayTracingMode": _numbered("Off Static DynamicTransform DynamicGeometry"),
    "m_ReceiveGI": {"Lightmaps": 1, "LightProbes": 2},
}
_LINE = {
    "m_Parameters.alignment": _numbered("View TransformZ"),
    "m_Parameters.textureMode": _numbered("Stretch Tile DistributePerSegment RepeatPerSegment Static"),
}
_SHAPES = (
    "Sphere SphereShell Hemisphere HemisphereShell Cone Box Mesh ConeShell ConeVolume ConeVolumeShell Circle CircleEdge"
    " SingleSidedEdge MeshRenderer SkinnedMeshRenderer BoxShell BoxEdge Donut Rectangle Sprite SpriteRenderer"
)
_COMBINE = _numbered("Average Multiply Minimum Maximum")
_MASKING = {"m_MaskInteraction": _numbered("None VisibleInsideMask VisibleOutsideMask")}

# By class and path of the field; several names stand for their bits together.
ENUMS: dict[str, dict[str, dict[str, int]]] = {
    "GameObject": {
        "m_StaticEditorFlags": {
            "ContributeGI": 1,
            "OccluderStatic": 2,
            "BatchingStatic": 4,
            "NavigationStatic": 8,
            "OccludeeStatic": 16,
            "OffMeshLinkGeneration": 32,
            "ReflectionProbeStatic": 64,
        }
    },
    "Rigidbody": {
        "m_Constraints": _AXES,
        "m_Interpolate": _numbered("None Interpolate Extrapolate"),
        "m_CollisionDetection": _numbered("Discrete Continuous ContinuousDynamic ContinuousSpeculative"),
    },
    "Rigidbody2D": {
        "m_BodyType": _numbered("Dynamic Kinematic Static"),
        "m_Constraints": _AXES_2D,
        "m_Interpolate": _numbered("None Interpolate Extrapolate"),
        "m_SleepingMode": _numbered("NeverSleep StartAwake StartAsleep"),
        "m_CollisionDetection": _numbered("Discrete Continuous"),
    },
    "CapsuleCollider": {"m_Direction": {"X": 0, "Y": 1, "Z": 2}},
    "CapsuleCollider2D": {"m_Direction": _numbered("Vertical Horizontal")},
    "Light": {
        "m_Type": _numbered("Spot Directional Point Area Disc"),
        "m_Shadows.m_Type": _numbered("None Hard Soft"),
        "m_Shadows.m_Resolution": _SHADOWS,
        "m_RenderMode": _numbered("Auto ForcePixel ForceVertex"),
        "m_LightShadowCasterMode": _numbered("Default NonLightmappedOnly Everything"),
        "m_Shape": _numbered("Cone Pyramid Box"),
        "m_Lightmapping": {"Mixed": 1, "Baked": 2, "Realtime": 4},
    },
    "Camera": {
        "m_ClearFlags": {"Skybox": 1, "SolidColor": 2, "Depth": 3, "Nothing": 4},
        "m_RenderingPath": {"UsePlayerSettings": -1, "VertexLit": 0, "Forward": 1, "DeferredShading": 3},
        "m_TargetEye": {"None": 0, "Left": 1, "Right": 2, "Both": 3},
    },
    "Canvas": {
        "m_RenderMode": _numbered("ScreenSpaceOverlay ScreenSpaceCamera WorldSpace"),
        "m_AdditionalShaderChannelsFlag": {
            "None": 0,
            "TexCoord1": 1,
            "TexCoord2": 2,
            "TexCoord3": 4,
            "Normal": 8,
            "Tangent": 16,
        },
    },
    "AudioSource": {"rolloffMode": _numbered("Logarithmic Linear Custom")},
    "Animator": {
        "m_UpdateMode": _numbered("Normal AnimatePhysics UnscaledTime"),
        "m_CullingMode": _numbered("AlwaysAnimate CullUpdateTransforms CullCompletely"),
    },
    "Animation": {"m_WrapMode": {"Default": 0, "Once": 1, "Loop": 2, "PingPong": 4, "ClampForever": 8}},
    "MeshRenderer": _RENDERER,
    "SkinnedMeshRenderer": _RENDERER | {"m_Quality": {"Auto": 0, "Bone1": 1, "Bone2": 2, "Bone4": 4}},
    "SpriteRenderer": _RENDERER
    | _MASKING
    | {
        "m_DrawMode": _numbered("Simple Sliced Tiled"),
        "m_SpriteTileMode": _numbered("Continuous Adaptive"),
        "m_SpriteSortPoint": _numbered("Center Pivot"),
    },
    "LineRenderer": _RENDERER | _MASKING | _LINE,
    "TrailRenderer": _RENDERER | _MASKING | _LINE,
    "ParticleSystem": {
        "scalingMode": _numbered("Hierarchy Local Shape"),
        "stopAction": _numbered("None Disable Destroy Callback"),
        "cullingMode": _numbered("Automatic PauseAndCatchup Pause AlwaysSimulate"),
        "ShapeModule.type": _numbered(_SHAPES),
        "CollisionModule.type": _numbered("Planes World"),
        "CollisionModule.collisionMode": _numbered("Collision3D Collision2D"),
        "CollisionModule.quality": _numbered("High Medium Low"),
    },
    "ParticleSystemRenderer": _RENDERER
    | _MASKING
    | {
        "m_RenderMode": _numbered("Billboard Stretch HorizontalBillboard VerticalBillboard Mesh None"),
        "m_SortMode": _numbered("None Distance OldestInFront YoungestInFront"),
        "m_RenderAlignment": _numbered("View World Local Facing Velocity"),
    },
    "NavMeshAgent": {
        "m_ObstacleAvoidanceType": _numbered(
            "NoObstacleAvoidance LowQualityObstacleAvoidance MedQualityObstacleAvoidance GoodQualityObstacleAvoidance"
            " HighQualityObstacleAvoidance"
        ),
    },
    "PlayableDirector": {
        "m_WrapMode": _numbered("Hold Loop None"),
        "m_DirectorUpdateMode": _numbered("DSPClock GameTime UnscaledGameTime Manual"),
    },
    "ReflectionProbe": {
        "m_Mode": _numbered("Baked Realtime Custom"),
        "m_RefreshMode": _numbered("OnAwake EveryFrame ViaScripting"),
        "m_TimeSlicingMode": _numbered("AllFacesAtOnce IndividualFaces NoTimeSlicing"),
        "m_ClearFlags": {"Skybox": 1, "SolidColor": 2},
    },
    "TextMesh": {
        "m_Anchor": _ANCHOR,
        "m_Alignment": _numbered("Left Center Right"),
        "m_FontStyle": _FONT_STYLE,
    },
    "Tilemap": {"m_TileOrientation": _numbered("XY XZ YX YZ ZX ZY Custom")},
    "WindZone": {"m_Mode": _numbered("Directional Spherical")},
    "NavMeshObstacle": {"m_Shape": _numbered("Capsule Box")},
    "Grid": {
        "m_CellLayout": {"Rectangle": 0, "Hexagon": 1, "Isometric": 2, "IsometricZAsY": 3},
        "m_CellSwizzle": _numbered("XYZ XZY YXZ YZX ZXY ZYX"),
    },
    "PhysicMaterial": {"frictionCombine": _COMBINE, "bounceCombine": _COMBINE},
    **PACKAGE_ENUMS,
}
