"""A real editor on a virtual screen, without the focus, through the MCP server and with ten clients at once.

Frame times are measured inside the editor, by a small plugin of the bench's own.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

from bench.engines import godot, tools_folder
from bench.figures import Figure
from bench.screen import Screen, screen
from bench.wire import Server
from scenewright.bridge.discovery import Editor, find_editors
from scenewright.bridge.link import Link
from scenewright.core.projects.user_folder import user_folder
from scenewright.godot.editor.addon_files import PLUGIN, shipped_files

__all__ = ["godot_binary", "make_project", "run", "running_editor"]

READS = 1000
NODES = 1000
BIG = 100_000
PAGE = 2000
PASSES = 3
CLIENTS = 10
GOALS = {"property read": (3.0, "ms"), "1,000 nodes": (0.2, "s"), "frame while paging": (33.0, "ms")}
PROJECT = f"""config_version=5

[application]

config/name="Bench"

[editor_plugins]

enabled=PackedStringArray("{PLUGIN}", "res://addons/probe/plugin.cfg")
"""
PROBE = {
    "plugin.cfg": '[plugin]\n\nname="Probe"\ndescription=""\nauthor=""\nversion="1"\nscript="plugin.gd"\n',
    "plugin.gd": """@tool
extends EditorPlugin

var _last: int = 0
var _frames: PackedInt64Array = PackedInt64Array()
var _drawn: int = 0

func _enter_tree() -> void:
	RenderingServer.frame_post_draw.connect(func() -> void: _drawn += 1)

func _process(_delta: float) -> void:
	var now: int = Time.get_ticks_usec()
	if _last > 0:
		_frames.append(now - _last)
	_last = now
	if FileAccess.file_exists("res://ask"):
		DirAccess.remove_absolute("res://ask")
		var file: FileAccess = FileAccess.open("res://told.tmp", FileAccess.WRITE)
		var focused: bool = DisplayServer.window_is_focused()
		file.store_string(JSON.stringify({"frames": _frames, "drawn": _drawn, "focused": focused}))
		file.close()
		DirAccess.rename_absolute("res://told.tmp", "res://told")
		_frames = PackedInt64Array()
		_drawn = 0
		_last = 0
