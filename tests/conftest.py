"""What most tests need: an empty project, a runtime over it, and a way to call and render."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from scenewright import __version__
from scenewright.app import catalogues
from scenewright.contracts import Rendered, render
from scenewright.core.calls.call import Client, Outcome, Request, SilentClient
from scenewright.core.config import Config
from scenewright.core.operations.declaration import Operation
from scenewright.core.operations.registry import Catalogue, build_registry
from scenewright.core.runtime import Runtime

# The same examples each time, so that a failure is one for everybody, and none because a machine is slow; with
# `--hypothesis-profile=search` new ones are looked for.
settings.register_profile(
    "same", derandomize=True, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile(
    "search", max_examples=500, deadline=None, database=None, suppress_health_check=list(HealthCheck)
)
if settings.get_current_profile_name() != "search":
    settings.load_profile("same")


@pytest.fixture(scope="session", autouse=True)
def user_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder of our own for all tests of this process, also for editors that several of them share."""
    before = os.environ.get("SCENEWRIGHT_HOME")
    home = tmp_path_factory.mktemp("scenewright-home")
    os.environ["SCENEWRIGHT_HOME"] = str(home)
    yield home
    os.environ.pop("SCENEWRIGHT_HOME")
    if before is not None:
        os.environ["SCENEWRIGHT_HOME"] = before


@pytest.fixture(autouse=True)
def _plain_environment(monkeypatch: pytest.MonkeyPatch, user_home: Path) -> None:
    """No setting of whoever runs the tests reaches them."""
    for name in list(os.environ):
        if name.startswith(("SCENEWRIGHT_", "GOX_", "GODOT_MCP_", "ALLOW_", "READ_ONLY")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("SCENEWRIGHT_HOME", str(user_home))
    monkeypatch.setenv("GODOT_PATH", "")  # whether there is a Godot is up to each test


@pytest.fixture
def anyio_backend() -> str:
    """Async tests are marked `@pytest.mark.anyio`."""
    return "asyncio"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """An empty project folder."""
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


@dataclass(frozen=True)
class Caller:
    """Calls tools the way a client does, without a wire."""

    runtime: Runtime

    async def run(
        self,
        tool: str,
        arguments: Mapping[str, Any] | None = None,
        *,
        meta: Mapping[str, Any] | None = None,
        client: Client | None = None,
    ) -> Outcome:
        request = Request(tool=tool, arguments=arguments or {}, meta=meta, client=client or SilentClient())
        return await self.runtime.run(request)

    async def reply(self, tool: str, arguments: Mapping[str, Any] | None = None, **options: Any) -> Rendered:
        modern = options.pop("modern", False)
        return render(await self.run(tool, arguments, **options), modern=modern)

    async def result(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """What an envelope carries; the call must succeed."""
        body = (await self.reply(tool, arguments)).structured
        assert body is not None
        assert body["ok"], body
        found: dict[str, Any] = body["result"]
        return found


MakeCaller = Callable[..., Caller]


@pytest.fixture
def make_caller(project: Path) -> Iterator[MakeCaller]:
    """Makes a caller; further operations and settings can be given."""
    made: list[Runtime] = []

    def make(*operations: Operation, **settings: Any) -> Caller:
        parts = [*catalogues(), Catalogue(operations=operations)]
        config = Config(**{"project": project, "rate_limit": None, **settings})
        runtime = Runtime(config, build_registry(parts, verified=not operations), server_version=__version__)
        made.append(runtime)
        return Caller(runtime)

    yield make
    for runtime in made:
        runtime.close()


@pytest.fixture
def caller(make_caller: MakeCaller) -> Caller:
    """A caller over the shipped operations."""
    return make_caller()
