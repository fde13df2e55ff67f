"""Values that go through the real engine: what it writes we read, what we write it reads as the same."""

from __future__ import annotations

import struct
from pathlib import Path
from random import Random

import pytest
from hypothesis import Phase, given, settings
from tests.godot.documents.strategies import values
from tests.godot.documents.test_values import WRITTEN
from tests.support.gdscript_runner import make_project, run_jobs

from scenewright.godot.documents import variant as v
from scenewright.godot.documents.floats import real, single
from scenewright.godot.documents.ids import number_from_uid, uid_from_number
from scenewright.godot.documents.variant_reader import parse_variant
from scenewright.godot.documents.variant_writer import write_variant

pytestmark = [pytest.mark.godot, pytest.mark.xdist_group("godot-text")]

READ = """
func run(job: Variant) -> Variant:
	var value: Variant = str_to_var(job)
	var text: String = var_to_str(value)
	if value is Object and not value is RefCounted:
		value.free()
	return [type_string(typeof(value)), text]
"""
MADE = """
var dice: RandomNumberGenerator = RandomNumberGenerator.new()

func run(job: Variant) -> Variant:
	dice.seed = int(job)
	var made: Array = []
	for type: int in range(1, TYPE_MAX):
		if type not in [TYPE_OBJECT, TYPE_CALLABLE, TYPE_SIGNAL]:
			made.append(var_to_str(make(type)))
	return made


func number() -> float:
	match dice.randi() % 6:
		0: return dice.randf_range(-10, 10)
		1: return float(dice.randi_range(-100000, 100000))
		2: return dice.randf() * pow(10.0, dice.randi_range(-30, 30))
		3: return [INF, -INF, NAN, 0.0, -0.0][dice.randi() % 5]
		4: return dice.randi_range(-999, 999) / 100.0
	return snappedf(dice.randf_range(-1000, 1000), 0.001)


func whole() -> int:
	return dice.randi() - 2147483648


func text() -> String:
	var made: String = ""
	for index: int in dice.randi() % 8:
		var letters: Array = ["a", "Z", "0", " ", "\\"", "\\\\", "\\n", "\\t", "\\r", "é", "😀", "'", "/", "[", ";"]
		made += letters[dice.randi() % letters.size()]
	return made


func list(maker: Callable) -> Array:
	var made: Array = []
	for index: int in dice.randi() % 4:
		made.append(maker.call())
	return made


func make(type: int) -> Variant:
	match type:
		TYPE_BOOL: return dice.randi() % 2 == 0
		TYPE_INT: return (whole() << 31) + whole()
		TYPE_FLOAT: return number()
		TYPE_STRING: return text()
		TYPE_VECTOR2: return Vector2(number(), number())
		TYPE_VECTOR2I: return Vector2i(whole(), whole())
		TYPE_RECT2: return Rect2(number(), number(), number(), number())
		TYPE_RECT2I: return Rect2i(whole(), whole(), whole(), whole())
		TYPE_VECTOR3: return Vector3(number(), number(), number())
		TYPE_VECTOR3I: return Vector3i(whole(), whole(), whole())
		TYPE_TRANSFORM2D: return Transform2D(make(TYPE_VECTOR2), make(TYPE_VECTOR2), make(TYPE_VECTOR2))
		TYPE_VECTOR4: return Vector4(number(), number(), number(), number())
		TYPE_VECTOR4I: return Vector4i(whole(), whole(), whole(), whole())
		TYPE_PLANE: return Plane(number(), number(), number(), number())
		TYPE_QUATERNION: return Quaternion(number(), number(), number(), number())
		TYPE_AABB: return AABB(make(TYPE_VECTOR3), make(TYPE_VECTOR3))
		TYPE_BASIS: return Basis(make(TYPE_VECTOR3), make(TYPE_VECTOR3), make(TYPE_VECTOR3))
		TYPE_TRANSFORM3D: return Transform3D(make(TYPE_BASIS), make(TYPE_VECTOR3))
		TYPE_PROJECTION:
			return Projection(make(TYPE_VECTOR4), make(TYPE_VECTOR4), make(TYPE_VECTOR4), make(TYPE_VECTOR4))
		TYPE_COLOR: return Color(number(), number(), number(), number())
		TYPE_STRING_NAME: return StringName(text())
		TYPE_NODE_PATH: return NodePath("../A b/C:" + str(whole()))
		TYPE_RID: return RID()
		TYPE_DICTIONARY:
			if dice.randi() % 2 == 0:
				var typed: Dictionary[String, Vector2] = {text(): Vector2(number(), number())}
				return typed
			return {text(): number(), whole(): list(text), text(): {text(): make(TYPE_COLOR)}}
		TYPE_ARRAY:
			if dice.randi() % 2 == 0:
				var typed: Array[NodePath] = [NodePath("a"), NodePath("b:c")]
				return typed
			return [number(), text(), list(number), make(TYPE_DICTIONARY), null]
		TYPE_PACKED_BYTE_ARRAY: return PackedByteArray(list(whole))
		TYPE_PACKED_INT32_ARRAY: return PackedInt32Array(list(whole))
		TYPE_PACKED_INT64_ARRAY: return PackedInt64Array(list(make.bind(TYPE_INT)))
		TYPE_PACKED_FLOAT32_ARRAY: return PackedFloat32Array(list(number))
		TYPE_PACKED_FLOAT64_ARRAY: return PackedFloat64Array(list(number))
		TYPE_PACKED_STRING_ARRAY: return PackedStringArray(list(text))
		TYPE_PACKED_VECTOR2_ARRAY: return PackedVector2Array(list(make.bind(TYPE_VECTOR2)))
		TYPE_PACKED_VECTOR3_ARRAY: return PackedVector3Array(list(make.bind(TYPE_VECTOR3)))
		TYPE_PACKED_COLOR_ARRAY: return PackedColorArray(list(make.bind(TYPE_COLOR)))
		TYPE_PACKED_VECTOR4_ARRAY: return PackedVector4Array(list(make.bind(TYPE_VECTOR4)))
	return null
"""
FLOATS = """
func run(job: Variant) -> Variant:
	var bytes: PackedByteArray = (job as String).hex_decode()
	var wide: float = bytes.decode_double(0)
	return [var_to_str(PackedFloat64Array([wide])), var_to_str(PackedFloat32Array([wide]))]
"""
UIDS = """
func run(job: Variant) -> Variant:
	if job is String and job.begins_with("uid://"):
		return str(ResourceUID.text_to_id(job))
	return ResourceUID.id_to_text(int(job))
"""
# Only a resource file can hold these; the scene tests have them.
ELSEWHERE = (v.ExtResource, v.SubResource, v.Resource, v.Object, v.RID)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_project(tmp_path_factory.mktemp("values"))


