"""Properties of the engine's own shaders, whose sources are not in a project: what a material of each may set."""

from __future__ import annotations

__all__ = ["built_in_properties"]

_EXTRA = "0000000000000000f000000000000000"
_KINDS = {"c": "m_Colors", "f": "m_Floats", "t": "m_TexEnvs"}


def _listed(**names: str) -> dict[str, str]:
    """Return each property with the list of a material that it is in."""
    return {f"_{name}": _KINDS[kind] for kind, text in names.items() for name in text.split()}


_STANDARD = _listed(
    c="Color EmissionColor",
    f="Cutoff Glossiness GlossMapScale SmoothnessTextureChannel Metallic SpecularHighlights GlossyReflections BumpScale"
    " Parallax OcclusionStrength DetailNormalMapScale UVSec Mode SrcBlend DstBlend ZWrite",
    t="MainTex MetallicGlossMap BumpMap ParallaxMap OcclusionMap EmissionMap DetailMask DetailAlbedoMap"
    " DetailNormalMap",
)
_SPECULAR = {name: kind for name, kind in _STANDARD.items() if not name.startswith("_Metallic")}
_SPECULAR |= _listed(c="SpecColor", t="SpecGlossMap")
_SURFACE = _listed(
    c="BaseColor Color",
    f="Cutoff Surface Blend Cull AlphaClip SrcBlend DstBlend SrcBlendAlpha DstBlendAlpha ZWrite AlphaToMask QueueOffset"
    " BlendModePreserveSpecular AddPrecomputedVelocity XRMotionVectorsPass",
    t="BaseMap MainTex",
)
_LIT = _SURFACE | _listed(
    c="SpecColor EmissionColor",
    f="WorkflowMode Smoothness SmoothnessTextureChannel Metallic SpecularHighlights EnvironmentReflections BumpScale"
    " Parallax OcclusionStrength DetailAlbedoMapScale DetailNormalMapScale ClearCoatMask ClearCoatSmoothness"
    " ReceiveShadows GlossMapScale Glossiness GlossyReflections",
    t="MetallicGlossMap SpecGlossMap BumpMap ParallaxMap OcclusionMap EmissionMap DetailMask DetailAlbedoMap"
    " DetailNormalMap",
)
_SHADERS: dict[tuple[int, str], dict[str, str]] = {
    (46, _EXTRA): _STANDARD,
    (45, _EXTRA): _SPECULAR,
    (10752, _EXTRA): _listed(t="MainTex"),
    (10755, _EXTRA): _listed(c="Color"),
    (4800000, "933532a4fcc9baf4fa0491de14d08ed7"): _LIT,
    (4800000, "650dd9526735d5b46b79224bc6e94025"): _SURFACE | _listed(f="SampleGI"),
}


def built_in_properties(file_id: int, guid: str) -> dict[str, str] | None:
    """Return the properties of a shader, with the list of each; None where they are not known."""
    return _SHADERS.get((file_id, guid))
