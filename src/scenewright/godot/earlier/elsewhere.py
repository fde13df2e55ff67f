"""How seed 000 speaks of files, scripts, the inspector and panels, where more than a name differs from ours."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scenewright.godot.earlier.arguments import Old

__all__ = [
    "attach_script",
    "batch",
    "converted",
    "edit_file",
    "editor_batch",
    "find_panels",
    "health",
    "import_check",
    "inspect",
    "instance",
    "new_scene",
    "new_script",
    "new_shader",
    "new_tilemap",
    "of_edited_scene",
    "pictured",
    "plain_path",
    "read_panel",
    "read_scene",
    "search_files",
    "shortened",
]

_MOST_REPLACED = 50


def edit_file(old: Old) -> None:
    """All places are changed, up to a number of them."""
    old.put("path", old.take("filePath"), "filePath")
    plain_path(old)
    if "count" not in old.given and "maxReplacements" not in old.given:
        old.given["maxReplacements"] = _MOST_REPLACED


def attach_script(old: Old) -> None:
    """The script as a resource, beside its path or alone."""
    script = old.take("script")
    if isinstance(script, dict):
        script = script.get("path")
    if script != old.given.get("scriptPath"):
        old.put("scriptPath", script, "script")


def editor_batch(old: Old) -> None:
    """One undo step, so that all is done or nothing."""
    if old.switch("stopOnError") is False:
        old.notes.append("'stopOnError' is not needed: all steps are made or none.")


def shortened(old: Old) -> None:
    """Class pages come whole, but for what a reply can hold."""
    if old.take("maxChars") is not None:
        old.notes.append("'maxChars' is without effect; limit, or one method with docs.get_method, makes it shorter.")


def read_scene(old: Old) -> None:
    """The text of a scene."""
    old.put("path", old.take("scenePath"), "scenePath")
    plain_path(old)


def pictured(old: Old, own: Mapping[str, Any]) -> None:
    """A picture with every edit is a call of its own here."""
    wanted = [old.switch(name) for name in ("captureViewport", "preview") if name not in own]
    sizes = [old.take(name) for name in ("maxSize", "previewMaxSize") if name not in own]
    if any(wanted) or any(sizes):
        old.notes.append("No picture comes with an edit: picture shows the scene, capture_viewport the open editor.")


def plain_path(old: Old) -> None:
    """A file from the project's root, also as the engine writes it."""
    path = old.given.get("path")
    if isinstance(path, str) and path.startswith("res://"):
        old.given["path"] = path.removeprefix("res://")


def new_scene(old: Old) -> None:
    old.given.setdefault("rootNodeType", "Node3D")


def new_shader(old: Old) -> None:
    if not {"content", "shaderType", "shader_type"} & set(old.given):
        old.given["shaderType"] = "canvas_item"
        old.notes.append("It is a canvas_item shader, as no shaderType says otherwise.")


def search_files(old: Old) -> None:
    """Files by a part of their path, not by what is in them."""
    old.put("folder", old.take("dirPath"), "dirPath")
    old.put("limit", old.take("maxResults"), "maxResults")
    pattern = old.take("pattern")
    if pattern is not None:
        old.put("name", pattern, "pattern")


def new_script(old: Old) -> None:
    """A script of a template."""
    if "content" in old.given:
        _not_needed(old, "template", "className", why="content says all")
        return
    template, named = old.take("template"), old.take("className")
    if template not in (None, "basic_node"):
        raise old.refused("template", f"There is no template '{template}'.", "enum", "Give content, or basic_node.")
    lines = [f"class_name {named}"] * bool(named) + ["extends Node", "", "", "func _ready() -> void:", "\tpass", ""]
    old.given["content"] = "\n".join(lines)


