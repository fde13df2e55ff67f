"""What the editor writes into a new component, by class and field; what is not here is zero, empty or nothing.

Learned from files that editors wrote. A component that is missing here is refused.
"""

from __future__ import annotations

from typing import Any

from scenewright.unity.class_types.asset_defaults import ASSET_DEFAULTS
from scenewright.unity.class_types.particle_defaults import GRADIENT, PARTICLE_DEFAULTS, PARTICLE_KINDS

__all__ = ["DEFAULTS", "KINDS", "OLD_DEFAULTS"]

ALL_LAYERS = 4294967295
_WHITE = {"r": 1, "g": 1, "b": 1, "a": 1}
_ONE2, _ONE3, _HALF2 = {"x": 1, "y": 1}, {"x": 1, "y": 1, "z": 1}, {"x": 0.5, "y": 0.5}
_KEY = {"tangentMode": 0, "inWeight": 0.33333334, "outWeight": 0.33333334}
_RENDERER: dict[str, Any] = {
    "m_Enabled": 1,
    "m_CastShadows": 1,
    "m_ReceiveShadows": 1,
    "m_DynamicOccludee": 1,
    "m_MotionVectors": 1,
    "m_LightProbeUsage": 1,
    "m_ReflectionProbeUsage": 1,
    "m_RayTracingMode": 2,
    "m_RenderingLayerMask": 1,
    "m_Materials": [None],
    "m_SelectedEditorRenderState": 3,
    "m_MinimumChartSize": 4,
    "m_AutoUVMaxDistance": 0.5,
    "m_AutoUVMaxAngle": 89,
    "m_ScaleInLightmap": 1,
    "m_ReceiveGI": 1,
    "m_StitchLightmapSeams": 1,
    "m_SmallMeshCulling": 1,
    "m_ForceMeshLod": -1,
}
_COLLIDER: dict[str, Any] = {"m_Enabled": 1, "m_ProvidesContacts": 0}
_LAYERS_2D: dict[str, Any] = {
    f"{name}.m_Bits": ALL_LAYERS
    for name in ("m_ForceSendLayers", "m_ForceReceiveLayers", "m_ContactCaptureLayers", "m_CallbackLayers")
}
_COLLIDER_2D: dict[str, Any] = _LAYERS_2D | {"m_Enabled": 1, "m_Density": 1}
_JOINT: dict[str, Any] = {
    "m_Enabled": 1,
    "m_Axis": {"x": 1, "y": 0, "z": 0},
    "m_AutoConfigureConnectedAnchor": 1,
    "m_BreakForce": "Infinity",
    "m_BreakTorque": "Infinity",
    "m_EnablePreprocessing": 1,
    "m_MassScale": 1,
    "m_ConnectedMassScale": 1,
}
_JOINT_2D: dict[str, Any] = {
    "m_Enabled": 1,
    "m_BreakForce": "Infinity",
    "m_BreakTorque": "Infinity",
    "m_BreakAction": 2,
    "m_AutoConfigureConnectedAnchor": 0,
}
_LIMIT = {"bounceThreshold": 0, "contactDistance": 0}
_EFFECTOR: dict[str, Any] = {"m_Enabled": 1, "m_UseColliderMask": 1, "m_ColliderMask.m_Bits": ALL_LAYERS}
_LINE: dict[str, Any] = _RENDERER | {
    "m_RayTracingMode": 0,
    "m_MotionVectors": 0,
    "m_LightProbeUsage": 0,
    "m_ReflectionProbeUsage": 0,
    "m_Parameters.widthMultiplier": 1,
    "m_Parameters.widthCurve.m_Curve": [{"value": 1, **_KEY}],
    "m_Parameters.colorGradient.key0": _WHITE,
    "m_Parameters.colorGradient.key1": _WHITE,
    "m_Parameters.colorGradient.ctime1": 65535,
    "m_Parameters.colorGradient.atime1": 65535,
    "m_Parameters.colorGradient.m_NumColorKeys": 2,
    "m_Parameters.colorGradient.m_NumAlphaKeys": 2,
    "m_Parameters.colorGradient.m_ColorSpace": -1,
    "m_Parameters.shadowBias": 0.5,
    "m_Parameters.textureScale": _ONE2,
}

