"""What the running editor is told to do: play and stop, tests, C# code, an import, and any command of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal

from scenewright.core.calls.call import Call
from scenewright.core.calls.effects import begin_lasting
from scenewright.core.faults import Conflict, Unsupported
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, NoInputs, Outputs, Record, about
from scenewright.core.policy.execution import may_run_in_dry_run, permit_execution
from scenewright.core.text.counts import count_noun
from scenewright.unity.operations.editor import LONGEST_LOOK, MANAGER

if TYPE_CHECKING:
    from scenewright.unity.live.commands import Command

__all__ = ["OPERATIONS"]

_WHY = "what Unity does is done at once."
_PLAY_SECONDS = 90.0


class PlayInputs(Inputs, frozen=True, kw_only=True):
    pause: Annotated[bool, about("Pause or go on, instead of starting.")] = False


class Played(Outputs, frozen=True, kw_only=True):
    play_mode: Annotated[str, about("stopped, playing or paused.")]


@operation(
    id="unity.editor.play",
    name="Play In Unity",
    category="editor",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    requires_bridge=True,
    transactional=False,
    executes="always",
    timeout=_PLAY_SECONDS + 10,
    manager=MANAGER,
    action="play",
    asked_for="Start, run or pause the game in the Unity editor.",
    examples=(Example("Start", {}, {"playMode": "playing"}),),
)
async def play(call: Call, inputs: PlayInputs) -> Played:
    """Starts the game in the editor, or pauses it, and waits until it runs."""
    from scenewright.unity.live import intents
    from scenewright.unity.live.play_mode import await_play_mode, play_mode

    await permit_execution(call)
    pipeline = _pipeline(call)
    now = await play_mode(pipeline)
    if not inputs.pause and now != "stopped":
        return Played(play_mode=now)
    if not await begin_lasting(call, _WHY):
        return Played(play_mode=now)
    await pipeline.run(intents.PAUSE if inputs.pause else intents.PLAY, seconds=_PLAY_SECONDS)
    wanted = ("playing", "paused") if not inputs.pause else ("paused",) if now == "playing" else ("playing",)
    state = await await_play_mode(pipeline, wanted, _PLAY_SECONDS)
    call.summary = f"The game is {state}."
    return Played(play_mode=state)


@operation(
    id="unity.editor.stop",
    name="Stop Playing In Unity",
    category="editor",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    requires_bridge=True,
    transactional=False,
    idempotent=True,
    timeout=_PLAY_SECONDS + 10,
    manager=MANAGER,
    action="stop",
    examples=(Example("Stop", {}, {"playMode": "stopped"}),),
)
async def stop(call: Call, inputs: NoInputs) -> Played:
    """Leaves play mode."""
    from scenewright.unity.live import intents
    from scenewright.unity.live.play_mode import await_play_mode, play_mode

    del inputs
    pipeline = _pipeline(call)
    now = await play_mode(pipeline)
    if now == "stopped" or not await begin_lasting(call, _WHY):
        return Played(play_mode=now)
    await pipeline.run(intents.STOP, seconds=_PLAY_SECONDS, repeats=True)
    return Played(play_mode=await await_play_mode(pipeline, ("stopped",), _PLAY_SECONDS))


class TestInputs(Inputs, frozen=True, kw_only=True):
    mode: Annotated[Literal["all", "editor", "playmode"], about("Which tests.")] = "editor"
    filter: Annotated[str, about("Part of the tests' names.")] | None = None
    timeout_seconds: Annotated[int, about("Longest run.", ge=1, le=3600)] = 300


class TestRow(Record, frozen=True, kw_only=True):
    name: Annotated[str, about("Full name of the test.")]
    message: Annotated[str, about("Why it failed.")] | None = None


class Tested(Outputs, frozen=True, kw_only=True):
    passed: Annotated[bool, about("Whether all tests that ran passed, and some did.")]
    total: Annotated[int, about("Tests that ran.")]
    failed: Annotated[int, about("Tests that failed.")]
    failures: Annotated[list[TestRow], about("What failed, the first 50.")]


@operation(
    id="unity.editor.tests",
    name="Run Unity Tests",
    category="editor",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    requires_bridge=True,
    transactional=False,
    executes="always",
    timeout=3700.0,
    manager=MANAGER,
    action="tests",
    common=True,
    examples=(
        Example(
            "All of a class",
            {"filter": "PlayerTests"},
            {"passed": True, "total": 4, "failed": 0, "failures": []},
        ),
    ),
)
async def run_tests(call: Call, inputs: TestInputs) -> Tested:
    """Runs the project's tests in the editor, with progress; cancelling the call cancels them."""
    from scenewright.unity.live import intents
    from scenewright.unity.live.jobs import run_as_job
    from scenewright.unity.live.test_results import await_results, read_results

    await permit_execution(call)
    pipeline = _pipeline(call)
    command = (await pipeline.commands()).require(intents.RUN_TESTS)
    values: dict[str, Any] = {"mode": inputs.mode, "timeout": inputs.timeout_seconds}
    values |= {"filter": inputs.filter} if inputs.filter is not None else {}
    if not await begin_lasting(call, _WHY):
        return Tested(passed=False, total=0, failed=0, failures=[])
    arguments = command.arguments_for(intents.RUN_TESTS, values)
    seconds = inputs.timeout_seconds + 30.0
    try:
        results = read_results(
            await run_as_job(pipeline, command, arguments, call.progress, seconds=seconds, judged=False)
        )
    except Conflict as lost:
        if lost.details.get("outcome") != "unknown" or (await pipeline.commands()).find(intents.TEST_STATUS) is None:
            raise
        results = await await_results(pipeline, seconds)
    call.summary = f"{count_noun(results.total, 'test')} ran, {results.failed} failed."
    return Tested(
        passed=results.failed == 0 and results.total > 0,
        total=results.total,
        failed=results.failed,
        failures=[TestRow(name=name, message=message or None) for name, message in results.failures],
    )