""",
}


def run() -> Iterator[Figure]:
    binary = str(godot().path)
    with tempfile.TemporaryDirectory() as name, screen() as display:
        folder = Path(name) / "project"
        make_project(folder)
        with running_editor(binary, folder, display) as editor:
            display.take_focus()
            with Server([sys.executable, "-m", "scenewright", "serve", "--project", str(folder)], folder) as server:
                yield from _measure(Bench(folder, server, editor))


class Bench:
    """The server, the editor behind it, and the probe inside that."""

    def __init__(self, folder: Path, server: Server, editor: Editor) -> None:
        self.folder, self.server, self.editor = folder, server, editor

    def call(self, tool: str, **arguments: Any) -> tuple[float, dict[str, Any]]:
        """Seconds, and the result."""
        began = time.perf_counter()
        reply = self.server.request("tools/call", {"name": tool, "arguments": arguments})
        took = time.perf_counter() - began
        body = reply["result"]["structuredContent"]
        assert body["ok"], body
        return took, body.get("result", {})

    def waited(self) -> float:
        """Seconds for which the editor wanted to run and others did; 0 where the system does not tell."""
        told = Path(f"/proc/{self.editor.pid}/schedstat")
        return int(told.read_text().split()[1]) / 1e9 if told.exists() else 0.0

    def frames_of(self, seconds: float) -> Frames:
        """Those of a while in which nobody calls."""
        self.probe()
        time.sleep(seconds)
        return self.frames()

    def frames(self) -> Frames:
        """Those since the last question."""
        told = self.probe()
        return Frames(told["frames"], told["drawn"])

    def probe(self) -> dict[str, Any]:
        """What the probe saw since the last question."""
        told = self.folder / "told"
        (self.folder / "ask").touch()
        until = time.monotonic() + 60
        while not told.exists():
            if time.monotonic() > until:
                raise TimeoutError("the probe does not answer")
            time.sleep(0.01)
        answer: dict[str, Any] = json.loads(told.read_text())
        told.unlink()
        return answer


def _measure(bench: Bench) -> Iterator[Figure]:
    bench.call("godot_connect")
    focus = "WITH the focus" if bench.probe()["focused"] else "without the focus"
    read = {"node_path": "Player", "property_filter": ["position"]}
    for _ in range(50):
        bench.call("godot_get_node", **read)
    ping = median(bench.server.call("core_ping") for _ in range(300)) * 1000
    times = sorted(bench.call("godot_get_node", **read)[0] * 1000 for _ in range(READS))
    yield _goal("property read", median(times), f"p50 of {READS:,}, an editor {focus}")
    yield Figure("property read p99", times[-READS // 100], "ms")
    yield Figure("ping", ping, "ms", note="p50, the editor is not asked")
    file_way = {"scenePath": "main.tscn", "nodePath": "Player", "names": ["position"]}
    bench.call("get_node_properties", **file_way)
    same = median(bench.call("get_node_properties", **file_way)[0] * 1000 for _ in range(100))
    yield Figure("property read by scene path", same, "ms", note="p50 of 100, the everyday tool on the open scene")
    steps = [
        {"method": "add_node", "params": {"parent_path": ".", "type": "Node2D", "name": f"N{i}"}} for i in range(NODES)
    ]
    yield _goal("1,000 nodes", bench.call("godot_editor_batch", steps=steps)[0], "in one batch, one undo step")
    crowd = asyncio.run(_crowd(bench.editor))
    yield Figure("property read, ten clients", crowd, "ms", note="p50, each reading one property after the other")
    yield from _page(bench)


def _page(bench: Bench) -> Iterator[Figure]:
    bench.call("godot_run_action", action="save_scene")
    _open(bench.editor, "res://big.tscn")
    while bench.frames_of(1.0).drawn:
        continue  # the editor still shows what it opened
    longest = []
    for number in range(PASSES):
        bench.probe()
        waited = bench.waited()
        took = _page_through(bench)
        frames = bench.frames()
        longest.append(frames.longest)
        about = f"{frames} in {took:.1f} s; waited {bench.waited() - waited:.2f} s for a processor"
        yield Figure(f"longest frame, pass {number + 1}", frames.longest, "ms", note=about)
    bench.probe()
    until = time.perf_counter() + took
    while time.perf_counter() < until:
        bench.call("godot_get_node", node_path=".", property_filter=["process_mode"])
    for what, frames in (("small reads", bench.frames()), ("no request", bench.frames_of(took))):
        yield Figure(f"longest frame, {what}", frames.longest, "ms", note=f"{frames} in as long")
    about = f"the longest, {BIG:,} nodes in pages of {PAGE:,}, median of {PASSES} passes"
    yield _goal("frame while paging", median(longest), about)


def _page_through(bench: Bench) -> float:
    began, seen, cursor = time.perf_counter(), 0, None
    while True:
        more: dict[str, Any] = {"cursor": cursor} if cursor else {}
        _, page = bench.call("godot_get_scene", limit=PAGE, **more)
        seen += page["tree"].count("\n") + 1
        if (cursor := page.get("next_cursor")) is None:
            break
    assert seen == BIG + 1, seen
    return time.perf_counter() - began


class Frames:
    """The frames of a while."""

    def __init__(self, times: list[int], drawn: int) -> None:
        self._times, self.drawn = sorted(times), drawn
        self.longest = self._times[-1] / 1000

    def __str__(self) -> str:
        usual = self._times[len(self._times) * 99 // 100] / 1000
        return f"p99 {usual:.2f} ms, {len(self._times)} frames, {self.drawn} drawn"


async def _crowd(editor: Editor) -> float:
    times: list[float] = []

    async def talk() -> None:
        link = Link(editor)
        link.connect()
        await link.until_ready(30)
        for _ in range(100):
            began = time.perf_counter()
            await link.request("scenewright.get_properties", {"node_path": "Player", "properties": ["position"]})
            times.append((time.perf_counter() - began) * 1000)
        link.close()

    await asyncio.gather(*(talk() for _ in range(CLIENTS)))
    return median(times)


def _open(editor: Editor, scene: str) -> None:
    async def ask() -> None:
        link = Link(editor)
        link.connect()
        await link.until_ready(30)
        await link.request("scenewright.open_scene", {"scene_path": scene}, timeout=300)
        # The editor builds its own list of the nodes for a while.
        for _ in range(200):
            await link.request("ping", timeout=300)
        link.close()

    asyncio.run(ask())


def _goal(what: str, value: float, about: str) -> Figure:
    goal, unit = GOALS[what]
    return Figure(what, value, unit, goal, note=about)


def make_project(folder: Path, *, big: bool = True) -> None:
    """Make a project with the addon, a small scene and, where wanted, one of 100,000 nodes."""
    main = '[gd_scene format=3]\n\n[node name="Main" type="Node2D"]\n\n'
    main += '[node name="Player" type="Node2D" parent="."]\nposition = Vector2(1, 2)\n'
    rows = [
        f'[node name="G{g}" type="Node" parent="."]\n\n'
        + "".join(f'[node name="N{i}" type="Node" parent="G{g}"]\n\n' for i in range(999))
        for g in range(BIG // 1000)
    ]
    files = {"project.godot": PROJECT, "main.tscn": main}
    if big:
        files["big.tscn"] = '[gd_scene format=3]\n\n[node name="Big" type="Node"]\n\n' + "".join(rows)
    files |= {f"addons/probe/{name}": text for name, text in PROBE.items()}
    for name, data in [*((name, text.encode()) for name, text in files.items()), *shipped_files()]:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


@contextmanager
def running_editor(binary: str, folder: Path, display: Screen) -> Iterator[Editor]:
    home = folder.parent / "home"
    home.mkdir()
    places = {name: str(home) for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME")}
    # Editors are found through the user's own folder: this one must share ours.
    places["SCENEWRIGHT_HOME"] = str(user_folder())
    process = subprocess.Popen(
        [
            binary,
            "--editor",
            "--path",
            str(folder),
            "--rendering-driver",
            "opengl3",
            "--audio-driver",
            "Dummy",
            "res://main.tscn",
        ],
        env={**os.environ, **places, "DISPLAY": display.name, "LIBGL_ALWAYS_SOFTWARE": "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        until = time.monotonic() + 180
        while not (found := find_editors(folder)):
            if time.monotonic() > until or process.poll() is not None:
                raise TimeoutError("the editor did not come up")
            time.sleep(0.1)
        yield found[0]
    finally:
        process.kill()
        process.wait(timeout=20)


def godot_binary() -> str | None:
    from shutil import which

    places = [os.environ.get("GODOT_PATH"), which("godot"), str(tools_folder() / "godot" / "godot")]
    return next((place for place in places if place and os.access(place, os.X_OK)), None)
