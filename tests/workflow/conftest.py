"""Runs through the real engine, and operations that do as they are told."""

from __future__ import annotations

import shutil
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import anyio
import pytest
from tests.conftest import Caller

from scenewright import __version__
from scenewright.app import catalogues
from scenewright.core import faults
from scenewright.core.calls.call import Call
from scenewright.core.config import Config
from scenewright.core.operations.declaration import Operation, Safety, operation
from scenewright.core.operations.model import Inputs, NoInputs, Outputs, about
from scenewright.core.operations.registry import Catalogue, build_registry
from scenewright.core.runtime import Runtime

PATIENCE_MS = 30_000


class Note(Inputs, frozen=True, kw_only=True):
    text: Annotated[Any, about("What to say.")] = None


class Said(Outputs, frozen=True, kw_only=True):
    said: Annotated[Any, about("What was said.")] = None


class FailInputs(Inputs, frozen=True, kw_only=True):
    kind: Annotated[str, about("Which fault.")] = "NotConnected"
    times: Annotated[int, about("How often, before it works.")] = 1000


class Probe:
    """Operations with a memory."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        self.said: list[Any] = []
        self.failed = 0
        self.begun = anyio.Event()
        self.released = anyio.Event()
        self.at_once = 0
        self.most_at_once = 0

    def operations(self) -> tuple[Operation, ...]:
        probe = self

        @operation(id="core.say", name="Say", category="core", safety=Safety.READ_ONLY, contract="gox")
        def say(call: Call, inputs: Note) -> Said:
            """Says it."""
            probe.said.append(inputs.text)
            return Said(said=inputs.text)

        @operation(id="core.fail", name="Fail", category="core", safety=Safety.READ_ONLY, contract="gox")
        def fail(call: Call, inputs: FailInputs) -> Said:
            """Fails so often."""
            probe.failed += 1
            if probe.failed <= inputs.times:
                if inputs.kind == "Crash":
                    raise RuntimeError("a bug")
                raise getattr(faults, inputs.kind)("as asked")
            return Said(said="at last")

        @operation(id="core.hold", name="Hold", category="core", safety=Safety.READ_ONLY, contract="gox")
        async def hold(call: Call, inputs: NoInputs) -> Said:
            """Waits to be released."""
            probe.at_once += 1
            probe.most_at_once = max(probe.most_at_once, probe.at_once)
            probe.begun.set()
            try:
                await probe.released.wait()
            finally:
                probe.at_once -= 1
            return Said(said="released")

        @operation(
            id="core.touch",
            name="Touch",
            category="core",
            safety=Safety.SAFE_WRITE,
            contract="gox",
            transactional=False,
        )
        async def touch(call: Call, inputs: NoInputs) -> Said:
            """Changes something that is no file, and takes long over it."""
            probe.begun.set()
            await probe.released.wait()
            return Said(said="touched")

        @operation(id="core.meddle", name="Meddle", category="core", safety=Safety.READ_ONLY, contract="gox")
        def meddle(call: Call, inputs: Note) -> Said:
            """Changes a file behind everyone's back, as a person at the keyboard does."""
            (call.state.project.root / inputs.text).write_text("somebody's")
            return Said(said="done")

        @operation(
            id="core.outside",
            name="Outside",
            category="core",
            safety=Safety.READ_ONLY,
            contract="gox",
            starts_other_programs=True,
        )
        def outside(call: Call, inputs: NoInputs) -> Said:
            """Would reach out of this machine."""
            return Said(said="reached")

        return say, fail, hold, touch, meddle, outside


Run = Callable[..., Awaitable[dict[str, Any]]]


@dataclass(frozen=True)
class House:
    """A project whose engine serves all tests of a module; starting one takes longer than most of them."""

    folder: Path
    probe: Probe
    caller: Caller


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    yield from open_house(tmp_path_factory.mktemp("house"))


def open_house(folder: Path, policy: str = "careful") -> Iterator[House]:
    """A house whose policy asks before every deletion, so that there is something to wait for."""
    probe = Probe()
    parts = [*catalogues(), Catalogue(operations=probe.operations())]
    config = Config(project=folder, rate_limit=None, policy_rules=policy)
    runtime = Runtime(config, build_registry(parts, verified=True), server_version=__version__)
    yield House(folder, probe, Caller(runtime))
    runtime.close()


@pytest.fixture
def probe(house: House) -> Probe:
    house.probe.reset()
    return house.probe


@pytest.fixture
def probed(house: House) -> Caller:
    """A caller with the probe's operations beside the shipped ones."""
    return house.caller


@pytest.fixture
def folder(house: House) -> Path:
    """The house's project, empty."""
    for place in house.folder.iterdir():
        if place.name != ".scenewright":
            shutil.rmtree(place) if place.is_dir() else place.unlink()
    return house.folder


@pytest.fixture
def run(probed: Caller, probe: Probe) -> Run:
    """Runs a workflow to its end: `await run([steps], onFailure="rollback", _approved=True)`."""

    async def to_its_end(steps: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
        options = {key[1:]: more.pop(key) for key in list(more) if key.startswith("_")}
        definition = {"id": "test", "steps": steps, **more}
        return await ask(probed, "workflow.run", definition=definition, **{"waitMs": PATIENCE_MS, **options})

    return to_its_end


async def ask(caller: Caller, tool: str, **arguments: Any) -> dict[str, Any]:
    reply = await caller.reply(tool, arguments)
    assert reply.structured is not None, reply.text
    return reply.structured


async def refused(caller: Caller, steps: list[dict[str, Any]], **more: Any) -> Any:
    """The error that a definition is refused with."""
    reply = await caller.reply("workflow.run", {"definition": {"id": "test", "steps": steps, **more}})
    assert reply.error is not None, reply.structured
    return reply.error


async def steps_of(caller: Caller, run_id: str) -> dict[str, dict[str, Any]]:
    found = await ask(caller, "workflow.status", runId=run_id, outputs=True)
    return {each["id"]: each for each in found["steps"]}
