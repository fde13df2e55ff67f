"""Random values of every type of the engine."""

from __future__ import annotations

from hypothesis import strategies as st

from scenewright.godot.documents import variant as v

__all__ = ["by_type", "components", "names", "scalars", "texts", "values"]

# Not every double: the engine reads decimals with small errors, so that only short ones come back as they were.
components = st.one_of(
    st.integers(-1000, 1000).map(float),
    st.integers(-(10**6), 10**6).map(lambda number: number / 1000),
    st.floats(width=32, allow_nan=False, allow_subnormal=False, min_value=-1e6, max_value=1e6),
    st.sampled_from([float("inf"), float("-inf"), 1e20, -1e-20, 0.1, 1e15]),
)
shorts = st.one_of(
    st.integers(-(10**6), 10**6).map(lambda number: number / 1000),
    st.sampled_from([float("inf"), float("-inf"), 1e20, 0.1, 1e15, 123456789.0]),
)
texts = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=12)
# The engine writes \a and \v in names and cannot read them; other control characters are fine.
names = st.text(st.characters(exclude_characters="\0\a\v", exclude_categories=["Cs"]), max_size=12)
# A NodePath is put in order when it is made, so that only orderly ones come back as they were.
words = st.text("abcXYZ019_ éß", min_size=1, max_size=6).filter(lambda text: text == text.strip())
node_paths = st.builds(
    lambda up, down, sub: v.NodePath("/".join([".."] * up + down) + "".join(f":{part}" for part in sub)),
    st.integers(0, 2),
    st.lists(words, min_size=1, max_size=3),
    st.lists(words, max_size=2),
)
ints = st.integers(-(2**63), 2**63 - 1)
small_ints = st.integers(-(2**31), 2**31 - 1)


def _struct(
    kind: type[v.FloatStruct] | type[v.IntStruct], part: st.SearchStrategy[float]
) -> st.SearchStrategy[v.Variant]:
    return st.tuples(*[part] * len(kind.__struct_fields__)).map(lambda parts: kind(*parts))


def _flat(size: int) -> st.SearchStrategy[tuple[float, ...]]:
    return st.lists(st.tuples(*[components] * size), max_size=3).map(lambda rows: tuple(sum(rows, ())))


_structs: dict[str, st.SearchStrategy[v.Variant]] = {
    **{name: _struct(kind, components) for name, kind in v.FLOAT_STRUCTS.items()},
    **{name: _struct(kind, small_ints) for name, kind in v.INT_STRUCTS.items()},
}
_packed: dict[str, st.SearchStrategy[v.Variant]] = {
    "PackedByteArray": st.binary(max_size=8).map(v.PackedByteArray),
    "PackedInt32Array": st.lists(small_ints, max_size=4).map(lambda items: v.PackedInt32Array(tuple(items))),
    "PackedInt64Array": st.lists(ints, max_size=4).map(lambda items: v.PackedInt64Array(tuple(items))),
    "PackedFloat32Array": st.lists(components, max_size=4).map(lambda items: v.PackedFloat32Array(tuple(items))),
    "PackedFloat64Array": st.lists(shorts, max_size=4).map(lambda items: v.PackedFloat64Array(tuple(items))),
    "PackedStringArray": st.lists(names, max_size=4).map(lambda items: v.PackedStringArray(tuple(items))),
    **{name: _flat(size).map(kind) for name, (kind, size) in v.PACKED_STRUCTS.items()},
}
structs = st.one_of(*_structs.values())
packed: st.SearchStrategy[v.Variant] = st.one_of(*_packed.values())
keys: st.SearchStrategy[v.Variant] = st.one_of(texts, st.integers(-100, 100))
scalars: st.SearchStrategy[v.Variant] = st.one_of(
    st.none(), st.booleans(), ints, shorts, texts, names.map(v.StringName), node_paths, structs, packed
)


def _containers(inner: st.SearchStrategy[v.Variant]) -> st.SearchStrategy[v.Variant]:
    entries = st.dictionaries(keys, inner, max_size=3).map(lambda found: tuple(found.items()))
    return st.one_of(
        st.lists(inner, max_size=4).map(lambda items: v.Array(tuple(items))),
        st.lists(st.integers(-5, 5), max_size=3).map(lambda items: v.Array(tuple(items), "int")),
        entries.map(v.Dictionary),
        st.dictionaries(texts, st.integers(-5, 5), max_size=3).map(
            lambda found: v.Dictionary(tuple(found.items()), "String", "int")
        ),
    )


values: st.SearchStrategy[v.Variant] = st.recursive(scalars, _containers, max_leaves=8)
by_type: dict[str, st.SearchStrategy[v.Variant]] = {
    "bool": st.booleans(),
    "int": ints,
    "float": shorts,
    "String": texts,
    "StringName": names.map(v.StringName),
    "NodePath": node_paths,
    **_structs,
    **_packed,
    "Array": st.lists(scalars, max_size=3).map(lambda items: v.Array(tuple(items))),
    "Dictionary": st.dictionaries(keys, scalars, max_size=3).map(lambda found: v.Dictionary(tuple(found.items()))),
}
"""Those of one type."""