# By kind, where nothing is said about the field.
KINDS: dict[str, dict[str, Any]] = {
    "Quaternionf": {"w": 1},
    **PARTICLE_KINDS,
    "PersistentCall": {"m_Mode": 1, "m_CallState": 2},
    "Gradient": GRADIENT,
    "AnimationCurve": {"m_PreInfinity": 2, "m_PostInfinity": 2, "m_RotationOrder": 4},
}

# What versions wrote that do not have a field yet: as files of 5.4 and 5.5 have it.
OLD_DEFAULTS: dict[str, tuple[str, dict[str, Any]]] = {
    "Camera": ("m_AllowMSAA", {"m_HDR": 0}),
    "MeshRenderer": ("m_DynamicOccludee", {"m_PreserveUVs": 1}),
}

DEFAULTS: dict[str, dict[str, Any]] = {
    "GameObject": {"m_TagString": "Untagged", "m_IsActive": 1},
    "Transform": {"m_LocalScale": _ONE3},
    "RectTransform": {
        "m_LocalScale": _ONE3,
        "m_AnchorMin": _HALF2,
        "m_AnchorMax": _HALF2,
        "m_SizeDelta": {"x": 100, "y": 100},
        "m_Pivot": _HALF2,
    },
    "MeshFilter": {},
    "MeshRenderer": _RENDERER,
    "SkinnedMeshRenderer": _RENDERER | {"m_RayTracingMode": 3, "m_SkinnedMotionVectors": 1},
    "SpriteRenderer": _RENDERER
    | {
        "m_CastShadows": 0,
        "m_ReceiveShadows": 0,
        "m_RayTracingMode": 0,
        "m_SelectedEditorRenderState": 0,
        "m_Color": _WHITE,
        "m_Size": _ONE2,
        "m_AdaptiveModeThreshold": 0.5,
        "m_WasSpriteAssigned": 0,
    },
    "SpriteMask": _RENDERER
    | {"m_CastShadows": 0, "m_ReceiveShadows": 0, "m_RayTracingMode": 0, "m_MaskAlphaCutoff": 0.2},
    "LineRenderer": _LINE
    | {
        "m_Positions": [{}, {"z": 1}],
        "m_UseWorldSpace": 1,
    },
    "TrailRenderer": _LINE | {"m_Time": 5, "m_MinVertexDistance": 0.1, "m_Emitting": 1},
    "BoxCollider": _COLLIDER | {"m_Size": _ONE3},
    "SphereCollider": _COLLIDER | {"m_Radius": 0.5},
    "CapsuleCollider": _COLLIDER | {"m_Radius": 0.5, "m_Height": 1, "m_Direction": 1},
    "MeshCollider": _COLLIDER | {"m_CookingOptions": 30},
    "CharacterController": _COLLIDER
    | {
        "m_Height": 2,
        "m_Radius": 0.5,
        "m_SlopeLimit": 45,
        "m_StepOffset": 0.3,
        "m_SkinWidth": 0.08,
        "m_MinMoveDistance": 0.001,
    },
    "Rigidbody": {
        "m_Mass": 1,
        "m_AngularDrag": 0.05,
        "m_AngularDamping": 0.05,
        "m_InertiaTensor": _ONE3,
        "m_ImplicitCom": 1,
        "m_ImplicitTensor": 1,
        "m_UseGravity": 1,
    },
    "HingeJoint": _JOINT | {"m_Limits": _LIMIT | {"bounceMinVelocity": 0.2}},
    "FixedJoint": _JOINT,
    "SpringJoint": _JOINT | {"m_Spring": 10, "m_Damper": 0.2, "m_Tolerance": 0.025},
    "ConstantForce": {"m_Enabled": 1},
    "Rigidbody2D": {
        "m_Simulated": 1,
        "m_Mass": 1,
        "m_AngularDrag": 0.05,
        "m_AngularDamping": 0.05,
        "m_GravityScale": 1,
        "m_SleepingMode": 1,
    },
    "BoxCollider2D": _COLLIDER_2D | {"m_Size": _ONE2},
    "CircleCollider2D": _COLLIDER_2D | {"m_Radius": 0.5},
    "CapsuleCollider2D": _COLLIDER_2D | {"m_Size": _ONE2},
    "EdgeCollider2D": _COLLIDER_2D | {"m_Points": [{"x": -0.5}, {"x": 0.5}]},
    "FixedJoint2D": _JOINT_2D | {"m_AutoConfigureConnectedAnchor": 1},
    "HingeJoint2D": _JOINT_2D
    | {"m_AutoConfigureConnectedAnchor": 1, "m_Motor.m_MaximumMotorForce": 10000, "m_AngleLimits.m_UpperAngle": 359},
    "DistanceJoint2D": _JOINT_2D | {"m_AutoConfigureDistance": 1, "m_Distance": 1},
    "SpringJoint2D": _JOINT_2D | {"m_AutoConfigureDistance": 1, "m_Distance": 1, "m_Frequency": 1},
    "ConstantForce2D": {"m_Enabled": 1},
    "AreaEffector2D": _EFFECTOR,
    "PlatformEffector2D": _EFFECTOR | {"m_UseOneWay": 1, "m_SurfaceArc": 180, "m_SideArc": 1},
    "Light": {
        "m_Enabled": 1,
        "m_Type": 2,
        "m_Color": _WHITE,
        "m_Intensity": 1,
        "m_Range": 10,
        "m_SpotAngle": 30,
        "m_InnerSpotAngle": 21.80208,
        "m_CookieSize": 10,
        "m_CookieSize2D": {"x": 10, "y": 10},
        "m_Shadows.m_Resolution": -1,
        "m_Shadows.m_CustomResolution": -1,
        "m_Shadows.m_Strength": 1,
        "m_Shadows.m_Bias": 0.05,
        "m_Shadows.m_NormalBias": 0.4,
        "m_Shadows.m_NearPlane": 0.2,
        "m_Shadows.m_CullingMatrixOverride": {"e00": 1, "e11": 1, "e22": 1, "e33": 1},
        "m_CullingMask.m_Bits": ALL_LAYERS,
        "m_RenderingLayerMask": 1,
        "m_Lightmapping": 4,
        "m_AreaSize": _ONE2,
        "m_BounceIntensity": 1,
        "m_ColorTemperature": 6570,
        "m_UseViewFrustumForShadowCasterCull": 1,
        "m_LightUnit": 1,
        "m_LuxAtDistance": 1,
        "m_EnableSpotReflector": 1,
    },
    "Camera": {
        "m_Enabled": 1,
        "m_ClearFlags": 1,
        "m_BackGroundColor": {"r": 0.19215687, "g": 0.3019608, "b": 0.4745098},
        "m_projectionMatrixMode": 1,
        "m_GateFitMode": 2,
        "m_Iso": 200,
        "m_ShutterSpeed": 0.005,
        "m_Aperture": 16,
        "m_FocusDistance": 10,
        "m_FocalLength": 50,
        "m_BladeCount": 5,
        "m_Curvature": {"x": 2, "y": 11},
        "m_BarrelClipping": 0.25,
        "m_SensorSize": {"x": 36, "y": 24},
        "m_NormalizedViewPortRect": {"width": 1, "height": 1},
        "near clip plane": 0.3,
        "far clip plane": 1000,
        "field of view": 60,
        "orthographic size": 5,
        "m_CullingMask.m_Bits": ALL_LAYERS,
        "m_RenderingPath": -1,
        "m_TargetEye": 3,
        "m_HDR": 1,
        "m_AllowMSAA": 1,
        "m_OcclusionCulling": 1,
        "m_StereoConvergence": 10,
        "m_StereoSeparation": 0.022,
    },
    "AudioListener": {"m_Enabled": 1},
    "AudioSource": {
        "m_Enabled": 1,
        "m_PlayOnAwake": 1,
        "m_Volume": 1,
        "m_Pitch": 1,
        "Priority": 128,
        "DopplerLevel": 1,
        "MinDistance": 1,
        "MaxDistance": 500,
        "rolloffCustomCurve.m_Curve": [{"value": 1, **_KEY}, {"time": 1, **_KEY}],
        "panLevelCustomCurve.m_Curve": [_KEY],
        "spreadCustomCurve.m_Curve": [_KEY],
        "reverbZoneMixCustomCurve.m_Curve": [{"value": 1, **_KEY}],
    },
    "Animator": {"m_Enabled": 1, "m_HasTransformHierarchy": 1, "m_AllowConstantClipSamplingOptimization": 1},
    "Animation": {"m_Enabled": 1, "m_PlayAutomatically": 1},
    "Canvas": {
        "m_Enabled": 1,
        "m_RenderMode": 2,
        "m_PlaneDistance": 100,
        "m_ReceivesEvents": 1,
        "m_UpdateRectTransformForStandalone": 0,
        "m_SortingBucketNormalizedSize": 0,
    },
    "CanvasRenderer": {"m_CullTransparentMesh": 1},
    "CanvasGroup": {"m_Enabled": 1, "m_Alpha": 1, "m_Interactable": 1, "m_BlocksRaycasts": 1},
    "NavMeshAgent": {
        "m_Enabled": 1,
        "m_Radius": 0.5,
        "m_Speed": 3.5,
        "m_Acceleration": 8,
        "avoidancePriority": 50,
        "m_AngularSpeed": 120,
        "m_AutoTraverseOffMeshLink": 1,
        "m_AutoBraking": 1,
        "m_AutoRepath": 1,
        "m_Height": 2,
        "m_WalkableMask": ALL_LAYERS,
        "m_ObstacleAvoidanceType": 4,
    },
    "NavMeshObstacle": {
        "m_Enabled": 1,
        "m_Shape": 1,
        "m_Extents": {"x": 0.5, "y": 0.5, "z": 0.5},
        "m_MoveThreshold": 0.1,
        "m_CarveOnlyStationary": 1,
        "m_TimeToStationary": 0.5,
    },
    "TextMesh": {
        "m_OffsetZ": 0,
        "m_CharacterSize": 1,
        "m_LineSpacing": 1,
        "m_TabSize": 4,
        "m_RichText": 1,
        "m_Color": {"rgba": ALL_LAYERS},
    },
    "SortingGroup": {"m_Enabled": 1},
    "Grid": {"m_Enabled": 1, "m_CellSize": {"x": 1, "y": 1}},
    "Tilemap": {
        "m_Enabled": 1,
        "m_AnimationFrameRate": 1,
        "m_Color": _WHITE,
        "m_Size": {"z": 1},
        "m_TileAnchor": {"x": 0.5, "y": 0.5},
        "m_TileOrientationMatrix": {"e00": 1, "e11": 1, "e22": 1, "e33": 1},
    },
    "PlayableDirector": {"m_Enabled": 1, "m_InitialState": 1, "m_WrapMode": 2, "m_DirectorUpdateMode": 1},
    "ReflectionProbe": {
        "m_Enabled": 1,
        "m_Resolution": 128,
        "m_BoxSize": {"x": 10, "y": 10, "z": 10},
        "m_NearClip": 0.3,
        "m_FarClip": 1000,
        "m_ShadowDistance": 100,
        "m_ClearFlags": 1,
        "m_BackGroundColor": {"r": 0.19215687, "g": 0.3019608, "b": 0.4745098},
        "m_CullingMask.m_Bits": ALL_LAYERS,
        "m_IntensityMultiplier": 1,
        "m_BlendDistance": 1,
        "m_HDR": 1,
        "m_UseOcclusionCulling": 1,
        "m_Importance": 1,
    },
    "FlareLayer": {"m_Enabled": 1},
    "Skybox": {"m_Enabled": 1},
    "WindZone": {
        "m_Enabled": 1,
        "m_Radius": 20,
        "m_WindMain": 1,
        "m_WindTurbulence": 1,
        "m_WindPulseMagnitude": 0.5,
        "m_WindPulseFrequency": 0.01,
    },
    "AudioLowPassFilter": {
        "m_Enabled": 1,
        "m_LowpassResonanceQ": 1,
        "lowpassLevelCustomCurve.m_Curve": [{"value": 0.22727273, **_KEY}],
    },
    "AudioHighPassFilter": {"m_Enabled": 1, "m_CutoffFrequency": 5000, "m_HighpassResonanceQ": 1},
    "AudioDistortionFilter": {"m_Enabled": 1, "m_DistortionLevel": 0.5},
    "AudioEchoFilter": {"m_Enabled": 1, "m_Delay": 500, "m_DecayRatio": 0.5, "m_WetMix": 1, "m_DryMix": 1},
    "MonoBehaviour": {"m_Enabled": 1},
    **ASSET_DEFAULTS,
    **PARTICLE_DEFAULTS,
}
