"""docs/comparison.md, and the table of README.md: both made of bench/comparison.json alone."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from bench.compare.peers import BARE, OURS, PEERS
from bench.compare.ways import Way
from bench.figures import plain

__all__ = ["MARKS", "comparison_page", "readme_table", "write_page"]

ROOT = Path(__file__).parents[2]
US = OURS.name
MARKS = "<!-- comparison -->\n", "<!-- end of comparison -->"
Results = dict[str, dict[str, dict[str, Any]]]
TITLES = {
    "read": "read a node's properties",
    "create": "add a node",
    "edits": "100 edits: the position of 100 nodes",
    "tree": "the tree of 4,000 nodes",
    "picture": "a picture",
    "script": "a script with an error",
    "bad": "a node that is not there",
}
HEAD = """# Beside other servers

Written by `make compare`, from bench/comparison.json, on {date}: {machine}; Godot {godot}, Node {node}. Versions:
scenewright at commit {ours}, {versions}. `make compare` installs the others from their registries into a cache and
measures again.

All are asked over stdio by the same client, in turn in each round; p50, and p95 after the slash. Each works on a copy
of one small project, with its addon in a real editor where it has one; all are open at once, on a virtual screen
where another window has the focus, as while an agent works and a person does something else. A server without an addon
does what it does by its own Godot process. Each has a home folder of its own; telemetry is off. Root
certificates, which godot-ai pins, may be older here than it asks for: nothing is fetched.

The machine had other work meanwhile, which makes all times longer and uneven: read them beside each other, not alone,
and beside the bare server, which lists the same tools as we and does nothing else.

## Start, listing, memory

From the start of the process until `initialize` is answered, and until the whole `tools/list` is there. Warm: it was
started before; cold: with an empty home folder. The bytes are those of the tools as compact JSON, a token is taken as
four of them; a dash was not measured. Memory is
resident memory of the server and what it starts, without engines, after ten small calls.

| | initialize, ms | list, ms | list when cold, ms | tools | bytes | tokens | memory, MB |
|---|---|---|---|---|---|---|---|
"""
TASKS = """
## Tasks

Milliseconds; a dash says that the server does not do it, for the reasons below.

