"""Makes the table of Unity's serialized classes that ships with the package, from the type trees of UnityPy.

    python -m venv trees && trees/bin/pip install tpk_ar && trees/bin/pip install --no-deps UnityPy
    trees/bin/python -m pip download --no-deps UnityPy
    python scripts/build_unity_types.py --packages trees/lib/python3.11/site-packages

Needs nothing of the package itself, so that any Python with `tpk_ar` can run it.
"""

from __future__ import annotations

import argparse
import gzip
import importlib
import io
import json
import sys
from functools import cached_property
from itertools import takewhile
from pathlib import Path
from typing import Any

SHIPPED = Path(__file__).parents[1] / "src/scenewright/unity/class_types/types.json.gz"
_FIRST = "5.0.0f1"  # the oldest version whose text files are in use
# Flags of a field that its text depends on: written on one line, and a number that is a truth value.
_FLOW, _TRUTH = 0x200000, 0x100
# Where the version number of a class stands, other than after the fields of the class above it.
_VERSION_FIRST = {
    "Animator",
    "AnimatorState",
    "AnimatorStateMachine",
    "LineRenderer",
    "Material",
    "NavMeshSettings",
    "ParticleSystemRenderer",
    "Rigidbody2D",
    "TextMesh",
    "TrailRenderer",
}
_HEAD = {"m_ObjectHideFlags", "m_CorrespondingSourceObject", "m_PrefabInstance", "m_PrefabAsset", "m_GameObject"}
_VERSION_BEFORE = {"AnimationClip": "m_Legacy", "BoxCollider2D": "m_Size"}
_LISTS = ("vector", "staticvector", "set", "map", "multimap", "fixed_bitset")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--packages", type=Path, help="the folder that holds UnityPy and tpk_ar")
    parser.add_argument("--output", type=Path, default=SHIPPED, help="the file to write")
    options = parser.parse_args()
    if options.packages:
        sys.path.insert(0, str(options.packages))
    packages = options.packages or Path(importlib.import_module("tpk_ar").__file__ or "").parents[1]
    trees = (packages / "UnityPy/resources/lzma.tpk").read_bytes()
    blob = importlib.import_module("tpk_ar").TpkFile.parse(io.BytesIO(trees)).GetDataBlob()
    (metadata,) = packages.glob("[uU]nity[pP]y-*.dist-info")
    data = _Table(blob).made(f"UnityPy {metadata.name.split('-')[1].removesuffix('.dist')} (MIT)")
    options.output.write_bytes(gzip.compress(json.dumps(data, separators=(",", ":")).encode(), 9, mtime=0))
    print(f"{options.output}: {data['source']}, Unity {data['first']} to {data['last']}")
    print(f"{len(data['classes'])} classes, {len(data['nodes'])} fields, {options.output.stat().st_size / 1e3:.0f} kB")


