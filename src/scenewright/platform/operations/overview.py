"""`overview`: one look at a project, before any work on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Annotated, Any

import msgspec

from scenewright.contracts.tool_names import as_listed
from scenewright.core.calls.call import Call
from scenewright.core.calls.sent_texts import SentTexts
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, about, to_wire
from scenewright.core.projects.overview import Scope, Section
from scenewright.core.projects.project import Engine
from scenewright.core.text.counts import count_noun
from scenewright.platform.file_listing import MOST_FILES, Dates, changes_between, dates_of, file_section
from scenewright.platform.fitting import fit, json_size
from scenewright.platform.snapshots import SeenState, Snapshots
from scenewright.platform.value_changes import value_section

__all__ = ["OPERATIONS"]

_AROUND = 350  # bytes that a reply has beside its result
_MOST_CHANGES = 200
_TRIES = 4


class OverviewQuery(Inputs, frozen=True, kw_only=True):
    since: Annotated[str, about("revision of an earlier reply; shows what changed.")] | None = None
    max_bytes: Annotated[int, about("Most bytes of the reply.", ge=1000)] = 6000


class ProjectOverview(Outputs, frozen=True, kw_only=True):
    revision: Annotated[str, about("Pass it as since later.")]
    sections: Annotated[dict[str, Any], about("Texts by section, or by item where a section has several.")]
    editors_open: Annotated[str, about("Engines whose editor has the project open, or none.")] = ""
    changed: Annotated[list[str], about("With since: files that were created, modified or deleted.")] | None = None
    left_out: Annotated[list[str], about("What is not shown, or shortened, and the call that shows it.")] | None = None


@operation(
    id="project.overview",
    name="Overview",
    tool="overview",
    category="project",
    safety=Safety.READ_ONLY,
    needs_project=True,
    aliases=("get_overview",),
    examples=(
        Example(
            "Before you begin",
            {},
            {
                "revision": "5f0c2a91d3b4",
                "sections": {
                    "project": "Maze, Godot 4.6, starts with main.tscn",
                    "files": {"./": "main.tscn, player.gd, project.godot"},
                    "scenes": {"main.tscn": "Main: Node2D\n  Player: CharacterBody2D (player.gd)"},
                    "scripts": {"player.gd": "extends CharacterBody2D\n"},
                },
            },
        ),
        Example(
            "What changed",
            {"since": "5f0c2a91d3b4"},
            {"revision": "81d9a40be772", "sections": {}, "changed": ["modified player.gd"]},
        ),
    ),
)
def overview(call: Call, inputs: OverviewQuery) -> ProjectOverview:
    """Shows the project at one look, to call first: files, settings, input, scene trees, scripts, what is wrong."""
    kept = call.runtime.services.get(Snapshots, Snapshots)
    root = call.state.project.root
    now = dates_of(call.state.project, call.files.changes())
    before = _state_before(call, kept, inputs.since)
    changes = None if before is None else changes_between(before.dates, now)
    scope = Scope(inputs.max_bytes)
    if before is not None and changes is not None:
        sent = call.runtime.services.get(SentTexts, SentTexts)
        knows = partial(sent.knows, call.client.id)
        scope = Scope(inputs.max_bytes, frozenset(changes), before.values, knows=knows)
    sections = _sections(call, scope, now)
    reply = ProjectOverview(
        revision=kept.keep(root, SeenState(now, {**scope.before, **scope.values})),
        sections={},
        editors_open=_editors_open(call, since=before is not None),
        changed=None if changes is None else [f"{kind} {path}" for path, kind in changes.items()][:_MOST_CHANGES],
    )
    if len(now) >= MOST_FILES:
        call.warnings.append(f"Only the first {MOST_FILES:,} files were looked at.")
    call.summary = _summary(call, len(now), changes)
    if changes is not None and len(changes) > _MOST_CHANGES:
        call.warnings.append(f"Of {len(changes):,} changed files the first {_MOST_CHANGES} are named.")
    return _filled(reply, sections, inputs.max_bytes - _AROUND)


OPERATIONS = (overview,)


def _state_before(call: Call, kept: Snapshots, since: str | None) -> SeenState | None:
    if since is None:
        return None
    before = kept.find(call.state.project.root, since)
    if before is None:
        call.warnings.append(f"This server does not know revision '{since[:50]}' (any more): here is everything.")
    return before


def _sections(call: Call, scope: Scope, dates: Dates) -> list[Section]:
    engines = call.state.engines or _engines_open(call)
    parts = call.runtime.registry.overviews_of(engines)
    told = [replace(each, more=as_listed(each.more, call)) for part in parts for each in part(call, scope)]
    if scope.changed is not None:
        return [value_section(scope.before, scope.values), *told]
    files = [file_section(dates, engines)]
    at = next((number for number, section in enumerate(told) if section.name == "scenes"), len(told))
    return [*told[:at], *files, *told[at:]]


def _filled(reply: ProjectOverview, sections: Sequence[Section], budget: int) -> ProjectOverview:
    """The reply with as much of the sections as fits; what names the rest needs room too."""
    room = budget - json_size(to_wire(reply))
    for _ in range(_TRIES):
        fitted = fit(sections, room)
        filled = msgspec.structs.replace(reply, sections=fitted.shown, left_out=fitted.left_out or None)
        excess = json_size(to_wire(filled)) - budget
        if excess <= 0:
            break
        room -= excess
    return filled


def _editors_open(call: Call, *, since: bool) -> str:
    """Return which editors are open; that none is, at a first look at an engine's project."""
    return ", ".join(engine.name for engine in _engines_open(call)) or (
        "none" if call.state.engines and not since else ""
    )


def _engines_open(call: Call) -> list[Engine]:
    """The engines whose editor has the project open; one like Studio needs no file of the project for that."""
    runtime, project = call.runtime, call.state.project
    known = [(engine, runtime.live(engine.name)) for engine in call.state.engines or runtime.registry.engines]
    return [engine for engine, live in known if live is not None and live.is_open(project)]


def _summary(call: Call, files: int, changes: dict[str, str] | None) -> str:
    if changes is not None:
        return f"{count_noun(len(changes), 'file')} changed since." if changes else "Nothing changed since."
    engines = " and ".join(engine.name.capitalize() for engine in call.state.engines) or "No engine's"
    counted = f"{MOST_FILES:,} files or more" if files >= MOST_FILES else count_noun(files, "file")
    return f"{engines} project with {counted}."
