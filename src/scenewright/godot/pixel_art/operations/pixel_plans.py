"""`pixel_manager` project_analyze, goal_to_spec, macro_run, manifest_get: from a sentence to a world."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Annotated, Any

import msgspec

from scenewright.core.calls.call import Call
from scenewright.core.faults import Conflict, Invalid, NotFound
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, NoInputs, Outputs, Record, about
from scenewright.core.text.counts import count_noun
from scenewright.godot.pixel_art.operations.pixel_worlds import MANAGER, ExternalTools, Seed, TimeoutMs
from scenewright.godot.project.openers import open_workspace
from scenewright.pixel.worlds.specs import ObjectSpec, TilemapSpec, WorldSpec

__all__ = ["OPERATIONS"]

Goal = Annotated[str, about("What is wanted, in a sentence.", min_length=1, max_length=2000)]
_STEPS = ("tilemap_generate", "world_generate", "layer_ensure", "object_generate", "object_place")
_CHECKS = ("export_preview", "smoke_test")
_ISLAND = "a top-down island with a river, trees and three chests"


class Profile(Outputs, frozen=True, kw_only=True):
    profile: Annotated[dict[str, Any], about("Tile size, palette, outlines, folders, tile sets, worlds, suggestions.")]


@operation(
    id="godot.pixel.project_analyze",
    category="project",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="pixel_project_analyze",
    manager=MANAGER,
    action="project_analyze",
    timeout=60.0,
    examples=(
        Example(
            "A project with tiles",
            {},
            {"profile": {"tileSize": 16, "outlineStyle": "dark", "roots": {"tilesets": "res://tilesets"}}},
        ),
    ),
)
def pixel_project_analyze(call: Call, inputs: NoInputs) -> Profile:
    """Tells what a project's pixel art is like: tile size, palette, outlines, folders, tile sets and worlds."""
    from scenewright.godot.pixel_art.profile import profile_of

    del inputs
    profile = profile_of(open_workspace(call))
    call.summary = f"{count_noun(len(profile['tilesets']), 'tile set')}, {count_noun(len(profile['worlds']), 'world')}."
    return Profile(profile=profile)


class GoalInputs(Inputs, frozen=True, kw_only=True):
    goal: Goal
    seed: Seed | None = None
    world_scene_path: Annotated[str, about("Scene to make.", min_length=1)] | None = None
    allow_external_tools: ExternalTools = False
    spec_gen_timeout_ms: TimeoutMs = 30_000


class Step(Record, frozen=True, kw_only=True):
    action: Annotated[str, about("What it does.")]
    args: Annotated[dict[str, Any], about("Its parameters.")]


class GoalRead(Outputs, frozen=True, kw_only=True):
    seed: Annotated[int, about("Seed that all follows from.")]
    spec: Annotated[dict[str, Any], about("{tilemap, world, objects}, to be changed at will.")]
    plan: Annotated[list[Step], about("Steps that macro_run takes.")]
    assumptions: Annotated[list[str], about("What the sentence does not say.")]
    not_understood: Annotated[list[str], about("Words that had no effect.")]


@operation(
    id="godot.pixel.goal_to_spec",
    category="tilemap",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="pixel_goal_to_spec",
    manager=MANAGER,
    action="goal_to_spec",
    open_world=True,
    timeout=120.0,
    examples=(
        Example(
            "An island",
            {"goal": _ISLAND},
            {
                "seed": 7,
                "spec": {"tilemap": {"name": "grassland"}, "world": {"scenePath": "res://worlds/island.tscn"}},
                "plan": [{"action": "tilemap_generate", "args": {"seed": 7}}],
                "assumptions": ["The map has 48 x 32 cells."],
                "notUnderstood": [],
            },
        ),
    ),
)
def pixel_goal_to_spec(call: Call, inputs: GoalInputs) -> GoalRead:
    """Turns a sentence into specs of tiles, world and things, and the plan that makes them."""
    goal, assumptions, unknown, seed = _read(call, inputs)
    plan = _plan(goal, seed)
    call.summary = f"{count_noun(len(plan), 'step')}, seed {seed}."
    if unknown:
        call.warnings.append(f"Not understood: {', '.join(unknown[:20])}.")
    return GoalRead(seed=seed, spec=_wire(goal), plan=plan, assumptions=assumptions, not_understood=unknown)