class EvalInputs(Inputs, frozen=True, kw_only=True):
    code: Annotated[str, about("C# statements; `return` gives a value.", min_length=1, max_length=100_000)]
    timeout_seconds: Annotated[int, about("Longest run.", ge=1, le=120)] = 10


class Evaluated(Outputs, frozen=True, kw_only=True):
    result: Annotated[Any, about("What the code returned.")] = None
    output: Annotated[str, about("What it printed.")] | None = None


@operation(
    id="unity.editor.eval",
    name="Run C# In Unity",
    category="editor",
    safety=Safety.DESTRUCTIVE,
    needs_project=True,
    requires_bridge=True,
    transactional=False,
    executes="always",
    timeout=150.0,
    manager=MANAGER,
    action="eval",
    notes="The code may do whatever Unity and its user may, so a person is asked each time.",
    examples=(Example("A version", {"code": "return Application.unityVersion;"}, {"result": "6000.3.2f1"}),),
)
async def evaluate(call: Call, inputs: EvalInputs) -> Evaluated:
    """Compiles C# code and runs it inside the editor."""
    from scenewright.unity.live import intents

    await permit_execution(call)
    pipeline = _pipeline(call)
    if not await begin_lasting(call, _WHY):
        return Evaluated()
    values = {"code": inputs.code, "milliseconds": inputs.timeout_seconds * 1000}
    answer = await pipeline.run(intents.EVALUATE, values, seconds=float(inputs.timeout_seconds))
    if not isinstance(answer, Mapping) or not {"result", "output"} & answer.keys():
        return Evaluated(result=answer)
    return Evaluated(result=answer.get("result"), output=str(answer.get("output") or "") or None)


class Imported(Outputs, frozen=True, kw_only=True):
    status: Annotated[str, about("up_to_date, completed or failed; imported where Unity does not tell.")]
    errors: Annotated[list[str], about("Compile errors.")]


@operation(
    id="unity.editor.refresh",
    name="Import And Compile In Unity",
    category="editor",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    requires_bridge=True,
    transactional=False,
    executes="always",
    idempotent=True,
    timeout=320.0,
    manager=MANAGER,
    action="refresh",
    asked_for="Recompile the scripts in Unity and tell compile errors.",
    examples=(Example("After new scripts", {}, {"status": "completed", "errors": []}),),
)
async def refresh(call: Call, inputs: NoInputs) -> Imported:
    """Has the editor import what changed and compile scripts, waits until it is back, and tells compile errors."""
    from scenewright.unity.live.importing import import_and_compile

    del inputs
    await permit_execution(call)
    pipeline = _pipeline(call)
    if not await begin_lasting(call, _WHY):
        return Imported(status="up_to_date", errors=[])
    status, errors = await import_and_compile(pipeline, 300.0)
    call.summary = f"Unity imported: {status}, {count_noun(len(errors), 'error')}."
    return Imported(status=status, errors=errors)


class ListInputs(Inputs, frozen=True, kw_only=True):
    query: Annotated[str, about("Part of a name or description.")] | None = None
    limit: Annotated[int, about("Most commands.", ge=1, le=200)] = 40
    offset: Annotated[int, about("Commands to skip.", ge=0)] = 0


