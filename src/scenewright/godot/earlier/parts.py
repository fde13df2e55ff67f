"""How seed 000 speaks of ready-made parts: bodies by class and preset, screens by template, terrain by its grid."""

from __future__ import annotations

from typing import Any

from scenewright.godot.earlier import nodes
from scenewright.godot.earlier.arguments import Old

__all__ = ["area", "body", "health_bar", "numbered", "pickup", "primitive", "screen", "terrain", "terrain_material"]

_SORTS = {"StaticBody": "static", "RigidBody": "rigid", "CharacterBody": "character", "Area": "area"}
TEMPLATES = {"menu": "main_menu", "inventory_grid": "inventory"}


def numbered(old: Old) -> None:
    """Parts get a free name always."""
    old.switch("ensureUniqueName")


def primitive(old: Old) -> None:
    """A shape in a body of some class."""
    _solid(old)
    if "shape" not in old.given:
        old.given["shape"] = "box"
        old.notes.append("It is a box, as no shape says otherwise.")
    if (kind := old.take("bodyType")) is not None:
        old.put("collision", _sort(old, str(kind)), "bodyType")
    _on_layers(old)
    if "collision" in old.given or not {"collision_layer", "collision_mask"} & set(old.given.get("properties") or {}):
        return
    old.given["collision"] = "static"  # only a body is on layers


def body(old: Old) -> None:
    """A rigid body; another class is another action."""
    _solid(old)
    if (kind := old.take("bodyType")) is not None and _sort(old, str(kind)) != "rigid":
        raise old.refused(
            "bodyType", f"'{kind}' is no rigid body.", "enum", "create_primitive with collision makes the other bodies."
        )
    _on_layers(old)


def area(old: Old) -> None:
    """An area, on its layers, on request with a mesh to be seen by."""
    _solid(old)
    _on_layers(old)


def pickup(old: Old) -> None:
    numbered(old)
    if (scene := old.take("pickupScenePath")) is not None:
        old.put("lookPath", scene, "pickupScenePath")


def health_bar(old: Old) -> None:
    numbered(old)
    width, height = old.take("width"), old.take("height")
    if width is not None or height is not None:
        old.put("size", [240 if width is None else width, 24 if height is None else height], "width, height")


def terrain(old: Old) -> None:
    """Noise by its frequency in a metre, not by the number of hills; around the node, or from it on."""
    numbered(old)
    scale, center = old.take("heightScale"), old.switch("center")
    if scale is None and center is None:
        return
    size = old.given.setdefault("size", 32)
    old.put("amplitude", 5.0 if scale is None else scale, "heightScale")
    if isinstance(rate := old.given.get("frequency", 0.02), int | float) and isinstance(size, int | float):
        old.given["frequency"] = min(64.0, max(0.05, rate * size))
        old.notes.append("Read 'frequency' as hills in a metre, as heightScale and center go with.")
    if center is False and isinstance(size, int | float):
        old.put("position", [size / 2, 0.0, size / 2], "center")


def terrain_material(old: Old) -> None:
    """A material beside its shader; heights of the bands as a text."""
    shader = old.take("shaderPath", "path")
    if shader is not None or "materialPath" not in old.given:
        place = str(shader or "res://terrain_material.gdshader")
        old.given.setdefault("materialPath", place.removesuffix(".gdshader").removesuffix(".tres") + ".tres")
        old.put("shaderPath", place, "shaderPath")
    kind = old.take("type")
    if kind not in (None, "height_blend"):
        raise old.refused(
            "type", f"There is no terrain material '{kind}'.", "enum", "height_blend is the one there is."
        )
    levels = old.take("heightLevels")
    if levels is not None:
        low, high = _levels(old, levels)
        old.put("lowHeight", low, "heightLevels")
        old.put("highHeight", high, "heightLevels")
    for name in ("textureScale", "blendSharpness"):
        if name in old.given:
            raise old.refused(
                name,
                "The ground is colored by height and slope, it has no textures.",
                "unknown",
                f"Leave {name} out; create_shader writes a shader of your own.",
            )


def screen(old: Old) -> None:
    """Screens: by another name of the template, or element by element."""
    numbered(old)
    if not {"uiTemplate", "ui_template", "template"} & set(old.given) and not old.given.get("elements"):
        return
    template = old.take("uiTemplate", "template")
    template = "basic" if template is None else str(template).strip().lower()
    if template == "basic" or old.given.get("elements"):
        old.tool = "batch_create_nodes"
        nodes.create_ui(old)
        return
    old.given["template"] = TEMPLATES.get(template, template)
    names = [old.take("uiControlName"), old.take("uiRootName")]
    old.put("nodeName", names[0] or names[1], "uiControlName")
    root = old.take("uiRootType")
    old.put("layer", root == "CanvasLayer" if root is not None else None, "uiRootType")
    if (kind := old.take("uiControlType")) not in (None, "Control"):
        raise old.refused(
            "uiControlType", f"The root of a {template} is no {kind}.", "class", "Leave uiControlType out."
        )


def _solid(old: Old) -> None:
    """The one shape that is meant by up to three presets."""
    numbered(old)
    names = [name for name in ("shape", "primitive", "meshPreset", "shapePreset") if name in old.given]
    values = {str(old.given[name]).strip().lower() for name in names}
    if len(values) > 1:
        raise old.refused(
            names[-1],
            "A body looks like the shape it collides with.",
            "unique",
            "create with components {mesh, shape} has two shapes.",
        )
    for name in names[1:]:
        old.given["shape"] = old.take(name)
    if names and names[0] != "shape":
        old.given["shape"] = old.given.pop(names[0], old.given.get("shape"))
    if names and names != ["shape"]:
        old.notes.append(f"Read '{names[-1]}' as 'shape'.")


def _sort(old: Old, kind: str) -> str:
    sort = _SORTS.get(kind.removesuffix("2D").removesuffix("3D"))
    if sort is None:
        raise old.refused("bodyType", f"'{kind}' is no body.", "enum", f"One of {', '.join(_SORTS)}, with 2D or 3D.")
    if kind.endswith(("2D", "3D")):
        old.given.setdefault("dimension", kind[-2:].lower())
    return sort


def _on_layers(old: Old) -> None:
    found = {"collision_layer": old.take("collisionLayer"), "collision_mask": old.take("collisionMask")}
    old.add("properties", {name: value for name, value in found.items() if value is not None}, "the layers")


def _levels(old: Old, given: Any) -> tuple[float, float]:
    try:
        levels = [float(each) for each in (given if isinstance(given, list) else str(given).split(","))]
    except ValueError:
        levels = []
    if len(levels) < 2:
        raise old.refused(
            "heightLevels", "'heightLevels' are numbers with commas between.", "pattern", "Such as 0.0,0.3,0.6,1.0."
        )
    return levels[min(1, len(levels) - 2)], levels[-1] if len(levels) < 4 else levels[-2]
