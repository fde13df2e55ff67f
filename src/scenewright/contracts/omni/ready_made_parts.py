"""How godot-mcp-omni speaks of ready-made parts: bodies by class and preset, screens by template, terrain by grid."""

from __future__ import annotations

from typing import Any

from scenewright.contracts.omni import nodes
from scenewright.contracts.omni.arguments import OmniArguments

__all__ = ["area", "body", "health_bar", "numbered", "pickup", "primitive", "screen", "terrain", "terrain_material"]

_SORTS = {"StaticBody": "static", "RigidBody": "rigid", "CharacterBody": "character", "Area": "area"}
TEMPLATES = {"menu": "main_menu", "inventory_grid": "inventory"}


def numbered(theirs: OmniArguments) -> None:
    """Ask for a free name, which parts always get."""
    theirs.switch("ensureUniqueName")


def primitive(theirs: OmniArguments) -> None:
    """Translate a shape in a body of some class."""
    _merge_shape_presets(theirs)
    if "shape" not in theirs.given:
        theirs.given["shape"] = "box"
        theirs.notes.append("It is a box, as no shape says otherwise.")
    if (kind := theirs.take("bodyType")) is not None:
        theirs.put("collision", _body_sort(theirs, str(kind)), "bodyType")
    _on_layers(theirs)
    if "collision" in theirs.given or not {"collision_layer", "collision_mask"} & set(
        theirs.given.get("properties") or {}
    ):
        return
    theirs.given["collision"] = "static"  # only a body is on layers


def body(theirs: OmniArguments) -> None:
    """Translate a rigid body; another class of body is another action."""
    _merge_shape_presets(theirs)
    if (kind := theirs.take("bodyType")) is not None and _body_sort(theirs, str(kind)) != "rigid":
        raise theirs.refused(
            "bodyType", f"'{kind}' is no rigid body.", "enum", "create_primitive with collision makes the other bodies."
        )
    _on_layers(theirs)


def area(theirs: OmniArguments) -> None:
    """Translate an area with its layers, on request with a visible mesh."""
    _merge_shape_presets(theirs)
    _on_layers(theirs)


def pickup(theirs: OmniArguments) -> None:
    numbered(theirs)
    if (scene := theirs.take("pickupScenePath")) is not None:
        theirs.put("lookPath", scene, "pickupScenePath")


def health_bar(theirs: OmniArguments) -> None:
    numbered(theirs)
    width, height = theirs.take("width"), theirs.take("height")
    if width is not None or height is not None:
        theirs.put("size", [240 if width is None else width, 24 if height is None else height], "width, height")


def terrain(theirs: OmniArguments) -> None:
    """Translate noise by its frequency per metre, and where the ground lies around the node."""
    numbered(theirs)
    scale, center = theirs.take("heightScale"), theirs.switch("center")
    if scale is None and center is None:
        return
    size = theirs.given.setdefault("size", 32)
    theirs.put("amplitude", 5.0 if scale is None else scale, "heightScale")
    if isinstance(rate := theirs.given.get("frequency", 0.02), int | float) and isinstance(size, int | float):
        theirs.given["frequency"] = min(64.0, max(0.05, rate * size))
        theirs.notes.append("Read 'frequency' as hills in a metre, as heightScale and center go with.")
    if center is False and isinstance(size, int | float):
        theirs.put("position", [size / 2, 0.0, size / 2], "center")


def terrain_material(theirs: OmniArguments) -> None:
    """Translate a material with its shader beside it, and the heights of its bands given as text."""
    shader = theirs.take("shaderPath", "path")
    if shader is not None or "materialPath" not in theirs.given:
        place = str(shader or "res://terrain_material.gdshader")
        theirs.given.setdefault("materialPath", place.removesuffix(".gdshader").removesuffix(".tres") + ".tres")
        theirs.put("shaderPath", place, "shaderPath")
    kind = theirs.take("type")
    if kind not in (None, "height_blend"):
        raise theirs.refused(
            "type", f"There is no terrain material '{kind}'.", "enum", "height_blend is the one there is."
        )
    levels = theirs.take("heightLevels")
    if levels is not None:
        low, high = _levels(theirs, levels)
        theirs.put("lowHeight", low, "heightLevels")
        theirs.put("highHeight", high, "heightLevels")
    for name in ("textureScale", "blendSharpness"):
        if name in theirs.given:
            raise theirs.refused(
                name,
                "The ground is colored by height and slope, it has no textures.",
                "unknown",
                f"Leave {name} out; create_shader writes a shader of your own.",
            )


def screen(theirs: OmniArguments) -> None:
    """Translate a screen that is given by another name of its template, or element by element."""
    numbered(theirs)
    if not {"uiTemplate", "ui_template", "template"} & set(theirs.given) and not theirs.given.get("elements"):
        return
    template = theirs.take("uiTemplate", "template")
    template = "basic" if template is None else str(template).strip().lower()
    if template == "basic" or theirs.given.get("elements"):
        theirs.tool = "batch_create_nodes"
        nodes.create_ui(theirs)
        return
    theirs.given["template"] = TEMPLATES.get(template, template)
    names = [theirs.take("uiControlName"), theirs.take("uiRootName")]
    theirs.put("nodeName", names[0] or names[1], "uiControlName")
    root = theirs.take("uiRootType")
    theirs.put("layer", root == "CanvasLayer" if root is not None else None, "uiRootType")
    if (kind := theirs.take("uiControlType")) not in (None, "Control"):
        raise theirs.refused(
            "uiControlType", f"The root of a {template} is no {kind}.", "class", "Leave uiControlType out."
        )


def _merge_shape_presets(theirs: OmniArguments) -> None:
    """The one shape that is meant by up to three presets."""
    numbered(theirs)
    names = [name for name in ("shape", "primitive", "meshPreset", "shapePreset") if name in theirs.given]
    values = {str(theirs.given[name]).strip().lower() for name in names}
    if len(values) > 1:
        raise theirs.refused(
            names[-1],
            "A body looks like the shape it collides with.",
            "unique",
            "create with components {mesh, shape} has two shapes.",
        )
    for name in names[1:]:
        theirs.given["shape"] = theirs.take(name)
    if names and names[0] != "shape":
        theirs.given["shape"] = theirs.given.pop(names[0], theirs.given.get("shape"))
    if names and names != ["shape"]:
        theirs.notes.append(f"Read '{names[-1]}' as 'shape'.")


def _body_sort(theirs: OmniArguments, kind: str) -> str:
    sort = _SORTS.get(kind.removesuffix("2D").removesuffix("3D"))
    if sort is None:
        raise theirs.refused(
            "bodyType", f"'{kind}' is not a body.", "enum", f"One of {', '.join(_SORTS)}, with 2D or 3D."
        )
    if kind.endswith(("2D", "3D")):
        theirs.given.setdefault("dimension", kind[-2:].lower())
    return sort


def _on_layers(theirs: OmniArguments) -> None:
    layers = {"collision_layer": theirs.take("collisionLayer"), "collision_mask": theirs.take("collisionMask")}
    theirs.add("properties", {name: value for name, value in layers.items() if value is not None}, "the layers")


def _levels(theirs: OmniArguments, given: Any) -> tuple[float, float]:
    try:
        levels = [float(each) for each in (given if isinstance(given, list) else str(given).split(","))]
    except ValueError:
        levels = []
    if len(levels) < 2:
        raise theirs.refused(
            "heightLevels", "'heightLevels' are numbers with commas between.", "pattern", "Such as 0.0,0.3,0.6,1.0."
        )
    return levels[min(1, len(levels) - 2)], levels[-1] if len(levels) < 4 else levels[-2]
