"""Hills as the real engine reads them: vertices, normals, UVs, height map, and a ball that lies on them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller
from tests.godot.catalogue.played_scenes import Play, called, play, refused
from tests.support.gdscript_runner import make_project, run_jobs

from scenewright.godot.building.terrain_mesh import ground

pytestmark = [pytest.mark.anyio, pytest.mark.godot, pytest.mark.xdist_group("godot-operations")]

SPACE = '[gd_scene format=3]\n\n[node name="Space" type="Node3D"]\n'
LOOK = """
func run(path: String) -> Variant:
	var mesh: ArrayMesh = load(path)
	var arrays: Array = mesh.surface_get_arrays(0)
	var made: SurfaceTool = SurfaceTool.new()
	made.create_from(mesh, 0)
	made.generate_normals()
	var own: PackedVector3Array = arrays[Mesh.ARRAY_NORMAL]
	var theirs: Array = made.commit_to_arrays()
	var normals: Dictionary = {}
	for number: int in (theirs[Mesh.ARRAY_VERTEX] as PackedVector3Array).size():
		normals[theirs[Mesh.ARRAY_VERTEX][number].snapped(Vector3.ONE * 0.001)] = theirs[Mesh.ARRAY_NORMAL][number]
	var vertices: PackedVector3Array = arrays[Mesh.ARRAY_VERTEX]
	var worst: float = 1.0
	for number: int in own.size():
		worst = minf(worst, own[number].dot(normals[vertices[number].snapped(Vector3.ONE * 0.001)]))
	var heights: Array = []
	var beside: float = 0.0
	var tangents: PackedFloat32Array = arrays[Mesh.ARRAY_TANGENT]
	for number: int in vertices.size():
		heights.append(vertices[number].y)
		var tangent: Vector3 = Vector3(tangents[number * 4], tangents[number * 4 + 1], tangents[number * 4 + 2])
		beside = maxf(beside, absf(tangent.dot(own[number])))
	var uvs: PackedVector2Array = arrays[Mesh.ARRAY_TEX_UV]
	var saved: String = "res://again.tres"
	ResourceSaver.save(mesh, saved)
	return {"worst": worst, "heights": heights, "first": var_to_str(vertices[0]), "aabb": var_to_str(mesh.get_aabb()),
		"last": var_to_str(vertices[-1]), "uv": var_to_str(uvs[-1]), "beside": beside, "sign": tangents[3],
		"count": (arrays[Mesh.ARRAY_INDEX] as PackedInt32Array).size(), "up": own[0].y > 0.0}
