"""Starts the real editor, without a screen or on a virtual one, and waits until it says that it is ready."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.e2e.tools import godot_version
from tests.godot.addon.plain import PlainClient, plain_client

from scenewright.core.projects.user_folder import user_folder

START_SECONDS = 200


@dataclass
class Editor:
    """A running editor and the file it announced itself with."""

    project: Path
    process: subprocess.Popen[bytes]
    facts: dict[str, Any]
    output: Path
    _turns: int = field(default=0)

    @property
    def url(self) -> str:
        return str(self.facts["url"])

    @property
    def token(self) -> str:
        return Path(self.facts["token_file"]).read_text(encoding="ascii").strip()

    @contextmanager
    def client(self, **options: Any) -> Iterator[PlainClient]:
        with plain_client(self.url, token=self.token, **options) as client:
            yield client

    def said(self) -> str:
        return self.output.read_text(encoding="utf-8", errors="replace")

    def act(self, code: str) -> None:
        """Has the person at the editor do something, and waits until it is done."""
        self._turns += 1
        done = self.project / f".done-{self.process.pid}-{self._turns}"
        lines = "".join(f"\t{line}\n" for line in code.splitlines())
        finish = f'\tvar _f: FileAccess = FileAccess.open("res://{done.name}", FileAccess.WRITE)\n'
        script = f"@tool\nextends RefCounted\n\n\nfunc act() -> void:\n{lines}{finish}"
        temporary = self.project / f".new-{self.process.pid}"
        temporary.write_text(script, encoding="utf-8")
        temporary.replace(self.project / f".act-{self.process.pid}")
        wait_for(done.exists, 30, "the person at the editor did not act")
        done.unlink()

    def close_scene(self) -> None:
        """Closes the scene in front, as the cross on its tab does."""
        tabs = 'find_children("*", "EditorSceneTabs", true, false)[0].find_children("*", "TabBar", true, false)[0]'
        self.act(
            f"var bar: TabBar = EditorInterface.get_base_control().{tabs}\nbar.tab_close_pressed.emit(bar.current_tab)"
        )

    def ask(self, expression: str) -> Any:
        """What an expression is worth in the editor, as JSON."""
        told = self.project / f".told-{self.process.pid}"
        self.act(
            f'var file: FileAccess = FileAccess.open("res://{told.name}", FileAccess.WRITE)\n'
            f"var _s: bool = file.store_string(JSON.stringify({expression}))"
        )
        answer = json.loads(told.read_text(encoding="utf-8"))
        told.unlink()
        return answer


def wait_for(condition: Any, seconds: float, complaint: str) -> None:
    """Looks until it holds; for what tells nobody."""
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, complaint
        time.sleep(0.02)


@contextmanager
def running_editor(
    godot: Path, project: Path, *, screen: str | None = None, settings: str = "", env: Mapping[str, str] | None = None
) -> Iterator[Editor]:
    """An editor with settings of its own."""
    home = project.parent / f"home-{time.monotonic_ns()}"
    _write_settings(home, settings)
    command = [str(godot), "--editor", "--path", str(project), "res://main.tscn"]
    command[1:1] = ["--headless"] if screen is None else ["--rendering-driver", "opengl3", "--audio-driver", "Dummy"]
    places = {name: str(home) for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME")}
    shown = {"DISPLAY": screen or "", "LIBGL_ALWAYS_SOFTWARE": "1"}
    output = project.parent / f"editor-{time.monotonic_ns()}.log"
    with output.open("wb") as out:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            env={**os.environ, **places, **shown, **(env or {})},
        )
        try:
            yield Editor(project, process, _announced(project, process, output), output)
        finally:
            process.kill()  # asked politely, an editor with unsaved changes asks back
            process.wait(timeout=30)


def _announced(project: Path, process: subprocess.Popen[bytes], output: Path) -> dict[str, Any]:
    announcement = user_folder() / "bridge" / f"{process.pid}.json"
    until = time.monotonic() + START_SECONDS
    while not announcement.exists():
        tail = output.read_text(encoding="utf-8", errors="replace")[-3000:]
        assert process.poll() is None, f"the editor ended:\n{tail}"
        assert time.monotonic() < until, f"the editor did not come up:\n{tail}"
        time.sleep(0.02)
    facts: dict[str, Any] = json.loads(announcement.read_text(encoding="utf-8"))
    return facts


def _write_settings(home: Path, settings: str) -> None:
    folder = home / "godot"
    folder.mkdir(parents=True)
    text = f'[gd_resource type="EditorSettings" format=3]\n\n[resource]\n{settings}\n'
    (folder / f"editor_settings-{'.'.join(map(str, godot_version()))}.tres").write_text(text, encoding="utf-8")


@contextmanager
def virtual_screen() -> Iterator[str]:
    """An X server of our own; it picks a free number itself."""
    read, write = os.pipe()
    process = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x800x24", "-nolisten", "tcp"],
        pass_fds=[write],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    try:
        with os.fdopen(read) as numbers:
            number = numbers.readline().strip()
        assert number, "Xvfb did not start"
        yield f":{number}"
    finally:
        process.terminate()
        process.wait(timeout=30)
