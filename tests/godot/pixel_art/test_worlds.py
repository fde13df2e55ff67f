"""A goal in a sentence becomes a world: tiles, land, things, a player; the same seed gives the same bytes."""

from __future__ import annotations

import contextlib
import http.server
import io
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from tests.conftest import Caller
from tests.godot.tiles.tile_game import call
from tests.support.gdscript_runner import make_project

from scenewright.core.operations.model import to_wire
from scenewright.godot.pixel_art.manifest import PLACE
from scenewright.godot.tiles.cells import Cells, Tile
from scenewright.godot.tiles.layer import open_layer

__all__ = ["GOAL", "ISLAND", "layers_of"]

GOAL = "a top-down island with a river, trees and three chests"
ISLAND = "worlds/island.tscn"


def _do(folder: Path, tool: str, **arguments: Any) -> dict[str, Any]:
    reply: dict[str, Any] = to_wire(call(folder, tool, **arguments))
    return reply


@pytest.fixture
def game(project: Path) -> Path:
    return make_project(project)


@pytest.fixture(scope="module")
def island(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with the world of the goal."""
    folder = make_project(tmp_path_factory.mktemp("island"))
    made = _do(folder, "pixel_macro_run", goal=GOAL, seed=7)
    assert made["ok"], made
    return folder


def _files(folder: Path) -> dict[str, bytes]:
    """What was generated, but the manifest, which has the time."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for part in ("worlds", "tilesets", "objects")
        for path in sorted((folder / part).rglob("*"))
        if path.is_file() and path.suffix not in (".import", ".uid")
    }


def layers_of(game: Path, scene: str) -> dict[str, dict[tuple[int, int], Tile]]:
    from scenewright.core.projects.project import Project
    from scenewright.core.writes.changeset import Changeset
    from scenewright.godot.classes.library import shipped
    from scenewright.godot.project.workspace import Workspace
    from scenewright.godot.scenes.scene_edit import SceneEdit

    edit = SceneEdit(Workspace(Changeset(Project.at(game))), shipped(), scene)
    nodes = [node for node in edit.tree.root.children if node.type == "TileMapLayer"]
    return {node.name: dict(_cells(edit, node.path)) for node in nodes}


def _cells(edit: Any, path: str) -> Cells:
    return open_layer(edit, path, 0).cells


def test_the_same_goal_and_seed_give_the_same_bytes(island: Path, tmp_path: Path) -> None:
    again = make_project(tmp_path / "again")
    _do(again, "pixel_macro_run", goal=GOAL, seed=7)
    assert _files(again) == _files(island)
    other = make_project(tmp_path / "other")
    _do(other, "pixel_macro_run", goal=GOAL, seed=8)
    assert _files(other)["worlds/island.tscn"] != _files(island)["worlds/island.tscn"]


def test_things_stand_where_they_may_and_as_many_as_were_asked_for(island: Path) -> None:
    layers = layers_of(island, ISLAND)
    text = (island / ISLAND).read_text()
    assert text.count('instance=ExtResource("') == 3 + 1  # chests and the player
    trees = layers["Things"]
    assert len(trees) > 20
    assert not set(trees) & set(layers["Path"])
    assert set(trees) <= set(layers["Ground"])
    for x, y in trees:
        near = {(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)} - {(x, y)}
        assert not near & set(trees)


@pytest.mark.anyio
async def test_a_macro_is_one_change_and_one_undo(game: Path, caller: Caller) -> None:
    before = sorted(path.name for path in game.iterdir())
    tried = await caller.result("pixel_macro_run", goal="a small island", dryRun=True)
    assert tried["ok"]
    assert sorted(path.name for path in game.iterdir() if path.name not in (".scenewright", ".godot_mcp")) == before
    made = await caller.result("pixel_macro_run", goal="a small island")
    assert (game / made["scenePath"].removeprefix("res://")).exists()
    assert (await caller.result("pixel_manifest_get"))["manifest"]["seed"] == made["seed"]
    await caller.result("history_undo")
    assert not list(game.rglob("*.tscn"))
    assert not (game / PLACE).exists()


@pytest.mark.anyio
async def test_a_run_that_failed_goes_on_where_it_stopped(game: Path, caller: Caller) -> None:
    chest: dict[str, Any] = {"id": "chest", "kind": "chest", "placement": {"count": 2, "onTiles": ["nowhere"]}}
    plan = [
        {"action": "world_generate", "args": {"spec": {"scenePath": "w.tscn"}, "seed": 3}},
        {"action": "object_generate", "args": {"spec": {"id": "chest", "kind": "chest"}}},
        {"action": "object_place", "args": {"scenePath": "w.tscn", "spec": chest}},
    ]
    first = await caller.result("pixel_macro_run", plan=plan)
    assert [row["ok"] for row in first["steps"]] == [True, True, False]
    assert "nowhere" in first["steps"][2]["summary"]
    assert (game / "w.tscn").exists()
    plan[2] = {"action": "object_place", "args": {"scenePath": "w.tscn", "spec": {**chest, "placement": {"count": 2}}}}
    second = await caller.result("pixel_macro_run", plan=plan)
    assert [row.get("skipped", False) for row in second["steps"]] == [True, True, False]
    assert second["ok"]


