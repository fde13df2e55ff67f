"""Unity's files: parsing a scene beside PyYAML's C loader and `unityparser`, a large scene, a graph of assets.

The scene of 1 MB is a real one (SCENEWRIGHT_CORPUS, or `../shared/corpus` beside the checkout), else a generated one.
`python -m bench.unity FILE` reads one file and prints seconds and peak memory, in a process of its own.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import yaml

from bench.figures import Figure
from scenewright.core.projects.project import Project
from scenewright.core.writes.changeset import Changeset
from scenewright.unity.assets import store
from scenewright.unity.objects.hierarchy import build_tree
from scenewright.unity.yaml.source import UnityFile

__all__ = ["run"]

LARGE = 100_000_000
ASSETS = 5_000
HEADER = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n"
OBJECT = """\
--- !u!1 &{0}1
GameObject:
  m_ObjectHideFlags: 0
  m_CorrespondingSourceObject: {{fileID: 0}}
  m_PrefabInstance: {{fileID: 0}}
  m_PrefabAsset: {{fileID: 0}}
  serializedVersion: 6
  m_Component:
  - component: {{fileID: {0}2}}
  - component: {{fileID: {0}3}}
  - component: {{fileID: {0}4}}
  m_Layer: 0
  m_Name: Object {0}
  m_TagString: Untagged
  m_Icon: {{fileID: 0}}
  m_NavMeshLayer: 0
  m_StaticEditorFlags: 0
  m_IsActive: 1
--- !u!4 &{0}2
Transform:
  m_ObjectHideFlags: 0
  m_CorrespondingSourceObject: {{fileID: 0}}
  m_PrefabInstance: {{fileID: 0}}
  m_PrefabAsset: {{fileID: 0}}
  m_GameObject: {{fileID: {0}1}}
  m_LocalRotation: {{x: 0, y: 0, z: 0, w: 1}}
  m_LocalPosition: {{x: {0}.5, y: -0.25, z: 12}}
  m_LocalScale: {{x: 1, y: 1, z: 1}}
  m_ConstrainProportionsScale: 0
  m_Children:{2}
  m_Father: {{fileID: {1}}}
  m_LocalEulerAnglesHint: {{x: 0, y: 0, z: 0}}
--- !u!114 &{0}3
MonoBehaviour:
  m_ObjectHideFlags: 0
  m_CorrespondingSourceObject: {{fileID: 0}}
  m_PrefabInstance: {{fileID: 0}}
  m_PrefabAsset: {{fileID: 0}}
  m_GameObject: {{fileID: {0}1}}
  m_Enabled: 1
  m_EditorHideFlags: 0
  m_Script: {{fileID: 11500000, guid: c5000000000000000000000000000001, type: 3}}
  m_Name: 
  m_EditorClassIdentifier: 
  speed: 5
  label: some text that is not very long
--- !u!23 &{0}4
MeshRenderer:
  m_ObjectHideFlags: 0
  m_CorrespondingSourceObject: {{fileID: 0}}
  m_PrefabInstance: {{fileID: 0}}
  m_PrefabAsset: {{fileID: 0}}
  m_GameObject: {{fileID: {0}1}}
  m_Enabled: 1
  m_CastShadows: 1
  m_ReceiveShadows: 1
  m_DynamicOccludee: 1
  m_MotionVectors: 1
  m_LightProbeUsage: 1
  m_ReflectionProbeUsage: 1
  m_RenderingLayerMask: 1
  m_RendererPriority: 0
  m_Materials:
  - {{fileID: 2100000, guid: a7000000000000000000000000000001, type: 2}}
  m_StaticBatchInfo:
    firstSubMesh: 0
    subMeshCount: 0
  m_ProbeAnchor: {{fileID: 0}}
  m_ScaleInLightmap: 1
  m_PreserveUVs: 0
  m_LightmapParameters: {{fileID: 0}}
  m_SortingLayerID: 0
  m_SortingLayer: 0
  m_SortingOrder: 0
