"""The ports of visual shaders' nodes, counted in Godot 4.6.

The output's are called as what the engine's code assigns there; names in small letters are the editor's labels.
"""

from __future__ import annotations

from typing import Final

__all__ = ["INPUT_NAMES", "MODES", "OUTPUT_NAMES", "OUTPUT_PORTS", "PORT_COUNTS", "STAGES"]

MODES: Final = ("spatial", "canvas_item", "particles", "sky", "fog")
STAGES: Final = {
    "spatial": ("vertex", "fragment", "light"),
    "canvas_item": ("vertex", "fragment", "light"),
    "particles": ("start", "process", "collide", "start_custom", "process_custom"),
    "sky": ("sky",),
    "fog": ("fog",),
}
# By mode and stage: what the output's ports assign.
OUTPUT_PORTS: Final[dict[tuple[str, str], tuple[str, ...]]] = {
    key: tuple(names.split())
    for key, names in {
        ("spatial", "vertex"): "VERTEX NORMAL TANGENT BINORMAL UV UV2 COLOR.rgb COLOR.a ROUGHNESS POINT_SIZE"
        " MODELVIEW_MATRIX PROJECTION_MATRIX",
        (
            "spatial",
            "fragment",
        ): "ALBEDO ALPHA METALLIC ROUGHNESS SPECULAR EMISSION AO AO_LIGHT_AFFECT NORMAL"
        " NORMAL_MAP NORMAL_MAP_DEPTH RIM RIM_TINT CLEARCOAT CLEARCOAT_ROUGHNESS ANISOTROPY ANISOTROPY_FLOW"
        " SSS_STRENGTH BACKLIGHT ALPHA_SCISSOR_THRESHOLD ALPHA_HASH_SCALE ALPHA_ANTIALIASING_EDGE"
        " ALPHA_TEXTURE_COORDINATE DEPTH BENT_NORMAL_MAP",
        ("spatial", "light"): "DIFFUSE_LIGHT SPECULAR_LIGHT ALPHA",
        ("canvas_item", "vertex"): "VERTEX UV COLOR.rgb COLOR.a POINT_SIZE",
        ("canvas_item", "fragment"): "COLOR.rgb COLOR.a NORMAL NORMAL_MAP NORMAL_MAP_DEPTH LIGHT_VERTEX SHADOW_VERTEX",
        ("canvas_item", "light"): "LIGHT.rgb LIGHT.a SHADOW_MODULATE.rgb",
        ("sky", "sky"): "COLOR ALPHA FOG.rgb FOG.a",
        ("fog", "fog"): "DENSITY ALBEDO EMISSION",
    }.items()
}
# By class, without VisualShaderNode: how many inputs and outputs one has as it is made.
PORT_COUNTS: Final[dict[str, tuple[int, int]]] = {
    name: (int(inputs), int(outputs))
    for inputs, outputs, names in (
        ("0", "0", "Frame Comment"),
        ("0", "1", "Input FloatConstant IntConstant UIntConstant BooleanConstant ColorConstant Vec2Constant"),
        (
            "0",
            "1",
            "Vec3Constant Vec4Constant TransformConstant ParameterRef FloatParameter IntParameter UIntParameter",
        ),
        ("0", "1", "BooleanParameter ColorParameter Vec2Parameter Vec3Parameter Vec4Parameter"),
        ("0", "1", "TransformParameter Texture2DParameter Texture2DArrayParameter Texture3DParameter CubemapParameter"),
        ("0", "1", "LinearSceneDepth Billboard VaryingGetter"),
        ("0", "6", "ParticleMeshEmitter"),
        ("1", "0", "VaryingSetter"),
        (
            "1",
            "1",
            "FloatFunc IntFunc UIntFunc VectorFunc ColorFunc TransformFunc VectorLen Determinant DerivativeFunc",
        ),
        (
            "1",
            "1",
            "CurveTexture CurveXYZTexture WorldPositionFromDepth ScreenNormalWorldSpace Is ProximityFade Reroute",
        ),
        ("1", "1", "SDFToScreenUV ScreenUVToSDF TextureSDF TextureSDFNormal ParticleBoxEmitter"),
        ("1", "3", "VectorDecompose"),
        ("1", "4", "TransformDecompose"),
        ("2", "1", "FloatOp IntOp UIntOp VectorOp ColorOp TransformOp TransformVecMult DotProduct OuterProduct Step"),
        ("2", "1", "VectorDistance DistanceFade ParticleSphereEmitter ParticleConeVelocity"),
        ("2", "2", "TextureParameterTriplanar"),
        ("2", "3", "SDFRaymarch"),
        (
            "3",
            "1",
            "UVFunc Clamp FaceForward SmoothStep VectorRefract Mix VectorCompose Texture Texture2DArray Texture3D",
        ),
        ("3", "1", "Cubemap Switch Compare MultiplyAdd RandomRange ParticleRingEmitter"),
        ("3", "1", "ParticleMultiplyByAxisAngle ParticleRandomness ParticleAccelerator"),
        ("3", "2", "RotationByAxis"),
        ("4", "1", "UVPolarCoord TransformCompose Fresnel"),
        ("5", "1", "Remap"),
        ("6", "1", "If"),
        ("7", "0", "ParticleEmit"),
    )
    for name in names.split()
}
_TWO: Final = ("a", "b")
INPUT_NAMES: Final[dict[str, tuple[str, ...]]] = {
    **dict.fromkeys(("FloatOp", "IntOp", "UIntOp", "VectorOp", "ColorOp", "TransformOp", "DotProduct"), _TWO),
    **dict.fromkeys(("Texture", "Texture2DArray", "Texture3D", "Cubemap"), ("uv", "lod", "sampler")),
    "Clamp": ("value", "min", "max"),
    "Compare": ("a", "b", "tolerance"),
    "Fresnel": ("normal", "view", "invert", "power"),
    "If": ("a", "b", "tolerance", "a==b", "a>b", "a<b"),
    "Mix": ("a", "b", "weight"),
    "MultiplyAdd": ("a", "b", "c"),
    "RandomRange": ("seed", "min", "max"),
    "Remap": ("value", "inputMin", "inputMax", "outputMin", "outputMax"),
    "SmoothStep": ("edge0", "edge1", "x"),
    "Step": ("edge", "x"),
    "Switch": ("value", "true", "false"),
    "UVFunc": ("uv", "scale", "offset"),
    "UVPolarCoord": ("uv", "center", "zoom", "repeat"),
    "VectorCompose": ("x", "y", "z", "w"),
    "VectorDistance": _TWO,
}
OUTPUT_NAMES: Final[dict[str, tuple[str, ...]]] = {"VectorDecompose": ("x", "y", "z", "w")}
