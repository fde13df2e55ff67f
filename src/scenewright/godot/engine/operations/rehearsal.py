"""A scene that runs for a while in an engine of its own: what is done to it, as callers say it, and how it ended."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, Final

import msgspec

from scenewright.core.calls.call import Call
from scenewright.core.faults import Denied, Invalid
from scenewright.core.operations.model import Inputs, about
from scenewright.godot.project.openers import class_index, open_configuration, open_workspace

if TYPE_CHECKING:
    from scenewright.godot.engine.worker import Reply

__all__ = [
    "FPS",
    "MOST_OUTPUT",
    "MOST_STEPS",
    "CallAt",
    "Height",
    "InputAt",
    "InputsAt",
    "Width",
    "as_call",
    "as_check",
    "loaded",
    "mind_the_end",
    "printed",
    "stage",
]

FPS: Final = 60
MOST_STEPS: Final = 3600
MOST_OUTPUT: Final = 100
_SETTERS: Final = ("set", "set_deferred", "set_indexed")
_OBJECT: Final = re.compile(r"\b(?:Object|Resource|SubResource|ExtResource|Callable|Signal|RID)\b(?!\s*\])")
_QUOTED: Final = re.compile(r'(?<!\\)"(?:\\.|[^"\\])*+"', re.DOTALL)
_MOTION: Final = ("mousemotion", "mousemove", "mousemoved")


class InputAt(Inputs, frozen=True, kw_only=True):
    frame: Annotated[int, about("When, in frames of 1/60 s.", ge=0)]
    action: Annotated[str, about("Action of the input map.")] | None = None
    event: Annotated[str, about("Or an event by name: 'Key A', 'Mouse Left', 'Joypad Left Stick Up'.")] | None = None
    pressed: Annotated[bool, about("Press or release.")] = True
    position: (
        Annotated[
            list[float],
            about("Where in the window, for the mouse; alone, it moves there.", min_length=2, max_length=2),
        ]
        | None
    ) = None


class CallAt(Inputs, frozen=True, kw_only=True):
    method: Annotated[str, about("Method to call.", min_length=1)]
    node: Annotated[str, about("Node, from the scene's root.")] = "."
    frame: Annotated[int, about("When, in frames of 1/60 s.", ge=0)] = 0
    arguments: Annotated[
        list[Any], about("JSON values, or literals of the engine as text; '$Path' where it takes a node.")
    ] = msgspec.field(default_factory=list)


InputsAt = Annotated[list[InputAt], about("Inputs to send.", max_length=500)]
Width = Annotated[int, about("Width of the window; the project's otherwise.", ge=16, le=3840)]
Height = Annotated[int, about("Height of the window.", ge=16, le=2160)]


def stage(
    call: Call, scene: str, steps: int, inputs: Sequence[InputAt], window: tuple[int | None, int | None]
) -> dict[str, Any]:
    """Return the parameters of a run: the scene, how long, the inputs, and the size of the window."""
    workspace = open_workspace(call)
    workspace.document(scene)  # refused with a hint where it is not there
    params: dict[str, Any] = {
        "scene": workspace.resource_path(scene),
        "steps": steps,
        "inputs": [_as_input(call, each, f"input.inputs[{number}]") for number, each in enumerate(inputs)],
    }
    if any(window):
        if not all(window):
            raise Invalid("Give width and height, or neither.", path="input.width", rule="dependentRequired")
        params["size"] = list(window)
    return params


def loaded(reply: Reply, scene: str) -> dict[str, Any]:
    """Return the outcome of a run.

    Raises:
        Invalid: the scene could not be loaded.
    """
    value: dict[str, Any] = reply.value
    if not value["loads"]:
        messages = [complaint.message for complaint in reply.complaints][:10]
        raise Invalid(
            f"The engine cannot load '{scene}': {messages[0] if messages else 'it does not say why'}",
            path="input.scenePath",
            rule="loads",
            details={"errors": messages},
        )
    return value


def mind_the_end(call: Call, value: dict[str, Any]) -> None:
    """Warn if the scene did not run to its end."""
    if "quit" in value:
        call.warnings.append(f"The game quit at frame {int(value['quit'])}.")
    elif not value["alive"]:
        call.warnings.append("The scene freed itself before the end, and no other took its place.")


def printed(reply: Reply) -> list[str]:
    return reply.output[-MOST_OUTPUT:]


def _as_input(call: Call, given: InputAt, path: str) -> dict[str, Any]:
    event: dict[str, Any] = {"frame": given.frame, "pressed": given.pressed}
    if given.position is not None:
        event["position"] = given.position
    if _is_motion(given, path):
        return event
    if given.action is not None:
        _mind_unknown(call, given.action)
        return event | {"action": given.action}
    from scenewright.godot.documents.variant_writer import write_variant
    from scenewright.godot.project.input_events import read_event

    return event | {"event": write_variant(read_event(given.event, class_index(call)))}


def as_call(call: Call, given: CallAt, parameter: str) -> dict[str, Any]:
    """Return a call of a method, as the engine is to make it.

    Raises:
        Denied: the method is one of the engine's that reaches beyond the game.
    """
    arguments = [_literal(value, parameter) for value in given.arguments]
    method_call = {"frame": given.frame, "node": given.node, "method": given.method, "arguments": arguments}
    return method_call | ({"own_only": True} if _is_only_for_scripts(call, given, parameter) else {})


def as_check(call: Call, expression: str, parameter: str) -> dict[str, str]:
    """Return a condition, and how the engine is to read it.

    Raises:
        Denied: it names something that reaches beyond the game.
    """
    from scenewright.godot.engine.conditions import for_expression
    from scenewright.godot.engine.probe_expressions import check_expression

    text = for_expression(expression, class_index(call))
    check_expression(text, class_index(call), parameter)
    return {"expression": expression, "text": text}


def _is_only_for_scripts(call: Call, given: CallAt, parameter: str) -> bool:
    """Whether the method may be called only where a script of the project declares it."""
    from scenewright.godot.engine.probe_expressions import DENIED, may_set

    sets = given.method in _SETTERS and bool(given.arguments) and may_set(str(given.arguments[0]))
    if given.method not in DENIED or sets:
        return False
    name, workspace = given.method.encode(), open_workspace(call)
    if not any(name in workspace.files.read(path) for path in workspace.listing(".gd", ".cs")):
        raise Denied(
            f"'{parameter}' may not call '{given.method}': it reaches beyond the game.",
            hint="Call methods of the game's own scripts, or those of nodes that only look or play.",
        )
    return True


def _is_motion(given: InputAt, path: str) -> bool:
    from scenewright.godot.project.input_names import plain

    named = given.event is not None and plain(given.event) in _MOTION
    if given.action is None and given.position is not None and (named or given.event is None):
        return True
    if named or (given.action is None) == (given.event is None):
        raise Invalid(
            "Give either 'action' or 'event', or only 'position' to move the mouse there.", path=path, rule="oneOf"
        )
    return False


def _mind_unknown(call: Call, action: str) -> None:
    """A script may add an action as the game runs; a typing error looks the same."""
    from scenewright.core.faults import did_you_mean
    from scenewright.godot.project.input_map import InputMap

    actions = InputMap(open_configuration(call), class_index(call))
    if not actions.known(action):
        hint = did_you_mean(action, [*actions.own(), *actions.builtin()], "Nothing happens unless a script adds it.")
        call.warnings.append(f"The input map has no action '{action}'. {hint}")


def _literal(value: Any, parameter: str) -> str:
    """A JSON value as the engine writes it; text that is a literal of the engine stands for its value.

    Raises:
        Denied: it would make an object, which may bring its own code.
    """
    from scenewright.godot.documents.errors import ParseError
    from scenewright.godot.documents.variant_reader import parse_variant

    if isinstance(value, str):
        try:
            parse_variant(value)
        except ParseError:
            return msgspec.json.encode(value).decode()
        if _OBJECT.search(_QUOTED.sub("", value)):
            raise Denied(
                f"'{parameter}' may not create objects by a literal.",
                hint="Pass a resource by its res:// path, a node by '$Path'.",
            )
        return value
    return msgspec.json.encode(value).decode()