@pytest.mark.anyio
async def test_a_world_that_is_generated_again_keeps_what_was_added_by_hand(game: Path, caller: Caller) -> None:
    spec = {"scenePath": "w.tscn", "mapSize": {"width": 16, "height": 16}}
    await caller.result("pixel_world_generate", spec=spec, seed=1)
    await caller.result("add_node", scenePath="w.tscn", nodeName="Mine", nodeType="Marker2D")
    await caller.result("pixel_layer_ensure", scenePath="w.tscn", layerName="Houses")
    ensured = await caller.result("pixel_layer_ensure", scenePath="w.tscn", layerName="Houses")
    assert not ensured["made"]
    before = (game / "w.tscn").read_text()
    await caller.result("pixel_world_generate", spec=spec, seed=1)
    assert (game / "w.tscn").read_text() == before
    await caller.result("pixel_world_generate", spec=spec, seed=2)
    after = (game / "w.tscn").read_text()
    assert after != before
    assert '[node name="Mine"' in after
    assert after.splitlines()[0] == before.splitlines()[0]


@pytest.mark.anyio
async def test_the_manifest_has_the_ways_and_outputs_of_all_worlds(game: Path, caller: Caller) -> None:
    for name in ("a", "b", "a"):
        await caller.result("pixel_world_generate", spec={"scenePath": f"{name}.tscn"}, seed=4)
    manifest = (await caller.result("pixel_manifest_get"))["manifest"]
    assert set(manifest["route"]) == {"res://a.tscn", "res://b.tscn"}
    assert manifest["outputs"]["world_generate"] == ["res://b.tscn", "res://a.tscn"]


@pytest.mark.anyio
async def test_things_keep_their_distance_and_a_second_call_replaces_them(game: Path, caller: Caller) -> None:
    await caller.result("pixel_world_generate", spec={"scenePath": "w.tscn"}, seed=4)
    rock = {"id": "rock", "kind": "rock", "placement": {"count": 6, "onTiles": ["Grass"], "minDistance": 4}}
    await caller.result("pixel_object_generate", spec=rock)
    placed = await caller.result("pixel_object_place", scenePath="w.tscn", spec=rock, seed=2)
    cells = placed["cells"]
    assert len(cells) == 6
    near = [(a, b) for a in cells for b in cells if a < b and max(abs(a[0] - b[0]), abs(a[1] - b[1])) <= 4]
    assert near == []
    assert all(tuple(cell) in layers_of(game, "w.tscn")["Ground"] for cell in cells)
    before = (game / "w.tscn").read_text()
    await caller.result("pixel_object_place", scenePath="w.tscn", spec=rock, seed=2)
    assert (game / "w.tscn").read_text().count("rock.tscn") == before.count("rock.tscn")
    assert (game / "w.tscn").read_text().count("instance=") == 6


@pytest.mark.anyio
async def test_a_goal_is_read_and_what_is_not_understood_is_said(game: Path, caller: Caller) -> None:
    del game
    read = await caller.result(
        "pixel_goal_to_spec", goal="A large snowy continent with many pines, 5 rocks, a dozen crystals and a wizard"
    )
    objects = {row["id"]: row for row in read["spec"]["objects"]}
    assert read["spec"]["tilemap"]["theme"] == "snow"
    assert read["spec"]["world"]["mapSize"] == {"width": 96, "height": 64}
    assert read["spec"]["world"]["placementRules"]["shape"] == "continent"
    assert objects["rock"]["placement"]["count"] == 5
    assert objects["crystal"]["placement"]["count"] == 12
    assert objects["pine"]["placement"]["density"] > 0.2
    assert read["notUnderstood"] == ["wizard"]


def test_a_project_is_described(island: Path) -> None:
    profile = _do(island, "pixel_project_analyze")["profile"]
    assert profile["tileSize"] in (16, [16, 16])
    assert profile["worlds"] == [f"res://{ISLAND}"]
    assert profile["tilesets"][0]["terrains"] == ["Sand", "Grass", "Forest", "Rock", "Path"]
    assert profile["outlineStyle"] in ("dark", "none")


