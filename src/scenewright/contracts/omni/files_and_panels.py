"""How godot-mcp-omni speaks of files, scripts, the inspector and panels, where more than a name differs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scenewright.contracts.omni.arguments import OmniArguments

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


def edit_file(theirs: OmniArguments) -> None:
    """Translate an edit that changes all places, up to a number of them."""
    theirs.put("path", theirs.take("filePath"), "filePath")
    plain_path(theirs)
    if "count" not in theirs.given and "maxReplacements" not in theirs.given:
        theirs.given["maxReplacements"] = _MOST_REPLACED


def attach_script(theirs: OmniArguments) -> None:
    """Translate a script that is given as a resource, beside its path or alone."""
    script = theirs.take("script")
    if isinstance(script, dict):
        script = script.get("path")
    if script != theirs.given.get("scriptPath"):
        theirs.put("scriptPath", script, "script")


def editor_batch(theirs: OmniArguments) -> None:
    """Translate a batch of edits, which is one undo step here: all are made or none."""
    if theirs.switch("stopOnError") is False:
        theirs.notes.append("'stopOnError' is not needed: all steps are made or none.")


def shortened(theirs: OmniArguments) -> None:
    """Translate the limits of a class page, which comes whole here as far as a reply can hold it."""
    if theirs.take("maxChars") is not None:
        theirs.notes.append("'maxChars' has no effect; limit, or one method with docs.get_method, makes it shorter.")


def read_scene(theirs: OmniArguments) -> None:
    """Translate reading the text of a scene."""
    theirs.put("path", theirs.take("scenePath"), "scenePath")
    plain_path(theirs)


def pictured(theirs: OmniArguments, own: Mapping[str, Any]) -> None:
    """Translate an edit that asks for a picture, which is a call of its own here."""
    wanted = [theirs.switch(name) for name in ("captureViewport", "preview") if name not in own]
    sizes = [theirs.take(name) for name in ("maxSize", "previewMaxSize") if name not in own]
    if any(wanted) or any(sizes):
        theirs.notes.append("No picture comes with an edit: picture shows the scene, capture_viewport the open editor.")


def plain_path(theirs: OmniArguments) -> None:
    """Translate the path of a file, from the project's root or as the engine writes it."""
    path = theirs.given.get("path")
    if isinstance(path, str) and path.startswith("res://"):
        theirs.given["path"] = path.removeprefix("res://")


def new_scene(theirs: OmniArguments) -> None:
    theirs.given.setdefault("rootNodeType", "Node3D")


def new_shader(theirs: OmniArguments) -> None:
    if not {"content", "shaderType", "shader_type"} & set(theirs.given):
        theirs.given["shaderType"] = "canvas_item"
        theirs.notes.append("It is a canvas_item shader, as no shaderType says otherwise.")


def search_files(theirs: OmniArguments) -> None:
    """Translate a search for files by a part of their path, not by their content."""
    theirs.put("folder", theirs.take("dirPath"), "dirPath")
    theirs.put("limit", theirs.take("maxResults"), "maxResults")
    pattern = theirs.take("pattern")
    if pattern is not None:
        theirs.put("name", pattern, "pattern")


def new_script(theirs: OmniArguments) -> None:
    """Translate a new script that is made from a template."""
    if "content" in theirs.given:
        _not_needed(theirs, "template", "className", why="content says all")
        return
    template, named = theirs.take("template"), theirs.take("className")
    if template not in (None, "basic_node"):
        raise theirs.refused("template", f"There is no template '{template}'.", "enum", "Give content, or basic_node.")
    lines = [f"class_name {named}"] * bool(named) + ["extends Node", "", "", "func _ready() -> void:", "\tpass", ""]
    theirs.given["content"] = "\n".join(lines)


def inspect(theirs: OmniArguments) -> None:
    """Translate inspecting a class or any object; a class works without an editor too."""
    query = theirs.take("query_json")
    named, instance = theirs.take("className"), theirs.take("instanceId")
    if sum(each is not None for each in (query, named, instance, theirs.given.get("nodePath"))) > 1:
        raise theirs.refused("nodePath", "Give one of query_json, className, nodePath and instanceId.", "oneOf")
    if named is not None:
        theirs.tool, theirs.given["className"] = "get_class_docs", named
    elif query is not None or instance is not None:
        theirs.tool = "godot_inspect"
        theirs.given["query_json"] = query if query is not None else {"instance_id": instance}
    if theirs.tool is not None:
        _not_needed(theirs, "scenePath", why="this is about no scene")


