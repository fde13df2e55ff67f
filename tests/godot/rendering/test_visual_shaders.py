"""Visual shaders as graphs: what we write is what the real engine makes code of, and its ports are the ones we name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller
from tests.support.gdscript_runner import make_project, run_jobs

from scenewright.godot.rendering.visual_shader_ports import MODES, OUTPUT_PORTS, PORT_COUNTS

CODE_OF = """
func run(text: String) -> String:
	var path: String = "user://graph.tres"
	var file: FileAccess = FileAccess.open(path, FileAccess.WRITE)
	file.store_string(text)
	file.close()
	var shader: VisualShader = ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_IGNORE)
	return shader.code
"""
OUTPUTS = """
const STAGES: Dictionary = {"vertex": 0, "fragment": 1, "light": 2, "sky": 8, "fog": 9}

func run(asked: Array) -> String:
	var shader: VisualShader = VisualShader.new()
	shader.set_mode(asked[0])
	var stage: int = STAGES[asked[1]]
	shader.add_node(stage, VisualShaderNodeFloatConstant.new(), Vector2(), 2)
	shader.add_node(stage, VisualShaderNodeTransformConstant.new(), Vector2(), 3)
	var source: int = 3 if String(asked[3]).ends_with("MATRIX") else 2
	if shader.connect_nodes(stage, source, 0, 0, int(asked[2])) != OK:
		return ""
	return shader.code.substr(shader.code.find("// Output:0"))
"""
COUNTS = """
func run(kind: String) -> Array:
	var shader: VisualShader = VisualShader.new()
	var particles: bool = kind.contains("Particle")
	shader.set_mode(Shader.MODE_PARTICLES if particles else Shader.MODE_SPATIAL)
	var stage: int = VisualShader.TYPE_START if particles else VisualShader.TYPE_FRAGMENT
	shader.add_node(stage, ClassDB.instantiate("VisualShaderNode" + kind), Vector2(), 2)
	shader.add_node(stage, VisualShaderNodeFloatConstant.new(), Vector2(), 3)
	shader.add_node(stage, VisualShaderNodeFloatFunc.new(), Vector2(), 4)
	shader.connect_nodes(stage, 3, 0, 2, 99)
	shader.connect_nodes(stage, 2, 99, 4, 0)
	return []
