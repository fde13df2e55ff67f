"""`aseprite_manager` doctor, version, batch and the exports that Godot imports at once."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from scenewright.core.calls.call import Call
from scenewright.core.faults import Invalid
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, NoInputs, Outputs, Record, about
from scenewright.core.text.counts import count_noun
from scenewright.godot.pixel_art.operations.aseprite_files import MANAGER
from scenewright.godot.pixel_art.operations.sprite_exports import ExportByTags, ExportSheet

__all__ = ["OPERATIONS"]

_SECONDS = 600.0


class AsepriteFound(Outputs, frozen=True, kw_only=True):
    program: Annotated[str, about("Where Aseprite is; absent where there is none.")] | None = None
    allowed: Annotated[bool, about("Whether this server may start it.")]
    version: Annotated[str, about("What it says of itself, where it may be started.")] | None = None
    needed: Annotated[list[str], about("What needs it; all else is done without.")]


@operation(
    id="godot.aseprite.doctor",
    category="asset",
    safety=Safety.READ_ONLY,
    tool="aseprite_doctor",
    manager=MANAGER,
    action="doctor",
    transactional=False,
    examples=(Example("None installed", {}, {"allowed": False, "needed": ["engine: aseprite", "version"]}),),
)
def aseprite_doctor(call: Call, inputs: NoInputs) -> AsepriteFound:
    """Tells whether Aseprite is there and may be started; files are read and drawn without it."""
    from scenewright.core.policy.gates import settings_of
    from scenewright.pixel.aseprite_program import find_program, program_version

    del inputs
    program, allowed = find_program(), settings_of(call).allow_external
    version = program_version() if program is not None and allowed else None
    call.summary = (
        f"Aseprite is {program}." if program is not None else "There is no Aseprite; files are read and drawn without."
    )
    return AsepriteFound(program=program, allowed=allowed, version=version, needed=["engine: aseprite", "version"])


class AsepriteVersion(Outputs, frozen=True, kw_only=True):
    version: Annotated[str, about("What the program says of itself.")]


@operation(
    id="godot.aseprite.version",
    category="asset",
    safety=Safety.READ_ONLY,
    tool="aseprite_version",
    manager=MANAGER,
    action="version",
    transactional=False,
    starts_other_programs=True,
    examples=(Example("Installed", {}, {"version": "Aseprite 1.3.13"}),),
)
def aseprite_version(call: Call, inputs: NoInputs) -> AsepriteVersion:
    """Tells the version of the Aseprite program."""
    from scenewright.pixel.aseprite_program import program_version

    del inputs
    version = program_version()
    call.summary = version
    return AsepriteVersion(version=version)


class Reimported(Outputs, frozen=True, kw_only=True):
    exported: Annotated[Any, about("What the export returned.")]
    imported: Annotated[Any, about("What the import returned.")]


@operation(
    id="godot.aseprite.export_sheet_and_reimport",
    category="asset",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="export_aseprite_sheet_and_reimport",
    manager=MANAGER,
    action="export_sheet_and_reimport",
    open_world=True,
    timeout=_SECONDS,
    executes="always",
    runs_others=True,
    transactional=False,
    notes="Needs Godot.",
    examples=(
        Example(
            "A row of frames",
            {"inputPath": "art/hero.aseprite", "outputPngPath": "art/hero.png"},
            {"exported": {"sheet": {"path": "res://art/hero.png"}}, "imported": {"imported": 1}},
        ),
    ),
)
async def export_aseprite_sheet_and_reimport(call: Call, inputs: ExportSheet) -> Reimported:
    """Writes all frames as one picture, and has Godot import it."""
    return await _export_and_import(call, "aseprite_export_spritesheet", inputs)


@operation(
    id="godot.aseprite.export_sheets_by_tags_and_reimport",
    category="asset",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="export_aseprite_tags_and_reimport",
    manager=MANAGER,
    action="export_sheets_by_tags_and_reimport",
    open_world=True,
    timeout=_SECONDS,
    executes="always",
    runs_others=True,
    transactional=False,
    notes="Needs Godot.",
    examples=(
        Example(
            "Each tag",
            {"inputPath": "art/hero.aseprite"},
            {"exported": {"sheets": [{"path": "res://art/hero_walk.png"}]}, "imported": {"imported": 1}},
        ),
    ),
)
async def export_aseprite_tags_and_reimport(call: Call, inputs: ExportByTags) -> Reimported:
    """Writes a sheet for each tag, and has Godot import them."""
    return await _export_and_import(call, "export_aseprite_tags", inputs)


class BatchStep(Inputs, frozen=True, kw_only=True):
    action: Annotated[str, about("Action of aseprite files.", min_length=1)]
    args: Annotated[dict[str, Any], about("Its parameters.")] = msgspec.field(default_factory=dict)


class BatchInputs(Inputs, frozen=True, kw_only=True):
    steps: Annotated[list[BatchStep], about("Steps, in order: {action, args}.", min_length=1, max_length=100)]
    fail_fast: Annotated[bool, about("Stop at the first step that fails.")] = True


class BatchRow(Record, frozen=True, kw_only=True):
    action: Annotated[str, about("Action.")]
    ok: Annotated[bool, about("Whether it succeeded.")]
    summary: Annotated[str, about("What came of it.")]


class BatchDone(Outputs, frozen=True, kw_only=True):
    ok: Annotated[bool, about("Whether all steps succeeded.")]
    steps: Annotated[list[BatchRow], about("The steps, in order.")]


@operation(
    id="godot.aseprite.batch",
    category="asset",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="aseprite_batch",
    manager=MANAGER,
    action="batch",
    timeout=_SECONDS,
    executes="sometimes",
    runs_others=True,
    notes="What the steps write is one change with one undo.",
    examples=(
        Example(
            "Two sheets",
            {"steps": [{"action": "export_sheets_by_tags", "args": {"inputPath": "art/hero.aseprite"}}]},
            {"ok": True, "steps": [{"action": "export_sheets_by_tags", "ok": True, "summary": "Wrote 2 sheets."}]},
        ),
    ),
)
async def aseprite_batch(call: Call, inputs: BatchInputs) -> BatchDone:
    """Takes several actions on Aseprite files one after the other, as one change."""
    known = call.runtime.registry.actions[MANAGER]
    possible = [name for name, op in known.items() if op.transactional and name != "batch"]
    for number, step in enumerate(inputs.steps):
        if step.action not in possible:
            raise Invalid(
                f"'{step.action}' cannot be a step.",
                path=f"input.steps[{number}].action",
                rule="enum",
                hint=f"Steps are: {', '.join(possible)}.",
            )
    rows = []
    for step in inputs.steps:
        outcome = await call.invoke(known[step.action].flat_name, step.args, share_changes=True)
        rows.append(BatchRow(action=step.action, ok=outcome.ok, summary=outcome.summary))
        if not outcome.ok and inputs.fail_fast:
            break
    call.summary = f"{sum(row.ok for row in rows)} of {count_noun(len(inputs.steps), 'step')} done."
    return BatchDone(ok=all(row.ok for row in rows), steps=rows)


OPERATIONS = (
    aseprite_doctor,
    aseprite_version,
    export_aseprite_sheet_and_reimport,
    export_aseprite_tags_and_reimport,
    aseprite_batch,
)


async def _export_and_import(call: Call, tool: str, inputs: ExportSheet | ExportByTags) -> Reimported:
    given = msgspec.to_builtins(inputs)
    arguments = {name: value for name, value in given.items() if value is not None}
    exported = await call.invoke(tool, arguments)
    if exported.fault is not None:
        raise exported.fault
    output = msgspec.to_builtins(exported.call.output)
    rows = output["sheets"] if "sheets" in output else [output["sheet"]]
    imported = await call.invoke("reimport_assets", {"files": [row["path"] for row in rows]})
    if imported.fault is not None:
        raise imported.fault
    call.summary = f"{exported.summary} {imported.summary}"
    return Reimported(exported=output, imported=msgspec.to_builtins(imported.call.output))