"""


@pytest.fixture
def game(project: Path) -> Path:
    return make_project(project, {"space.tscn": SPACE})


@pytest.mark.since_godot(4, 5)  # older ones shorten floats
async def test_the_engine_reads_the_mesh_as_it_was_meant(game: Path, caller: Caller) -> None:
    made = await called(
        caller,
        "generate_terrain_mesh",
        scenePath="space.tscn",
        nodeName="Hills",
        size=20,
        subdivisions=16,
        amplitude=3,
        seed=5,
        frequency=3,
        octaves=2,
        uvScale=4,
    )
    assert made["files"] == ["res://hills_mesh.tres"]
    (reply,) = run_jobs(game, LOOK, ["res://hills_mesh.tres"])
    assert reply.complaints == []
    found = reply.value
    wanted = ground(20, 16, 3, seed=5, hills=3, octaves=2)
    assert found["heights"] == pytest.approx(wanted.heights)
    assert found["first"].startswith("Vector3(-10, ")
    assert found["last"].endswith(", 10)")
    assert found["uv"] == "Vector2(4, 4)"
    assert found["count"] == 16 * 16 * 6
    assert found["worst"] > 0.93  # the engine's normals are those of the triangles around, ours of the slope
    assert found["beside"] < 0.001
    assert (found["sign"], found["up"]) == (1, True)
    low, high = min(wanted.heights), max(wanted.heights)
    box = [float(part) for part in found["aabb"][5:-1].split(",")]
    assert box == pytest.approx([-10, low, -10, 20, high - low, 20])
    assert -3 <= low < -0.3 < 0.3 < high <= 3

    # Saved by the engine itself it is the same bytes.
    def surface(name: str) -> str:
        return (game / name).read_text().partition("_surfaces")[2]

    assert surface("again.tres") == surface("hills_mesh.tres")


async def test_what_lies_on_the_hills_lies_at_their_height(game: Path, caller: Caller) -> None:
    await called(
        caller,
        "generate_terrain_mesh",
        scenePath="space.tscn",
        size=40,
        subdivisions=20,
        amplitude=2,
        position=[5, 1, 0],
        seed=3,
    )
    land = ground(40, 20, 2, seed=3, hills=4, octaves=4)
    places = [(3, 4), (10, 10), (17, 5)]
    for number, (column, row) in enumerate(places):
        where = [column * 2 - 20 + 5, 8, row * 2 - 20]
        await called(
            caller,
            "add_node",
            scenePath="space.tscn",
            nodeType="RayCast3D",
            nodeName=f"Ray{number}",
            properties={"position": where, "target_position": [0, -20, 0]},
        )
    asked = [f'get_node("Ray{number}").get_collision_point().y' for number in range(len(places))]
    (reply,) = play(game, Play("space.tscn", 5, *asked, 'get_node("Terrain").get_class()'))
    assert reply.complaints == []
    assert reply.value[-1] == '"StaticBody3D"'
    heights = [land.at(column, row) + 1 for column, row in places]
    assert [float(each) for each in reply.value[:-1]] == pytest.approx(heights, abs=0.02)


def test_a_seed_always_gives_the_same_hills_and_another_gives_others() -> None:
    first, again, other = (ground(10, 8, 1, seed=seed, hills=2, octaves=3) for seed in (1, 1, 2))
    assert first == again
    assert first != other
    smooth, rough = (ground(10, 40, 1, seed=1, hills=2, octaves=octaves) for octaves in (1, 6))
    assert _roughness(rough.heights) > _roughness(smooth.heights) * 1.2
    assert set(ground(10, 8, 0, seed=1, hills=2, octaves=1).heights) == {0.0}


def _roughness(heights: tuple[float, ...]) -> float:
    return sum(abs(a - 2 * b + c) for a, b, c in zip(heights, heights[1:], heights[2:], strict=False))


async def test_ground_without_collision_is_a_mesh_in_a_file_of_the_callers(game: Path, caller: Caller) -> None:
    await called(caller, "create_terrain_material", materialPath="look.tres")
    arguments = {
        "scenePath": "space.tscn",
        "subdivisions": 256,
        "octaves": 1,
        "collision": False,
        "meshPath": "meshes/big.tres",
        "materialPath": "look.tres",
    }
    await called(caller, "generate_terrain_mesh", **arguments)
    (reply,) = run_jobs(game, LOOK, ["res://meshes/big.tres"])
    assert reply.value["count"] == 256 * 256 * 6
    assert reply.complaints == []
    assert "exists" in await refused(caller, "generate_terrain_mesh", **arguments, nodeName="Again")
    await called(caller, "generate_terrain_mesh", **(arguments | {"subdivisions": 2}), nodeName="Again", overwrite=True)
    asked = (
        'get_node("Terrain").get_class()',
        'get_node("Again").mesh.get_faces().size()',
        'get_node("Terrain").material_override.get_class()',
    )
    (reply,) = play(game, Play("space.tscn", *asked))
    assert reply.value == ['"MeshInstance3D"', "24", '"ShaderMaterial"']


async def test_a_material_has_its_colors_and_goes_to_the_mesh(game: Path, caller: Caller) -> None:
    await called(caller, "generate_terrain_mesh", scenePath="space.tscn", subdivisions=2)
    made = await called(
        caller,
        "create_terrain_material",
        materialPath="look.tres",
        lowColor="red",
        midColor=[0, 1, 0],
        highColor="#0000ff",
        steepColor="Color(0, 0, 0, 1)",
        lowHeight=-2,
        highHeight=5,
        steepness=0.5,
        roughness=0.25,
        scenePath="space.tscn",
        nodePath="Terrain",
    )
    assert made["nodePath"] == "Terrain/Mesh"
    names = (
        "low_color",
        "mid_color",
        "high_color",
        "steep_color",
        "low_height",
        "high_height",
        "steepness",
        "roughness",
    )
    look = 'get_node("Terrain/Mesh").material_override'
    (reply,) = play(
        game,
        Play(
            "space.tscn",
            *(f'{look}.get_shader_parameter("{name}")' for name in names),
            f"{look}.shader.get_shader_uniform_list().size()",
        ),
    )
    assert reply.complaints == []
    assert reply.value == [
        "Color(1, 0, 0, 1)",
        "Color(0, 1, 0, 1)",
        "Color(0, 0, 1, 1)",
        "Color(0, 0, 0, 1)",
        "-2.0",
        "5.0",
        "0.5",
        "0.25",
        "8",
    ]
    assert "exists" in await refused(caller, "create_terrain_material", materialPath="look.tres")
    await called(caller, "create_terrain_material", materialPath="look.tres", overwrite=True)


@pytest.mark.parametrize(
    ("tool", "arguments", "says"),
    [
        ("generate_terrain_mesh", {"scenePath": "space.tscn", "subdivisions": 1000}, "subdivisions"),
        ("generate_terrain_mesh", {"scenePath": "space.tscn", "meshPath": "mesh.obj"}, ".tres"),
        ("generate_terrain_mesh", {"scenePath": "space.tscn", "materialPath": "gone.tres"}, "gone.tres"),
        ("create_terrain_material", {"materialPath": "look.tres", "lowColor": "rde"}, "lowColor"),
        ("create_terrain_material", {"materialPath": "look.tres", "lowColor": "12"}, "lowColor"),
        ("create_terrain_material", {"materialPath": "look.tres", "scenePath": "space.tscn"}, "Node3D"),
        ("create_terrain_material", {"materialPath": "look.txt"}, ".tres"),
        ("create_terrain_material", {"materialPath": "look.tres", "nodePath": "Hills"}, "scenePath"),
    ],
)
async def test_what_cannot_be_made_is_refused_and_changes_nothing(
    game: Path, caller: Caller, tool: str, arguments: dict[str, Any], says: str
) -> None:
    assert says in await refused(caller, tool, **arguments)
    assert (game / "space.tscn").read_text() == SPACE
    assert not list(game.rglob("*.tres"))
