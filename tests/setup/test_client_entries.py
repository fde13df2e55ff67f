"""The documents show each client's entry as `init` writes it, and the site shows the same as tabs."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest
from scripts.build_site import _rewrite
from scripts.client_entries import LAUNCH, MAIN, PAGES, written

from scenewright.setup.changes import plan_change
from scenewright.setup.clients import CLIENTS, client_named

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", PAGES)
def test_a_document_shows_the_clients_as_they_are(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    assert text == written(name)
    titles = [client.title for each in PAGES[name] if (client := client_named(each))]
    assert [f"<summary>{title}</summary>" in text for title in titles] == [True] * len(titles)


def test_what_is_shown_is_what_would_be_written(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "clients.md").read_text(encoding="utf-8")
    shown = dict(re.findall(r"<summary>(.*?)</summary>.*?```\w+\n(.*?)```", text, re.DOTALL))
    for client in CLIENTS:
        if client.format != "yaml" and not client.program:
            read = tomllib.loads if client.format == "toml" else json.loads
            change = plan_change(client, tmp_path / client.name, LAUNCH)
            assert read(shown[client.title]) == read(change.after.decode()), client.name


def test_the_site_has_a_tab_for_each_client() -> None:
    page = _rewrite(ROOT / "README.md", "index.md")
    titles = [client.title for name in MAIN if (client := client_named(name))]
    assert [line for line in page.splitlines() if line.startswith("===")] == [f'=== "{title}"' for title in titles]
    assert "<details>" not in page
