"""Properties whose names are made at run time, as one cannot list them: shader parameters, bones, tracks, metadata.

The engine tells only of those a fresh object has. These are the families its classes take beyond that, so that none
of them is refused as unknown. A family that says a type vouches for it; the others take any value.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from scenewright.godot.classes.records import Property
from scenewright.godot.classes.variant import VARIANT_TYPES, Hint, PropertyUsage

__all__ = ["FAMILIES", "Family", "family_property"]


class Family(NamedTuple):
    owner: str
    pattern: str
    type: str = "Variant"


FAMILIES = (
    Family("Object", r"metadata/\w+"),
    Family("CanvasItem", r"instance_shader_parameters/.+"),
    Family("GeometryInstance3D", r"instance_shader_parameters/.+"),
    Family("ShaderMaterial", r"shader_parameter/.+"),
    Family("ShaderGlobalsOverride", r"params/.+"),
    Family("Control", r"theme_override_colors/.+", "Color"),
    Family("Control", r"theme_override_(constants|font_sizes)/.+", "int"),
    Family("Control", r"theme_override_fonts/.+", "Font"),
    Family("Control", r"theme_override_icons/.+", "Texture2D"),
    Family("Control", r"theme_override_styles/.+", "StyleBox"),
    Family("Window", r"theme_override_colors/.+", "Color"),
    Family("Window", r"theme_override_(constants|font_sizes)/.+", "int"),
    Family("Window", r"theme_override_fonts/.+", "Font"),
    Family("Window", r"theme_override_icons/.+", "Texture2D"),
    Family("Window", r"theme_override_styles/.+", "StyleBox"),
    Family("Theme", r"[^/]+/colors/.+", "Color"),
    Family("Theme", r"[^/]+/(constants|font_sizes)/.+", "int"),
    Family("Theme", r"[^/]+/fonts/.+", "Font"),
    Family("Theme", r"[^/]+/icons/.+", "Texture2D"),
    Family("Theme", r"[^/]+/styles/.+", "StyleBox"),
    Family("Theme", r"[^/]+/base_type", "StringName"),
    Family("AnimationMixer", r"libraries/.*", "AnimationLibrary"),
    Family("AnimationMixer", r"libraries", "Dictionary"),  # as versions before 4.6 write them, and all read them
    Family("AnimationPlayer", r"next/.+", "StringName"),
    Family("AnimationTree", r"parameters/.+"),
    Family("Animation", r"tracks/\d+/\w+"),
    Family("AnimationNodeStateMachine", r"states/[^/]+/node", "AnimationNode"),
    Family("AnimationNodeStateMachine", r"states/[^/]+/position", "Vector2"),
    Family("AnimationNodeBlendTree", r"nodes/[^/]+/node", "AnimationNode"),
    Family("AnimationNodeBlendTree", r"nodes/[^/]+/position", "Vector2"),
    Family("MeshInstance3D", r"surface_material_override/\d+", "Material"),
    Family("MeshInstance3D", r"blend_shapes/.+", "float"),
    Family("ArrayMesh", r"surface_\d+/\w+"),
    Family("MeshLibrary", r"item/\d+/\w+"),
    Family("Bone2D", r"length|bone_angle", "float"),
    Family("Skeleton3D", r"bones/\d+/\w+"),
    Family("Skin", r"bind/\d+/\w+"),
    Family("BoneMap", r"bone_map/.+", "StringName"),
    Family("SoftBody3D", r"attachments/\d+/\w+"),
    Family("PhysicalBone3D", r"joint_constraints/\w+"),
    Family("TileSet", r"sources/\d+", "TileSetSource"),
    Family("TileSet", r"pattern_\d+", "TileMapPattern"),
    Family("TileSet", r"terrain_set_\d+/.+"),
    Family("TileSetAtlasSource", r"\d+:\d+/.+"),
    Family("TileSetScenesCollectionSource", r"scenes/\d+/\w+"),
    Family("TileData", r"(occlusion_layer|physics_layer|navigation_layer|terrains_peering_bit|custom_data)_?.+"),
    Family("AudioStreamRandomizer", r"stream_\d+/stream", "AudioStream"),
    Family("AudioStreamRandomizer", r"stream_\d+/weight", "float"),
    Family("AudioBusLayout", r"bus/\d+/.+"),
    Family("SceneReplicationConfig", r"properties/\d+/\w+"),
    Family("GraphNode", r"slot/\d+/\w+"),
    Family("FontFile", r"(cache|language_support_override|script_support_override)/.+"),
    Family("VisualShader", r"(nodes|varyings)/.+"),
    Family("SkeletonModification2D", r"(joint_data|editor|constraint)[/_].+"),
    Family("SkeletonModificationStack2D", r"modifications/\d+", "SkeletonModification2D"),
    Family("ProjectSettings", r"[^/]+/.+"),
)


def family_property(chain: Iterable[str], name: str) -> Property | None:
    """Return the property a class of this inheritance chain would make of the name."""
    above = set(chain)
    for family in FAMILIES:
        if family.owner in above and re.fullmatch(family.pattern, name):
            return _property(family, name)
    return None


def _property(family: Family, name: str) -> Property:
    is_object = family.type not in (*VARIANT_TYPES, "Variant")
    return Property(
        owner=family.owner,
        name=name,
        type=family.type,
        variant="Object" if is_object else "Nil" if family.type == "Variant" else family.type,
        hint=Hint.RESOURCE_TYPE.value if is_object else Hint.NONE.value,
        hint_string=family.type if is_object else "",
        usage=PropertyUsage.DEFAULT.value,
        dynamic=True,
    )
