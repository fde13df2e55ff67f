"""What we want of the editor, and by which words its commands for that are known, in versions 0.3 to 1.0."""

from __future__ import annotations

from scenewright.unity.live.commands import Intent

__all__ = [
    "ADD_COMPONENT",
    "ALL_INTENTS",
    "CAPTURE_GAME",
    "CAPTURE_SCENE",
    "CONSOLE",
    "CREATE",
    "DELETE",
    "EVALUATE",
    "GET_FIELD",
    "OPEN_SCENE",
    "OPEN_SCENES",
    "PAUSE",
    "PLAY",
    "RECOMPILE",
    "RECOMPILE_STATUS",
    "REFRESH",
    "REMOVE_COMPONENT",
    "RENAME",
    "RUN_TESTS",
    "SAVE_ALL",
    "SAVE_SCENE",
    "SELECTION",
    "SET_ACTIVE",
    "SET_FIELD",
    "SET_LAYER",
    "SET_PARENT",
    "SET_TAG",
    "STOP",
    "TEST_STATUS",
]

_PICTURE = {
    "width": "width",
    "height": "height",
    "longest": "max_resolution max_size",
    "inline": "include_inline_image inline",
    "camera": "camera",
    "source": "source",
}
_FIELD = {"target": "target object", "field": "field property path", "component": "component type"}

SELECTION = Intent("tell the selection", ("get selection", "selection"), never="set clear change")
PLAY = Intent(
    "start play mode",
    ("editor play", "playmode enter", "playmode start", "playmode play"),
    never="stop exit pause status step test timeline clip audio animation",
)
STOP = Intent(
    "leave play mode",
    ("editor stop", "playmode exit", "playmode stop", "playmode leave"),
    never="play enter start status test server",
)
PAUSE = Intent("pause play mode", ("editor pause", "playmode pause"), never="stop exit step status")
CONSOLE = Intent(
    "read the console",
    ("console",),
    never="clear write set send",
    parameters={"most": "tail limit count max", "level": "level severity", "since": "since cursor after"},
    required=("most",),
)
CAPTURE_GAME = Intent(
    "take a picture of the game",
    ("capture game view", "capture game", "game screenshot"),
    never="scene element start stop",
    parameters=_PICTURE,
    required=("width", "height"),
)
CAPTURE_SCENE = Intent(
    "take a picture of the scene view",
    ("capture scene view", "capture scene", "scene screenshot"),
    never="game element start stop",
    parameters=_PICTURE,
    required=("width", "height"),
)
RUN_TESTS = Intent(
    "run tests",
    ("run test",),
    never="list cancel status wait",
    parameters={
        "mode": "mode platform",
        "filter": "filter name",
        "timeout": "timeout timeout_s",
        "later": "async_tests",
    },
)
TEST_STATUS = Intent("tell how tests went", ("test status",), never="run list cancel")
EVALUATE = Intent(
    "run C# code",
    ("eval code", "eval", "evaluate"),
    never="file usage telemetry report status",
    parameters={"code": "code source expression", "milliseconds": "timeout timeout_ms"},
    required=("code",),
)
OPEN_SCENES = Intent("list open scenes", ("list open scene", "scene list"), never="build add remove save close")
OPEN_SCENE = Intent(
    "open a scene",
    ("open scene",),
    never="list active save close get status",
    parameters={"path": "path scene", "additive": "additive"},
    required=("path",),
)
SAVE_SCENE = Intent(
    "save a scene", ("save scene",), never="all open list", parameters={"path": "path scene"}, required=("path",)
)
SAVE_ALL = Intent("save all scenes", ("save all",), never="asset project")
REFRESH = Intent("import changed files", ("refresh asset", "refresh database", "refresh"), never="status package")
RECOMPILE = Intent("import changed files and compile scripts", ("recompile", "compile script"), never="status wait")
RECOMPILE_STATUS = Intent("tell how compiling went", ("recompile status", "compile status"))
GET_FIELD = Intent(
    "read a serialized field", ("get serialized field", "get field"), parameters=_FIELD, required=("target", "field")
)
SET_FIELD = Intent(
    "set a serialized field",
    ("set serialized field", "set field"),
    parameters=_FIELD | {"value": "value"},
    required=("target", "field", "value"),
)
RENAME = Intent(
    "rename an object",
    ("rename gameobject", "rename object"),
    never="asset",
    parameters={"target": "target object", "name": "name new_name"},
    required=("target", "name"),
)
SET_ACTIVE = Intent(
    "switch an object on or off",
    ("set active",),
    never="scene",
    parameters={"target": "target object", "active": "active value enabled"},
    required=("target", "active"),
)
SET_TAG = Intent(
    "set an object's tag",
    ("set tag",),
    never="add create remove layer",
    parameters={"target": "target object", "tag": "tag value"},
    required=("target", "tag"),
)
SET_LAYER = Intent(
    "set an object's layer",
    ("set layer",),
    never="add create remove tag sorting animator",
    parameters={"target": "target object", "layer": "layer value"},
    required=("target", "layer"),
)
_NOT_AN_OBJECT = "asset prefab scene component animator timeline layer script"
CREATE = Intent(
    "create an object",
    ("create gameobject", "gameobject create", "add gameobject"),
    never=f"{_NOT_AN_OBJECT} batch from",
    parameters={"name": "name", "primitive": "primitive primitive_type", "parent": "parent"},
    required=("name", "parent"),
    lacks="count positions",  # which makes several
)
DELETE = Intent(
    "delete an object",
    ("delete gameobject", "destroy gameobject", "remove gameobject"),
    never=_NOT_AN_OBJECT,
    parameters={"target": "target object", "confirm": "confirm"},
    required=("target",),
)
SET_PARENT = Intent(
    "move an object to another parent",
    ("set parent", "gameobject reparent", "reparent"),
    never="asset get",
    parameters={"target": "target object", "parent": "parent new_parent", "stays": "world_position_stays"},
    required=("target", "parent", "stays"),
)
ADD_COMPONENT = Intent(
    "add a component",
    ("add component", "component add"),
    never="prefab remove get set",
    parameters={"target": "target object", "type": "type component component_type"},
    required=("target", "type"),
)
REMOVE_COMPONENT = Intent(
    "remove a component",
    ("remove component", "delete component"),
    never="prefab add get set",
    parameters={"target": "target component object", "confirm": "confirm"},
    required=("target",),
)
ALL_INTENTS = tuple(each for each in list(globals().values()) if isinstance(each, Intent))
