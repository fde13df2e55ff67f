"""How large what a node shows is, and where its middle lies from the node's parent: sprites, rectangles, meshes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from scenewright.core.faults import Invalid, Unsupported
from scenewright.core.text.counts import with_article
from scenewright.godot.assets.images.pictures import picture_size
from scenewright.godot.classes.index import ClassIndex
from scenewright.godot.documents import variant as v
from scenewright.godot.documents.document import Document
from scenewright.godot.documents.references import Reference, resource_sections
from scenewright.godot.documents.scene import external_files
from scenewright.godot.documents.section import Section
from scenewright.godot.documents.tree import TreeNode
from scenewright.godot.documents.variant_reader import parse_variant
from scenewright.godot.project.addresses import Addresses
from scenewright.godot.scenes.scene_edit import SceneEdit

__all__ = ["Extent", "extent_of"]


class Extent(msgspec.Struct, frozen=True):
    """A size, and the middle of it as seen from the node's own parent."""

    size: tuple[float, ...]
    middle: tuple[float, ...]


def extent_of(edit: SceneEdit, node: TreeNode) -> Extent:
    """Return the size and place of what a node shows.

    Raises:
        Unsupported: it cannot be told from the files.
    """
    kind = node.type or ""
    for base, measure in _MEASURES.items():
        if kind in edit.index and edit.index.is_a(kind, base):
            return measure(_Node(edit, node))
    raise Unsupported(
        f"The size of {with_article(kind)} cannot be read from the files.",
        hint="Give shapeParams, or fit a sprite or a mesh.",
    )


class _Node:
    """A node's values: those set, and else their defaults."""

    def __init__(self, edit: SceneEdit, node: TreeNode) -> None:
        self._edit = edit
        self._node = node

    def value(self, name: str) -> Any:
        property_ = self._node.find(name)
        return (
            property_.value if property_ is not None else _default_value(self._edit.index, self._node.type or "", name)
        )

    def texture(self) -> tuple[float, float]:
        """The size of its texture in pixels."""
        value = self.value("texture")
        if value is None:
            raise Invalid(
                f"'{self._node.path}' has no texture.", path="input.fit", rule="texture", hint="Set one first."
            )
        section = self.resource("texture")
        if section is not None:
            return _texture_size(self._edit.index, section, section.string("type") or "", self._node.path)
        path = next((file_.path for file_ in external_files(self._document("texture")) if file_.id == value.id), "")
        workspace = self._edit.workspace
        file = Addresses(workspace).file(path)
        if path.endswith(".tres") and (own := workspace.document(path).find("resource")) is not None:
            return _texture_size(self._edit.index, own, file.class_name, self._node.path)
        place = workspace.place(file.path)
        size = picture_size(workspace.files.read(place))
        if size is None:
            raise Unsupported(f"The size of {path} cannot be read from the file.", hint="Give shapeParams.")
        return size

    def resource(self, name: str) -> Section | None:
        """The resource inside the scene that a property holds."""
        value = self.value(name)
        if not isinstance(value, v.SubResource):
            return None
        declared: dict[Reference, Section] = resource_sections(self._document(name))
        return declared.get(value)

    def _document(self, name: str) -> Document:
        """The scene that sets a property, which may be one that this scene instances."""
        property_ = self._node.find(name)
        return self._edit.document if property_ is None else property_.section.document

    def scaled(self, size: tuple[float, ...], offset: tuple[float, ...]) -> Extent:
        """A size around an offset, both in the node's own units, as the parent sees them."""
        self.must_not_turn("rotation", "skew")
        scale, place = self.value("scale"), self.value("position")
        factors = (abs(scale.x), abs(scale.y))
        grown = tuple(side * factor for side, factor in zip(size, factors, strict=True))
        moved = (place.x + offset[0] * scale.x, place.y + offset[1] * scale.y)
        return Extent(grown, moved)

    def must_not_turn(self, *names: str) -> None:
        """Refuses a node that is turned by one of these properties, as the shape would have to be."""
        if any(self.value(name) for name in names):
            raise Unsupported(
                f"'{self._node.path}' is rotated, and the shape would have to be too.", hint="Give shapeParams."
            )