def instance(theirs: OmniArguments) -> None:
    """Translate an instance that names no scene to go into: it goes into the edited one."""
    names = ("instancePath", "instanceScenePath", "sourceScenePath", "instance_path", "instance_scene_path")
    if not any(name in theirs.given for name in names):
        theirs.put("instancePath", theirs.take("scenePath"), "scenePath")


def of_edited_scene(theirs: OmniArguments) -> None:
    """Drop the path of a scene where a call is always about the edited scene, or about none."""
    if theirs.take("scenePath") is not None:
        theirs.notes.append("'scenePath' is not needed: this is about the scene that is edited.")


def new_tilemap(theirs: OmniArguments) -> None:
    """Translate a new tile map, which is always a TileMapLayer here and has one layer."""
    kind, layer, given = theirs.take("nodeType"), theirs.take("layer"), theirs.take("tileSet")
    if kind not in (None, "TileMap", "TileMapLayer"):
        raise theirs.refused(
            "nodeType", f"'{kind}' holds no tiles.", "enum", "Leave nodeType out: it is a TileMapLayer."
        )
    if kind == "TileMap":
        theirs.notes.append("Made a TileMapLayer, which replaces TileMap.")
    if layer not in (None, 0):
        raise theirs.refused("layer", "A TileMapLayer is one layer.", "const", "Add a node for each layer.")
    if isinstance(given, dict):
        given = given.get("path") or given.get("texture") or given
    if isinstance(given, str):
        theirs.put("tileSetPath" if given.endswith((".tres", ".res")) else "tileSetTexturePath", given, "tileSet")
    elif given is not None:
        raise theirs.refused(
            "tileSet", "A tile set is a file here.", "type", "create_tileset makes it; give tileSetPath."
        )


def import_check(theirs: OmniArguments) -> None:
    """Translate an import check of some files, or with the import itself."""
    theirs.put("files", theirs.take("paths"), "paths")
    if theirs.switch("forceReimport"):
        theirs.tool = "reimport_assets"


def find_panels(theirs: OmniArguments) -> None:
    """Translate a search for panels by name, class or text, which are one query here."""
    words = {name: theirs.take(name) for name in ("nameContains", "className", "textContains")}
    words = {name: value for name, value in words.items() if value is not None}
    if len(words) > 1:
        raise theirs.refused(list(words)[-1], "Give one of nameContains, className and textContains.", "oneOf")
    for name, value in words.items():
        theirs.put("query", value, name)
    if (shown := theirs.switch("visibleOnly")) is not None:
        theirs.put("hidden", not shown, "visibleOnly")
    _not_needed(theirs, "rootPath", "maxNodes", "includeTextPreview")


def read_panel(theirs: OmniArguments) -> None:
    _not_needed(
        theirs,
        "visibleOnly",
        "includePaths",
        "includeTextEdits",
        "includeTreeItems",
        "includeItemLists",
        "maxNodes",
        "maxItems",
        "returnEntries",
    )


def converted(theirs: OmniArguments) -> None:
    _not_needed(theirs, "noConvertSign", why="the converter signs nothing")


def batch(theirs: OmniArguments) -> None:
    most, calls = theirs.take("maxOperations"), theirs.given.get("operations")
    if isinstance(most, int) and isinstance(calls, list) and len(calls) > most:
        raise theirs.refused("operations", f"There are {len(calls)} calls, and maxOperations is {most}.", "maxItems")


def health(theirs: OmniArguments) -> None:
    if theirs.switch("includeGodotStatus"):
        theirs.notes.append("get_godot_version and godot_preflight tell of Godot.")


def _not_needed(theirs: OmniArguments, *names: str, why: str = "everything is looked at") -> None:
    given = [name for name in names if theirs.take(name) is not None]
    if given:
        theirs.notes.append(f"Ignored, as {why}: {', '.join(given)}.")
