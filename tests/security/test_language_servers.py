"""Attacks on the line to the engine's language server, which asks nobody for a token."""

from __future__ import annotations

import json
import re
import socket
import socketserver
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import psutil
import pytest
from tests.conftest import Caller, MakeCaller
from tests.core.samples import fault_of
from tests.e2e.tools import godot
from tests.support.gdscript_runner import make_project

from scenewright.godot.engine.language_server.servers import LanguageServers

pytestmark = [pytest.mark.anyio, pytest.mark.godot, pytest.mark.xdist_group("godot-engines")]

SCRIPT = "extends Node\n\nvar secret_plan: int = 1\n"
ASKED = {"scriptPath": "plan.gd", "symbol": "secret_plan"}
SECONDS = 20.0


@pytest.fixture
def caller(make_caller: MakeCaller, project: Path, monkeypatch: pytest.MonkeyPatch) -> Caller:
    monkeypatch.setenv("GODOT_PATH", str(godot()))
    make_project(project, {"plan.gd": SCRIPT})
    return make_caller()


class Impostor(socketserver.StreamRequestHandler):
    """Answers every question as if it were a language server, and keeps what it was told."""

    heard: list[str]

    def handle(self) -> None:
        while head := self.rfile.readline():
            size = int(re.sub(rb"\D", b"", head))
            self.rfile.readline()
            text = self.rfile.read(size).decode()
            self.heard.append(text)
            message = json.loads(text)
            if "id" in message:
                self.say({"jsonrpc": "2.0", "id": message["id"], "result": [{"name": "PROOF_guessed"}]})

    def say(self, message: dict[str, Any]) -> None:
        body = json.dumps(message).encode()
        self.wfile.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))


@pytest.fixture
def impostor(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """What a program heard that has the port before the engine takes it."""
    heard: list[str] = []
    handler = type("Handler", (Impostor,), {"heard": heard})
    socketserver.ThreadingTCPServer.daemon_threads = True
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        port = server.server_address[1]
        monkeypatch.setattr("scenewright.godot.engine.language_server.server._free_port", lambda: port)
        yield heard
        server.shutdown()


async def test_whoever_holds_the_port_is_told_nothing_of_the_project(caller: Caller, impostor: list[str]) -> None:
    fault = fault_of(await caller.run("find_references", ASKED))
    assert "Another program answers" in fault.message
    assert any("initialize" in text for text in impostor)
    assert not any("secret_plan" in text or "didOpen" in text for text in impostor)
    assert caller.runtime.services.get(LanguageServers, LanguageServers).pids() == []


async def test_a_language_server_has_no_line_for_strangers(caller: Caller) -> None:
    assert (await caller.result("find_references", **ASKED))["total"] == 1
    (pid,) = caller.runtime.services.get(LanguageServers, LanguageServers).pids()
    places = {each.laddr for each in psutil.Process(pid).net_connections() if each.status == psutil.CONN_LISTEN}
    assert {place.ip for place in places} == {"127.0.0.1"}
    (place,) = places  # none to debug games, as an editor that a person sees has
    with socket.create_connection(("127.0.0.1", place.port), timeout=SECONDS) as stranger:
        try:
            stranger.sendall(b'Content-Length: 40\r\n\r\n{"jsonrpc":"2.0","id":1,"method":"check"}')
            assert stranger.recv(100) == b""
        except ConnectionError:
            pass
    assert (await caller.result("find_references", **ASKED))["total"] == 1


async def test_a_plugin_of_that_name_in_a_project_is_not_taken_for_ours(caller: Caller, project: Path) -> None:
    folder = project / "addons" / "scenewright_language"
    folder.mkdir(parents=True)
    (folder / "plugin.cfg").write_text('[plugin]\n\nname="x"\nscript="files.gd"\n')
    (folder / "files.gd").write_text("@tool\nextends EditorPlugin\n")
    assert (await caller.result("find_references", **ASKED))["total"] == 1
