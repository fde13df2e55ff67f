"""Makes a scene of an LDtk level: a TileMapLayer for each layer of tiles, nodes or instances for its entities."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Mapping
from typing import Any

import msgspec

from scenewright.core.faults import Fault, Invalid, NotFound
from scenewright.godot.classes.index import ClassIndex
from scenewright.godot.documents import ids, nodes
from scenewright.godot.documents import variant as v
from scenewright.godot.documents.creation import new_scene
from scenewright.godot.project.workspace import Workspace
from scenewright.godot.scenes.scene_edit import Addition, SceneEdit
from scenewright.godot.tiles.backdrop import add_backdrop
from scenewright.godot.tiles.cells import FLIP_H, FLIP_V, Cells, Tile
from scenewright.godot.tiles.layer import with_room_for_bytes
from scenewright.godot.tiles.layer_stacks import Sheet, rectangles, stacked
from scenewright.godot.tiles.ldtk import Entity, Field, Layer, Level, Project
from scenewright.godot.tiles.ldtk_tilesets import LdtkTilesets

__all__ = ["EntityRule", "LevelMaker", "Made", "read_mapping"]


class EntityRule(msgspec.Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """What an entity becomes: an instance of a scene, or a node of a class."""

    ldtk_identifier: str
    godot_node_type: str | None = None
    scene_path: str | None = None
    properties: dict[str, Any] = msgspec.field(default_factory=dict)


class Made(msgspec.Struct):
    """What came of a level."""

    layers: int = 0
    cells: int = 0
    entities: int = 0
    shapes: int = 0


class LevelMaker:
    """Makes the scenes of one project."""

    def __init__(
        self,
        workspace: Workspace,
        index: ClassIndex,
        project: Project,
        tilesets: LdtkTilesets,
        mapping: Mapping[str, EntityRule],
    ) -> None:
        self._workspace = workspace
        self._index = index
        self._project = project
        self._tilesets = tilesets
        self._mapping = mapping
        self.warnings: list[str] = []

    def make(self, level: Level, path: str, solid: list[int | str] | None) -> Made:
        """Stage the scene of a level; `solid` lists the IntGrid values that get collision, None for none."""
        scene = new_scene(level.identifier, "Node2D", uid=ids.new_uid())
        self._workspace.save(path, scene.document)
        edit = SceneEdit(self._workspace, self._index, path)
        made = Made()
        _set_properties(
            edit,
            ".",
            {
                "metadata/ldtk_world": v.Vector2i(level.world_x, level.world_y),
                "metadata/ldtk_size": v.Vector2i(level.px_wid, level.px_hei),
                **_fields_metadata(level.field_instances),
            },
        )
        self.warnings += add_backdrop(edit, level, self._tilesets.ldtk_folder)
        for layer in reversed(level.layer_instances or []):  # LDtk lists the topmost first
            if layer.kind == "Entities":
                self._add_entities(edit, layer, made)
            else:
                self._add_tile_layers(edit, layer, made)
                if solid is not None and layer.kind == "IntGrid":
                    self._add_collision(edit, layer, solid, made)
        edit.save()
        return made

    def _add_tile_layers(self, edit: SceneEdit, layer: Layer, made: Made) -> None:
        tileset = self._tilesets.path(layer)
        first = None
        if layer.tiles and tileset is not None:
            for sheet in stacked(layer.tiles, layer.grid):
                path = self._add_tile_layer(edit, layer, sheet, tileset)
                first = first or path
                made.layers += 1
                made.cells += len(sheet.tiles)
        if any(tile.a < 1 for tile in layer.tiles):
            self.warnings.append(f"Layer '{layer.name}': some tiles are half transparent in LDtk, but opaque here.")
        if layer.kind == "IntGrid" and any(layer.int_grid_csv):
            first = first or edit.add(Addition(name=edit.free_name(".", layer.name), kind="Node2D")).path
            _set_properties(
                edit,
                first,
                {
                    "metadata/ldtk_int_grid": _to_variant(
                        {
                            "columns": layer.columns,
                            "grid": layer.grid,
                            "names": self._project.values(layer),
                            "values": layer.int_grid_csv,
                        }
                    )
                },
            )

    def _add_tile_layer(self, edit: SceneEdit, layer: Layer, sheet: Sheet, tileset: str) -> str:
        cells = Cells()
        for cell, tile in sheet.tiles.items():
            column, row = self._tilesets.coords(layer, tile.src)
            flips = FLIP_H * (tile.f & 1) | FLIP_V * (tile.f >> 1 & 1)
            cells.set(cell, Tile(0, column, row, flips))
        properties: dict[str, Any] = {
            "tile_map_data": {"$type": "PackedByteArray", "base64": b64encode(cells.to_bytes()).decode()},
            "tile_set": tileset,
            "position": [layer.left + sheet.shift[0], layer.top + sheet.shift[1]],
            "visible": layer.visible,
            "modulate": [1, 1, 1, layer.opacity],
        }
        edit.document = with_room_for_bytes(edit.document, cells)
        name = edit.free_name(".", layer.name)
        return edit.add(Addition(name=name, kind="TileMapLayer", properties=properties)).path

    def _add_collision(self, edit: SceneEdit, layer: Layer, solid: list[int | str], made: Made) -> None:
        """A body with rectangles over the solid cells, as few as cover them."""
        wanted = self._value_numbers(layer, solid)
        cells = {
            (number % layer.columns, number // layer.columns)
            for number, value in enumerate(layer.int_grid_csv)
            if value and (not wanted or value in wanted)
        }
        if not cells:
            return
        at = [layer.left, layer.top]
        name = edit.free_name(".", f"{layer.name}Collision")
        body = edit.add(Addition(name=name, kind="StaticBody2D", properties={"position": at})).path
        for x, y, width, height in rectangles(cells):
            size = [width * layer.grid, height * layer.grid]
            shape = {"$resource": "RectangleShape2D", "props": {"size": size}}
            middle = [x * layer.grid + size[0] / 2, y * layer.grid + size[1] / 2]
            edit.add(
                Addition(
                    name=edit.free_name(body, "Shape"),
                    kind="CollisionShape2D",
                    parent=body,
                    properties={
                        "position": middle,
                        "shape": shape,
                    },
                )
            )
            made.shapes += 1

    def _value_numbers(self, layer: Layer, solid: list[int | str]) -> set[int]:
        names = self._project.values(layer)
        return {names.get(value, -1) if isinstance(value, str) else value for value in solid}

    def _add_entities(self, edit: SceneEdit, layer: Layer, made: Made) -> None:
        name = edit.free_name(".", layer.name)
        properties: dict[str, Any] = {"position": [layer.left, layer.top], "visible": layer.visible}
        parent = edit.add(Addition(name=name, kind="Node2D", properties=properties)).path
        for entity in layer.entity_instances:
            self._add_entity(edit, parent, entity)
            made.entities += 1

    def _add_entity(self, edit: SceneEdit, parent: str, entity: Entity) -> None:
        mapped = self._mapping.get(entity.name)
        properties: dict[str, Any] = {"position": list(entity.px)}
        if mapped is not None:
            properties |= mapped.properties
        path = edit.add(
            Addition(
                name=edit.free_name(parent, entity.name),
                parent=parent,
                properties=properties,
                kind=None if mapped and mapped.scene_path else (mapped and mapped.godot_node_type) or "Marker2D",
                instance=mapped.scene_path if mapped else None,
            )
        ).path
        fields = {field.name: field.value for field in entity.field_instances if field.value is not None}
        if mapped is not None:
            for name, value in fields.items():
                self._set_field(edit, path, name, value)
        size = v.Vector2(entity.width, entity.height)
        _set_properties(edit, path, {"metadata/ldtk_size": size, **_fields_metadata(entity.field_instances)})

    def _set_field(self, edit: SceneEdit, path: str, name: str, value: Any) -> None:
        """Sets the property that is called like a field, as it is written or in snake case, where there is one."""
        for known in dict.fromkeys((name, _to_snake_case(name))):
            try:
                edit.set(path, {known: value})
            except NotFound:
                continue
            except Fault as problem:
                self.warnings.append(f"{path}: the field '{name}' was not set: {problem.message}")
            return


def read_mapping(value: Any, where: str) -> dict[str, EntityRule]:
    """Read which entity becomes what: a list, or an object of scenes and classes by entity."""
    if value is None:
        return {}
    if isinstance(value, Mapping):
        value = [_rule_for(str(name), what) for name, what in value.items()]
    try:
        rules = msgspec.convert(value, list[EntityRule])
    except msgspec.ValidationError as problem:
        raise Invalid(
            f"'{where}' is not a mapping: {problem}.",
            path=where,
            rule="mapping",
            hint='Send {"Player": "res://player.tscn", "Door": "Area2D"}.',
        ) from None
    for rule in rules:
        if rule.scene_path is not None and rule.godot_node_type is not None:
            raise Invalid(f"'{rule.ldtk_identifier}' is a scene or a class, not both.", path=where, rule="oneOf")
    return {rule.ldtk_identifier: rule for rule in rules}


def _rule_for(name: str, what: Any) -> Any:
    if isinstance(what, str):
        key = "scenePath" if what.endswith((".tscn", ".scn")) else "godotNodeType"
        return {"ldtkIdentifier": name, key: what}
    return {"ldtkIdentifier": name, **what} if isinstance(what, Mapping) else what


def _set_properties(edit: SceneEdit, path: str, values: Mapping[str, v.Variant]) -> None:
    edit.scene = nodes.set_properties(edit.scene, path, values)


def _fields_metadata(fields: list[Field]) -> dict[str, v.Variant]:
    values = {field.name: field.value for field in fields if field.value is not None}
    return {"metadata/ldtk_fields": _to_variant(values)} if values else {}


def _to_variant(value: Any) -> v.Variant:
    """A JSON value as the engine's."""
    if isinstance(value, dict):
        return v.Dictionary(tuple((str(key), _to_variant(item)) for key, item in value.items()))
    if isinstance(value, list):
        if value and all(type(item) is int for item in value):
            return v.PackedInt32Array(tuple(value))
        return v.Array(tuple(_to_variant(item) for item in value))
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)


def _to_snake_case(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
