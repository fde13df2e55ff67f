"""Another reader, from npm, finds the same tags, layers, slices and durations in every file that it can read."""

from __future__ import annotations

import json
import subprocess
from typing import Any

import pytest
from tests.e2e.tools import aseprite_reader, node
from tests.pixel.corpus import FILES, ROOT, needs_corpus, sprite

from scenewright.pixel.sprite import BLEND_MODES, DIRECTIONS, LayerKind

pytestmark = [needs_corpus, pytest.mark.node]

READ = """
const {parse} = require(process.argv[1]);
const seen = {};
for (const file of process.argv.slice(2)) {
  try {
    const found = parse(require("fs").readFileSync(file));
    seen[file] = {size: [found.header.width, found.header.height], frames: found.frames.map((frame) => ({
      duration: frame.header.duration,
      chunks: frame.chunks.filter((chunk) => [0x2004, 0x2018, 0x2022].includes(chunk.type)),
    }))};
  } catch (problem) {
    seen[file] = null;
  }
}
console.log(JSON.stringify(seen));
"""
# It is older than tile sets, and no judge of cels that reach far beyond the canvas.
BEYOND_IT = {"cel_overflow", "tilemap", "tilemap_empty_edges", "tilemap_grayscale", "tilemap_indexed", "tileset"}


@pytest.fixture(scope="module")
def seen() -> dict[str, Any]:
    files = [str(ROOT / f"{name}.aseprite") for name in FILES]
    command = [node(), "-e", READ, str(aseprite_reader()), *files]
    said = json.loads(subprocess.run(command, check=True, capture_output=True, timeout=120).stdout)
    return {name: said[file] for name, file in zip(FILES, files, strict=True)}


def test_it_reads_all_but_what_came_after_it(seen: dict[str, Any]) -> None:
    assert {name for name, found in seen.items() if found is None} == BEYOND_IT


@pytest.mark.parametrize("name", sorted(set(FILES) - BEYOND_IT))
def test_two_readers_agree(seen: dict[str, Any], name: str) -> None:
    ours, theirs = sprite(name), seen[name]
    chunks = [chunk for frame in theirs["frames"] for chunk in frame["chunks"]]
    assert theirs["size"] == [ours.width, ours.height]
    assert [frame["duration"] for frame in theirs["frames"]] == ours.durations
    kinds = list(LayerKind)
    assert [
        (row["name"], row["childLevel"], row["flags"]["visible"], kinds[row["type"]], BLEND_MODES[row["blendMode"]])
        for row in (chunk["data"] for chunk in chunks if chunk["type"] == 0x2004)
    ] == [(layer.name, layer.level, layer.visible, layer.kind, layer.blend) for layer in ours.layers]
    assert [
        (row["name"], row["from"], row["to"], DIRECTIONS[row["direction"]], tuple(row["color"][part] for part in "rgb"))
        for chunk in chunks
        if chunk["type"] == 0x2018
        for row in chunk["data"]["tags"]
    ] == [(tag.name, tag.first, tag.last, tag.direction, tag.color[:3]) for tag in ours.tags]
    assert [
        (row["name"], [(key["frameNo"], (key["x"], key["y"], key["width"], key["height"])) for key in row["keys"]])
        for row in (chunk["data"] for chunk in chunks if chunk["type"] == 0x2022)
    ] == [(part.name, [(key.frame, key.bounds) for key in part.keys]) for part in ours.slices]
