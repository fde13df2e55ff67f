"""The uniforms of a shader: found as the real engine finds them, with the types it gives their values."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.gdscript_runner import make_project, run_jobs

from scenewright.godot.rendering.uniforms import uniforms_of

CODE = """shader_type spatial;
uniform bool a; uniform bvec2 b; uniform bvec3 b3[2]; uniform int c = 3; uniform uint cu; uniform ivec2 d;
uniform ivec3 d3; uniform ivec4 d4; uniform ivec2 da[2]; uniform uvec2 du; uniform uvec3 du3; uniform uvec4 du4;
uniform float e : hint_range(0.0, 1.0) = 0.5; uniform float ea[3]; uniform vec2 f = vec2(1.0, 2.0); uniform vec2 fa[2];
uniform highp vec3 g; uniform vec3 gc : source_color; uniform vec3 ga[2]; uniform vec3 gca[2] : source_color;
uniform vec4 h; uniform vec4 hc : source_color = vec4(1.0); uniform vec4 ha[2]; uniform vec4[2] hca : source_color;
uniform mat2 i; uniform mat3 j; uniform mat4 k; uniform mat2 ia2[2]; uniform mat3 ja[2]; uniform mat4 ka[2];
uniform sampler2D l : source_color, filter_nearest; uniform sampler2D la[2]; uniform sampler2DArray m;
uniform sampler3D n; uniform samplerCube o; uniform samplerCubeArray oo;
uniform sampler2D screen : hint_screen_texture; uniform sampler2D depth : hint_depth_texture;
uniform int en : hint_enum("A", "B") = 0; uniform bool ab[2]; uniform int ia[2];
// uniform float gone;
/* uniform float
gone_too; */
group_uniforms some.part;
uniform float later;
group_uniforms;
"""
LIST = """
func run(code: String) -> Dictionary:
	var shader: Shader = Shader.new()
	shader.code = code
	var found: Dictionary = {}
	for uniform: Dictionary in shader.get_shader_uniform_list():
		found[uniform.name] = uniform.hint_string if uniform.type == TYPE_OBJECT else type_string(uniform.type)
	return found
"""


@pytest.mark.godot
@pytest.mark.xdist_group("godot-text")
def test_uniforms_are_those_that_the_engine_finds(tmp_path: Path) -> None:
    [reply] = run_jobs(make_project(tmp_path), LIST, [CODE])
    assert reply.complaints == []
    ours = {name: each.type for name, each in uniforms_of(CODE, lambda _path, _place: None).items()}
    # An array of textures is one array for the engine, and a texture each for who gives it.
    assert {**ours, "la": "Array"} == reply.value


def test_instance_uniforms_are_told_apart_and_global_ones_left_out() -> None:
    code = "instance uniform vec4 own : source_color; global uniform vec4 all; uniform float shared;"
    found = uniforms_of(code, lambda _path, _place: None)
    assert {name: each.instance for name, each in found.items()} == {"own": True, "shared": False}


def test_included_files_are_looked_into_once() -> None:
    texts = {"a.inc": '#include "b.inc"\nuniform float a;', "b.inc": '#include "a.inc"\nuniform float b;'}
    assert set(uniforms_of('#include "a.inc"\n', lambda path, _: (path, texts[path]))) == {"a", "b"}