def test_every_type_the_engine_writes_is_read_and_written_the_same(project: Path) -> None:
    for reply in run_jobs(project, MADE, range(40)):
        assert not reply.complaints
        for text in reply.value:
            assert write_variant(parse_variant(text)) == text


def test_every_type_we_write_is_read_by_the_engine(project: Path) -> None:
    texts = [
        text
        for value, text in WRITTEN
        if not isinstance(value, ELSEWHERE) and not any(f"{kind.__name__}(" in text for kind in ELSEWHERE)
    ]
    assert len(texts) > 45
    for text, reply in zip(texts, run_jobs(project, READ, texts), strict=True):
        assert (reply.value[1], reply.complaints) == (text, [])


def test_random_values_we_write_are_read_by_the_engine(project: Path) -> None:
    texts: list[str] = []

    @settings(max_examples=600, deadline=None, phases=[Phase.generate], database=None)
    @given(values)
    def collect(value: v.Variant) -> None:
        texts.append(write_variant(value))

    collect()
    for text, reply in zip(texts, run_jobs(project, READ, texts), strict=True):
        assert (reply.value[1], reply.complaints) == (text, [])


def test_any_float_is_printed_as_the_engine_prints_it(project: Path) -> None:
    dice = Random(4)
    found = [dice.randbytes(8) for _ in range(2000)]
    found += [struct.pack("<d", dice.uniform(-1000, 1000)) for _ in range(1000)]
    found += [struct.pack("<d", float(dice.randrange(2**20, 2**36))) for _ in range(1000)]
    for bits, reply in zip(found, run_jobs(project, FLOATS, [data.hex() for data in found]), strict=True):
        (value,) = struct.unpack("<d", bits)
        assert reply.value[0] == f"PackedFloat64Array({real(value)})"
        assert reply.value[1] == f"PackedFloat32Array({real(single(value))})"


def test_uids_are_the_engines(project: Path) -> None:
    numbers = [0, 1, 24, 25, 33, 34, 2**40, 2**62 + 12345]  # JSON keeps no more exactly
    numbers = [number for number in numbers if float(number) == number]
    texts = ["uid://a", "uid://z9", "uid://d4n4ub6itg400", "uid://yyyyyyyyyyyyyyyyyyyyyyyyyyy", "uid://A", "uid://"]
    replies = run_jobs(project, UIDS, [*numbers, *texts])
    assert [reply.value for reply in replies[: len(numbers)]] == [uid_from_number(number) for number in numbers]
    assert [int(reply.value) for reply in replies[len(numbers) :]] == [number_from_uid(text) for text in texts]
