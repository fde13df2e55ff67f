"""What the editor writes into new assets and the settings of new scenes, where it is not zero or empty."""

from __future__ import annotations

from typing import Any

__all__ = ["ASSET_DEFAULTS"]

_CLIP: dict[str, Any] = {
    "m_SampleRate": 60,
    "m_UseHighQualityCurve": 1,
    "m_AnimationClipSettings.m_StopTime": 1,
    "m_AnimationClipSettings.m_KeepOriginalPositionY": 1,
}
ASSET_DEFAULTS: dict[str, dict[str, Any]] = {
    "OcclusionCullingSettings": {
        "m_OcclusionBakeSettings": {"smallestOccluder": 5, "smallestHole": 0.25, "backfaceThreshold": 100}
    },
    "RenderSettings": {
        "m_FogColor": {"r": 0.5, "g": 0.5, "b": 0.5, "a": 1},
        "m_FogMode": 3,
        "m_FogDensity": 0.01,
        "m_LinearFogEnd": 300,
        "m_AmbientSkyColor": {"r": 0.212, "g": 0.227, "b": 0.259, "a": 1},
        "m_AmbientEquatorColor": {"r": 0.114, "g": 0.125, "b": 0.133, "a": 1},
        "m_AmbientGroundColor": {"r": 0.047, "g": 0.043, "b": 0.035, "a": 1},
        "m_AmbientIntensity": 1,
        "m_SubtractiveShadowColor": {"r": 0.42, "g": 0.478, "b": 0.627, "a": 1},
        "m_HaloStrength": 0.5,
        "m_FlareStrength": 1,
        "m_FlareFadeSpeed": 3,
        "m_DefaultReflectionResolution": 128,
        "m_ReflectionBounces": 1,
        "m_ReflectionIntensity": 1,
        "m_IndirectSpecularColor": {"r": 0, "g": 0, "b": 0, "a": 1},
    },
    "LightmapSettings": {
        "m_GIWorkflowMode": 1,
        "m_GISettings": {
            "m_BounceScale": 1,
            "m_IndirectOutputScale": 1,
            "m_AlbedoBoost": 1,
            "m_EnableBakedLightmaps": 1,
        },
        "m_LightmapEditorSettings": {
            "m_Resolution": 2,
            "m_BakeResolution": 40,
            "m_AtlasSize": 1024,
            "m_AOMaxDistance": 1,
            "m_CompAOExponent": 1,
            "m_Padding": 2,
            "m_LightmapsBakeMode": 1,
            "m_TextureCompression": 1,
            "m_FinalGatherFiltering": 1,
            "m_FinalGatherRayCount": 256,
            "m_ReflectionCompression": 2,
            "m_MixedBakeMode": 2,
            "m_BakeBackend": 1,
            "m_PVRSampling": 1,
            "m_PVRDirectSampleCount": 32,
            "m_PVRSampleCount": 512,
            "m_PVRBounces": 2,
            "m_PVREnvironmentSampleCount": 256,
            "m_PVREnvironmentReferencePointCount": 2048,
            "m_PVRFilteringMode": 1,
            "m_PVRDenoiserTypeDirect": 1,
            "m_PVRDenoiserTypeIndirect": 1,
            "m_PVRDenoiserTypeAO": 1,
            "m_PVREnvironmentMIS": 1,
            "m_PVRCulling": 1,
            "m_PVRFilteringGaussRadiusDirect": 1,
            "m_PVRFilteringGaussRadiusIndirect": 5,
            "m_PVRFilteringGaussRadiusAO": 2,
            "m_PVRFilteringAtrousPositionSigmaDirect": 0.5,
            "m_PVRFilteringAtrousPositionSigmaIndirect": 2,
            "m_PVRFilteringAtrousPositionSigmaAO": 1,
            "m_TrainingDataDestination": "TrainingData",
            "m_LightProbeSampleCountMultiplier": 4,
        },
    },
    "NavMeshSettings": {
        "m_BuildSettings": {
            "agentRadius": 0.5,
            "agentHeight": 2,
            "agentSlope": 45,
            "agentClimb": 0.4,
            "minRegionArea": 2,
            "cellSize": 0.16666667,
            "tileSize": 256,
        }
    },
    "SceneRoots": {},
    "Material": {
        "m_CustomRenderQueue": -1,
        "m_LightmapFlags": 4,
        "m_EnableInstancingVariants": 0,
    },
    "PhysicsMaterial": {
        "dynamicFriction": 0.6,
        "staticFriction": 0.6,
        "m_DynamicFriction": 0.6,
        "m_StaticFriction": 0.6,
    },
    "PhysicsMaterial2D": {"friction": 0.4},
    "AnimatorController": {},
    "AnimatorStateMachine": {
        "m_AnyStatePosition": {"x": 50, "y": 20},
        "m_EntryPosition": {"x": 50, "y": 120},
        "m_ExitPosition": {"x": 800, "y": 120},
        "m_ParentStateMachinePosition": {"x": 800, "y": 20},
    },
    "AnimatorState": {"m_Speed": 1, "m_Position": {"x": 50, "y": 50}, "m_WriteDefaultValues": 1},
    "AnimatorStateTransition": {
        "m_TransitionDuration": 0.25,
        "m_ExitTime": 0.75,
        "m_HasFixedDuration": 1,
        "m_OrderedInterruption": 1,
        "m_CanTransitionToSelf": 1,
    },
    "AnimatorTransition": {},
    "BlendTree": {"m_MaxThreshold": 1, "m_UseAutomaticThresholds": 1},
    "AnimationClip": _CLIP,
}
