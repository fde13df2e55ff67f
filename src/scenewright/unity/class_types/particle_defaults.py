"""What the editor writes into a new particle system: curves and gradients of each module, learned from its files."""

from __future__ import annotations

from typing import Any

__all__ = ["GRADIENT", "PARTICLE_DEFAULTS", "PARTICLE_KINDS"]

ALL_LAYERS = 4294967295
_WHITE = {"r": 1, "g": 1, "b": 1, "a": 1}
_KEY = {"tangentMode": 0, "inWeight": 0.33333334, "outWeight": 0.33333334}
GRADIENT = {
    "key0": _WHITE,
    "key1": _WHITE,
    "ctime1": 65535,
    "atime1": 65535,
    "m_ColorSpace": -1,
    "m_NumColorKeys": 2,
    "m_NumAlphaKeys": 2,
}
_ENDS = {"m_PreInfinity": 2, "m_PostInfinity": 2, "m_RotationOrder": 4}


def _keys(*rows: tuple[float, float, float]) -> dict[str, Any]:
    """Return a curve over its two keys: value, slope in, slope out."""
    keys = [
        {"time": time, "value": value, "inSlope": slope_in, "outSlope": slope_out, **_KEY}
        for time, (value, slope_in, slope_out) in enumerate(rows)
    ]
    return {**_ENDS, "m_Curve": keys}


def _level(value: float) -> dict[str, Any]:
    """Return what is the same all the time."""
    flat = float(value != 0)
    curve = _keys((flat, 0, 0), (flat, 0, 0))
    return {"scalar": value, "minScalar": value, "maxCurve": curve, "minCurve": curve}


def _slope(begin: tuple[float, float, float], end: tuple[float, float, float], scalar: float = 1) -> dict[str, Any]:
    """Return what goes along a curve."""
    flat = _keys((1, 0, 0), (1, 0, 0))
    return {"minMaxState": 1, "scalar": scalar, "minScalar": scalar, "maxCurve": _keys(begin, end), "minCurve": flat}


