"""Real projects: diagnostics are those of the engine's own language server, and no rename breaks a script.

LANGUAGE_CORPUS=all looks at every project and the 200 most used symbols of each, which takes an hour.
"""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event
from time import monotonic
from typing import Any

import pytest
from tests.conftest import Caller, MakeCaller
from tests.e2e.tools import godot
from tests.godot.documents.test_corpus import ROOT
from tests.godot.language.test_renaming import contents

from scenewright.core.policy.execution import Permit
from scenewright.godot.engine.language_server.analysis import Diagnostic, _diagnostic
from scenewright.godot.engine.language_server.connection import LanguageConnection, Message
from scenewright.godot.engine.language_server.servers import LanguageServers
from scenewright.godot.language.symbols.local_names import LocalNames
from scenewright.godot.language.symbols.tokens import Source

WHOLE = os.environ.get("LANGUAGE_CORPUS") == "all"
FOLDER = ROOT / "2d"
PROJECTS = sorted(each.name for each in FOLDER.iterdir() if any(each.rglob("*.gd"))) if FOLDER.is_dir() else []
NAMES = PROJECTS if WHOLE else [name for name in PROJECTS if name == "bullet_shower"]
MOST = 200 if WHOLE else 4
SECONDS, IMPORT_SECONDS = 300.0, 90.0
DECLARES = re.compile(r"\b(?:var|func|signal|const|enum|class|class_name)[ \t]+\Z")
DENIED = "the engine calls it by that name"

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.godot,
    pytest.mark.xdist_group("language"),
    pytest.mark.skipif(not NAMES, reason="no corpus: set SCENEWRIGHT_CORPUS to a folder of Godot projects"),
]


@contextmanager
def engines_server(project: Path) -> Iterator[int]:
    """The engine's own language server on a project, as a person's editor would start it: its port."""
    program, nowhere = str(godot()), subprocess.DEVNULL
    importing = [program, "--headless", "--import", "--path", str(project)]
    with suppress(subprocess.TimeoutExpired):  # it hangs at times when it is done
        subprocess.run(importing, check=False, timeout=IMPORT_SECONDS, stdout=nowhere, stderr=nowhere)
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
    command = [program, "--headless", "--editor", "--path", str(project), "--lsp-port", str(port)]
    with subprocess.Popen(command, stdout=nowhere, stderr=nowhere) as process:
        try:
            yield port
        finally:
            process.kill()


def connected(port: int) -> socket.socket:
    deadline = monotonic() + SECONDS
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=SECONDS)
        except ConnectionRefusedError:
            assert monotonic() < deadline, "the engine's language server does not start"
            Event().wait(0.05)


def engines_diagnostics(project: Path, scripts: list[str]) -> dict[str, list[Diagnostic]]:
    """What the engine's own server says of scripts, without anything of ours in between."""
    said: dict[str, list[Diagnostic]] = {}
    uris = {f"{project.as_uri()}/{path}": path for path in scripts}

    def hear(message: Message) -> None:
        params = message.get("params") or {}
        path = uris.get(str(params.get("uri", "")))
        if path is not None and message.get("method") == "textDocument/publishDiagnostics":
            said[path] = sorted(_diagnostic(path, each) for each in params["diagnostics"])

    with engines_server(project) as port, connected(port) as line:
        connection, deadline = LanguageConnection(line, hear), monotonic() + SECONDS
        root: Message = {"processId": None, "rootUri": project.as_uri(), "rootPath": str(project), "capabilities": {}}
        connection.ask("initialize", root, deadline=deadline)
        connection.tell("initialized", {}, deadline=deadline)
        for uri, path in uris.items():
            document = {"uri": uri, "languageId": "gdscript", "version": 1, "text": (project / path).read_text()}
            connection.tell("textDocument/didOpen", {"textDocument": document}, deadline=deadline)
        connection.wait_for(lambda: len(said) == len(scripts), deadline=deadline)
    return said


def most_used(root: Path) -> list[tuple[str, str, int]]:
    """The symbols that scripts declare, locals too, those first whose names stand most often: path, name, line."""
    counts: Counter[str] = Counter()
    declared: list[tuple[str, str, int]] = []
    for place in sorted(root.rglob("*.gd")):
        source = Source(place.relative_to(root).as_posix(), place.read_bytes())
        names = LocalNames(source)
        for token in source.tokens:
            counts[token.name] += 1
            local = names.find(token)
            begins = local is not None and local.declared == source.bytes_before(token.start)
            if begins or DECLARES.search(source.text[max(0, token.start - 40) : token.start]):
                declared.append((source.path, token.name, token.line + 1))
    return sorted(set(declared), key=lambda each: (-counts[each[1]], each))[:MOST]


def renamed(name: str) -> str:
    return name + ("_ZZ" if name.isupper() else "Zz" if name[0].isupper() else "_zz")


async def errors_of(caller: Caller) -> set[tuple[str, str]]:
    found = await caller.result("get_script_errors", warnings=False, limit=1000)
    return {(each["path"], each["message"]) for each in found["errors"]}


async def check_rename(caller: Caller, errors: set[tuple[str, str]], symbol: tuple[str, str, int]) -> None:
    path, name, line = symbol
    new = renamed(name)
    arguments: dict[str, Any] = {"scriptPath": path, "symbol": name, "line": line, "newName": new, "uncertain": "leave"}
    body = (await caller.reply("rename_symbol", arguments)).structured
    assert body is not None
    if not body["ok"]:
        assert DENIED in body["error"]["message"], (symbol, body["error"])
        return
    after = {(path, message.replace(new, name)) for path, message in await errors_of(caller)}
    assert after <= errors, symbol
    await caller.result("history", action="undo")


@pytest.mark.timeout(7200 if WHOLE else 600)
@pytest.mark.parametrize("name", NAMES)
async def test_a_real_project_is_understood_as_the_engine_does_and_survives_renames(
    name: str, make_caller: MakeCaller, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GODOT_PATH", str(Path(godot()).absolute()))
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    shutil.copytree(FOLDER / name, ours)
    shutil.copytree(FOLDER / name, theirs)
    caller = make_caller(project=ours)
    servers = caller.runtime.services.get(LanguageServers, LanguageServers)
    with servers.of(caller.runtime.project.root, Permit("test")).view({}, lambda _: None) as view:
        scripts = view.scripts()
        said = view.diagnose(scripts)
    assert said == engines_diagnostics(theirs, scripts)
    before, errors = contents(caller), await errors_of(caller)
    symbols = most_used(ours)
    assert symbols
    for symbol in symbols:
        await check_rename(caller, errors, symbol)
        assert contents(caller) == before, symbol
