"""Setting one table of a TOML file in its text, and taking it out again."""

from __future__ import annotations

import tomllib

import pytest

from scenewright.setup.json_text import TextProblem
from scenewright.setup.toml_text import remove_table, set_table

PATH = ("mcp_servers", "scenewright")
ENTRY = {"command": "/usr/bin/x", "args": ["serve", "--project", "/a b/ü"], "startup_timeout_sec": 30}
OTHERS = """# My settings
model = "gpt-5"  # the one I like

[mcp_servers.other]
command = "npx" # keep
args = ["-y", 'x']

[mcp_servers.other.env]
TOKEN = "a\\\\b"

# about the profile
[profiles.fast]
model = "small"
"""
OLD = '\n[mcp_servers."scenewright"]\ncommand = "old"\n\n[mcp_servers.scenewright.env]\nA = "1"\n'


@pytest.mark.parametrize("text", ["", OTHERS, OTHERS.replace("\n", "\r\n"), OTHERS.rstrip("\n"), "a = 1"])
def test_the_entry_is_added_and_taken_out_and_all_else_stays(text: str) -> None:
    after = set_table(text, PATH, ENTRY)
    assert tomllib.loads(after)["mcp_servers"]["scenewright"] == ENTRY
    assert after.startswith(text)
    assert set_table(after, PATH, ENTRY) == after
    assert remove_table(after, PATH).rstrip("\r\n") == text.rstrip("\r\n")


def test_an_entry_in_the_midst_is_replaced_with_its_inner_tables() -> None:
    head, marker, tail = OTHERS.partition("# about")
    after = set_table(head.rstrip("\n") + "\n" + OLD + "\n" + marker + tail, PATH, ENTRY)
    assert tomllib.loads(after)["mcp_servers"]["scenewright"] == ENTRY
    assert after.startswith(head.rstrip("\n"))
    assert after.endswith(marker + tail)
    assert "old" not in after


@pytest.mark.parametrize(
    "text",
    [
        "[mcp_servers]\nscenewright = {command = 'x'}\n",
        "mcp_servers.scenewright.command = 'x'\n",
        "mcp_servers = {}\n",
        "not toml",
        "mcp_servers = 1\n",
    ],
)
def test_what_is_written_in_another_way_is_left_alone(text: str) -> None:
    with pytest.raises(TextProblem):
        set_table(text, PATH, ENTRY)