class MacroInputs(Inputs, frozen=True, kw_only=True):
    goal: Goal | None = None
    spec: Annotated[dict[str, Any], about("{tilemap, world, objects}, from goal_to_spec.")] | None = None
    plan: Annotated[list[dict[str, Any]], about("Or steps: {action, args}.", min_length=1, max_length=64)] | None = None
    seed: Seed | None = None
    world_scene_path: Annotated[str, about("Scene to make.", min_length=1)] | None = None
    resume: Annotated[bool, about("Leave out steps that an earlier run of the same plan has done.")] = True
    force_regenerate: Annotated[bool, about("Do all steps, and draw again what is there.")] = False
    fail_fast: Annotated[bool, about("Stop at the first step that fails; else go on.")] = True
    export_preview: Annotated[bool, about("Show the world in the end; needs Godot.")] = False
    smoke_test: Annotated[bool, about("Run the world in the end; needs Godot.")] = False
    allow_external_tools: ExternalTools = False
    spec_gen_timeout_ms: TimeoutMs = 30_000


class StepRow(Record, frozen=True, kw_only=True):
    action: Annotated[str, about("Action.")]
    ok: Annotated[bool, about("Whether it succeeded.")]
    summary: Annotated[str, about("What came of it.")]
    skipped: Annotated[bool, about("An earlier run has done it.")] = False


class MacroDone(Outputs, frozen=True, kw_only=True):
    ok: Annotated[bool, about("Whether all steps succeeded.")]
    seed: Annotated[int, about("Seed that all follows from.")]
    steps: Annotated[list[StepRow], about("The steps, in order.")]
    scene_path: Annotated[str, about("The world.")] | None = None
    assumptions: Annotated[list[str], about("What the sentence does not say.")] = msgspec.field(default_factory=list)


@operation(
    id="godot.pixel.macro_run",
    category="tilemap",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="pixel_macro_run",
    manager=MANAGER,
    action="macro_run",
    open_world=True,
    timeout=600.0,
    executes="sometimes",
    runs_others=True,
    idempotent=True,
    notes="All steps are one change, with one diff and one undo; what was done before a failing step stays, and the"
    " same call goes on from there.",
    asked_for="make a whole pixel art world from a sentence",
    examples=(
        Example(
            "An island from a sentence",
            {"goal": _ISLAND, "seed": 7},
            {
                "ok": True,
                "seed": 7,
                "steps": [{"action": "tilemap_generate", "ok": True, "summary": "Tile sheet is drawn."}],
                "scenePath": "res://worlds/island.tscn",
            },
        ),
    ),
)
async def pixel_macro_run(call: Call, inputs: MacroInputs) -> MacroDone:
    """Makes a world of a goal, a spec or a plan, step by step, as one change that can be undone."""
    import anyio.to_thread

    steps, seed, assumptions = await anyio.to_thread.run_sync(_steps_of, call, inputs)
    for name, wanted in (("export_preview", inputs.export_preview), ("smoke_test", inputs.smoke_test)):
        scene = _scene_of(steps)
        if wanted and scene is not None:
            steps.append(Step(action=name, args={"scenePath": scene}))
    rows: list[StepRow] = []
    for step in steps:
        may_skip = inputs.resume and not inputs.force_regenerate and all(row.skipped for row in rows)
        row = await _run(call, step, may_skip=may_skip, redraw=inputs.force_regenerate)
        rows.append(row)
        if not row.ok and inputs.fail_fast:
            break
    failed = [row for row in rows if not row.ok]
    if failed and not any(row.ok and not row.skipped for row in rows):
        raise Conflict(f"Step {failed[0].action}: {failed[0].summary}", hint="Nothing was done.", retryable=False)
    done = sum(row.ok for row in rows)
    call.summary = f"{done} of {count_noun(len(steps), 'step')} done, seed {seed}." + (
        f" {failed[0].action} failed: {failed[0].summary}" if failed else ""
    )
    return MacroDone(ok=not failed, seed=seed, steps=rows, scene_path=_scene_of(steps), assumptions=assumptions)


class ManifestRead(Outputs, frozen=True, kw_only=True):
    manifest: Annotated[dict[str, Any], about("schemaVersion, generatedAt, seed, steps, outputs, route.")]