def _sprite(node: _Node) -> Extent:
    width, height = node.texture()
    if node.value("region_enabled") is True:
        region = node.value("region_rect")
        width, height = region.width, region.height
    size = (width / node.value("hframes"), height / node.value("vframes"))
    offset = node.value("offset")
    shift = (0.0, 0.0) if node.value("centered") else (size[0] / 2, size[1] / 2)
    return node.scaled(size, (offset.x + shift[0], offset.y + shift[1]))


def _rectangle(node: _Node) -> Extent:
    """A control that lies at its parent's corner."""
    left, top, right, bottom = (node.value(f"offset_{side}") for side in ("left", "top", "right", "bottom"))
    if any(node.value(f"anchor_{side}") for side in ("left", "top", "right", "bottom")):
        raise Unsupported("The size of an anchored control depends on its parent.", hint="Give shapeParams.")
    node.must_not_turn("rotation")
    if node.value("scale") != v.Vector2(1.0, 1.0):
        raise Unsupported("A scaled control is scaled around its pivot.", hint="Give shapeParams.")
    return Extent((right - left, bottom - top), ((left + right) / 2, (top + bottom) / 2))


def _mesh(node: _Node) -> Extent:
    section = node.resource("mesh")
    kind = section.string("type") if section is not None else None
    measure = _MESHES.get(kind or "")
    if section is None or measure is None:
        raise Unsupported("The size of this mesh cannot be read from the scene.", hint="Give shapeParams.")
    size = measure(lambda name: _stored_or_default(node._edit.index, section, kind or "", name))
    transform = node.value("transform")
    return Extent(_scaled_size(size, transform), msgspec.structs.astuple(transform)[9:])


def _scaled_size(size: tuple[float, ...], transform: Any) -> tuple[float, ...]:
    """The size with the node's scale, which must not turn the mesh."""
    parts = msgspec.structs.astuple(transform)[:9]
    if any(part for at, part in enumerate(parts) if at not in (0, 4, 8)):
        raise Unsupported("The mesh is rotated, and the shape would have to be too.", hint="Give shapeParams.")
    return tuple(side * abs(scale) for side, scale in zip(size, (parts[0], parts[4], parts[8]), strict=True))


def _round(read: Callable[[str], Any]) -> tuple[float, ...]:
    return (2 * read("radius"), read("height"), 2 * read("radius"))


def _box(read: Callable[[str], Any]) -> tuple[float, ...]:
    size = read("size")
    return (size.x, size.y, size.z)


def _cylinder(read: Callable[[str], Any]) -> tuple[float, ...]:
    wide = 2 * max(read("top_radius"), read("bottom_radius"))
    return (wide, read("height"), wide)


_MEASURES: dict[str, Callable[[_Node], Extent]] = {
    "Sprite2D": _sprite,
    "Control": _rectangle,
    "MeshInstance3D": _mesh,
}
_MESHES: dict[str, Callable[[Callable[[str], Any]], tuple[float, ...]]] = {
    "BoxMesh": _box,
    "PrismMesh": _box,
    "SphereMesh": _round,
    "CapsuleMesh": _round,
    "CylinderMesh": _cylinder,
}


def _texture_size(index: ClassIndex, section: Section, kind: str, path: str) -> tuple[float, float]:
    """The size of a texture that the engine makes."""
    if kind == "PlaceholderTexture2D":
        size = _stored_or_default(index, section, kind, "size")
        return (size.x, size.y)
    if kind == "AtlasTexture":
        region = _stored_or_default(index, section, kind, "region")
        return (region.width, region.height)
    if index.has_property(kind, "width") and index.has_property(kind, "height"):
        return (_stored_or_default(index, section, kind, "width"), _stored_or_default(index, section, kind, "height"))
    raise Unsupported(f"The size of the {kind} of '{path}' cannot be read.", hint="Give shapeParams.")


def _stored_or_default(index: ClassIndex, section: Section, kind: str, name: str) -> Any:
    property_ = section.find(name)
    return property_.value if property_ is not None else _default_value(index, kind, name)


def _default_value(index: ClassIndex, kind: str, name: str) -> Any:
    default = index.property(kind, name).default
    return parse_variant(default) if default is not None else None
