"""What kind of thing an asset is: by its ending, and for `.asset` files by the class of the object inside."""

from __future__ import annotations

from scenewright.unity.assets.records import Asset
from scenewright.unity.classes import class_name

__all__ = ["BY_SUFFIX", "type_by_suffix"]

_SUFFIXES = {
    "Scene": ".unity",
    "Prefab": ".prefab",
    "Material": ".mat",
    "MonoScript": ".cs",
    "AnimationClip": ".anim",
    "AnimatorController": ".controller",
    "AnimatorOverrideController": ".overridecontroller",
    "AudioMixer": ".mixer",
    "Shader": ".shader .shadergraph",
    "ComputeShader": ".compute",
    "ShaderInclude": ".cginc .hlsl .glslinc",
    "SubGraph": ".shadersubgraph",
    "VisualEffectAsset": ".vfx",
    "Texture2D": ".png .jpg .jpeg .tga .psd .tif .tiff .bmp .gif .exr .hdr .iff .pict .psb .svg",
    "AudioClip": ".wav .mp3 .ogg .aif .aiff .flac .mod .it .s3m .xm",
    "VideoClip": ".mp4 .mov .webm .avi .m4v .mpg .mpeg .ogv .wmv",
    "Model": ".fbx .obj .dae .3ds .dxf .blend .ma .mb .max .c4d .glb .gltf .skp",
    "Font": ".ttf .otf .ttc .fon .fnt",
    "FontSettings": ".fontsettings",
    "TextAsset": ".txt .json .xml .csv .html .htm .bytes .md .yaml .yml",
    "VisualTreeAsset": ".uxml",
    "StyleSheet": ".uss .tss",
    "AssemblyDefinition": ".asmdef .asmref",
    "Plugin": ".dll .so .dylib .bundle .jar .aar",
    "RenderTexture": ".rendertexture",
    "CustomRenderTexture": ".ht",
    "Cubemap": ".cubemap",
    "AvatarMask": ".mask",
    "PhysicMaterial": ".physicmaterial .physicsmaterial",
    "PhysicsMaterial2D": ".physicsmaterial2d",
    "SpriteAtlas": ".spriteatlas .spriteatlasv2",
    "Timeline": ".playable",
    "LightingSettings": ".lighting",
    "TerrainLayer": ".terrainlayer",
    "Preset": ".preset",
    "ShaderVariantCollection": ".shadervariants",
    "GUISkin": ".guiskin",
    "Flare": ".flare",
    "Brush": ".brush",
    "Signal": ".signal",
    "InputActions": ".inputactions",
    "SceneTemplate": ".scenetemplate",
}
BY_SUFFIX = {suffix: name for name, suffixes in _SUFFIXES.items() for suffix in suffixes.split()}


def type_by_suffix(asset: Asset) -> str:
    """Return the type as far as the name and the index of assets tell it."""
    if asset.kind == "folder":
        return "Folder"
    if asset.suffix == ".asset" and asset.main and not asset.main.startswith("114"):
        return class_name(int(asset.main))
    return BY_SUFFIX.get(asset.suffix, "ScriptableObject" if asset.suffix == ".asset" else "Other")
