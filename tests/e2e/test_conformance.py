"""The public MCP conformance suite against a real server, with no list of failures that are allowed."""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.e2e.serving import FIXTURES, Serving, serving
from tests.e2e.tools import conformance

pytestmark = [pytest.mark.node, pytest.mark.timeout(300)]

# What the suite's own reference server reaches; fewer would mean that something was left out.
CHECKS = {"2025-11-25": 84, "2026-07-28": 152}
HARMLESS = {"SUCCESS", "INFO"}


@pytest.fixture(scope="module")
def suite() -> list[str]:
    return conformance()


@pytest.fixture(scope="module")
def server(suite: list[str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(program=FIXTURES, folder=tmp_path_factory.mktemp("conformance")) as running:
        yield running


@pytest.mark.parametrize("version", CHECKS)
def test_every_check_of_the_suite_passes(suite: list[str], server: Serving, version: str, tmp_path: Path) -> None:
    options = ["--suite", "all", "--spec-version", version, "--output-dir", str(tmp_path)]
    ended = subprocess.run(
        [*suite, "server", "--url", server.url, *options], capture_output=True, text=True, check=False, timeout=240
    )
    checks = _checks(tmp_path)
    assert [check for check in checks if check["status"] not in HARMLESS] == [], "".join(server.log)
    assert ended.returncode == 0, ended.stdout[-4000:] + ended.stderr[-4000:]
    assert Counter(check["status"] for check in checks)["SUCCESS"] >= CHECKS[version]


def _checks(folder: Path) -> list[dict[str, Any]]:
    """What each check found, without what it looked at."""
    kept = ("id", "status", "errorMessage")
    return [
        {"scenario": file.parent.name} | {key: check[key] for key in kept if key in check}
        for file in sorted(folder.rglob("checks.json"))
        for check in json.loads(file.read_text(encoding="utf-8"))
    ]
