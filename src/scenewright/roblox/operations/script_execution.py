"""Running scripts: in Studio where it is connected, else in a Luau machine over the place's file."""

from __future__ import annotations

from typing import Annotated, Any

from scenewright.core.calls.call import Call
from scenewright.core.faults import Invalid
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Outputs, about
from scenewright.roblox.openers import PlaceInputs, open_backend
from scenewright.roblox.operations.common_models import IdText, PathText, target_of

__all__ = ["OPERATIONS"]

NOT_RUN = (
    "The policy lets no code of the project be run, so this dry run did not run the script.",
    "What a script does in Studio is done at once, so this dry run did not run it; a place file's is run.",
)


class ExecuteScript(PlaceInputs, frozen=True, kw_only=True):
    script_path: PathText | None = None
    script_id: IdText | None = None
    function_name: (
        Annotated[str, about("Function to call on what the module returns.", min_length=1, max_length=200)] | None
    ) = None
    args: Annotated[list[Any], about("Arguments for functionName; typed values have _type.", max_length=100)] | None = (
        None
    )
    force_require: Annotated[bool, about("Run the source again even if Studio has required it.")] = False
    expect_return: Annotated[bool, about("Refuse a result of nil.")] = False


class ScriptExecuted(Outputs, frozen=True, kw_only=True):
    executed: Annotated[bool, about("Whether it ran; a dry run in Studio does not.")] = False
    called: Annotated[bool, about("Whether functionName was called.")] | None = None
    path: Annotated[str, about("Path of the script.")]
    instance_id: Annotated[str, about("Its id.")]
    return_value: Annotated[Any, about("What it returned, as JSON; left out where that is nil.")] = None
    output: Annotated[list[str], about("What it printed.")] | None = None
    diff_summary: Annotated[str, about("What it changed, in one line.")] | None = None
    backend: Annotated[str, about("What ran it: place, rojo or studio.")] = ""


@operation(
    id="roblox.script_execute",
    name="Execute Script",
    category="script",
    safety=Safety.DESTRUCTIVE,
    contract="gox",
    notes="A ModuleScript is required; a Script or LocalScript runs as one. Without Studio, what only Roblox's engine"
    " can do is refused as unimplemented, by name; after 20 s or 256 MB a script is stopped and nothing is written."
    " A dry run runs it there too, returns what it returns and prints, writes nothing and needs no approval.",
    executes="always",
    examples=(
        Example(
            "Call a function of a module",
            {"scriptPath": "ServerScriptService.Build", "functionName": "tower", "args": [3]},
            {
                "executed": True,
                "called": True,
                "path": "ServerScriptService.Build",
                "instanceId": "inst-12",
                "returnValue": {"height": 12},
                "diffSummary": "created 3 instances in game.rbxl",
                "backend": "place",
            },
        ),
    ),
)
async def script_execute(call: Call, inputs: ExecuteScript) -> ScriptExecuted:
    """Runs a script, calls a function it exports, and keeps what it changed in the place as one undoable step."""
    from scenewright.roblox.backend import Run
    from scenewright.roblox.change_report import tell

    if inputs.args and inputs.function_name is None:
        raise Invalid(
            "'args' are for a function.", path="input.args", rule="dependency", hint="Name it with functionName."
        )
    backend = await open_backend(call, inputs)
    run = Run(
        target_of(inputs, "script"),
        inputs.function_name,
        tuple(inputs.args or ()),
        inputs.force_require,
        inputs.expect_return,
    )
    done = await backend.execute(run)
    info = done.info
    if not done.ran:
        call.summary = f"Ran {info.path}."
        call.warnings.append(NOT_RUN[backend.name == "studio"])
        return ScriptExecuted(path=info.path, instance_id=info.instance_id)
    diff = tell(done.done, backend.place)
    if diff is not None:
        call.explain(diff)
    call.summary = f"Ran {info.path}: {diff.summary}." if diff else f"Ran {info.path}."
    return ScriptExecuted(
        executed=True,
        called=done.called,
        path=info.path,
        instance_id=info.instance_id,
        return_value=done.return_value,
        output=list(done.output) or None,
        diff_summary=diff.summary if diff else None,
        backend=backend.name,
    )


OPERATIONS = (script_execute,)
