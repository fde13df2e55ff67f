"""A project with an imported sheet of tiles, calls on it, and the engine's view of what came of them."""

from __future__ import annotations

import io
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import anyio
from PIL import Image
from tests.e2e.tools import godot
from tests.support.gdscript_runner import Reply, make_project, run_jobs

from scenewright.app import make_runtime
from scenewright.core.calls.call import Outcome, Request
from scenewright.core.config import Config

__all__ = ["SCENE", "ask", "call", "imported", "make_game", "refused", "sheet"]

SCENE = '[gd_scene format=3]\n\n[node name="Level" type="Node2D"]\n'

ENGINE = """
var _made: Array[Node] = []
var _kept: Array[Resource] = []


func run(job: Variant) -> Variant:
	var asked: Expression = Expression.new()
	if asked.parse(str(job)) != OK:
		return "unparsed: " + asked.get_error_text()
	var found: Variant = asked.execute([], self)
	for node: Node in _made:
		node.free()
	_made.clear()
	return "failed: " + asked.get_error_text() if asked.has_execute_failed() else found


func res(path: String) -> Resource:
	_kept.append(load("res://" + path))  # what a tile set holds is gone with it
	return _kept.back()


func node(path: String, scene: String = "level.tscn") -> Node:
	_made.append((load("res://" + scene) as PackedScene).instantiate())
	return _made.back().get_node(path)


func layer(path: String, scene: String = "level.tscn") -> TileMapLayer:
	return node(path, scene) as TileMapLayer


func cell(path: String, x: int, y: int, scene: String = "level.tscn") -> String:
	var at: TileMapLayer = layer(path, scene)
	var where: Vector2i = Vector2i(x, y)
	var source: int = at.get_cell_source_id(where)
	return "%d %s %d" % [source, at.get_cell_atlas_coords(where), at.get_cell_alternative_tile(where)]


func data(path: String, x: int, y: int, alternative: int = 0, source: int = 0) -> TileData:
	return ((res(path) as TileSet).get_source(source) as TileSetAtlasSource).get_tile_data(Vector2i(x, y), alternative)


func atlas(path: String, source: int = 0) -> TileSetAtlasSource:
	return (res(path) as TileSet).get_source(source) as TileSetAtlasSource


func again(path: String) -> bool:
	var first: Resource = res(path)
	ResourceSaver.save(first, "res://again.tres")
	var second: Resource = ResourceLoader.load("res://again.tres", "", ResourceLoader.CACHE_MODE_IGNORE)
	return _text(first) == _text(second)


func _text(found: Resource) -> String:
	var said: PackedStringArray = []
	for property: Dictionary in found.get_property_list():
		if property.usage & PROPERTY_USAGE_STORAGE and not property.name.begins_with("resource_"):
			var value: Variant = found.get(property.name)
			said.append(property.name + "=" + (_text(value) if value is Resource else var_to_str(value)))
	return "\\n".join(said)
"""


def sheet() -> bytes:
    """Four columns and two rows of 16 x 16: full, empty, lower half, slope; the second row all full."""
    picture = Image.new("RGBA", (64, 32), (0, 0, 0, 0))
    picture.paste((200, 40, 40, 255), (0, 0, 16, 16))
    picture.paste((40, 200, 40, 255), (32, 8, 48, 16))
    for row in range(16):
        picture.paste((40, 40, 200, 255), (48, row, 49 + row, row + 1))
    picture.paste((90, 90, 90, 255), (0, 16, 64, 32))
    out = io.BytesIO()
    picture.save(out, "PNG")
    return out.getvalue()


def make_game(folder: Path, files: dict[str, str | bytes] | None = None) -> Path:
    return make_project(folder, {"tiles.png": sheet(), "level.tscn": SCENE, **(files or {})})


def imported(project: Path) -> Path:
    """The project after the engine has imported its pictures."""
    subprocess.run(
        [godot(), "--headless", "--path", str(project), "--import"], check=True, capture_output=True, timeout=120
    )
    return project


def run_calls(project: Path, calls: Sequence[tuple[str, dict[str, Any]]]) -> list[Outcome]:
    async def run() -> list[Outcome]:
        runtime = make_runtime(Config(project=project, rate_limit=None))
        found = [await runtime.run(Request(tool=tool, arguments=arguments)) for tool, arguments in calls]
        runtime.close()
        return found

    return anyio.run(run)


def call(project: Path, tool: str, **arguments: Any) -> Any:
    """The output of a call that must succeed."""
    (outcome,) = run_calls(project, [(tool, arguments)])
    assert outcome.ok, outcome.summary
    return outcome.call.output


def refused(project: Path, tool: str, **arguments: Any) -> str:
    """What is said of a call that must be refused, and must leave every file as it is."""
    before = {path: path.read_bytes() for path in project.rglob("*.t[sr]*") if path.is_file()}
    (outcome,) = run_calls(project, [(tool, arguments)])
    assert not outcome.ok, outcome.call.output
    assert {path: path.read_bytes() for path in project.rglob("*.t[sr]*") if path.is_file()} == before
    fault = outcome.fault
    assert fault is not None
    return f"{fault.message} {fault.hint or ''}"


def ask(project: Path, *jobs: str) -> list[Any]:
    """What the engine gives for expressions; it must complain of none."""
    replies: list[Reply] = run_jobs(project, ENGINE, jobs)
    for job, reply in zip(jobs, replies, strict=True):
        assert reply.complaints == [], (job, reply)
    return [reply.value for reply in replies]
