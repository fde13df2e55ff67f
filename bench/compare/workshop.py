"""Where the servers work: for each a copy of one small Godot project, and its editor where it has an addon."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any

from bench.compare.client import Client, Reply, ServerGone
from bench.compare.installation import command, package_folder
from bench.compare.peers import PEERS, Peer
from bench.compare.ways import BIG, EDITS, Calls
from bench.screen import Screen
from scenewright.godot.editor.addon_files import shipped_files

__all__ = ["Bench", "Workshop", "filled"]

READY_SECONDS = 240.0
LSP_PORT = 6005  # the one that a peer looks at; only its editor may have it


class Bench:
    """One server at its project."""

    def __init__(self, peer: Peer, client: Client, project: Path) -> None:
        self.peer, self.client, self.project = peer, client, project

    def use(self, calls: Calls, number: int = 0) -> Reply:
        """Return the reply to the last of some calls, with the bytes of all; none may fail but the last."""
        *first, last = filled(calls, str(self.project), number)
        size = 0
        for tool, arguments in first:
            reply = self.client.use(tool, arguments)
            assert not reply.is_error, reply.text[:400]
            size += reply.text_bytes
        reply = self.client.use(*last)
        while reply.next_cursor:  # who pages is paged through
            size += reply.text_bytes
            reply = self.client.use(last[0], {**last[1], "cursor": reply.next_cursor})
        reply.text_bytes += size
        return reply


class Workshop:
    """A folder for all; every server and editor is ended with it."""

    def __init__(self, folder: Path, display: Screen, engine: str) -> None:
        self._folder, self._display, self._engine = folder, display, engine

    @contextmanager
    def benches(self, absent: dict[str, str]) -> Iterator[list[Bench]]:
        """Start all that do tasks here, with their editors; yield them when all are ready."""
        working = [peer for peer in PEERS if peer.ways and peer.name not in absent]
        with ExitStack() as stack:
            places = {peer.name: self._place(peer) for peer in working}
            for peer in working:
                if peer.addon:
                    stack.enter_context(self._editor(*places[peer.name]))
            benches = [stack.enter_context(self._bench(*places[peer.name])) for peer in working]
            for bench in benches:
                _wait_until_ready(bench)
            self._display.take_focus()
            yield benches

    def environment(self, home: Path) -> dict[str, str]:
        """A home of its own, so that nothing of the user's is read or written."""
        home.mkdir(parents=True, exist_ok=True)
        names = ("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "SCENEWRIGHT_HOME")
        return {name: str(home) for name in names} | {"GODOT_PATH": self._engine, "DISPLAY": self._display.name}

    def _place(self, peer: Peer) -> tuple[Peer, Path, dict[str, str]]:
        project = self._folder / peer.folder / "project"
        _write_project(project, peer)
        port = str(_free_port())
        settings = {"GODOT_PORT": port, "GODOT_BRIDGE_PORT": port}
        if peer.name.startswith("@satelliteoflove"):
            with (project / "project.godot").open("a") as file:
                file.write(f"\n[godot_mcp]\n\nport_override_enabled=true\nport_override={port}\n")
        return peer, project, {**self.environment(self._folder / peer.folder / "home"), **settings, **peer.settings}

    @contextmanager
    def _bench(self, peer: Peer, project: Path, settings: dict[str, str]) -> Iterator[Bench]:
        with Client(command(peer, ""), project, **settings) as client:
            yield Bench(peer, client, project)

    @contextmanager
    def _editor(self, peer: Peer, project: Path, settings: dict[str, str]) -> Iterator[None]:
        lsp, dap = (LSP_PORT if peer.name == "gopeak" else _free_port()), _free_port()
        options = ["--rendering-driver", "opengl3", "--audio-driver", "Dummy", f"--lsp-port={lsp}", f"--dap-port={dap}"]
        options = [word for option in options for word in option.split("=")]
        process = subprocess.Popen(
            [self._engine, "--editor", "--path", str(project), *options, "res://main.tscn"],
            env={**os.environ, **settings, "LIBGL_ALWAYS_SOFTWARE": "1"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            yield
        finally:
            process.kill()
            process.wait(timeout=20)


def _wait_until_ready(bench: Bench) -> None:
    ready = bench.peer.ready
    until = time.monotonic() + READY_SECONDS
    while ready is not None and bench.use(ready.calls).is_error:
        if time.monotonic() > until:
            raise ServerGone(f"{bench.peer.name} does not reach its editor")
        time.sleep(0.2)


def _write_project(project: Path, peer: Peer) -> None:
    project.mkdir(parents=True)
    text = 'config_version=5\n\n[application]\n\nconfig/name="Game"\nrun/main_scene="res://main.tscn"\n'
    if peer.addon:
        text += f'\n[editor_plugins]\n\nenabled=PackedStringArray("res://addons/{peer.addon_name}/plugin.cfg")\n'
        _write_addon(project, peer)
    (project / "project.godot").write_text(text)
    rows = ['[node name="Player" type="Sprite2D" parent="."]\nposition = Vector2(1, 2)\n']
    rows += [f'[node name="E{at}" type="Node2D" parent="."]\n' for at in range(EDITS)]
    (project / "main.tscn").write_text("\n".join(['[gd_scene format=3]\n\n[node name="Main" type="Node2D"]\n', *rows]))
    rows = [f'[node name="N{at}" type="Node2D" parent="."]\n' for at in range(BIG)]
    (project / "big.tscn").write_text("\n".join(['[gd_scene format=3]\n\n[node name="Big" type="Node2D"]\n', *rows]))


def _write_addon(project: Path, peer: Peer) -> None:
    if peer.registry:
        shutil.copytree(package_folder(peer) / peer.addon, project / "addons" / peer.addon_name)
        return
    for name, data in shipped_files():
        place = project / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)


def filled(value: Any, project: str, number: int) -> Any:
    """A call with its project and the number of the round."""
    if isinstance(value, str):
        return number if value == "$N" else value.replace("$PROJECT", project).replace("$N", str(number))
    if isinstance(value, dict):
        return {key: filled(each, project, number) for key, each in value.items()}
    return [filled(each, project, number) for each in value] if isinstance(value, list | tuple) else value


def _free_port() -> int:
    """A port that no other program gets by chance before the editor is up: the system gives none of these away."""
    for port in Random().sample(range(20_000, 30_000), 100):
        with socket.socket() as listener, suppress(OSError):
            listener.bind(("127.0.0.1", port))
            return port
    raise OSError("no port between 20000 and 30000 is free")
