"""Every input that once broke a reader or a line, and every seed, in a process with the limits of the search.

`make fuzz` looks for more. What it finds is mended, and the input kept in `finds/TARGET` for good.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tests.fuzz.search import Run, current_input
from tests.fuzz.target import FINDS, MOST_SEED_BYTES, finds_of
from tests.fuzz.targets import all_targets

TARGETS = all_targets()
REPLAYED = [target for target in TARGETS if finds_of(target.name) or not target.starts_server]
Told = list[dict[str, Any]]


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Told]:
    """What the process of a subject said, and what it died of."""
    return cache(lambda subject: _replay(subject, tmp_path_factory.mktemp("replay")))


def _replay(subject: str, folder: Path) -> Told:
    names = [target.name for target in REPLAYED if target.name.startswith(f"{subject}.")]
    run = Run(folder, "replay", str(folder), *names)
    told = list(run.messages())
    if run.died is not None:
        told.append({"died": run.died, "input": current_input(folder), "said": run.said.read_text()[-3000:]})
    return told


@pytest.mark.parametrize("name", [target.name for target in REPLAYED])
def test_nothing_that_was_found_breaks_it_again(told: Callable[[str], Told], name: str) -> None:
    said = told(name.partition(".")[0])
    assert [message["said"] for message in said if message.get("target") == name] == []
    assert {"done": name} in said, said[-1]


def test_every_find_belongs_to_a_target_and_is_small() -> None:
    places = [place for place in FINDS.rglob("*") if place.is_file()]
    assert {place.parent.name for place in places} <= {target.name for target in TARGETS}
    assert [place for place in places if place.stat().st_size > 6 * MOST_SEED_BYTES] == []
    assert all(place.parent.parent == FINDS for place in places)


@pytest.mark.parametrize(
    ("what", "said"),
    [("crash", "ZeroDivisionError"), ("hang", "SIGPROF"), ("memory", "MemoryError"), ("silence", "SIGABRT")],
)
def test_what_breaks_a_target_is_noticed(tmp_path: Path, what: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The search itself: a target that crashes, hangs, takes all memory or waits forever."""
    monkeypatch.setattr("tests.fuzz.search.STUCK_SECONDS", 1.0 if what == "silence" else 60.0)
    monkeypatch.setenv("FUZZ_CPU_SECONDS", "0.2")
    run = Run(tmp_path, "replay", str(tmp_path), f"broken.{what}")
    told = list(run.messages())
    assert said in str([*(message.get("kind") for message in told), run.died])
    assert current_input(tmp_path) == (1, what.encode())