"""


@pytest.fixture
def game(project: Path) -> Path:
    make_project(project, {})
    return project


async def edit(caller: Caller, **changes: Any) -> dict[str, Any]:
    return await caller.result("edit_visual_shader", shaderPath="glow.tres", **changes)


async def make_tint(caller: Caller) -> dict[str, Any]:
    made = {"resourcePath": "glow.tres", "resourceType": "VisualShader", "properties": {"mode": 1}}
    await caller.result("create_resource", **made)
    return await edit(
        caller,
        add=[
            {"type": "ColorParameter", "name": "tint"},
            {"type": "FloatConstant", "name": "half", "properties": {"constant": 0.5}},
            {"type": "VisualShaderNodeVectorOp", "name": "mul", "properties": {"operator": "Multiply"}},
        ],
        connect=[
            {"from": "tint:0", "to": "mul:a"},
            {"from": "half", "to": "mul:b"},
            {"from": "mul:0", "to": "Output:color.rgb"},
        ],
    )


WIRES = [{"from": "2:0", "to": "4:a"}, {"from": "3:0", "to": "4:b"}, {"from": "4:0", "to": "Output:COLOR.rgb"}]


@pytest.mark.anyio
async def test_a_graph_is_built_and_read_by_name(game: Path, caller: Caller) -> None:
    made = await make_tint(caller)
    assert made["added"] == {"tint": 2, "half": 3, "mul": 4}
    read = await caller.result("read_visual_shader", shaderPath="glow.tres")
    assert read["mode"] == "canvas_item"
    (stage,) = read["stages"]
    assert stage["connections"] == WIRES
    assert [(node["id"], node["type"], node.get("name")) for node in stage["nodes"]] == [
        (2, "ColorParameter", "tint"),
        (3, "FloatConstant", None),
        (4, "VectorOp", None),
    ]


@pytest.mark.anyio
async def test_an_input_takes_one_connection(game: Path, caller: Caller) -> None:
    await make_tint(caller)
    changed = await edit(caller, connect=[{"from": "tint", "to": "Output:COLOR.rgb"}])
    assert changed["replaced"] == [WIRES[2]]
    assert changed["stages"][0]["connections"][-1] == {"from": "2:0", "to": "Output:COLOR.rgb"}


@pytest.mark.anyio
async def test_a_removed_node_takes_its_connections_along(game: Path, caller: Caller) -> None:
    await make_tint(caller)
    before = (game / "glow.tres").read_bytes()
    changed = await edit(caller, remove=["VectorOp", "tint"], set={"FloatConstant": {"constant": 0.25}})
    assert changed["stages"][0]["connections"] == []
    text = (game / "glow.tres").read_text()
    assert "ColorParameter" not in text
    assert "connections" not in text
    assert "constant = 0.25" in text
    await caller.result("history", action="undo")
    assert (game / "glow.tres").read_bytes() == before


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"connect": [{"from": "tint", "to": "Output:COLR"}]}, "It has COLOR.rgb, COLOR.a"),
        ({"connect": [{"from": "tint", "to": "mul:7"}]}, "no node 'mul'"),
        ({"connect": [{"from": "tint", "to": "VectorOp:7"}]}, "no input port '7'"),
        ({"connect": [{"from": "VectorOp", "to": "VectorOp:a"}]}, "circle"),
        ({"disconnect": [{"from": "tint", "to": "Output:COLOR.a"}]}, "are not connected"),
        ({"remove": ["Output"]}, "cannot be removed"),
        ({"add": [{"type": "ColourParameter"}]}, "Did you mean 'ColorParameter'"),
        ({"set": {"tint": {"nope": 1}}}, "nope"),
        ({"stage": "sky", "remove": ["tint"]}, "has no stage 'sky'"),
        ({"stage": "light", "remove": ["tint"]}, "has no node 'tint'"),
    ],
)
async def test_what_does_not_fit_changes_nothing(
    game: Path, caller: Caller, changes: dict[str, Any], said: str
) -> None:
    await make_tint(caller)
    before = (game / "glow.tres").read_bytes()
    reply = await caller.reply("edit_visual_shader", {"shaderPath": "glow.tres", **changes})
    assert said in str(reply.structured)
    assert (game / "glow.tres").read_bytes() == before


@pytest.mark.anyio
async def test_only_visual_shaders_are_taken(game: Path, caller: Caller) -> None:
    (game / "other.tres").write_text('[gd_resource type="Gradient" format=3]\n\n[resource]\n')
    (game / "odd.tres").write_text(
        '[gd_resource type="VisualShader" format=3]\n\n[resource]\nmode = 99\n'
        'nodes/vertex/7/node = SubResource("gone")\nnodes/vertex/connections = PackedInt32Array(1, 2, 3)\n'
    )
    assert "no visual shader" in str(
        (await caller.reply("read_visual_shader", {"shaderPath": "other.tres"})).structured
    )
    assert (await caller.result("read_visual_shader", shaderPath="odd.tres"))["stages"] == []


@pytest.mark.anyio
@pytest.mark.godot
@pytest.mark.xdist_group("godot-text")
async def test_the_engine_makes_code_of_what_is_written(game: Path, caller: Caller, tmp_path: Path) -> None:
    await make_tint(caller)
    [reply] = run_jobs(make_project(tmp_path / "engine"), CODE_OF, [(game / "glow.tres").read_text()])
    assert reply.complaints == []
    assert "uniform vec4 tint" in reply.value
    assert "COLOR.rgb = n_out4p0;" in reply.value
    assert "vec3(n_out2p0.xyz) * vec3(n_out3p0)" in reply.value.replace("n_in4p1", "vec3(n_out3p0)")


@pytest.mark.godot
@pytest.mark.xdist_group("godot-text")
def test_the_outputs_ports_are_called_as_the_engine_assigns_them(tmp_path: Path) -> None:
    asked = [
        [MODES.index(mode), stage, number, name]
        for (mode, stage), names in OUTPUT_PORTS.items()
        for number, name in enumerate((*names, ""))
    ]
    for row, reply in zip(asked, run_jobs(make_project(tmp_path), OUTPUTS, asked), strict=True):
        assert (f"\t{row[3]} = " in reply.value) if row[3] else reply.value == "", row


@pytest.mark.godot
@pytest.mark.xdist_group("godot-text")
def test_nodes_have_as_many_ports_as_the_engine_says(tmp_path: Path) -> None:
    kinds = sorted(PORT_COUNTS)
    for kind, reply in zip(kinds, run_jobs(make_project(tmp_path), COUNTS, kinds), strict=True):
        said = "\n".join(map(str, reply.complaints))
        inputs, outputs = PORT_COUNTS[kind]
        assert f"get_input_port_count() = {inputs})" in said, kind
        assert f"output_port_count() = {outputs})" in said, kind
