"""One process's worth of scenewright: settings, registry and projects, and the way every call is run."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from time import perf_counter
from typing import Any, Literal, get_args

import anyio

from scenewright.core.calls.call import Call, Meta, Outcome, Request, Suspended
from scenewright.core.calls.limits import TokenBuckets, check_payload
from scenewright.core.calls.pipeline import STEPS, execute
from scenewright.core.config import Config
from scenewright.core.faults import Denied, Fault, Internal
from scenewright.core.operations.registry import Registry
from scenewright.core.operations.tool_index import ToolIndex
from scenewright.core.projects.discovery import discover
from scenewright.core.projects.live import Live
from scenewright.core.projects.project import NO_PROJECT, Engine, Project
from scenewright.core.projects.roots import Roots
from scenewright.core.projects.state import ProjectState
from scenewright.core.records.database import explain_error
from scenewright.core.records.pictures import KeptPictures
from scenewright.core.records.redaction import redact
from scenewright.core.records.run_log import Run, RunLog, new_run_id
from scenewright.core.services import Services
from scenewright.core.writes.changeset import Changeset

__all__ = ["Listing", "Runtime"]

Listing = Literal["tools", "prompts", "resources"]
logger = logging.getLogger(__name__)


class Runtime:
    """Runs calls."""

    def __init__(self, config: Config, registry: Registry, *, server_version: str) -> None:
        self.config = config
        self.registry = registry
        self.server_version = server_version
        self.buckets = TokenBuckets(config.rate_limit)
        self.index = ToolIndex(registry)
        self.services = Services()
        self.started = perf_counter()
        self.calls = 0
        self.client_name = ""  # by which a person knows the program that calls, such as "claude-code 2.1"
        self.on_change: list[Callable[[str], None]] = []  # told the URI of each resource that changed
        self.listened_to = anyio.Event()  # set once a client wants to hear of resources that change
        self.listed: frozenset[str] | None = None  # engines that the listing had when a client last asked for it
        self.on_relist: list[Callable[[Listing], None]] = []  # told which listing may look different now
        self._states: dict[Path, ProjectState] = {}
        self._live: dict[str, Live] = {}
        self.discovery = discover(config, registry.engines)
        self._default = self._open_default()
        self.roots = self._open_roots()

    # Projects

    @property
    def project(self) -> Project:
        """The project of this server: the one it was started for, or the one it was started in, or none."""
        return self._default.project

    @property
    def runs(self) -> RunLog:
        """The run log of this server's own project."""
        return self._default.runs

    def find_run(self, run_id: str) -> dict[str, Any] | None:
        """Return the record of a run, of whichever project that this process worked on."""
        return next((run for state in self._states.values() if (run := state.runs.find(run_id))), None)

    @property
    def state(self) -> ProjectState:
        return self._default

    def state_for(self, path: str | None) -> ProjectState:
        """Return the project a call is about.

        Raises:
            Denied: the folder is outside the roots, or no project.
            NotFound: there is no such folder inside the roots.
            Invalid: the folder is a part of a project.
        """
        if path is None:
            return self._recover_state(self._default)
        return self._recover_state(self._state_of(self.roots.select(path)))

    def state_to_begin(self, path: str | None) -> ProjectState:
        """Return where a project is to be begun: the folder that a call chose, else the server's own.

        Raises:
            Denied, NotFound, Invalid: as `state_for`.
        """
        if path is None and not self.has_project and self.discovery.folder is not None:
            path = str(self.discovery.folder)
        if path is None:
            return self._recover_state(self._default)
        return self._recover_state(self._state_of(self.roots.select(path, begun=True)))

    @property
    def has_project(self) -> bool:
        """Whether this server was started for a project, or in one."""
        return self.project is not NO_PROJECT

    def refresh_engines(self) -> bool:
        """Look again which project is there, and which engines it belongs to; return True where that changed."""
        before = self.engines
        if not self.has_project or self.discovery.problems:
            self._look_for_project()
        self._default.engines = self.project.engines(self.registry.engines)
        return self.engines != before

    def look_again(self) -> None:
        """Look again as `refresh_engines` does, and tell listeners at once where the listings change by it."""
        if self.refresh_engines():
            for listing in get_args(Listing):
                self.relisted(listing)

    @property
    def engines(self) -> list[Engine]:
        """The engines of the project; while there are only projects to choose from, theirs."""
        if self.has_project:
            return self._default.engines
        choices = [Project(place).engines(self.registry.engines) for place in self.discovery.choices]
        return [engine for engine in self.registry.engines if any(engine in choice for choice in choices)]

    def _look_for_project(self) -> None:
        discovery = discover(self.config, self.registry.engines)
        if discovery != self.discovery:
            self.discovery = discovery
            self._default = self._open_default()
            self.roots = self._open_roots()

    def live(self, engine: str) -> Live | None:
        """Return the way to an engine's editors, if it has one."""
        if engine not in self._live:
            make = self.registry.live.get(engine)
            if make is None:
                return None
            self._live[engine] = make(self)
        return self._live[engine]

    def watch_editors(self) -> None:
        """Connect to editors of this server's project that have come up since the last look."""
        for engine in self.state.engines:
            if live := self.live(engine.name):
                live.watch(self.project)

    def close(self) -> None:
        self.services.close()
        for live in self._live.values():
            live.close()
        self.index.close()
        for state in self._states.values():
            state.close()

    def _open_default(self) -> ProjectState:
        project, kept = self.discovery.project, self.discovery.kept
        if project.root not in self._states:
            named = project is not NO_PROJECT
            self._states[project.root] = self._make_state(project, kept=kept, named=named)
        return self._states[project.root]

    def _open_roots(self) -> Roots:
        discovery = self.discovery
        own = [self.project.root] if self.has_project else []
        opened = [Project.at(folder).root for folder in self.config.roots] + (
            [discovery.folder] if discovery.folder else []
        )
        return Roots(
            tuple(self.registry.engines),
            projects=tuple(dict.fromkeys([*own, *discovery.further])),
            folders=tuple(dict.fromkeys(opened)),
        )

    def _state_of(self, project: Project) -> ProjectState:
        root = project.root
        if root not in self._states:
            named = self.roots.names(root)
            around = None if named else self.roots.project_around(root)
            above = self._state_of(Project.at(around)) if around is not None else None
            self._states[root] = self._make_state(project, kept=True, named=named, above=above)
        return self._states[root]

    def _make_state(
        self, project: Project, *, kept: bool, named: bool, above: ProjectState | None = None
    ) -> ProjectState:
        engines = project.engines(self.registry.engines)
        return ProjectState(project, self.config, engines, kept=kept, named=named, above=above)

    def _recover_state(self, state: ProjectState) -> ProjectState:
        for number in state.recover():
            logger.warning("finished history entry %d, which a process that died had left half done", number)
        return state

    # Calls

    async def run(self, request: Request, *, changes: Changeset | None = None) -> Outcome:
        """Take a request through the pipeline; raise only when it is cancelled or must wait for the client."""
        self.calls += 1
        call = Call(
            request=request,
            runtime=self,
            state=self._default,
            meta=Meta.identified(request.meta),
            changes=changes,
            shares_changes=changes is not None,
        )
        fault: Fault | None = None
        try:
            for step in STEPS:
                if step is execute:
                    self._begin_run(call)
                await step(call)
        except Fault as raised:
            fault = raised
        except Suspended:
            raise
        except anyio.get_cancelled_exc_class():
            self._finish(call, Denied("The client cancelled the call."), status="canceled")
            raise
        except Exception as error:  # noqa: BLE001 logged where it is a bug of ours
            fault = explain_error(error) or await self._own_bug(call)
        return self._finish(call, fault)

    async def _own_bug(self, call: Call) -> Internal:
        """Return what a call ends with that failed as nobody expected; called while that is being handled."""
        tool, number = call.request.tool[:200], call.meta.correlation_id
        logger.exception("'%s' failed (correlation id %s)", tool, number)
        await self._tell_client(call, f"{tool}: unexpected failure, {number}")
        return Internal()

    async def _tell_client(self, call: Call, message: str) -> None:
        try:
            await call.client.log("error", message)
        except Exception:
            logger.debug("the client could not be told", exc_info=True)

    def _begin_run(self, call: Call) -> None:
        call.run = Run(
            run_id=new_run_id(),
            correlation_id=call.meta.correlation_id,
            name=call.operation.id,
            actor=call.meta.actor,
        ).started()

    def _finish(self, call: Call, fault: Fault | None, status: str | None = None) -> Outcome:
        call.take_doubts()
        outcome = Outcome(call, fault, int((perf_counter() - call.started) * 1000))
        if call.run is not None and not call.operation.is_about_runs:
            self._log_run(outcome, status or ("failed" if fault else "succeeded"))
        self._audit(outcome)
        self._keep_pictures(outcome)
        return outcome

    def _log_run(self, outcome: Outcome, status: str) -> None:
        call, fault, diff = outcome.call, outcome.fault, outcome.diff
        assert call.run is not None
        run = call.run.ended(
            status,
            error_code=self.registry.record_codes.run_log(fault) if fault else None,
            # A file's name on disk may hold half characters, which no database takes, and a message what was given.
            error_message=redact(fault.message) if fault else None,
            diff_summary=diff.summary if diff else None,
        )
        call.state.runs.put(run)
        for resource in self.registry.resources:
            if resource.shows_runs:
                self.changed(resource.uri.replace("{runId}", run.run_id))

    def changed(self, uri: str) -> None:
        """Tell whoever listens that a resource changed."""
        for listener in self.on_change:
            listener(uri)

    def relisted(self, listing: Listing) -> None:
        """Tell whoever listens that what is on offer changed."""
        for listener in self.on_relist:
            listener(listing)

    def _audit(self, outcome: Outcome) -> None:
        call, fault = outcome.call, outcome.fault
        if not call.state.kept:
            return
        record: dict[str, Any] = {
            "correlationId": call.meta.correlation_id,
            "tool": call.tool or call.request.tool,
            "operation": call.operation.id if call.operation else None,
            "origin": call.request.origin,
            "args": self._recorded(call),
            "ok": outcome.ok,
            "summary": outcome.summary,
            "durationMs": outcome.duration_ms,
        }
        optional = {
            "action": call.action,
            "actor": call.meta.actor,
            "client": call.request.caller,
            "bytes": call.answered_bytes if fault is None else None,
            "dryRun": call.dry_run or None,
            "entry": call.entry.id if call.entry else None,
            "recalled": call.recalled or None,
            "details": {"diff": outcome.diff.summary} if outcome.diff else None,
            "error": {"code": self.registry.record_codes.audit(fault), "message": fault.message} if fault else None,
        }
        record |= {key: value for key, value in optional.items() if value is not None}
        try:
            call.state.audit.append(record)
        except OSError as error:
            # What the call did is done, and its reply must say so.
            logger.error("audit: a record was not written: %s", error)
        except Exception:
            logger.exception("audit: a record was not written")

    def _keep_pictures(self, outcome: Outcome) -> None:
        """Keep what a person who watches wants to see; the parts of a larger call are shown by it."""
        call = outcome.call
        attached = [each for each in call.attachments if each.kind == "image" and isinstance(each.data, bytes)]
        if not outcome.ok or not attached or not call.state.kept or call.request.parent is not None:
            return
        about = redact({"tool": call.name, "summary": outcome.summary})
        pictures = [(each.data, each.mime_type) for each in attached if isinstance(each.data, bytes)]
        try:
            KeptPictures(call.state.project.root).keep(pictures, about)
        except (OSError, Fault) as error:
            logger.debug("a picture was not kept: %s", error)

    def _recorded(self, call: Call) -> Mapping[str, Any]:
        """Return the arguments as the audit log has them; what was too much for the pipeline is too much for
        the log.
        """
        try:
            check_payload(call.request.arguments, self.config.max_payload_bytes)
        except Fault as refused:
            return {"omitted": refused.message}
        return call.request.arguments
