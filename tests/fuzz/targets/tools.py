"""Files of a project as the tools meet them: whatever is in one, each tool answers in its contract, and never by
failing inside.
"""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from anyio.from_thread import BlockingPortal, start_blocking_portal
from tests.fuzz.calls import found
from tests.fuzz.shapes import check, wire_form
from tests.fuzz.target import Target, texts
from tests.fuzz.targets import find_target

from scenewright.app import make_runtime
from scenewright.contracts import render
from scenewright.core.calls.call import Request
from scenewright.core.config import Config
from scenewright.core.runtime import Runtime

Calls = dict[str, dict[str, Any]]
_GODOT = {"project.godot": 'config_version=5\n\n[application]\n\nconfig/name="Game"\n', "hero.gd": "extends Node2D\n"}
_UNITY = {
    "ProjectSettings/ProjectVersion.txt": "m_EditorVersion: 6000.0.1f1\n",
    "Assets/.keep": "",
    "Packages/manifest.json": '{"dependencies": {}}',
}


_OPEN = ExitStack()  # until the process ends


class _Logged(logging.Handler):
    """What failed inside, as it is logged."""

    def __init__(self) -> None:
        super().__init__()
        self.problems: list[BaseException] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info and record.exc_info[1] is not None:
            self.problems.append(record.exc_info[1])


_LOGGED = _Logged()
logging.getLogger("scenewright.core.runtime").addHandler(_LOGGED)


@dataclass(frozen=True)
class _Workplace:
    """A project with one file that is the input, and the server's inside over it."""

    portal: BlockingPortal
    runtime: Runtime
    root: Path

    def call(self, tool: str, arguments: dict[str, Any]) -> None:
        _LOGGED.problems.clear()
        outcome = self.portal.call(self.runtime.run, Request(tool=tool, arguments=arguments))
        if _LOGGED.problems:
            raise _LOGGED.problems[0]  # what the reply rightly keeps to itself
        check(wire_form(render(outcome)), found(tool))


@cache
def _workplace(project: str) -> _Workplace:
    root = Path(tempfile.mkdtemp(prefix="fuzz-tools-"))
    files = {"godot": _GODOT, "unity": _UNITY, "other": {}}[project]
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    portal = _OPEN.enter_context(start_blocking_portal())
    runtime = make_runtime(Config(project=root, rate_limit=None, action_timeout=20.0, journal_max_entries=5))
    return _Workplace(portal, runtime, root)


def _read_by(project: str, place: str, calls: Calls) -> Callable[[bytes], None]:
    """Writes the input to a file and makes the calls."""

    def run(data: bytes) -> None:
        workplace = _workplace(project)
        target = workplace.root / place
        target.parent.mkdir(parents=True, exist_ok=True)
        before = target.read_bytes() if target.exists() else None
        target.write_bytes(data)
        try:
            for tool, arguments in calls.items():
                workplace.call(tool, arguments)
        finally:
            if before is None:
                target.unlink()
            else:
                target.write_bytes(before)

    return run


_SCENE = {"scenePath": "a.tscn"}
_ROOT = _SCENE | {"nodePath": "."}
_UNITY_SCENE = {"scenePath": "Assets/a.unity"}
_PLACE = {"placePath": "a.rbxlx"}


