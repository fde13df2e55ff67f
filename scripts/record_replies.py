"""Records what a client sees: listings, schemas, and the reply to every example that operations declare.

A change that must not be seen outside, such as moving modules, is checked by two records:

    python scripts/record_replies.py before.json
    (make the change)
    python scripts/record_replies.py after.json
    python scripts/record_replies.py --compare before.json after.json

It starts real servers over stdio, without an engine, on copies of the tests' projects. What differs from run to run
(ids, times, folders) is left out.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from scenewright.app import catalogues

ROOT = Path(__file__).parents[1]
PROJECTS = {"godot": ROOT / "tests/godot/fixtures/game", "unity": ROOT / "tests/unity/fixtures/game", "roblox": None}
VIEWS = [
    ["--toolset", toolset, "--dialect", dialect, "--engine", "all"]
    for toolset in ("compact", "full")
    for dialect in ("portable", "contract")
]
_VARYING = [
    (re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"), "<id>"),
    (re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)?"), "<time>"),
    (re.compile(r'(\\*"(?:durationMs|uptimeSeconds|uptime|pid|startedAt|finishedAt|at)\\*": ?)[\d.]+'), r"\g<1>0"),
    (re.compile(r"uid://[a-z0-9]+"), "<uid>"),
    (re.compile(r"unique_id=\d+"), "unique_id=<n>"),
    (re.compile(r"\b(\d+|[A-Z]\w+)_[a-z0-9]{5}\b"), r"\1_<five>"),
    (re.compile(r'(\\*"bytes\\*": ?)\d+'), r"\g<1>0"),  # uids differ in length
    (re.compile(r"\b(run|wf)-[0-9a-f-]+"), r"\1-<id>"),
    (re.compile(r"\b[0-9a-f]{32,64}\b"), "<hash>"),
]


class Server:
    """One server over stdio, spoken to in plain JSON-RPC."""

    def __init__(self, project: Path, home: Path, *options: str) -> None:
        environment = {"PATH": os.environ["PATH"], "HOME": str(home), "SCENEWRIGHT_HOME": str(home / "state")}
        settings = {"GODOT_PATH": "", "SCENEWRIGHT_RATE_LIMIT": "off", "ALLOW_DANGEROUS_OPS": "true"}
        command = [sys.executable, "-m", "scenewright", "serve", "--project", str(project), *options]
        self._process = subprocess.Popen(
            command,
            env=environment | settings,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self._number = 0
        hello = {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "recorder", "version": "1"},
        }
        self.ask("initialize", hello)
        self._say({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def ask(self, method: str, params: dict[str, Any]) -> Any:
        self._number += 1
        self._say({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params})
        output: IO[str] = self._process.stdout  # type: ignore[assignment]
        for line in output:
            message = json.loads(line)
            if message.get("id") == self._number and "method" not in message:
                return message.get("result", message.get("error"))
        raise RuntimeError("the server has ended")

    def listing(self, method: str, key: str) -> list[Any]:
        rows: list[Any] = []
        params: dict[str, Any] = {}
        while True:
            page = self.ask(method, params)
            rows += page[key]
            if not page.get("nextCursor"):
                return rows
            params = {"cursor": page["nextCursor"]}

    def close(self) -> None:
        self._process.stdin.close()  # type: ignore[union-attr]
        self._process.wait(timeout=60)

    def _say(self, message: dict[str, Any]) -> None:
        line: IO[str] = self._process.stdin  # type: ignore[assignment]
        line.write(json.dumps(message) + "\n")
        line.flush()


def record() -> dict[str, Any]:
    """Everything a client sees, by name."""
    with tempfile.TemporaryDirectory(prefix="scenewright-record-") as folder:
        home = Path(folder)
        record = {
            " ".join(["tools", *view]): json.loads(_command(home, "tools", "--json", *view[:4], *view[4:]))
            for view in VIEWS
        }
        record["definitions"] = json.loads(_command(home, "tools", "--definitions", "--engine", "all"))
        for engine, source in PROJECTS.items():
            record |= _replies(engine, source, home / engine)
        return record


def _command(home: Path, *words: str) -> str:
    environment = {"PATH": os.environ["PATH"], "HOME": str(home), "SCENEWRIGHT_HOME": str(home / "state")}
    command = [sys.executable, "-m", "scenewright", *words]
    done = subprocess.run(command, cwd=home, env=environment, capture_output=True, text=True, check=True)
    return done.stdout


def _replies(engine: str, source: Path | None, home: Path) -> dict[str, Any]:
    project = home / "project"
    home.mkdir()
    if source is None:
        project.mkdir()
        (project / "default.project.json").write_text('{"name": "game", "tree": {"$className": "DataModel"}}\n')
    else:
        shutil.copytree(source, project)
    server = Server(project, home, "--toolset", "full", "--engine", engine)
    try:
        told: dict[str, Any] = {
            f"{engine} resources": server.listing("resources/list", "resources"),
            f"{engine} templates": server.listing("resources/templates/list", "resourceTemplates"),
            f"{engine} prompts": server.listing("prompts/list", "prompts"),
        }
        listed = {tool["name"] for tool in server.listing("tools/list", "tools")}
        for name, arguments in _calls(listed):
            reply = server.ask("tools/call", {"name": name, "arguments": arguments})
            told[f"{engine} {name} {json.dumps(arguments, sort_keys=True)}"] = reply
    finally:
        server.close()
    return json.loads(_steady(json.dumps(told), home))  # type: ignore[no-any-return]


def _calls(listed: set[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    for catalogue in catalogues():
        for operation in catalogue.operations:
            if operation.flat_name in listed:
                for example in operation.examples:
                    yield operation.flat_name, example.input


def _steady(text: str, home: Path) -> str:
    text = text.replace(str(home), "<home>")
    for pattern, instead in _VARYING:
        text = pattern.sub(instead, text)
    return text


def compare(before: dict[str, Any], after: dict[str, Any]) -> int:
    """Print what differs; the number of differences."""
    different = [name for name in before if name in after and before[name] != after[name]]
    for name in before.keys() - after.keys():
        print(f"gone: {name}")
    for name in after.keys() - before.keys():
        print(f"new: {name}")
    for name in different:
        print(f"different: {name}")
        for path, old, new in _differences(before[name], after[name]):
            print(f"  {path}\n    - {old}\n    + {new}")
    print(f"{len(before)} recorded, {len(different)} differ")
    return len(different) + len(before.keys() ^ after.keys())


def _differences(old: Any, new: Any, path: str = "") -> Iterator[tuple[str, str, str]]:
    if isinstance(old, dict) and isinstance(new, dict):
        for key in old.keys() | new.keys():
            yield from _differences(old.get(key), new.get(key), f"{path}.{key}")
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for number, (left, right) in enumerate(zip(old, new, strict=True)):
            yield from _differences(left, right, f"{path}[{number}]")
    elif old != new:
        yield path, json.dumps(old)[:300], json.dumps(new)[:300]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path, help="where to write the record, or the two to compare")
    parser.add_argument("--compare", action="store_true")
    options = parser.parse_args()
    if options.compare:
        before, after = (json.loads(file.read_text(encoding="utf-8")) for file in options.files)
        return 1 if compare(before, after) else 0
    told = record()
    options.files[0].write_text(json.dumps(told, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    print(f"{len(told)} recorded, {sum(len(json.dumps(part)) for part in told.values())} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