_RISING, _REMAPPED = _slope((0, 0, 1), (1, 1, 0)), _slope((-1, 0, 2), (1, 2, 0))
_ONES = (
    "InitialModule.startSize InitialModule.startSizeY InitialModule.startSizeZ ShapeModule.m_MeshSpawn.speed"
    " ShapeModule.radius.speed ShapeModule.arc.speed VelocityModule.speedModifier ExternalForcesModule.multiplierCurve"
    " ClampVelocityModule.x ClampVelocityModule.y ClampVelocityModule.z ClampVelocityModule.magnitude"
    " NoiseModule.strength NoiseModule.strengthY NoiseModule.strengthZ NoiseModule.positionAmount"
    " CollisionModule.m_Bounce LightsModule.rangeCurve LightsModule.intensityCurve TrailModule.lifetime"
    " TrailModule.widthOverTrail"
)
_RISES = "SizeModule.curve SizeModule.y SizeModule.z SizeBySpeedModule.curve SizeBySpeedModule.y SizeBySpeedModule.z"
_SET_TO_ONE = (
    "simulationSpeed ringBufferLoopRange.y emitterVelocityMode looping playOnAwake autoRandomSeed moveWithTransform"
    " scalingMode InitialModule.enabled ShapeModule.enabled ShapeModule.radiusThickness ShapeModule.m_Scale.x"
    " ShapeModule.m_Scale.y ShapeModule.m_Scale.z ShapeModule.m_UseMeshColors"
    " ShapeModule.m_TextureColorAffectsParticles ShapeModule.m_TextureAlphaAffectsParticles ShapeModule.radius.value"
    " EmissionModule.enabled UVModule.speedRange.y UVModule.tilesX UVModule.tilesY UVModule.cycles UVModule.rowMode"
    " LifetimeByEmitterSpeedModule.m_Range.y ClampVelocityModule.multiplyDragByParticleSize"
    " ClampVelocityModule.multiplyDragByParticleVelocity NoiseModule.damping NoiseModule.octaves"
    " SizeBySpeedModule.range.y RotationBySpeedModule.range.y ColorBySpeedModule.range.y"
    " CollisionModule.multiplyColliderForceByCollisionAngle CollisionModule.radiusScale"
    " CollisionModule.collidesWithDynamic TriggerModule.inside TriggerModule.radiusScale"
    " LightsModule.randomDistribution LightsModule.color LightsModule.range LightsModule.intensity TrailModule.ratio"
    " TrailModule.ribbonCount TrailModule.dieWithParticles TrailModule.sizeAffectsWidth"
    " TrailModule.inheritParticleColor"
)
_SYSTEM: dict[str, Any] = {
    "lengthInSec": 5,
    "InitialModule.startLifetime": _level(5),
    "InitialModule.startSpeed": _level(5),
    "InitialModule.maxNumParticles": 1000,
    "ShapeModule.type": 4,
    "ShapeModule.angle": 25,
    "ShapeModule.length": 5,
    "ShapeModule.donutRadius": 0.2,
    "ShapeModule.m_TextureClipChannel": 3,
    "ShapeModule.arc.value": 360,
    "EmissionModule.rateOverTime": _level(10),
    "RotationModule.curve": _level(0.7853982),
    "RotationBySpeedModule.curve": _level(0.7853982),
    "UVModule.frameOverTime": _slope((0, 0, 1), (1, 1, 0), 0.9999),
    "ColorModule.gradient": {"minMaxState": 1},
    "ColorBySpeedModule.gradient": {"minMaxState": 1},
    "UVModule.fps": 30,
    "UVModule.uvChannelMask": -1,
    "UVModule.sprites": [{}],
    "LifetimeByEmitterSpeedModule.m_Curve": _slope((1, 0, -0.8), (0.2, -0.8, 0)),
    "ExternalForcesModule.influenceMask.m_Bits": ALL_LAYERS,
    "NoiseModule.frequency": 0.5,
    "NoiseModule.octaveMultiplier": 0.5,
    "NoiseModule.octaveScale": 2,
    "NoiseModule.quality": 2,
    "CollisionModule.maxKillSpeed": 10000,
    "CollisionModule.collidesWith.m_Bits": ALL_LAYERS,
    "CollisionModule.maxCollisionShapes": 256,
    "CollisionModule.voxelSize": 0.5,
    "SubModule.subEmitters": [{"emitProbability": 1}],
    "LightsModule.maxLights": 20,
    "TrailModule.minVertexDistance": 0.2,
    "TrailModule.shadowBias": 0.5,
    **{path: _level(1) for path in _ONES.split()},
    **dict.fromkeys(_RISES.split(), _RISING),
    **{f"NoiseModule.remap{axis}": _REMAPPED for axis in ("", "Y", "Z")},
    **dict.fromkeys(_SET_TO_ONE.split(), 1),
    **{f"CustomDataModule.vectorComponentCount{number}": 4 for number in (0, 1)},
    **{f"CustomDataModule.colorLabel{number}": "Color" for number in (0, 1)},
    **{f"CustomDataModule.vectorLabel{number}_{at}": "XYZW"[at] for number in (0, 1) for at in range(4)},
}
_RENDERER: dict[str, Any] = {
    "m_Enabled": 1,
    "m_DynamicOccludee": 1,
    "m_MotionVectors": 1,
    "m_RenderingLayerMask": 1,
    "m_Materials": [None],
    "m_SelectedEditorRenderState": 3,
    "m_MinimumChartSize": 4,
    "m_AutoUVMaxDistance": 0.5,
    "m_AutoUVMaxAngle": 89,
    "m_ScaleInLightmap": 1,
    "m_ReceiveGI": 1,
    "m_StitchLightmapSeams": 1,
    "m_MaxParticleSize": 0.5,
    "m_LengthScale": 2,
    "m_NormalDirection": 1,
    "m_UseCustomVertexStreams": 0,
    "m_EnableGPUInstancing": 1,
    "m_ApplyActiveColorSpace": 1,
    "m_AllowRoll": 1,
    "m_RotateWithStretchDirection": 1,
    "m_VertexStreams": "00010304",
    "m_MeshWeighting": 1,
    "m_MeshWeighting1": 1,
    "m_MeshWeighting2": 1,
    "m_MeshWeighting3": 1,
}
PARTICLE_DEFAULTS: dict[str, dict[str, Any]] = {"ParticleSystem": _SYSTEM, "ParticleSystemRenderer": _RENDERER}
PARTICLE_KINDS: dict[str, dict[str, Any]] = {
    "MinMaxCurve": _level(0),
    "MinMaxGradient": {
        "minColor": _WHITE,
        "maxColor": _WHITE,
        "maxGradient": GRADIENT,
        "minGradient": GRADIENT,
    },
}
