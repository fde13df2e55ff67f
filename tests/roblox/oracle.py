"""Another implementation of Roblox's files, rbx-dom from npm: what it reads in a file, and what it writes."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from tests.e2e import tools

__all__ = ["palette", "read", "write"]

_READ = """
const rbx = require(process.argv[1]), fs = require("fs");
for (const file of JSON.parse(fs.readFileSync(0, "utf8"))) {
  let found;
  try {
    const data = fs.readFileSync(file);
    const options = {propertyBehavior: "readUnknown"};
    found = (file.endsWith("x") ? rbx.Dom.fromXml(data, options) : rbx.Dom.fromBinary(data)).snapshot();
  } catch (error) { found = {error: String(error)}; }
  process.stdout.write(JSON.stringify(found) + "\\n");
}
"""
_WRITE = """
const rbx = require(process.argv[1]), fs = require("fs");
const {spec, folder} = JSON.parse(fs.readFileSync(0, "utf8"));
const dom = new rbx.Dom(spec);
for (const how of ["lz4", "zstd", "none"]) fs.writeFileSync(`${folder}/${how}.rbxm`, dom.toBinary({compression: how}));
fs.writeFileSync(`${folder}/xml.rbxmx`, dom.toXml());
"""
_PALETTE = """
const rbx = require(process.argv[1]), found = {};
for (let number = 0; number < 2000; number++) {
  try {
    const color = rbx.types.brickColorByNumber(number);
    if (color !== null) found[number] = rbx.types.brickColorToColor3uint8(color);
  } catch (error) {}
}
process.stdout.write(JSON.stringify(found));
"""


def _run(program: str, given: Any = None) -> str:
    command = [tools.node(), "-e", program, str(tools.rbx_dom())]
    done = subprocess.run(command, input=json.dumps(given), capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def read(files: list[Path]) -> list[dict[str, Any]]:
    """The trees of some files: nested, references as the path of what they lead to."""
    lines = _run(_READ, [str(file) for file in files]).splitlines()
    return [_nested(json.loads(line)) for line in lines]


def _nested(snapshot: dict[str, Any]) -> dict[str, Any]:
    if "error" in snapshot:
        return snapshot
    known = {entry["referent"]: entry for entry in snapshot["instances"]}

    def path(referent: str) -> str | None:
        entry = known.get(referent)
        if entry is None:
            return None
        above = path(entry["parent"]) if entry["parent"] in known else None
        return f"{above}/{entry['name']}" if above is not None else entry["name"]

    def value(variant: dict[str, Any]) -> dict[str, Any]:
        return {"Ref": path(variant["Ref"])} if "Ref" in variant else variant

    def node(referent: str) -> dict[str, Any]:
        entry = known[referent]
        return {
            "name": entry["name"],
            "class": entry["className"],
            "properties": {name: value(variant) for name, variant in sorted(entry["properties"].items())},
            "children": [node(child) for child in entry["children"]],
        }

    return node(snapshot["rootRef"])


def write(spec: dict[str, Any], folder: Path) -> None:
    """Files of one tree: lz4.rbxm, zstd.rbxm, none.rbxm and xml.rbxmx."""
    _run(_WRITE, {"spec": spec, "folder": str(folder)})


def palette() -> dict[int, list[int]]:
    return {int(number): rgb for number, rgb in json.loads(_run(_PALETTE)).items()}