def inspect(old: Old) -> None:
    """A class or any object, as the editor knows it; a class also without one."""
    query = old.take("query_json")
    named, instance = old.take("className"), old.take("instanceId")
    if sum(each is not None for each in (query, named, instance, old.given.get("nodePath"))) > 1:
        raise old.refused("nodePath", "Give one of query_json, className, nodePath and instanceId.", "oneOf")
    if named is not None:
        old.tool, old.given["className"] = "get_class_docs", named
    elif query is not None or instance is not None:
        old.tool = "godot_inspect"
        old.given["query_json"] = query if query is not None else {"instance_id": instance}
    if old.tool is not None:
        _not_needed(old, "scenePath", why="this is about no scene")


def instance(old: Old) -> None:
    """Without a scene to put it into, it goes into the edited one."""
    names = ("instancePath", "instanceScenePath", "sourceScenePath", "instance_path", "instance_scene_path")
    if not any(name in old.given for name in names):
        old.put("instancePath", old.take("scenePath"), "scenePath")


def of_edited_scene(old: Old) -> None:
    """What is only ever about the edited scene, or about none, needs no scene's path."""
    if old.take("scenePath") is not None:
        old.notes.append("'scenePath' is not needed: this is about the scene that is edited.")


def new_tilemap(old: Old) -> None:
    """Always a TileMapLayer, which has one layer."""
    kind, layer, given = old.take("nodeType"), old.take("layer"), old.take("tileSet")
    if kind not in (None, "TileMap", "TileMapLayer"):
        raise old.refused("nodeType", f"'{kind}' holds no tiles.", "enum", "Leave nodeType out: it is a TileMapLayer.")
    if kind == "TileMap":
        old.notes.append("Made a TileMapLayer: the engine gave TileMap up for it.")
    if layer not in (None, 0):
        raise old.refused("layer", "A TileMapLayer is one layer.", "const", "Add a node for each layer.")
    if isinstance(given, dict):
        given = given.get("path") or given.get("texture") or given
    if isinstance(given, str):
        old.put("tileSetPath" if given.endswith((".tres", ".res")) else "tileSetTexturePath", given, "tileSet")
    elif given is not None:
        raise old.refused("tileSet", "A tile set is a file here.", "type", "create_tileset makes it; give tileSetPath.")


def import_check(old: Old) -> None:
    """Of some files, or with the import itself."""
    old.put("files", old.take("paths"), "paths")
    if old.switch("forceReimport"):
        old.tool = "reimport_assets"


def find_panels(old: Old) -> None:
    """By name, class or text, which are looked at together."""
    words = {name: old.take(name) for name in ("nameContains", "className", "textContains")}
    words = {name: value for name, value in words.items() if value is not None}
    if len(words) > 1:
        raise old.refused(list(words)[-1], "Give one of nameContains, className and textContains.", "oneOf")
    for name, value in words.items():
        old.put("query", value, name)
    if (shown := old.switch("visibleOnly")) is not None:
        old.put("hidden", not shown, "visibleOnly")
    _not_needed(old, "rootPath", "maxNodes", "includeTextPreview")


def read_panel(old: Old) -> None:
    _not_needed(
        old,
        "visibleOnly",
        "includePaths",
        "includeTextEdits",
        "includeTreeItems",
        "includeItemLists",
        "maxNodes",
        "maxItems",
        "returnEntries",
    )


def converted(old: Old) -> None:
    _not_needed(old, "noConvertSign", why="the converter signs nothing")


def batch(old: Old) -> None:
    most, calls = old.take("maxOperations"), old.given.get("operations")
    if isinstance(most, int) and isinstance(calls, list) and len(calls) > most:
        raise old.refused("operations", f"There are {len(calls)} calls, and maxOperations is {most}.", "maxItems")


def health(old: Old) -> None:
    if old.switch("includeGodotStatus"):
        old.notes.append("get_godot_version and godot_preflight tell of Godot.")


def _not_needed(old: Old, *names: str, why: str = "everything is looked at") -> None:
    given = [name for name in names if old.take(name) is not None]
    if given:
        old.notes.append(f"Without effect, as {why}: {', '.join(given)}.")
