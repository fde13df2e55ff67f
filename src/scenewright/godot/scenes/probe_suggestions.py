"""A write that changes what a scene does ends with the one probe that would show it, ready to send.

Told once for each probe by a server, and only where there is an engine to run it and nothing that was written is wrong.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from itertools import islice
from typing import Any
from weakref import WeakKeyDictionary

from scenewright.contracts.tool_names import as_listed
from scenewright.core.calls.call import Call
from scenewright.core.faults import Fault, NotFound
from scenewright.core.runtime import Runtime
from scenewright.godot.documents.tree import TreeNode
from scenewright.godot.engine.binary import find_binary
from scenewright.godot.project.openers import open_workspace
from scenewright.godot.project.workspace import ROOT
from scenewright.godot.scenes.outline import SceneOutline

__all__ = ["suggest_probe"]

_STEPS = 60
_MOST_VARIABLES = 2
_LONGEST_SCENE = 1_000_000
_LONGEST_SEARCHED = 100_000
_MOST_LISTED = 500
_MOST_SCENES = 15
_BEHAVIOUR = (b"script = ", b"[connection ")
_ASKED = re.compile(r"\b(?:is_action\w*|get_axis|get_vector|get_action_\w+)\(([^)\n]*)")
_VARIABLE = re.compile(r"^(?:@export\w*(?:\([^)\n]*\))? +)?var +([a-z]\w*)", re.MULTILINE)
_told: WeakKeyDictionary[Runtime, set[str]] = WeakKeyDictionary()


def suggest_probe(call: Call) -> None:
    """Add to the summary how to see what the write changed, where it can be told."""
    if call.undoes:
        return
    told = _told.setdefault(call.runtime, set())
    try:
        probe = next(_probes(call), None)
        if probe is None or (text := json.dumps(probe, ensure_ascii=False)) in told:
            return
        find_binary()  # last: it looks through folders where there is none
    except Fault:  # no engine, or a scene that cannot be read: that is for others to say
        return
    told.add(text)
    call.summary = f"{call.summary or ''} See it run: {as_listed('probe_scene', call)} {text}".strip()


def _probes(call: Call) -> Iterator[dict[str, Any]]:
    written = call.files.written()
    for scene in written:
        if scene.endswith(".tscn") and _changes_behaviour(call, scene):
            yield from _probe_of(call, scene, None)
    for script in written:
        if script.endswith(".gd"):
            for scene in _scenes_of(call, script):
                yield from _probe_of(call, scene, ROOT + script)


def _changes_behaviour(call: Call, scene: str) -> bool:
    before = call.files.read_versions().get(scene) or b""
    return _behaviour(before) != _behaviour(_content(call, scene))


def _behaviour(text: bytes) -> list[bytes]:
    return [line for line in text.splitlines() if line.startswith(_BEHAVIOUR)]


def _scenes_of(call: Call, script: str) -> Iterator[str]:
    """The scene with its name, the main scene, and those that name it in its folder or where scenes are mostly kept.

    To search all would cost each write too much.
    """
    yield script.removesuffix(".gd") + ".tscn"
    main = re.search(rb'^run/main_scene="res://([^"]+)"', _content(call, "project.godot"), re.MULTILINE)
    if main:
        yield main[1].decode("utf-8", "replace")
    named = f'path="{ROOT}{script}"'.encode()
    for folder in dict.fromkeys([script.rpartition("/")[0], "scenes", ""]):
        for scene in _scenes_in(call, folder):
            if named in _content(call, scene):
                yield scene


def _scenes_in(call: Call, folder: str) -> list[str]:
    """The first scenes of a folder that are not large."""
    try:
        with os.scandir(call.state.project.root / folder) as entries:
            names = sorted(each.name for each in islice(entries, _MOST_LISTED) if _is_small_scene(each))
    except OSError:
        return []
    return [f"{folder}/{name}" if folder else name for name in names[:_MOST_SCENES]]


def _is_small_scene(entry: os.DirEntry[str]) -> bool:
    is_scene = entry.name.endswith(".tscn") and entry.is_file(follow_symlinks=False)
    return is_scene and entry.stat(follow_symlinks=False).st_size <= _LONGEST_SEARCHED


def _probe_of(call: Call, scene: str, script: str | None) -> Iterator[dict[str, Any]]:
    """A probe of the first node that has the script, or any script."""
    content = _content(call, scene)
    if len(content) > _LONGEST_SCENE or b'type="Script"' not in content:
        return
    outline = SceneOutline(open_workspace(call), scene)
    for node in outline.tree.nodes.values():
        has = outline.script(node)
        if has is not None and has.endswith(".gd") and script in (None, has):
            yield _probe(call, scene, node, has)
            return


def _probe(call: Call, scene: str, node: TreeNode, script: str) -> dict[str, Any]:
    source = _content(call, script.removeprefix(ROOT)).decode("utf-8", "replace")
    probe: dict[str, Any] = {"scenePath": scene, "steps": _STEPS}
    if action := next(_actions(call, source), None):
        probe["inputs"] = [{"frame": 1, "action": action}]
    place = ["position"] if (node.type or "").endswith(("2D", "3D")) else []
    if read := [*place, *_VARIABLE.findall(source)[:_MOST_VARIABLES]]:
        probe["properties"] = {node.path: read}
    return probe


def _actions(call: Call, source: str) -> Iterator[str]:
    """The input actions that a script asks for and the project has; the last of two is right, or down."""
    settings = _content(call, "project.godot")
    for asked in _ASKED.findall(source):
        for name in reversed(re.findall(r'"([^"]+)"', asked)[:2]):
            if name.startswith("ui_") or f"\n{name}={{".encode() in settings:
                yield name


def _content(call: Call, path: str) -> bytes:
    try:
        return call.files.read(path)
    except NotFound:
        return b""