class _Table:
    """Type trees with what is not needed left out, and each field once."""

    def __init__(self, blob: Any) -> None:
        self._blob = blob
        self._nodes: dict[str, int] = {}
        self._rows: list[Any] = []
        self._named: dict[int, list[str]] = {}

    def made(self, source: str) -> dict[str, Any]:
        classes: dict[str, Any] = {}
        for number, rows in sorted(self._blob.ClassInformation.items()):
            entry = self._class(rows)
            if entry:
                classes[str(number)] = entry
        last = version_text(self._blob.Versions[-1])
        return {"source": source, "first": _FIRST, "last": last, "nodes": self._rows, "classes": classes}

    def _class(self, rows: Any) -> list[Any] | None:
        versions: list[list[Any]] = []
        name, base = "", ""
        for version, row in rows:
            made: list[Any] = [version_text(version), None, 0]
            if row is not None:
                name, base = self._text(row.Name), self._text(row.Base)
                if row.EditorRootNode is not None:
                    made = [made[0], self._node(row.EditorRootNode), self._own_from(version, row)]
            if version_key(made[0]) <= version_key(_FIRST):
                versions.clear()
            if not versions or versions[-1][1:] != made[1:]:
                versions.append(made)
        return [name, base, versions] if any(row[1] is not None for row in versions) or name else None

    def _own_from(self, version: Any, row: Any) -> int:
        """Return how many fields come from the class above, which most of its descendants have too: the own
        version number is written after them.
        """
        name, own = self._text(row.Name), self._names(row.EditorRootNode)
        if name in _VERSION_FIRST:
            return 0
        if "Collider" in self._above(row) and "m_Enabled" in own:
            return own.index("m_Enabled") + 1
        if _VERSION_BEFORE.get(name) in own:
            return own.index(_VERSION_BEFORE[name])
        others = [_at(self._by_name[other], version) for other in self._descendants.get(self._text(row.Base), ())]
        trees = [self._names(other.EditorRootNode) for other in others if other and other.EditorRootNode is not None]
        shared = takewhile(lambda at: _are_most(own[: at + 1], trees) or own[at] in _HEAD, range(len(own)))
        return len(list(shared))

    def _above(self, row: Any) -> list[str]:
        """Return the classes above one."""
        names: list[str] = []
        name = self._text(row.Base)
        while name in self._by_name:
            names.append(name)
            name = self._text(next(row for _, row in reversed(self._by_name[name]) if row).Base)
        return names

    @cached_property
    def _by_name(self) -> dict[str, Any]:
        return {
            self._text(row.Name): list(rows) for rows in self._blob.ClassInformation.values() for _, row in rows if row
        }

    @cached_property
    def _descendants(self) -> dict[str, list[str]]:
        """The classes below each class, itself included."""
        below: dict[str, list[str]] = {}
        for name, rows in self._by_name.items():
            row = next(row for _, row in reversed(rows) if row)
            for above in (name, *self._above(row)):
                below.setdefault(above, []).append(name)
        return below

    def _names(self, index: int) -> list[str]:
        if index not in self._named:
            nodes = self._blob.NodeBuffer
            self._named[index] = [self._text(nodes[child].Name) for child in nodes[index].SubNodes]
        return self._named[index]

    def _node(self, index: int) -> int:
        """Return the number of a field in the table: its type, name, version, flags and the fields in it."""
        node = self._blob.NodeBuffer[index]
        kind, flags = self._text(node.TypeName), (node.MetaFlag & _FLOW and 1) | (node.MetaFlag & _TRUTH and 2)
        children: list[int] = []
        if kind == "Array" or (kind in _LISTS and node.SubNodes):
            array = node if kind == "Array" else self._blob.NodeBuffer[node.SubNodes[0]]
            kind, children = kind if kind == "map" else "vector", [self._node(array.SubNodes[1])]
        elif kind != "string" and not kind.startswith("PPtr<"):
            children = [self._node(child) for child in node.SubNodes]
        row = [kind, self._text(node.Name), node.Version, flags, *children]
        key = json.dumps(row)
        if key not in self._nodes:
            self._nodes[key] = len(self._rows)
            self._rows.append(row)
        return self._nodes[key]

    def _text(self, index: int) -> str:
        return str(self._blob.StringBuffer[index])


def _at(rows: Any, version: Any) -> Any:
    """Return a class as it is in a version."""
    known = [row for since, row in rows if since <= version]
    return known[-1] if known else None


def _are_most(begin: list[str], trees: list[list[str]]) -> bool:
    return 2 * sum(tree[: len(begin)] == begin for tree in trees) > len(trees)


def version_text(version: Any) -> str:
    major, minor, patch, kind, number = version.as_tuple()
    letter = "f" if kind == 3 else "p" if kind == 4 else "b" if kind == 1 else "a" if kind == 0 else "f"
    return f"{major}.{minor}.{patch}{letter}{number}"


def version_key(text: str) -> tuple[int, ...]:
    head, letter = next((text.partition(letter)[::2], letter) for letter in "abfp" if letter in text)
    return (*map(int, head[0].split(".")), "abfp".index(letter), int(head[1]))


if __name__ == "__main__":
    main()
