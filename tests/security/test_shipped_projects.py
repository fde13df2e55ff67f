"""A project that brings state: nothing of it is recovered, resumed, trusted or loosened by it."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller, MakeCaller

from scenewright.app import make_runtime
from scenewright.bridge.discovery import find_editors
from scenewright.bridge.link import Link
from scenewright.core.calls.call import Request
from scenewright.core.config import Config
from scenewright.core.projects.ownership import state_folder
from scenewright.core.projects.user_folder import user_folder, user_token
from scenewright.core.writes.changeset import Change
from scenewright.core.writes.ledger import Author, Ledger

pytestmark = pytest.mark.anyio
PING = "core.ping"


def write_pending(folder: Path, path: str, before: bytes | None, content: bytes | None) -> None:
    """Leaves a journal as a process does that was killed in the middle of a commit."""
    folder.mkdir(parents=True, exist_ok=True)
    ledger = Ledger(folder / "journal.sqlite")
    ledger.record([Change(path, before, content)], Author("x", "x", None, "x"), folders=[], modes=[None])
    ledger.close()


@pytest.mark.parametrize("read_only", [False, True])
@pytest.mark.parametrize("path", ["absolute", "../outside.txt", "inside.txt"])
async def test_a_shipped_journal_is_not_carried_out(
    project: Path, make_caller: MakeCaller, path: str, read_only: bool
) -> None:
    outside = project.parent / "outside.txt"
    write_pending(project / ".scenewright", str(outside) if path == "absolute" else path, None, b"planted")
    caller = make_caller(read_only=read_only)
    assert (await caller.run(PING)).ok
    assert (await caller.run("history.list")).ok
    assert not outside.exists()
    assert not (project / "inside.txt").exists()


@pytest.mark.parametrize("name", ["0" * 32, "journal", "..."])
async def test_a_shipped_journal_under_any_name_is_not_carried_out(project: Path, caller: Caller, name: str) -> None:
    write_pending(project / ".scenewright" / name, "inside.txt", None, b"planted")
    await caller.run(PING)
    await caller.run("write_file", {"path": "mine.txt", "content": ""})
    assert sorted(path.name for path in project.glob("*.txt")) == ["mine.txt"]


async def test_the_first_reply_says_that_foreign_records_are_not_used(project: Path, caller: Caller) -> None:
    write_pending(project / ".scenewright", "inside.txt", None, b"planted")
    first, second = await caller.run(PING), await caller.run(PING)
    (warning,) = first.call.warnings
    assert "journal.sqlite" in warning
    assert "scenewright state adopt" in warning
    assert second.call.warnings == []


async def write(root: Path, path: str, content: str) -> None:
    runtime = make_runtime(Config(project=root, rate_limit=None))
    try:
        assert (await runtime.run(Request(tool="write_file", arguments={"path": path, "content": content}))).ok
    finally:
        runtime.close()


async def history(root: Path) -> str:
    runtime = make_runtime(Config(project=root, rate_limit=None))
    try:
        return (await runtime.run(Request(tool="history.list", arguments={}))).summary
    finally:
        runtime.close()


async def test_records_follow_a_project_that_is_moved_and_not_one_that_is_copied(project: Path) -> None:
    await write(project, "a.txt", "1")
    copy = project.parent / "copy"
    shutil.copytree(project, copy)
    assert await history(copy) == "0 changes."
    moved = project.rename(project.parent / "moved")
    assert await history(moved) == "1 change."


async def test_a_person_takes_over_the_records_of_a_copy(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from scenewright.cli.main import main

    await write(project, "a.txt", "1")
    copy = project.parent / "copy"
    shutil.copytree(project, copy)
    await write(copy, "b.txt", "2")
    await write(copy, "c.txt", "3")
    assert main(["state", "adopt", "--project", str(copy)]) == 0
    assert str(state_folder(copy)) in capsys.readouterr().out
    assert await history(copy) == "1 change."
    assert await history(project) == "1 change."


async def test_a_pull_over_our_records_changes_nothing(project: Path) -> None:
    """Git overwrites ignored files without a word; it does not know where ours are."""
    git = ("git", "-c", "user.name=x", "-c", "user.email=x@x", "-C", str(project))
    theirs = project.parent / "theirs"
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "begin"], check=True)
    subprocess.run(["git", "clone", "-q", str(project), str(theirs)], check=True)
    await write(project, "a.txt", "1")
    for name in ("journal.sqlite", "policy.json", "token", ".gitignore"):
        (theirs / ".scenewright").mkdir(exist_ok=True)
        (theirs / ".scenewright" / name).write_text('{"version": "v1", "mode": "allow-all", "rules": []}')
    write_pending(theirs / ".scenewright" / "pending", "planted.txt", None, b"x")
    they = (*git[:-1], str(theirs))
    subprocess.run([*they, "add", "-f", "."], check=True)
    subprocess.run([*they, "commit", "-q", "-m", "attack"], check=True)
    subprocess.run([*git, "pull", "-q", str(theirs), "HEAD"], check=True)
    assert (project / ".scenewright/journal.sqlite").exists()
    assert await history(project) == "1 change."
    assert not (project / "planted.txt").exists()
    status = subprocess.run([*git, "status", "--short", "-uall"], check=True, capture_output=True, text=True).stdout
    assert status.split() == ["??", "a.txt"]


# Links


def shipped_link(project: Path, name: str) -> Path:
    outside = project.parent / "outside"
    outside.mkdir()
    if name:
        (project / ".scenewright").mkdir()
        (project / ".scenewright" / name).symlink_to(outside / "target")
    else:
        (project / ".scenewright").symlink_to(outside)
    return outside


@pytest.mark.parametrize("name", ["", "journal.sqlite", "runs.sqlite", "token", ".gitignore", "audit.log", "bridge"])
async def test_a_shipped_link_takes_nothing_out_of_the_project(project: Path, caller: Caller, name: str) -> None:
    outside = shipped_link(project, name)
    written = await caller.run("write_file", {"path": "a.txt", "content": "x"})
    caller.runtime.runs.recent()
    assert written.ok == bool(name)
    assert list(outside.iterdir()) == []


@pytest.mark.parametrize("name", ["journal.sqlite", "runs.sqlite", "audit.log", ".audit.log.head", "journal.lock"])
async def test_a_link_among_our_own_records_is_not_followed(project: Path, make_caller: MakeCaller, name: str) -> None:
    outside = project.parent / "outside"
    outside.mkdir()
    (outside / "target").write_bytes(b"")
    state_folder(project).mkdir(parents=True)
    (state_folder(project) / name).symlink_to(outside / "target")
    caller = make_caller()
    await caller.run("write_file", {"path": "a.txt", "content": "x"})
    caller.runtime.runs.recent()
    caller.runtime.close()
    assert [path.name for path in outside.iterdir()] == ["target"]
    assert (outside / "target").read_bytes() == b""


async def test_a_link_in_the_place_of_the_audit_folder_is_not_followed(project: Path, caller: Caller) -> None:
    outside = project.parent / "outside"
    outside.mkdir()
    (project / "project.godot").write_text("config_version=5\n")
    (project / ".godot_mcp").symlink_to(outside)
    await caller.run(PING)
    assert list(outside.iterdir()) == []


# Editors and tokens


def test_a_shipped_announcement_is_no_editor(project: Path) -> None:
    folder = project / ".scenewright" / "bridge"
    folder.mkdir(parents=True)
    (folder / "1.json").write_text(json.dumps({"project": str(project), "pid": os.getpid(), "port": 6550}))
    assert find_editors(project) == []


def test_an_editor_of_another_project_is_not_this_ones(project: Path) -> None:
    folder = user_folder() / "bridge"
    folder.mkdir(parents=True, exist_ok=True)
    other = project.parent / "other"
    other.mkdir()
    told = folder / f"{os.getpid()}.json"
    told.write_text(json.dumps({"project": str(other), "pid": os.getpid(), "port": 6550}))
    try:
        assert find_editors(project) == []
        assert [editor.port for editor in find_editors(other)] == [6550]
        (other.parent / "link").symlink_to(other)
        assert [editor.port for editor in find_editors(other.parent / "link")] == [6550]
    finally:
        told.unlink()


@pytest.mark.parametrize(
    "claim",
    [{}, {"protocol_version": "1.0.0"}, {"protocol_version": "1.2.0", "auth": "off"}, {"protocol_version": "1.2.0"}],
)
@pytest.mark.parametrize("proof", [None, "", "0" * 64])
async def test_whatever_listens_at_an_editors_port_is_not_told_the_token(
    project: Path, claim: dict[str, str], proof: str | None
) -> None:
    from websockets.asyncio.server import ServerConnection, serve

    from scenewright.bridge.discovery import Editor

    heard: list[str] = []
    asked = asyncio.Event()

    async def pretend(client: ServerConnection) -> None:
        await client.send(json.dumps({"jsonrpc": "2.0", "method": "godoty.connected", "params": claim}))
        async for frame in client:
            heard.append(str(frame))
            message = json.loads(frame)
            answer: dict[str, Any] = {"jsonrpc": "2.0", "id": message.get("id"), "result": {"proof": proof}}
            if proof is None:
                answer = {"jsonrpc": "2.0", "id": message.get("id"), "result": {"success": True}}
            if "id" in message:
                await client.send(json.dumps(answer))
            asked.set()

    token = user_token()
    async with serve(pretend, "127.0.0.1", 0) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        link = Link(Editor(project, os.getpid(), port))
        link.connect()
        await asyncio.wait_for(asked.wait(), 30)
        for _ in range(3):  # whatever it is answered, it asks for no more
            await asyncio.wait_for((await server.connections.copy().pop().ping()), 30)
        link.close()
    assert heard
    assert token not in "".join(heard)


async def test_no_tool_reads_the_users_own_folder_even_inside_a_project(
    project: Path, make_caller: MakeCaller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCENEWRIGHT_HOME", str(project / "state"))
    user_token()
    caller = make_caller()
    for path in ("state/token", "state/../state/token", str(project / "state/secret")):
        fault = (await caller.run("read_file", {"path": path})).fault
        assert fault is not None
        assert fault.kind == "denied"


# Policies


ALLOW: dict[str, Any] = {"version": "v1", "mode": "allow-all", "rules": []}
DENY: dict[str, Any] = {"version": "v1", "mode": "deny-by-default", "rules": []}
ASK: dict[str, Any] = {
    "version": "v1",
    "mode": "allow-all",
    "rules": [{"match": {}, "effect": "allow", "requiresApproval": True}],
}


def bring_policy(project: Path, pack: dict[str, Any]) -> None:
    (project / ".scenewright").mkdir(exist_ok=True)
    (project / ".scenewright/policy.json").write_text(json.dumps(pack))


async def test_a_shipped_policy_loosens_nothing(project: Path, make_caller: MakeCaller) -> None:
    bring_policy(project, ALLOW | {"approvedBy": "caller"})
    for settings in ({"policy_rules": "careful"}, {"policy_mode": "deny-by-default"}, {"policy_rules": "quarantine"}):
        (project / "a.txt").write_text("x")
        caller = make_caller(**settings)
        outcome = await caller.run("delete_file", {"path": "a.txt"}, meta={"approved": True})
        assert outcome.fault is not None
        assert outcome.fault.kind == "denied"
        assert (project / "a.txt").exists()


@pytest.mark.parametrize("own", [ALLOW, ASK, None])
async def test_a_shipped_policy_makes_things_stricter(
    project: Path, make_caller: MakeCaller, own: dict[str, Any] | None
) -> None:
    if own is not None:
        state_folder(project).mkdir(parents=True)
        (state_folder(project) / "policy.json").write_text(json.dumps(own))
    bring_policy(project, DENY | {"defaultDenyReason": "the team said so"})
    fault = (await make_caller().run("write_file", {"path": "a.txt", "content": ""})).fault
    assert fault is not None
    assert "the team said so" in fault.message
    bring_policy(project, ASK)
    fault = (await make_caller().run("write_file", {"path": "a.txt", "content": ""})).fault
    assert fault is not None
    assert "approv" in fault.message


@pytest.mark.parametrize("broken", ["{", "[]", "link"])
async def test_a_shipped_policy_that_cannot_be_used_denies_everything(
    project: Path, make_caller: MakeCaller, broken: str
) -> None:
    (project / ".scenewright").mkdir()
    place = project / ".scenewright/policy.json"
    if broken == "link":
        place.symlink_to(project / "nowhere")
    else:
        place.write_text(broken)
    assert (await make_caller().run(PING)).fault is not None


# The relay to Roblox Studio


@pytest.mark.parametrize("answer", [b"{}", b'{"studios": []}', b'{"server": "scenewright-roblox-relay", "proof": "0"}'])
def test_whatever_holds_the_relays_port_is_told_neither_the_token_nor_a_call(answer: bytes) -> None:
    from http.server import BaseHTTPRequestHandler, HTTPServer
    from threading import Thread

    from scenewright.core.faults import NotConnected
    from scenewright.roblox.relay.hub import Ask
    from scenewright.roblox.relay.server import Relay
    from scenewright.roblox.relay.settings import BridgeSettings

    heard: list[str] = []

    class Holder(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            heard.append(f"{self.requestline}\n{self.headers}")
            self.send_response(200)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def do_POST(self) -> None:
            self.do_GET()

        def log_request(self, code: object = "-", size: object = "-") -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Holder) as holder:
        Thread(target=holder.serve_forever, daemon=True).start()
        relay = Relay(BridgeSettings("127.0.0.1", holder.server_port, "the-token-of-this-user"))
        try:
            for ask in (relay.studios, lambda: relay.call(Ask(operation="x", payload={"secret": "payload-text"}))):
                with pytest.raises(NotConnected, match="does not pass calls on"):
                    ask()
        finally:
            relay.close()
            holder.shutdown()
    assert len(heard) == 2
    assert "the-token-of-this-user" not in "".join(heard)
    assert "payload-text" not in "".join(heard)


def test_a_proof_of_another_port_is_none() -> None:
    """A holder that asks the real relay on another port, and passes its answer on."""
    from scenewright.core.projects.token import proof_of

    assert proof_of("t", "scenewright relay", 47012, "n") != proof_of("t", "scenewright relay", 47013, "n")
    assert proof_of("t", "scenewright relay", 47012, "n") != proof_of("t", "scenewright bridge", 47012, "n")