_LDTK = """{"jsonVersion": "1.5.3", "defs": {"tilesets": [{"uid": 1, "identifier": "T", "relPath": "t.png", "pxWid": 16,
"pxHei": 16, "tileGridSize": 8, "spacing": 0, "padding": 0, "customData": [{"tileId": 0, "data": "x"}], "enumTags":
[]}], "layers": [{"uid": 2, "identifier": "L", "intGridValues": [{"value": 1, "identifier": "wall"}]}]}, "levels":
[{"identifier": "Level_0", "uid": 3, "worldX": 0, "worldY": 0, "pxWid": 16, "pxHei": 16, "__bgColor": "#000000",
"externalRelPath": null, "fieldInstances": [], "layerInstances": [{"__identifier": "L", "__type": "IntGrid",
"__cWid": 2, "__cHei": 2, "__gridSize": 8, "__tilesetDefUid": 1, "__tilesetRelPath": "t.png", "layerDefUid": 2,
"pxTotalOffsetX": 0, "pxTotalOffsetY": 0, "visible": true, "__opacity": 1, "intGridCsv": [0, 1, 1, 0],
"autoLayerTiles": [], "gridTiles": [{"px": [0, 8], "src": [8, 0], "f": 1, "t": 1, "d": [2], "a": 1}],
"entityInstances": [{"__identifier": "Hero", "iid": "a", "px": [8, 8], "width": 8, "height": 8, "__grid": [1, 1],
"__pivot": [0, 0], "__tags": [], "fieldInstances": [{"__identifier": "hp", "__type": "Int", "__value": 3}]}]}]}]}"""
# By target: whose inputs it begins with, the project, the file, and the calls.
_TABLE: dict[str, tuple[str, str, str, Calls]] = {
    "tools.godot_scene": (
        "godot.scene",
        "godot",
        "a.tscn",
        {
            "godot.scene.tree": _SCENE,
            "godot.scene.validate": _SCENE,
            "godot.node.read": _ROOT,
            "godot.node.find": _SCENE | {"name": "H"},
            "godot.signal.connections": _SCENE,
            "godot.node.add": _SCENE | {"nodeType": "Node2D", "nodeName": "New", "parentNodePath": ".", "dryRun": True},
            "godot.node.set_property": _ROOT | {"property": "name", "value": "Other", "dryRun": True},
            "godot.project.validate": {},
        },
    ),
    "tools.godot_resource": (
        "godot.resource",
        "godot",
        "a.tres",
        {"godot.resource.read": {"resourcePath": "a.tres"}, "godot.tileset.read": {"tilesetPath": "a.tres"}},
    ),
    "tools.godot_settings": (
        "godot.settings",
        "godot",
        "project.godot",
        {
            "godot.project.info": {},
            "project.overview": {},
            "godot.setting.list": {},
            "godot.input.list": {},
            "godot.autoload.list": {},
            "godot.scene.list": {},
        },
    ),
    "tools.godot_script": (
        "godot.script",
        "godot",
        "a.gd",
        {
            "godot.script.outline": {"scriptPath": "a.gd"},
            "godot.script.read": {"scriptPath": "a.gd"},
            "godot.code.symbols": {"scriptPath": "a.gd"},
            "godot.code.references": {"scriptPath": "a.gd", "symbol": "health"},
        },
    ),
    "tools.godot_ldtk": (
        "",
        "godot",
        "a.ldtk",
        {"godot.tilemap.import_ldtk": {"ldtkPath": "a.ldtk", "outputPath": "b.tscn", "dryRun": True}},
    ),
    "tools.unity_scene": (
        "unity.scene",
        "unity",
        "Assets/a.unity",
        {
            "scene.hierarchy.dump": _UNITY_SCENE,
            "scene.objects.find": _UNITY_SCENE | {"name": "Player"},
            "scene.references.list": _UNITY_SCENE,
            "scene.components.list": _UNITY_SCENE | {"gameObjectPath": "Player: one"},
            "project.references.missing": {},
            "project.overview": {},
        },
    ),
    "tools.unity_meta": (
        "unity.meta",
        "unity",
        "Assets/a.png.meta",
        {"asset.info": {"assetPath": "Assets/a.png"}, "asset.search": {}, "project.references.missing": {}},
    ),
    "tools.roblox_place": (
        "roblox.rbxlx",
        "other",
        "a.rbxlx",
        {
            "roblox.instance_list_children": _PLACE,
            "roblox.instance_find": _PLACE | {"nameContains": "Part"},
            "roblox.script_search": _PLACE | {"query": "print"},
            "roblox.scene_snapshot": _PLACE,
        },
    ),
    "tools.aseprite": (
        "pixel.aseprite",
        "godot",
        "a.aseprite",
        {
            "pixel.rows": {"path": "a.aseprite"},
            "godot.aseprite.list_layers": {"inputPath": "a.aseprite"},
            "godot.aseprite.list_tags": {"inputPath": "a.aseprite"},
            "godot.aseprite.list_slices": {"inputPath": "a.aseprite"},
        },
    ),
    "tools.policy": ("records.policy", "godot", "policy.json", {"core.ping": {}, "project.overview": {}}),
    "tools.settings": ("records.settings", "godot", "scenewright.toml", {"core.ping": {}, "godot.project.info": {}}),
}


def _target(name: str, like: str, project: str, place: str, calls: Calls) -> Target:
    run = _read_by(project, place, calls)
    if not like:
        return Target(
            name, run, texts(_LDTK), files=(".ldtk",), words=(b'"levels": [', b'"layerInstances": [', b"null")
        )
    other = find_target(like)
    return Target(name, run, other.seeds, files=other.files, words=other.words, room=4 << 30)


TARGETS = tuple(_target(name, *row) for name, row in _TABLE.items())
