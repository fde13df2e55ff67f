"""What a scene does when it runs, with inputs, calls and conditions that must hold."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

import msgspec

from scenewright.core.calls.call import Call
from scenewright.core.faults import Denied
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, Record, about
from scenewright.core.text.counts import ERRORS_AND_WARNINGS, count_noun
from scenewright.godot.assets.missing_imports import set_apart_unimported
from scenewright.godot.engine.operations.rehearsal import (
    FPS,
    MOST_STEPS,
    CallAt,
    CheckAt,
    Height,
    InputsAt,
    Width,
    as_call,
    as_check,
    last_frame,
    loaded,
    mind_the_end,
    printed,
    stage,
)
from scenewright.godot.engine.operations.runs import Said, folded, said_of
from scenewright.godot.engine.probe_expressions import SINGLETONS
from scenewright.godot.project.openers import ScenePath

__all__ = ["OPERATIONS", "Watched"]

_MOST_NAMED = 50
_NODE = re.compile(r"\$|%[\w\"]|get_node|find_child")
Shown = Literal["nodes", "connections", "animations"]
_ALL_SHOWN: tuple[Shown, ...] = ("nodes", "connections", "animations")


class ProbeInputs(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    steps: (
        Annotated[int, about("Frames of 1/60 s to run; by default as many as the rest needs.", ge=0, le=MOST_STEPS)]
        | None
    ) = None
    inputs: InputsAt = msgspec.field(default_factory=list)
    calls: Annotated[list[CallAt], about("Methods to call, signals to emit, nodes to add.", max_length=100)] = (
        msgspec.field(default_factory=list)
    )
    properties: Annotated[dict[str, list[str]], about("Properties to read at the end, by node path.")] = msgspec.field(
        default_factory=dict
    )
    checks: Annotated[
        list[str | CheckAt],
        about("Expressions that must hold, such as '$Player.position.x > 9'; self is the root.", max_length=100),
    ] = msgspec.field(default_factory=list)
    signals: Annotated[list[str], about("Signals to watch, such as 'Player.died'.", max_length=50)] = msgspec.field(
        default_factory=list
    )
    seed: Annotated[int, about("Seed of random numbers, so that they repeat.", ge=0, lt=2**53)] | None = None
    include: (
        Annotated[
            list[Shown],
            about("What to show of the scene at the end. All where nothing is checked; else nodes if a check fails."),
        ]
        | None
    ) = None
    width: Width | None = None
    height: Height | None = None


class CheckResult(Record, frozen=True, kw_only=True):
    expression: Annotated[str, about("Expression.")]
    holds: Annotated[bool, about("Whether it holds.")]
    value: Annotated[str, about("Its value.")] | None = None
    found: Annotated[str, about("What was found and expected, where a comparison does not hold.")] | None = None
    error: Annotated[str, about("Why it could not be evaluated.")] | None = None


class Watched(Record, frozen=True, kw_only=True):
    signal: Annotated[str, about("Signal.")]
    times: Annotated[int, about("How often it fired.")]
    fired: Annotated[list[dict[str, Any]], about("The first 20: frame, arguments.")]


class Probe(Outputs, frozen=True, kw_only=True):
    """How a scene ran; the summary has the number of checks that hold."""

    passed: Annotated[bool, about("Whether it ran without errors and all checks hold.")]
    total: Annotated[int, about("How many nodes there are in all.")]
    properties: Annotated[dict[str, Any], about("What was asked for, as the engine writes it.")]
    calls: Annotated[list[dict[str, Any]], about("What the called methods returned.")]
    checks: Annotated[list[CheckResult], about("The checks.")]
    signals: Annotated[list[Watched], about("The watched signals.")] | None = None
    output: Annotated[list[str], about("What was printed.")]
    errors: Annotated[list[Said], about("Errors and warnings.")]
    window: Annotated[list[int], about("Size of the window.")]
    nodes: (
        Annotated[list[dict[str, Any]], about("Nodes at the end: path, type, rect or place, script, groups.")] | None
    ) = None
    connections: Annotated[list[dict[str, Any]], about("Signals between the scene's nodes.")] | None = None
    animations: Annotated[list[dict[str, Any]], about("Animations with their tracks and keys.")] | None = None
    scene: Annotated[str, about("Scene that runs at the end, where the game went on to one or began anew.")] | None = (
        None
    )

    @classmethod
    def shorten(cls, output: dict[str, Any]) -> dict[str, Any]:
        """Leave out checks that hold, calls that returned nothing, and what is empty."""
        checks = [row for row in output["checks"] if not row["holds"] or row.get("value") not in (None, "true")]
        calls = output["calls"] if any(map(_says_something, output["calls"])) else []
        output = {**output, "checks": checks, "calls": calls}
        return {name: value for name, value in output.items() if value != [] and value != {}}


def _says_something(row: dict[str, Any]) -> bool:
    """Return whether a row of a call has more than that it was made: a value, an error, a new node's path, or that
    nobody listens to the signal.
    """
    return row.get("value", "null") != "null" or bool(row.keys() & {"error", "node"}) or row.get("connections") == 0


@operation(
    id="godot.scene.probe",
    category="scene",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="probe_scene",
    common=True,
    forms={
        "position": "[x,y]",
        "properties": "{nodePath:[property]}",
        "checks": "['$Player.position.x > 9'|{expression,frame}]",
    },
    manager="godot_scene_manager",
    action="probe",
    timeout=180.0,
    transactional=False,
    notes="Needs Godot. Tests behaviour: press keys or let the player fall, then check where things are. "
    "The scene runs in an engine of its own at a fixed 60 frames a second, with a user:// of its own that is empty; "
    "nothing is left behind, and assets that were not imported yet are first. Frame 0 is the scene as _ready left it, "
    "frame n what n calls of _physics_process and _process made of it. Inputs and calls of frame n come after it, "
    "calls before its checks; frame n + 1 is the first to see an input. Checks see the scene that runs at the end, "
    "autoloads by name, singletons such as Input, Engine and Time, $Node and %Name; what reaches beyond the game, such "
    "as OS or set_script, is refused. Where a check fails, the nodes it names come with the reply, or the first levels "
    "of the tree; include says what else to show.",
    executes="always",
    examples=(
        Example(
            "Does the player move?",
            {
                "scenePath": "player.tscn",
                "steps": 30,
                "inputs": [{"frame": 1, "action": "right"}],
                "checks": ["position.x > 0"],
            },
            {
                "passed": True,
                "total": 1,
                "properties": {},
                "calls": [],
                "checks": [{"expression": "position.x > 0", "holds": True, "value": "true"}],
                "output": [],
                "errors": [],
                "window": [1152, 648],
            },
        ),
    ),
)
async def probe_scene(call: Call, inputs: ProbeInputs) -> Probe:
    """Runs a scene for some frames in the real engine, with inputs and calls, and shows the outcome."""
    from scenewright.godot.editor.live.access import warn_of_unsaved
    from scenewright.godot.engine.requests import FreshEngine, ask_fresh_engine

    await warn_of_unsaved(call)
    engine = FreshEngine(arguments=("--headless", "--fixed-fps", str(FPS)))
    refused_checks, sent = _judge_checks(call, inputs)
    params = _probe_params(call, inputs) | {"checks": sent}
    reply = await ask_fresh_engine(call, "probe.run", params, engine=engine, timeout=150.0)
    value = loaded(reply, inputs.scene_path)
    checks = [CheckResult(**check) for check in value.get("checks", [])]
    for at, check in refused_checks.items():
        checks.insert(at, check)
    signals = _watched(call, value)
    complaints = set_apart_unimported(call, reply.complaints, lambda each: each.message, lambda each: each.path)
    errors = folded([said_of(complaint) for complaint in complaints])
    failed_calls = [each for each in value["calls"] if "error" in each]
    sound = value["alive"] and not failed_calls and not any(each.severity == "error" for each in reply.complaints)
    passed = sound and all(check.holds for check in checks)
    held = sum(check.holds for check in checks)
    refused = f", {count_noun(len(failed_calls), 'call')} failed" if failed_calls else ""
    call.summary = f"{held} of {len(checks)} checks hold{refused}, {count_noun(len(errors), *ERRORS_AND_WARNINGS)}."
    mind_the_end(call, value)
    call.warnings += _not_found(inputs.properties, value.get("properties", {}))
    return Probe(
        passed=passed,
        total=int(value.get("total", 0)),
        properties=value.get("properties", {}),
        calls=value["calls"],
        checks=checks,
        signals=signals,
        output=printed(reply),
        errors=errors[:50],
        window=[int(side) for side in value["size"]],
        scene=value.get("scene"),
        **_select_shown(inputs, value, checks),
    )


OPERATIONS = (probe_scene,)


def _probe_params(call: Call, inputs: ProbeInputs) -> dict[str, Any]:
    others = [(f"calls[{number}]", each.frame) for number, each in enumerate(inputs.calls)]
    others += [
        (f"checks[{at}]", each.frame)
        for at, each in enumerate(inputs.checks)
        if isinstance(each, CheckAt) and each.frame is not None
    ]
    steps = last_frame(inputs.steps, inputs.inputs, others)
    params = stage(call, inputs.scene_path, steps, inputs.inputs, (inputs.width, inputs.height))
    params |= {"seed": inputs.seed} if inputs.seed is not None else {}
    return params | {
        "calls": [as_call(call, each, f"calls[{number}]") for number, each in enumerate(inputs.calls)],
        "properties": inputs.properties,
        "signals": inputs.signals,
        "singletons": SINGLETONS,
    }


def _judge_checks(call: Call, inputs: ProbeInputs) -> tuple[dict[int, CheckResult], list[dict[str, Any]]]:
    """Return the checks that are refused, by their place, and those for the engine: one spoils no other.

    Raises:
        Denied: there is no other.
    """
    refused: dict[int, CheckResult] = {}
    sent: list[dict[str, Any]] = []
    for number, check in enumerate(inputs.checks):
        try:
            sent.append(as_check(call, check, f"checks[{number}]"))
        except Denied as refusal:
            if len(inputs.checks) == 1:
                raise
            expression = check if isinstance(check, str) else check.expression
            reason = refusal.message if refused else f"{refusal.message} {refusal.hint}"
            refused[number] = CheckResult(expression=expression, holds=False, error=reason)
    return refused, sent


def _watched(call: Call, value: dict[str, Any]) -> list[Watched] | None:
    call.warnings += [f"There was no signal '{each['signal']}'." for each in value["signals"] if not each["heard"]]
    return [
        Watched(signal=each["signal"], times=int(each["times"]), fired=each["fired"]) for each in value["signals"]
    ] or None


def _select_shown(inputs: ProbeInputs, value: dict[str, Any], checks: list[CheckResult]) -> dict[str, Any]:
    """What a reader needs of the scene: everything for a first look, and no more than the reason of a failed check."""
    if inputs.include is not None or not checks:
        wanted = _ALL_SHOWN if inputs.include is None else inputs.include
        return {part: value.get(part, []) for part in wanted}
    failed = " ".join(check.expression for check in checks if not check.holds)
    nodes: list[dict[str, Any]] = value.get("nodes", []) if failed else []
    # The root's path is a dot, which every expression has.
    named = [node for node in nodes if node["path"].rpartition("/")[2] in failed]
    if len(named) < 2 and _NODE.search(failed):  # that is not there, or has another name
        named = [node for node in nodes if node["path"].count("/") < 2]
    return {"nodes": named[:_MOST_NAMED]} if named else {}


def _not_found(wanted: dict[str, list[str]], values_by_path: dict[str, Any]) -> list[str]:
    """Words for properties that there are none of: null alone might be their value."""
    gone = [path for path in wanted if path in values_by_path and values_by_path[path] is None]
    missing = [(path, name) for path, values in values_by_path.items() for name in values or () if values[name] is None]
    return [f"There is no node '{path}' at the end." for path in gone] + [
        f"'{path}' has no property '{name}'." for path, name in missing
    ]
