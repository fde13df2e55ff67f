"""`pixel_manager` export_preview and smoke_test: a world as the engine draws it, run, and walked from end to end."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from scenewright.core.calls.call import Call
from scenewright.core.faults import Invalid
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, about
from scenewright.godot.engine.operations.rehearsal import FPS, MOST_STEPS
from scenewright.godot.pixel_art.operations.pixel_worlds import MANAGER
from scenewright.godot.pixel_art.places import PLACED, PLAYER_SPEED
from scenewright.godot.project.openers import ScenePath, open_edit, open_workspace

__all__ = ["OPERATIONS"]

_MOST_INPUTS = 500


class PreviewInputs(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    output_png_path: Annotated[str, about("Also save the picture to this file (.png).", min_length=1)] | None = None
    wait_ms: Annotated[int, about("How long to let it run first.", ge=0, le=10_000)] = 0
    max_size: Annotated[int, about("Longest side of the picture.", ge=16, le=2048)] = 1024


class Previewed(Outputs, frozen=True, kw_only=True):
    width: Annotated[int, about("Width in pixels.")]
    height: Annotated[int, about("Height in pixels.")]
    errors: Annotated[list[str], about("What the engine complained about.")]
    saved: Annotated[str, about("File that has the picture.")] | None = None


@operation(
    id="godot.pixel.export_preview",
    category="scene",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="pixel_export_preview",
    manager=MANAGER,
    action="export_preview",
    timeout=180.0,
    executes="always",
    parameter_aliases={"worldScenePath": "scenePath", "previewOutputPngPath": "outputPngPath"},
    notes="Needs Godot, and Xvfb or a screen.",
    examples=(Example("An island", {"scenePath": "worlds/island.tscn"}, {"width": 768, "height": 512, "errors": []}),),
)
async def pixel_export_preview(call: Call, inputs: PreviewInputs) -> Previewed:
    """Shows a whole world as the engine draws it, without the player's camera, and saves the picture where asked."""
    import anyio.to_thread

    place, layer = await anyio.to_thread.run_sync(_look, call, inputs)
    frame = max(2, inputs.wait_ms * 60 // 1000)
    arguments = {"scenePath": inputs.scene_path, "frames": [frame], "node": layer, "margin": 0, "format": "png"}
    outcome = await call.invoke("scene_picture", arguments | {"maxSize": inputs.max_size}, share_changes=True)
    if outcome.fault is not None:
        raise outcome.fault
    call.warnings += [text for text in outcome.call.warnings if text not in call.warnings]
    picture = outcome.call.attachments[0]
    call.attach(picture)
    if place is not None:
        call.files.write(place, picture.data if isinstance(picture.data, bytes) else picture.data.encode())
    shown = outcome.call.output.pictures[0]
    call.summary = f"{inputs.scene_path}, {shown.width} x {shown.height} pixels."
    return Previewed(
        width=shown.width,
        height=shown.height,
        errors=[said.message for said in outcome.call.output.errors],
        saved=f"res://{place}" if place is not None else None,
    )


class SmokeInputs(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    wait_ms: Annotated[int, about("How long to run it.", ge=16, le=60_000)] = 1000
    walk: Annotated[bool, about("Also walk the player along the world's way, with the keys.")] = True


class SmokeTested(Outputs, frozen=True, kw_only=True):
    passed: Annotated[bool, about("Whether it ran without a complaint, and the player arrived.")]
    walked: Annotated[int, about("Cells that the player walked.")] = 0
    at: Annotated[str, about("Where the player was in the end.")] | None = None
    errors: Annotated[list[str], about("What the engine complained about.")]


@operation(
    id="godot.pixel.smoke_test",
    category="scene",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="pixel_smoke_test",
    manager=MANAGER,
    action="smoke_test",
    timeout=180.0,
    transactional=False,
    executes="always",
    parameter_aliases={"worldScenePath": "scenePath", "smokeWaitMs": "waitMs"},
    notes="Needs Godot.",
    examples=(Example("An island", {"scenePath": "worlds/island.tscn"}, {"passed": True, "walked": 57, "errors": []}),),
)
async def pixel_smoke_test(call: Call, inputs: SmokeInputs) -> SmokeTested:
    """Runs a world in the real engine, and walks its player from one end to the other with the arrow keys."""
    import anyio.to_thread

    walk = await anyio.to_thread.run_sync(_walk, call, inputs) if inputs.walk else None
    arguments: dict[str, Any] = {"scenePath": inputs.scene_path, "steps": max(1, inputs.wait_ms * 60 // 1000)}
    if walk is not None:
        arguments |= {"steps": walk.frames + 10, "inputs": walk.inputs, "checks": [walk.check]}
        arguments["properties"] = {walk.node: ["position"]}
    outcome = await call.invoke("probe_scene", arguments, share_changes=True)
    if outcome.fault is not None:
        raise outcome.fault
    probe = outcome.call.output
    errors = [said.message for said in probe.errors]
    passed = bool(probe.passed) and not errors
    at = str(probe.properties.get(walk.node, {}).get("position")) if walk is not None else None
    way = f", and the player walked {walk.cells} cells" if walk is not None and passed else ""
    call.summary = f"{inputs.scene_path} {'runs' if passed else 'fails'}{way}."
    return SmokeTested(passed=passed, walked=walk.cells if walk is not None and passed else 0, at=at, errors=errors)


OPERATIONS = (pixel_export_preview, pixel_smoke_test)


def _look(call: Call, inputs: PreviewInputs) -> tuple[str | None, str]:
    """Where the picture is saved, and the layer that reaches furthest."""
    from scenewright.godot.tiles.layer import open_layer

    workspace = open_workspace(call)
    place = workspace.place(inputs.output_png_path) if inputs.output_png_path is not None else None
    if place is not None and not place.endswith(".png"):
        raise Invalid("The file must end in .png.", path="input.outputPngPath", rule="suffix")
    edit = open_edit(call, inputs.scene_path)
    reached = []
    for node in edit.tree.root.children:
        bounds = open_layer(edit, node.path, 0).cells.bounds() if node.type == "TileMapLayer" else None
        if bounds is not None:
            reached.append((bounds[2] * bounds[3], node.path))
    return place, max(reached, default=(0, "."))[1]


class _Walk(msgspec.Struct, frozen=True):
    """Keys that lead a player along a way."""

    node: str
    inputs: list[dict[str, Any]]
    frames: int
    cells: int
    check: str


def _walk(call: Call, inputs: SmokeInputs) -> _Walk | None:
    """The walk along the way that the manifest has; None, with a warning, where there is none or no player."""
    from scenewright.godot.documents import variant as v
    from scenewright.godot.pixel_art.manifest import Manifest
    from scenewright.godot.tiles.layer import open_layer

    edit = open_edit(call, inputs.scene_path)
    routes = Manifest(edit.workspace).value.get("route")
    route = routes.get(edit.path) if isinstance(routes, dict) else None
    player = next((node for node in edit.tree.nodes.values() if f"{PLACED}player" in node.groups), None)
    layer = next((node for node in edit.tree.root.children if node.type == "TileMapLayer"), None)
    place = player.find("position") if player is not None else None
    view = open_layer(edit, layer.path, 0).tileset if layer is not None else None
    if not route or player is None or place is None or view is None or not isinstance(place.value, v.Vector2):
        call.warnings.append("Nobody walked: the world has no way or no player of pixel_object_place.")
        return None
    return _keys(player.path, (place.value.x, place.value.y), _corners(route), view.tile_size)


def _corners(route: Any) -> list[tuple[int, int]]:
    is_way = isinstance(route, list) and all(
        isinstance(corner, list) and len(corner) == 2 and all(isinstance(part, int) for part in corner)
        for corner in route
    )
    if not is_way:
        raise Invalid("The manifest's way is damaged.", path="input.scenePath", rule="manifest")
    return [(corner[0], corner[1]) for corner in route]


def _keys(node: str, place: tuple[float, float], corners: list[tuple[int, int]], tile: tuple[int, int]) -> _Walk:
    """Each stretch of the way as a key held for as many frames as it takes."""
    inputs: list[dict[str, Any]] = []
    frame, x, y = 2, corners[0][0], corners[0][1]
    pixels, cells = 0.0, 0
    for column, row in corners[1:]:
        dx, dy = column - x, row - y
        name = f"ui_{'right' if dx > 0 else 'left' if dx < 0 else 'down' if dy > 0 else 'up'}"
        pixels += abs(dx) * tile[0] + abs(dy) * tile[1]
        cells += abs(dx) + abs(dy)
        end = 2 + round(pixels * FPS / PLAYER_SPEED)
        inputs.append({"frame": frame, "action": name})
        inputs.append({"frame": end, "action": name, "pressed": False})
        frame, x, y = end, column, row
    if frame + 10 > MOST_STEPS or len(inputs) > _MOST_INPUTS:
        raise Invalid(
            f"The way has {cells} cells, too many to walk here.",
            path="input.walk",
            rule="maximum",
            hint="Pass walk: false, or make a smaller world.",
        )
    goal = (place[0] + (x - corners[0][0]) * tile[0], place[1] + (y - corners[0][1]) * tile[1])
    check = f"get_node('{node}').position.distance_to(Vector2({goal[0]}, {goal[1]})) < {tile[0]}"
    return _Walk(node, inputs, frame, cells, check)