"""  # noqa: W291
CHILDREN = 9  # of each object that has any


def run() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        yield from _scene(Path(folder))
        yield from _large_scene(Path(folder))
        yield from _graph(Path(folder))


def _scene(folder: Path) -> Iterator[Figure]:
    from unityparser import UnityDocument  # which only `make bench` installs

    place = _real_scene() or _written(folder / "small.unity", 1_000_000)
    data = place.read_bytes()
    plain = re.sub(r"(?m)^--- !u!\d+ &-?\d+(?: stripped)?$", "---", data.decode())
    plain = re.sub(r"(?m)^%.*\n", "", plain)
    before = _fastest(lambda: _all_documents(data))
    c_loader = _fastest(lambda: list(yaml.load_all(plain, Loader=yaml.CBaseLoader)), 3)
    peer = _fastest(lambda: UnityDocument.load_yaml(str(place)), 1)
    ours = min(before, _fastest(lambda: _all_documents(data)))
    size = len(data) / 1e6
    note = f"every document of {'a real' if place.parent != folder else 'a generated'} scene of {size:.2f} MB"
    yield Figure("scene parsed", size / ours, "MB/s", clock="processor", note=note)
    yield Figure("PyYAML's C loader / ours", c_loader / ours, "×", at_least=3)
    yield Figure("unityparser / ours", peer / ours, "×", at_least=40)


def _all_documents(data: bytes) -> None:
    for document in UnityFile(data).documents:
        _ = document.tree


def _large_scene(folder: Path) -> Iterator[Figure]:
    place = _written(folder / "large.unity", LARGE)
    size = place.stat().st_size
    command = [sys.executable, "-m", "bench.unity", str(place)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    seen = json.loads(done.stdout)
    note = f"a generated one of {size / 1e6:.0f} MB, {seen['objects']:,} objects, from the file to the hierarchy"
    yield Figure("large scene", seen["seconds"], "s", 3, clock="processor", note=note)
    yield Figure("large scene, memory / file size", seen["peak"] / size, "×", 5)


def _hierarchy(place: Path) -> dict[str, float]:
    start = time.process_time()
    tree = build_tree(UnityFile(place.read_bytes(), place.name), _nothing, is_prefab=False)
    tree.set_paths()
    objects = sum(1 for _ in tree)
    seconds = time.process_time() - start
    return {"seconds": seconds, "objects": objects, "peak": _peak_bytes()}


def _peak_bytes() -> int:
    """Of this process; what `resource` tells may be its parent's."""
    told = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())
    assert told is not None
    return int(told[1]) * 1024


def _nothing(guid: str) -> None:
    """No prefab is there."""


def _graph(folder: Path) -> Iterator[Figure]:
    root = _project(folder / "game")
    changes, state = Changeset(Project.at(root)), root / ".scenewright"
    state.mkdir()
    figures: list[float] = []
    edges = 0
    for _ in range(4):
        store.forget()
        start = time.process_time()
        graph = store.load_graph(changes, state)
        edges = edges or sum(len(rows) for rows in graph.dependents.values())  # of the cold one
        figures.append(time.process_time() - start)
    note = f"{len(graph.assets):,} assets, {edges:,} references"
    yield Figure("graph of assets, cold", figures[0], "s", 1, clock="processor", note=note)
    yield Figure("graph of assets, warm", min(figures[1:]), "s", 0.1, clock="processor")


def _project(root: Path) -> Path:
    """Prefabs, materials and textures that refer to each other."""
    guids = [uuid.uuid5(uuid.NAMESPACE_OID, str(number)).hex for number in range(ASSETS)]
    long_ago = 1_600_000_000
    for number, guid in enumerate(guids):
        place = root / "Assets" / f"folder {number % 100}" / f"asset {number}{('.prefab', '.mat', '.png')[number % 3]}"
        place.parent.mkdir(parents=True, exist_ok=True)
        if number % 3 == 2:
            place.write_bytes(b"\x89PNG" * 1000)
        else:
            refs = (guids[(number * 7 + step) % ASSETS] for step in range(20))
            rows = "".join(f"  m_{at}: {{fileID: 2800000, guid: {ref}, type: 3}}\n" for at, ref in enumerate(refs))
            place.write_text(f"{HEADER}--- !u!21 &2100000\nMaterial:\n{rows}" + "  m_Number: 1\n" * 200)
        meta = place.with_name(f"{place.name}.meta")
        meta.write_text(f"fileFormatVersion: 2\nguid: {guid}\nImporter:\n" + "  m_Setting: 1\n" * 40)
        for file in (place, meta):
            os.utime(file, (long_ago, long_ago))
    return root


def _real_scene() -> Path | None:
    root = Path(os.environ.get("SCENEWRIGHT_CORPUS") or Path(__file__).parents[2] / "shared" / "corpus")
    scenes = [path for path in sorted((root / "unity").rglob("*.unity")) if 800_000 < path.stat().st_size < 2_000_000]
    return scenes[0] if scenes else None


def _written(place: Path, size: int) -> Path:
    with place.open("w") as file:
        file.write(HEADER)
        for text in _objects():
            file.write(text)
            if file.tell() > size:
                return place
    return place


def _objects() -> Iterator[str]:
    """Objects without end: each has nine below it, so that the tree gets wide and a few levels deep."""
    number = 0
    while True:
        number += 1
        father = f"{(number - 1) // CHILDREN}2" if number > CHILDREN else "0"
        below = range(number * CHILDREN + 1, number * CHILDREN + CHILDREN + 1)
        yield OBJECT.format(number, father, "".join(f"\n  - {{fileID: {child}2}}" for child in below))


def _fastest(work: Callable[[], object], rounds: int = 5) -> float:
    """Processor seconds of the best round."""
    best = 1e9
    for _ in range(rounds):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


if __name__ == "__main__":
    print(json.dumps(_hierarchy(Path(sys.argv[1]))))
