"""New scenes and resources, as the engine would save them."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from scenewright.godot.documents import ids, paths
from scenewright.godot.documents.document import Document, Source
from scenewright.godot.documents.resources import add_external_file
from scenewright.godot.documents.scene import Scene
from scenewright.godot.documents.variant import ExtResource, Variant

__all__ = ["inherited_scene", "new_resource", "new_scene"]


def new_scene(
    name: str,
    kind: str,
    properties: Mapping[str, Variant | Source] | None = None,
    *,
    uid: str | None = None,
    random: Random = ids.RANDOM,
) -> Scene:
    """Return a scene with only a root."""
    document = Document.parse(_write_header("gd_scene", "", uid), "scene.tscn")
    attributes: list[tuple[str, Variant]] = [("name", paths.check_name(name)), ("type", kind)]
    attributes.append(("unique_id", ids.new_node_id((), random=random)))
    text = document.new_section("node", attributes, (properties or {}).items())
    return Scene(document.insert(text, document.sections[-1]))


def inherited_scene(
    name: str, base: str, base_uid: str | None = None, *, uid: str | None = None, random: Random = ids.RANDOM
) -> Scene:
    """Return a scene that inherits from the one at `base`."""
    document = Document.parse(_write_header("gd_scene", "", uid), "scene.tscn")
    document, file = add_external_file(document, "PackedScene", base, base_uid)
    attributes: list[tuple[str, Variant]] = [("name", paths.check_name(name))]
    attributes += [("unique_id", ids.new_node_id((), random=random)), ("instance", ExtResource(file))]
    return Scene(document.insert(document.new_section("node", attributes), document.sections[-1]))


def new_resource(
    kind: str,
    properties: Mapping[str, Variant | Source] | None = None,
    *,
    script_class: str | None = None,
    uid: str | None = None,
) -> Document:
    """Return a resource file; a script goes in as a property, once its file is declared."""
    known_as = f' script_class="{script_class}"' if script_class else ""
    document = Document.parse(_write_header("gd_resource", f' type="{kind}"{known_as}', uid), "resource.tres")
    text = document.new_section("resource", (), (properties or {}).items())
    return document.insert(text, document.sections[-1])


def _write_header(tag: str, attributes: str, uid: str | None) -> str:
    known_as = f' uid="{uid}"' if uid else ""
    return f"[{tag}{attributes} format=3{known_as}]\n"