@operation(
    id="godot.pixel.manifest_get",
    category="project",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="pixel_manifest_get",
    manager=MANAGER,
    action="manifest_get",
    examples=(Example("What was made", {}, {"manifest": {"schemaVersion": 1, "seed": 7, "steps": [], "outputs": {}}}),),
)
def pixel_manifest_get(call: Call, inputs: NoInputs) -> ManifestRead:
    """Shows by which steps, and with which seed, the project's pixel art was generated."""
    from scenewright.godot.pixel_art.manifest import Manifest

    del inputs
    manifest = Manifest(open_workspace(call))
    if not manifest.is_there:
        raise NotFound("Nothing was generated in this project yet.", hint="pixel_macro_run makes a world of a goal.")
    call.summary = f"{count_noun(len(manifest.value['steps']), 'step')}."
    return ManifestRead(manifest=manifest.value)


OPERATIONS = (pixel_project_analyze, pixel_goal_to_spec, pixel_macro_run, pixel_manifest_get)


class _Whole(Inputs, frozen=True, kw_only=True):
    """A spec as it goes out and comes back."""

    tilemap: TilemapSpec = TilemapSpec()
    world: WorldSpec = WorldSpec()
    objects: list[ObjectSpec] = msgspec.field(default_factory=list)


def _wire(whole: _Whole) -> dict[str, Any]:
    """A spec without what is as usual."""
    value: dict[str, Any] = msgspec.to_builtins(whole)
    usual: dict[str, Any] = msgspec.to_builtins(_Whole())
    thing: dict[str, Any] = msgspec.to_builtins(ObjectSpec(id="x"))
    value["objects"] = [_unlike(row, thing) for row in value["objects"]]
    return {name: part if name == "objects" else _unlike(part, usual[name]) for name, part in value.items()}


def _unlike(value: dict[str, Any], usual: Mapping[str, Any]) -> dict[str, Any]:
    result = {}
    for name, part in value.items():
        if part == usual.get(name):
            continue
        other = usual.get(name)
        result[name] = _unlike(part, other) if isinstance(part, dict) and isinstance(other, dict) else part
    return result


def _as_whole(value: Mapping[str, Any], where: str) -> _Whole:
    try:
        return msgspec.convert(value, _Whole)
    except msgspec.ValidationError as problem:
        raise Invalid(f"{where} is no spec: {problem}.", path=where, rule="spec") from None


def _read(call: Call, inputs: GoalInputs) -> tuple[_Whole, list[str], list[str], int]:
    """A goal as a spec: by SPEC_GEN_URL where it is set, wanted and allowed, else by rules."""
    from scenewright.pixel.worlds.goals import read_goal

    read = read_goal(inputs.goal, inputs.seed, scene_path=inputs.world_scene_path)
    if inputs.allow_external_tools:
        from scenewright.godot.pixel_art.generators import generated_spec
        from scenewright.godot.pixel_art.profile import profile_of

        def wish() -> dict[str, Any]:
            return {"goal": inputs.goal, "seed": read.seed, "profile": profile_of(open_workspace(call))}

        value = generated_spec(call, wish, inputs.spec_gen_timeout_ms / 1000)
        if value is not None:
            spec = value.get("spec", value)
            if not isinstance(spec, dict) or not spec.keys() & {"tilemap", "world", "objects"}:
                raise Invalid(
                    "The answer of SPEC_GEN_URL has no spec.",
                    path="SPEC_GEN_URL",
                    rule="required",
                    hint="It answers with {spec: {tilemap, world, objects}}; without allowExternalTools rules do it.",
                )
            whole = _as_whole(spec, "SPEC_GEN_URL")
            return whole, ["The spec is SPEC_GEN_URL's."], [], read.seed
    whole = _Whole(tilemap=read.tilemap, world=read.world, objects=read.objects)
    return whole, read.assumptions, read.not_understood, read.seed


