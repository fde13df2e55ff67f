"""Godot 4 text files, read, queried and edited without losing a byte.

`Document` is any of them, `Scene` what a `.tscn` says, `expand` the whole tree of one. Values are in `variant`, edits
of scenes in `nodes`, `node_moves`, `connections` and `resources`, settings by name in `settings`. Nothing here touches
the disk.
"""

from __future__ import annotations

from scenewright.godot.documents.connections import NewConnection, connect, disconnect, set_editable
from scenewright.godot.documents.creation import inherited_scene, new_resource, new_scene
from scenewright.godot.documents.document import Document, Source
from scenewright.godot.documents.errors import EditError, ParseError
from scenewright.godot.documents.node_moves import duplicate_node, move_node, rename_node
from scenewright.godot.documents.nodes import (
    NewNode,
    add_node,
    override_node,
    remove_node,
    remove_properties,
    set_groups,
    set_properties,
)
from scenewright.godot.documents.resources import (
    add_external_file,
    add_inner_resource,
    remove_resource,
    rename_resource_id,
    set_resource_properties,
)
from scenewright.godot.documents.scene import Scene
from scenewright.godot.documents.settings import find_setting, remove_setting, set_setting, setting_names
from scenewright.godot.documents.tree import Tree, expand
from scenewright.godot.documents.variant_reader import parse_variant
from scenewright.godot.documents.variant_writer import write_variant

__all__ = [
    "Document",
    "EditError",
    "NewConnection",
    "NewNode",
    "ParseError",
    "Scene",
    "Source",
    "Tree",
    "add_external_file",
    "add_inner_resource",
    "add_node",
    "connect",
    "disconnect",
    "duplicate_node",
    "expand",
    "find_setting",
    "inherited_scene",
    "move_node",
    "new_resource",
    "new_scene",
    "override_node",
    "parse_variant",
    "remove_node",
    "remove_properties",
    "remove_resource",
    "remove_setting",
    "rename_node",
    "rename_resource_id",
    "set_editable",
    "set_groups",
    "set_properties",
    "set_resource_properties",
    "set_setting",
    "setting_names",
    "write_variant",
]