"""


def write_page(stored: dict[str, Any]) -> None:
    (ROOT / "docs" / "comparison.md").write_text(comparison_page(stored), encoding="utf-8")
    readme = ROOT / "README.md"
    text = readme.read_text(encoding="utf-8")
    between = re.compile(f"{MARKS[0]}.*?{MARKS[1]}", re.DOTALL)
    table = readme_table(stored["results"])
    readme.write_text(between.sub(lambda _: table.join(MARKS), text), encoding="utf-8")


def comparison_page(stored: dict[str, Any]) -> str:
    results: Results = stored["results"]
    versions = stored["versions"]
    named = ", ".join(f"{peer.name} {versions[peer.name]}" for peer in PEERS if peer.registry)
    fields = {"godot": versions["Godot"], "node": versions["Node"], "ours": versions["scenewright"]}
    head = HEAD.format(date=stored["date"], machine=stored["machine"], versions=named, **fields)
    starts, tasks = head + "".join(_start_rows(results)), TASKS + _task_table(results)
    return "\n".join([starts, tasks, _proof(results), _reasons(stored), _reading(results)])


def readme_table(results: Results) -> str:
    """The few rows that fit a front page."""
    rows = [
        "| | tools | listing | memory | no editor needed | errors of a script come with it |",
        "|---|---|---|---|---|---|",
    ]
    for name, warm in results["warm"].items():
        if name == BARE.name:
            continue
        cells = [str(warm["tools"]), f"{warm['bytes'] / 1000:.0f} kB", f"{warm['megabytes']:.0f} MB"]
        cells += [_works_without_editor(results, name), _tells_script_errors(results, name)]
        rows.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(rows) + "\n"


def _start_rows(results: Results) -> list[str]:
    rows = []
    for name, warm in results["warm"].items():
        cold = results.get("cold", {}).get(name, {}).get("list")
        times = [_pair(warm["initialize"]), _pair(warm["list"]), _pair(cold) if cold else "–"]
        size = [str(warm["tools"]), f"{warm['bytes']:,}", f"{warm['tokens']:,}", f"{warm['megabytes']:.0f}"]
        rows.append(f"| {name} | {' | '.join([*times, *size])} |\n")
    return rows


def _workers() -> list[str]:
    return [peer.name for peer in PEERS if peer.ways]


def _task_table(results: Results) -> str:
    names = _workers()
    rows = [f"| | {' | '.join(names)} |", f"|---|{'---|' * len(names)}"]
    for task, title in TITLES.items():
        cells = [_pair(found) if "p50" in (found := results[task].get(name, {})) else "–" for name in names]
        rows.append(f"| {title} | {' | '.join(cells)} |")
        if task in ("tree", "picture"):
            kind = "bytes" if task == "tree" else "pictureBytes"
            sizes = [f"{found[kind]:,}" if kind in (found := results[task].get(name, {})) else "–" for name in names]
            rows.append(f"| its bytes | {' | '.join(sizes)} |")
    return "\n".join(rows) + "\n"


def _proof(results: Results) -> str:
    names = _workers()
    rows = ["## What the replies say\n", f"| | {' | '.join(names)} |", f"|---|{'---|' * len(names)}"]
    rows.append(f"| works with no editor open | {' | '.join(_works_without_editor(results, name) for name in names)} |")
    rows.append(f"| names the script's error | {' | '.join(_tells_script_errors(results, name) for name in names)} |")
    for key, title in (
        ("isError", "a node that is not there: marked as an error"),
        ("namesWhatIsThere", "a node that is not there: names `Player` for `Playr`"),
    ):
        rows.append(f"| {title} | {' | '.join(_yes(results['bad'].get(name, {}).get(key)) for name in names)} |")
    return "\n".join(rows) + "\n"


def _reasons(stored: dict[str, Any]) -> str:
    rows = ["## What was not measured, and why\n"]
    rows += [f"- {name}: {why}." for name, why in stored["absent"].items()]
    rows += [f"- {peer.name}, all tasks: {peer.reason}." for peer in PEERS if peer.reason]
    for task, title in TITLES.items():
        for name, found in stored["results"][task].items():
            if "reason" in found:
                rows.append(f"- {name}, {title}: {' '.join(found['reason'].split())}.")
    return "\n".join(rows) + "\n"


def _reading(results: Results) -> str:
    """Who was ahead of us, row by row."""
    rows = ["## Where another is ahead\n"]
    for key, title in (("initialize", "initialize"), ("list", "list")):
        rows += _ahead(f"{title}, warm", {name: found[key] for name, found in results["warm"].items()}, "p50", "ms")
    if "cold" in results:
        rows += _ahead("list, cold", {name: found["list"] for name, found in results["cold"].items()}, "p50", "ms")
    rows += _ahead("bytes of the listing", results["warm"], "bytes", "bytes")
    rows += _ahead("memory", results["warm"], "megabytes", "MB")
    for task, title in TITLES.items():
        rows += _ahead(title, results[task], "p50", "ms")
    return "\n".join(rows) + "\n"


def _ahead(title: str, found: dict[str, dict[str, Any]], key: str, unit: str) -> list[str]:
    ours = min(value[key] for name, value in found.items() if name.startswith(US) and key in value)
    others = [(value[key], name) for name, value in found.items() if not name.startswith(US) and key in value]
    better = [f"{name} ({plain(value)})" for value, name in sorted(others) if value < ours and name != BARE.name]
    return [f"- {title}: {', '.join(better)}, to our {plain(ours)} {unit}."] if better else []


def _works_without_editor(results: Results, name: str) -> str:
    peer = next(peer for peer in PEERS if peer.name == name)
    if name == US:
        return "yes"
    if not peer.ways:
        return "not measured"
    works = not peer.addon and any(
        isinstance(way, Way) and "p50" in results[task].get(name, {}) for task, way in peer.ways.items()
    )
    return "yes" if works else "no"


def _tells_script_errors(results: Results, name: str) -> str:
    found = results["script"].get(name)
    return "not measured" if found is None else _yes("p50" in found)


def _yes(value: Any) -> str:
    return "–" if value is None else "yes" if value else "no"


def _pair(found: dict[str, Any]) -> str:
    return f"{plain(found['p50'])} / {plain(found['p95'])}"