def _plan(whole: _Whole, seed: int) -> list[Step]:
    """The steps that make what a spec says."""
    tilemap, world = whole.tilemap, whole.world
    spec = _wire(whole)
    sheet = tilemap.output.tileset_path or f"tilesets/{tilemap.name}.tres"
    tileset = world.tileset_path or f"tilesets/{world.tileset_name or tilemap.name}.tres"
    world_spec = spec["world"] | {"scenePath": world.scene_path, "tilesetPath": tileset}
    world_spec.pop("tilesetName", None)
    steps = []
    if sheet.removeprefix("res://") == tileset.removeprefix("res://"):
        tiles = spec["tilemap"] | {"name": tilemap.name}
        steps.append(Step(action="tilemap_generate", args={"spec": tiles, "seed": seed}))
    steps.append(Step(action="world_generate", args={"spec": world_spec, "seed": seed}))
    things = list(whole.objects)
    if world.player and not any(thing.kind == "player" for thing in things):
        things.append(ObjectSpec(id="player", kind="player"))
    rows = [*spec["objects"], *({"id": "player", "kind": "player"} for _ in things[len(spec["objects"]) :])]
    for thing, row in zip(things, rows, strict=True):
        args: dict[str, Any] = {"spec": {"id": thing.id, **row}}
        where = {"tilesetPath": tileset} if thing.representation == "tile" else {}
        steps.append(Step(action="object_generate", args=args | where))
        steps.append(Step(action="object_place", args={"scenePath": world.scene_path, **args, "seed": seed}))
    return steps


def _steps_of(call: Call, inputs: MacroInputs) -> tuple[list[Step], int, list[str]]:
    given = [name for name, value in (("goal", inputs.goal), ("spec", inputs.spec), ("plan", inputs.plan)) if value]
    if len(given) != 1:
        raise Invalid("Give a goal, a spec or a plan.", path="input.goal", rule="oneOf")
    if inputs.goal is not None:
        wish = GoalInputs(
            goal=inputs.goal,
            seed=inputs.seed,
            world_scene_path=inputs.world_scene_path,
            allow_external_tools=inputs.allow_external_tools,
            spec_gen_timeout_ms=inputs.spec_gen_timeout_ms,
        )
        whole, said, unknown, seed = _read(call, wish)
        if unknown:
            call.warnings.append(f"Not understood: {', '.join(unknown[:20])}.")
        return _plan(whole, seed), seed, said
    seed = inputs.seed if inputs.seed is not None else 1
    if inputs.spec is not None:
        return _plan(_as_whole(inputs.spec, "input.spec"), seed), seed, []
    return [_as_step(step, number) for number, step in enumerate(inputs.plan or [])], seed, []


def _as_step(step: Mapping[str, Any], number: int) -> Step:
    where = f"input.plan[{number}]"
    action, args = step.get("action"), step.get("args", {})
    if action not in (*_STEPS, *_CHECKS):
        raise Invalid(
            f"'{action}' is no step.",
            path=f"{where}.action",
            rule="enum",
            hint=f"Steps are: {', '.join((*_STEPS, *_CHECKS))}.",
        )
    if not isinstance(args, dict) or step.keys() - {"action", "args"}:
        raise Invalid("A step is {action, args}.", path=where, rule="type")
    return Step(action=action, args=args)


def _scene_of(steps: list[Step]) -> str | None:
    for step in steps:
        spec = step.args.get("spec")
        if step.action == "world_generate" and isinstance(spec, dict):
            return str(spec.get("scenePath", WorldSpec().scene_path))
    return None


async def _run(call: Call, step: Step, *, may_skip: bool, redraw: bool) -> StepRow:
    """Take a step as part of this call, unless it and all before it were taken before."""
    from scenewright.godot.pixel_art.manifest import Manifest

    key = hashlib.sha256(json.dumps([step.action, step.args], sort_keys=True).encode()).hexdigest()[:16]
    is_check = step.action in _CHECKS
    if may_skip and not is_check and Manifest(open_workspace(call)).done(key):
        return StepRow(action=step.action, ok=True, summary="Done before.", skipped=True)
    args = dict(step.args)
    if redraw and step.action in ("tilemap_generate", "object_generate"):
        args["forceRegenerate"] = True
    outcome = await call.invoke(f"pixel_{step.action}", args, share_changes=True)
    call.attachments += outcome.call.attachments[:1]
    if outcome.fault is not None:
        return StepRow(action=step.action, ok=False, summary=outcome.fault.message)
    if not is_check:
        Manifest(open_workspace(call)).mark(key)
    return StepRow(action=step.action, ok=outcome.passed, summary=outcome.summary)