class CommandRow(Record, frozen=True, kw_only=True):
    name: Annotated[str, about("Name.")]
    description: Annotated[str, about("What it does.")]
    parameters: Annotated[list[str], about("Parameters, as 'name: kind', with ? where it may be left out.")]


class CommandList(Outputs, frozen=True, kw_only=True):
    commands: Annotated[list[CommandRow], about("Commands by name.")]
    total: Annotated[int, about("How many fit.")]
    next_offset: Annotated[int, about("Offset of the next page.")] | None = None


@operation(
    id="unity.command.list",
    name="List Unity Commands",
    category="editor",
    safety=Safety.READ_ONLY,
    needs_project=True,
    contract="editormcp",
    definition_version="0.1",
    beyond_contract=True,
    requires_bridge=True,
    timeout=LONGEST_LOOK,
    manager=MANAGER,
    action="command.list",
    examples=(
        Example(
            "About prefabs",
            {"query": "unpack"},
            {
                "commands": [
                    {"name": "prefab unpack", "description": "Unpack an instance.", "parameters": ["target: ObjectRef"]}
                ],
                "total": 1,
            },
        ),
    ),
)
async def list_commands(call: Call, inputs: ListInputs) -> CommandList:
    """Lists the editor's own commands, as this version of its package names them."""
    wanted = (inputs.query or "").lower()
    commands = await _pipeline(call).commands(anew=True)
    fitting = [
        command
        for name, command in sorted(commands.by_name.items())
        if wanted in name.lower() or wanted in command.description.lower()
    ]
    page = fitting[inputs.offset : inputs.offset + inputs.limit]
    end = inputs.offset + len(page)
    return CommandList(
        commands=[_row(command) for command in page],
        total=len(fitting),
        next_offset=end if end < len(fitting) else None,
    )


def _row(command: Command) -> CommandRow:
    return CommandRow(
        name=command.name,
        description=command.description[:200],
        parameters=[f"{one.name}{'' if one.required else '?'}: {one.kind}" for one in command.parameters.values()],
    )


class RunInputs(Inputs, frozen=True, kw_only=True):
    command: Annotated[str, about("Name, as command.list has it.", min_length=1, max_length=200)]
    parameters: Annotated[dict[str, Any], about("Its parameters by name.")] | None = None
    timeout_seconds: Annotated[int, about("Longest run.", ge=1, le=3600)] = 60


class CommandDone(Outputs, frozen=True, kw_only=True):
    command: Annotated[str, about("What was called.")]
    result: Annotated[Any, about("What it returned.")] = None


@operation(
    id="unity.command.run",
    name="Run Unity Command",
    category="editor",
    safety=Safety.DESTRUCTIVE,
    needs_project=True,
    requires_bridge=True,
    stands_alone=True,
    executes="always",
    timeout=3700.0,
    manager=MANAGER,
    action="command.run",
    notes="A person is asked each time; what they approve is also confirmed to a command that wants that. A dry run "
    "is the command's own, where it has one.",
    examples=(
        Example(
            "Unpack a prefab",
            {"command": "prefab unpack", "parameters": {"target": "/Player"}},
            {"command": "prefab unpack", "result": {"type": "GameObject"}},
        ),
    ),
)
async def run_command(call: Call, inputs: RunInputs) -> CommandDone:
    """Carries out any command of the editor, as a job with progress."""
    from scenewright.unity.live.jobs import run_as_job

    if not call.dry_run:
        await permit_execution(call)
    pipeline = _pipeline(call)
    command = (await pipeline.commands(anew=True)).named(inputs.command)
    parameters = dict(inputs.parameters or {})
    guard, trial = command.parameter("confirm"), command.parameter("dry_run")
    if call.dry_run:
        if trial is None or not may_run_in_dry_run(call):
            raise Unsupported(f"'{command.name}' cannot show what it would do.", hint="Leave dryRun out.")
        parameters = {name: value for name, value in parameters.items() if guard is None or name != guard.name}
        return CommandDone(
            command=command.name, result=await pipeline.call(command, command.bind(parameters | {trial.name: True}))
        )
    if guard is not None:
        parameters[guard.name] = True
    arguments = command.bind(parameters)
    await begin_lasting(call, _WHY)
    result = await run_as_job(pipeline, command, arguments, call.progress, seconds=float(inputs.timeout_seconds))
    call.summary = f"Unity carried out '{command.name}'."
    return CommandDone(command=command.name, result=result)


def _pipeline(call: Call) -> Any:
    from scenewright.unity.live.access import pipeline_of

    return pipeline_of(call)


OPERATIONS = (play, stop, run_tests, evaluate, refresh, list_commands, run_command)
