"""Every revision of the protocol that the SDK speaks: opened, listed, called, written and taken back on the wire."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from mcp_types.version import SUPPORTED_PROTOCOL_VERSIONS
from tests.fuzz.wire import HANDSHAKE, MODERN, serving

HANDSHAKEN = [version for version in SUPPORTED_PROTOCOL_VERSIONS if version < "2026"]
PAGE = Path(__file__).parents[2] / "docs" / "compatibility.md"


def test_the_page_names_every_revision() -> None:
    page = PAGE.read_text("utf-8")
    assert [version for version in SUPPORTED_PROTOCOL_VERSIONS if version not in page] == []


@pytest.mark.parametrize("version", SUPPORTED_PROTOCOL_VERSIONS)
def test_a_day_of_a_client_in_each_revision(project: Path, version: str) -> None:
    (project / "project.godot").write_text("config_version=5\n")
    with serving(project) as wire:
        if version in HANDSHAKEN:
            opened = wire.request("initialize", HANDSHAKE | {"protocolVersion": version})
            assert opened["result"]["protocolVersion"] == version
            wire.send(b'{"jsonrpc":"2.0","method":"notifications/initialized"}')
        else:
            wire.modern = True
            assert MODERN["io.modelcontextprotocol/protocolVersion"] == version
        listed = wire.request("tools/list", {"_meta": MODERN} if wire.modern else None)
        assert {"core_ping", "history"} <= {tool["name"] for tool in listed["result"]["tools"]}
        written = wire.call("project_file_manager", {"action": "write", "path": "a.txt", "content": "one"})
        assert written["result"]["isError"] is False, json.dumps(written)
        assert (project / "a.txt").read_text() == "one"
        wire.call("history", {"action": "undo"})
        assert not (project / "a.txt").exists()