@pytest.mark.parametrize(
    ("tool", "given", "said"),
    [
        ("pixel_tilemap_generate", {"spec": {"theme": "moon"}}, "no theme 'moon'"),
        ("pixel_world_generate", {"spec": {"biomes": [{"name": "cheese"}]}}, "no biome 'cheese'"),
        ("pixel_world_generate", {"spec": {"tilesetPath": "no.tres"}}, "no tile set"),
        ("pixel_world_generate", {"spec": {"scenePath": "w.tres"}}, "ends in .tscn"),
        ("pixel_object_generate", {"spec": {"id": "ufo", "kind": "ufo"}}, "'ufo' can be drawn"),
        ("pixel_object_generate", {"spec": {"id": "t", "kind": "tree", "representation": "tile"}}, "tile set"),
        ("pixel_macro_run", {}, "Give a goal, a spec or a plan"),
        ("pixel_macro_run", {"plan": [{"action": "delete_file"}]}, "is no step"),
        ("pixel_manifest_get", {}, "Nothing was generated"),
    ],
)
@pytest.mark.anyio
async def test_what_cannot_be_is_refused(
    game: Path, caller: Caller, tool: str, given: dict[str, Any], said: str
) -> None:
    body = (await caller.reply(tool, given)).structured
    assert body is not None
    assert said in json.dumps(body)
    assert not list(game.rglob("*.tscn"))


@pytest.fixture
def painter() -> Iterator[str]:
    """A service that answers every wish with a red sheet of the size it asks for."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            wish = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            stream = io.BytesIO()
            Image.new("RGBA", (wish["width"], wish["height"]), "red").save(stream, "PNG")
            self.send_response(200)
            self.end_headers()
            self.wfile.write(stream.getvalue())

        def log_message(self, *_: Any) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/paint"
        server.shutdown()
        thread.join()


@pytest.fixture
def answering() -> Iterator[tuple[str, list[bytes]]]:
    """A service whose answer is to be filled in, byte by byte without an end where there is none."""
    answer: list[bytes] = []
    over = threading.Event()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(200)
            self.end_headers()
            if answer:
                self.wfile.write(answer[0])
                return
            with contextlib.suppress(OSError):
                while not over.wait(0.05):
                    self.wfile.write(b" ")

        def log_message(self, *_: Any) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://localhost:{server.server_port}/", answer
        over.set()
        server.shutdown()
        thread.join()


@pytest.mark.anyio
async def test_a_service_for_specs_is_believed_no_further_than_it_goes(
    game: Path, make_caller: Any, answering: tuple[str, list[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    url, answer = answering
    monkeypatch.setenv("SPEC_GEN_URL", url)
    wish = {"goal": GOAL, "allowExternalTools": True, "specGenTimeoutMs": 1000}

    async def said(answered: str, **server: Any) -> str:
        answer[:] = [answered.encode()]
        return json.dumps((await make_caller(**server).reply("pixel_goal_to_spec", wish)).structured)

    assert "ALLOW_EXTERNAL_TOOLS" in await said("{}")
    assert "has no spec" in await said("{}", allow_external=True)
    assert "no JSON object" in await said("[" * 200_000, allow_external=True)
    assert "SPEC_GEN_URL is no spec" in await said('{"world": {"mapSize": {"width": 99999}}}', allow_external=True)
    made = await said('{"spec": {"tilemap": {"name": "moon", "theme": "snow"}}}', allow_external=True)
    assert "The spec is SPEC_GEN_URL's" in made
    answer.clear()
    slow = (await make_caller(allow_external=True).reply("pixel_goal_to_spec", wish)).structured
    assert "does not answer within 1 s" in json.dumps(slow)
    for wrong in ("http://[::1", "http://localhost:99999/", "http://localhost@example.com/"):
        monkeypatch.setenv("SPEC_GEN_URL", wrong)
        assert "SPEC_GEN_URL is" in await said("{}", allow_external=True)


@pytest.mark.anyio
async def test_paintings_beside_pixel_art_cost_little_to_look_at(game: Path, caller: Caller) -> None:
    noise = b"".join((at * 7919 % 2**24).to_bytes(3, "little") for at in range(256 * 256))
    for number in range(3):
        Image.frombytes("RGB", (256, 256), noise).save(game / f"photo{number}.png")
    Image.new("RGBA", (16, 16), (255, 0, 0, 255)).save(game / "tile.png")
    profile = (await caller.result("pixel_project_analyze"))["profile"]
    assert profile["paletteHint"] == ["#ff0000"]


@pytest.mark.anyio
async def test_a_sheet_comes_from_a_service_only_where_that_is_allowed(
    game: Path, make_caller: Any, painter: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("IMAGE_GEN_URL", painter)
    wish = {"spec": {"name": "red"}, "allowExternalTools": True}
    refused = (await make_caller().reply("pixel_tilemap_generate", wish)).structured
    assert "ALLOW_EXTERNAL_TOOLS" in json.dumps(refused)
    made = await make_caller(allow_external=True).result("pixel_tilemap_generate", **wish)
    assert made["source"] == "given"
    with Image.open(game / "tilesets/red.png") as sheet:
        assert sheet.convert("RGB").getpixel((5, 5)) == (255, 0, 0)
    monkeypatch.setenv("IMAGE_GEN_URL", "http://example.com/paint")
    refused = (
        await make_caller(allow_external=True).reply("pixel_tilemap_generate", {**wish, "forceRegenerate": True})
    ).structured
    assert "plain http" in json.dumps(refused)
