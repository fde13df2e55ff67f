"""Animator controllers: what is in them, and changes to it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from scenewright.core.calls.call import Call
from scenewright.core.faults import Invalid
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, about
from scenewright.core.text.counts import count_noun
from scenewright.unity.operations.openers import INSPECT, AssetPath, open_workspace
from scenewright.unity.operations.scene_changes import MANAGER, open_session

__all__ = ["OPERATIONS"]

_SUFFIX = ".controller"
LayerName = Annotated[str, about("Layer; left out, the first.")]
Motion = Annotated[str, about("Clip, by path.")]


class ControllerQuery(Inputs, frozen=True, kw_only=True):
    asset_path: AssetPath


class ControllerRead(Outputs, frozen=True, kw_only=True):
    asset_path: Annotated[str, about("Path of the controller.")]
    parameters: Annotated[list[dict[str, Any]], about("Parameters: name, type, default.")]
    layers: Annotated[
        list[dict[str, Any]],
        about("Layers: defaultState, states with motion and transitions (to, conditions, exitTime, duration)."),
    ]


@operation(
    id="asset.animator.read",
    name="Read Animator Controller",
    category="asset",
    safety=Safety.READ_ONLY,
    needs_project=True,
    contract="editormcp",
    definition_version="0.1",
    manager=INSPECT,
    action="asset.animator.read",
    beyond_contract=True,
    examples=(
        Example(
            "The hero's states",
            {"assetPath": "Assets/Animation/Hero.controller"},
            {
                "assetPath": "Assets/Animation/Hero.controller",
                "parameters": [{"name": "Speed", "type": "Float", "default": 0}],
                "layers": [
                    {
                        "name": "Base Layer",
                        "defaultState": "Idle",
                        "states": [
                            {
                                "name": "Idle",
                                "fileId": "2001",
                                "transitions": [{"to": "Run", "conditions": ["Speed > 0.1"], "duration": 0.25}],
                            },
                            {"name": "Run", "fileId": "2002", "motion": "Assets/Animation/Run.anim"},
                        ],
                    }
                ],
            },
        ),
    ),
)
def read_controller(call: Call, inputs: ControllerQuery) -> ControllerRead:
    """Reads an animator controller: parameters, layers, states, transitions with their conditions, blend trees."""
    from scenewright.unity.animators import Controller

    workspace = open_workspace(call)
    file = workspace.file(_checked(inputs.asset_path))
    controller = Controller(workspace, file)
    return ControllerRead(asset_path=file.path, parameters=controller.parameters(), layers=controller.layers())


class ParameterInput(Inputs, frozen=True, kw_only=True):
    name: Annotated[str, about("Name.", min_length=1)]
    type: Annotated[Literal["Float", "Int", "Bool", "Trigger"], about("Type; of a new one Float.")] | None = None
    default: Annotated[float | bool, about("Default.")] | None = None


class LayerInput(Inputs, frozen=True, kw_only=True):
    name: Annotated[str, about("Name.", min_length=1)]
    weight: Annotated[float, about("Weight.", ge=0, le=1)] | None = None
    blending: Annotated[Literal["Override", "Additive"], about("Blending.")] | None = None


class StateInput(Inputs, frozen=True, kw_only=True):
    name: Annotated[str, about("Name.", min_length=1)]
    layer: LayerName | None = None
    motion: Motion | None = None
    speed: Annotated[float, about("Speed.")] | None = None
    tag: Annotated[str, about("Tag.")] | None = None
    default: Annotated[bool, about("Whether the layer begins with it.")] = False
    position: Annotated[list[float], about("Where it is drawn: x, y.", min_length=2, max_length=2)] | None = None


class TransitionInput(Inputs, frozen=True, kw_only=True):
    from_state: Annotated[str, about("State, or Any or Entry.", min_length=1)]
    to_state: Annotated[str, about("State, or Exit.", min_length=1)]
    layer: LayerName | None = None
    conditions: Annotated[list[str], about("Such as 'Speed > 0.1', 'Grounded', '!Grounded'.", max_length=50)] | None = (
        None
    )
    exit_time: (
        Annotated[float, about("Part of the motion after which it goes; -1 for none, and new ones with conditions.")]
        | None
    ) = None
    duration: Annotated[float, about("Seconds that both are blended.", ge=0)] | None = None


class RemovalInput(Inputs, frozen=True, kw_only=True):
    parameter: Annotated[str, about("A parameter.")] | None = None
    state: Annotated[str, about("A state, with its transitions.")] | None = None
    from_state: Annotated[str, about("A transition: from here.")] | None = None
    to_state: Annotated[str, about("A transition: to here.")] | None = None
    layer: Annotated[str, about("Where that is; alone, the layer itself.")] | None = None


class ControllerInputs(Inputs, frozen=True, kw_only=True):
    asset_path: AssetPath
    remove: Annotated[list[RemovalInput], about("What is to go, first.", max_length=100)] | None = None
    parameters: Annotated[list[ParameterInput], about("To add or change.", max_length=100)] | None = None
    layers: Annotated[list[LayerInput], about("To add or change.", max_length=20)] | None = None
    states: Annotated[list[StateInput], about("To add or change.", max_length=100)] | None = None
    transitions: Annotated[list[TransitionInput], about("To add or change.", max_length=200)] | None = None


class ControllerChanged(Outputs, frozen=True, kw_only=True):
    asset_path: Annotated[str, about("Path of the controller.")]
    layers: Annotated[dict[str, list[str]], about("The states of each layer, as they are now.")]
    parameters: Annotated[list[str], about("The parameters, as they are now.")]


@operation(
    id="asset.animator.edit",
    name="Edit Animator Controller",
    category="asset",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    manager=MANAGER,
    action="animator.edit",
    idempotent=True,
    notes="asset.create makes a new .controller. A transition is known by its two states, and with neither conditions "
    "nor exitTime goes at the motion's end.",
    examples=(
        Example(
            "A jump",
            {
                "assetPath": "Assets/Animation/Hero.controller",
                "parameters": [{"name": "Grounded", "type": "Bool", "default": True}],
                "states": [{"name": "Jump"}],
                "transitions": [
                    {"fromState": "Any", "toState": "Jump", "conditions": ["!Grounded"]},
                    {"fromState": "Jump", "toState": "Idle", "conditions": ["Grounded"], "duration": 0.1},
                ],
            },
            {
                "assetPath": "Assets/Animation/Hero.controller",
                "layers": {"Base Layer": ["Idle", "Run", "Jump"]},
                "parameters": ["Speed", "Grounded"],
            },
        ),
    ),
)
def edit_controller(call: Call, inputs: ControllerInputs) -> ControllerChanged:
    """Changes an animator controller: parameters, layers, states and transitions, added, changed or removed."""
    from scenewright.unity.animators import Controller
    from scenewright.unity.editing.animator_edits import ControllerEdits

    path = _checked(inputs.asset_path)
    steps: list[tuple[str, dict[str, Any]]] = [
        *(("remove", _plain(row)) for row in inputs.remove or ()),
        *(("parameter", _plain(row)) for row in inputs.parameters or ()),
        *(("layer", _plain(row)) for row in inputs.layers or ()),
        *(("state", _plain(row)) for row in inputs.states or ()),
        *(("transition", _plain(row)) for row in inputs.transitions or ()),
    ]
    if not steps:
        raise Invalid("Nothing to change.", path="input", rule="minProperties", hint="Pass states, transitions, …")
    for what, given in steps:
        edits = ControllerEdits(open_session(call, path))
        getattr(edits, what)(given)
        edits.save()
    workspace = open_workspace(call)
    now = Controller(workspace, workspace.file(path))
    unmet = now.unmet_conditions()
    if unmet:
        named = ", ".join(f"'{text}'" for text in unmet[:10])
        call.warnings.append(f"Transitions have conditions whose parameter is gone or of another type: {named}.")
    call.summary = f"Made {count_noun(len(steps), 'change')} to '{now.file.path}'."
    return ControllerChanged(
        asset_path=now.file.path,
        layers={row["name"]: [state["name"] for state in row.get("states", ())] for row in now.layers()},
        parameters=[row["name"] for row in now.parameters()],
    )


OPERATIONS = (read_controller, edit_controller)


def _plain(row: Any) -> dict[str, Any]:
    """Return what is given of a step."""
    given = {name: getattr(row, name) for name in row.__struct_fields__}
    given = {key: value for key, value in given.items() if value is not None}
    for name, key in (("from_state", "from"), ("to_state", "to"), ("exit_time", "exitTime")):
        if name in given:
            given[key] = given.pop(name)
    if given.get("exitTime", 0) < 0:
        given["exitTime"] = None
    return given


def _checked(path: str) -> str:
    if not path.strip().lower().endswith(_SUFFIX):
        raise Invalid(
            f"'{path}' is no animator controller.", path="input.assetPath", rule="suffix", hint="….controller"
        )
    return path
