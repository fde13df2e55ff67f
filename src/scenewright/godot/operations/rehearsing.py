"""What is done to a scene that runs, as callers say it: inputs and calls at frames, and conditions at the end."""

from __future__ import annotations

from typing import Annotated, Any, Final

import msgspec

from scenewright.core.call import Call
from scenewright.core.faults import Invalid
from scenewright.core.model import Inputs, about
from scenewright.godot.operations.opening import class_index
from scenewright.godot.operations.settings import open_configuration

__all__ = ["CallAt", "InputAt", "as_call", "as_check", "as_input"]

_MOTION: Final = ("mousemotion", "mousemove", "mousemoved")


class InputAt(Inputs, frozen=True, kw_only=True):
    frame: Annotated[int, about("When, in frames of 1/60 s.", ge=0)]
    action: Annotated[str, about("Action of the input map.")] | None = None
    event: Annotated[str, about("Or an event by name: 'Key A', 'Mouse Left', 'Joypad Left Stick Up'.")] | None = None
    pressed: Annotated[bool, about("Press, or let go.")] = True
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


def as_input(call: Call, given: InputAt, path: str) -> dict[str, Any]:
    found: dict[str, Any] = {"frame": given.frame, "pressed": given.pressed}
    if given.position is not None:
        found["position"] = given.position
    if _is_motion(given, path):
        return found
    if given.action is not None:
        _mind_unknown(call, given.action)
        return found | {"action": given.action}
    from scenewright.godot.inputs import read_event
    from scenewright.godot.text.writing import write_variant

    return found | {"event": write_variant(read_event(given.event, class_index(call)))}


def as_call(given: CallAt) -> dict[str, Any]:
    arguments = [_literal(value) for value in given.arguments]
    return {"frame": given.frame, "node": given.node, "method": given.method, "arguments": arguments}


def as_check(call: Call, expression: str) -> dict[str, str]:
    """A condition, and how the engine is to read it."""
    from scenewright.godot.conditions import for_expression

    return {"expression": expression, "text": for_expression(expression, class_index(call))}


def _is_motion(given: InputAt, path: str) -> bool:
    from scenewright.godot.input_names import plain

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
    from scenewright.godot.input_map import InputMap

    actions = InputMap(open_configuration(call), class_index(call))
    if not actions.known(action):
        hint = did_you_mean(action, [*actions.own(), *actions.builtin()], "Nothing happens unless a script adds it.")
        call.warnings.append(f"The input map has no action '{action}'. {hint}")


def _literal(value: Any) -> str:
    """A JSON value as the engine writes it; text that is a literal of the engine stands for its value."""
    from scenewright.godot.text.errors import ParseError
    from scenewright.godot.text.reading import parse_variant

    if isinstance(value, str):
        try:
            parse_variant(value)
        except ParseError:
            return msgspec.json.encode(value).decode()
        return value
    return msgspec.json.encode(value).decode()
