"""A stand-in for the editor of the small game, and a way to call the tools while it is open."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.conftest import Caller, MakeCaller
from tests.unity.live.pipeline_double import UnityDouble

from scenewright.unity.live.backend import UnityLive
from scenewright.unity.live.pipeline import Pipeline

MakeEditor = Callable[..., UnityDouble]


@pytest.fixture
def make_editor(project: Path) -> Iterator[MakeEditor]:
    """Makes editors that have the project open; whatever they complain of fails the test."""
    made: list[UnityDouble] = []

    def make(version: str = "0.8", folder: Path | None = None) -> UnityDouble:
        double = UnityDouble(folder or project, version).start()
        made.append(double)
        return double

    yield make
    for double in made:
        double.stop()
    assert [complaint for double in made for complaint in double.complaints] == []


@pytest.fixture
def editor(make_editor: MakeEditor) -> UnityDouble:
    return make_editor()


@pytest.fixture
def caller(make_caller: MakeCaller) -> Caller:
    return make_caller()


def pipeline_of(caller: Caller) -> Pipeline:
    live = caller.runtime.live("unity")
    assert isinstance(live, UnityLive)
    return live.pipeline(caller.runtime.project.root)


def come_back_when_waited_for(pipeline: Pipeline, editor: UnityDouble) -> list[float]:
    """Let an editor that is loading scripts come back once somebody waits for it; return the waits."""
    waits: list[float] = []

    async def pause(seconds: float) -> None:
        waits.append(seconds)
        if len(waits) > 1 and not editor.is_up:
            editor.start()

    pipeline.pause = pause
    return waits
