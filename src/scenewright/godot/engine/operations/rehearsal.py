"""A scene that runs for a while in an engine of its own: what is done to it, as callers say it, and how it ended."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, Final

import msgspec

from scenewright.core.calls.call import Call
from scenewright.core.faults import Denied, Invalid
from scenewright.core.operations.model import Inputs, about
from scenewright.core.text.counts import count_noun
from scenewright.godot.project.openers import class_index, open_configuration, open_workspace

if TYPE_CHECKING:
    from scenewright.godot.engine.worker import Reply

__all__ = [
    "FPS",
    "MOST_OUTPUT",
    "MOST_STEPS",
    "CallAt",
    "CheckAt",
    "Height",
    "InputAt",
    "InputsAt",
    "Width",
    "as_call",
    "as_check",
    "as_expression",
    "as_input",
    "as_value",
    "last_frame",
    "loaded",
    "mind_the_end",
    "printed",
    "stage",
]

FPS: Final = 60
MOST_STEPS: Final = 3600
MOST_OUTPUT: Final = 100
_ADDED: Final = ("Node2D", "Node3D", "Control")
_SETTERS: Final = ("set", "set_deferred", "set_indexed")
_OBJECT: Final = re.compile(r"\b(?:Object|Resource|SubResource|ExtResource|Callable|Signal|RID)\b(?!\s*\])")
_QUOTED: Final = re.compile(r'(?<!\\)"(?:\\.|[^"\\])*+"', re.DOTALL)
_MOTION: Final = ("mousemotion", "mousemove", "mousemoved")


class InputAt(Inputs, frozen=True, kw_only=True):
    frame: Annotated[int, about("Arrives after this frame; the next sees it.", ge=0)]
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
    method: Annotated[str, about("Method to call.", min_length=1)] | None = None
    emit: Annotated[str, about("Or signal to emit.", min_length=1)] | None = None
    add: (
        Annotated[
            str,
            about("Or scene, or class such as 'CharacterBody2D', to add below node.", min_length=1, max_length=1024),
        ]
        | None
    ) = None
    position: Annotated[list[float], about("Where, for add.", min_length=2, max_length=3)] | None = None
    node: Annotated[str, about("Node, from the scene's root.")] = "."
    frame: Annotated[int, about("After which frame.", ge=0)] = 0
    arguments: Annotated[
        list[Any],
        about("JSON values in all forms that tools take, literals of the engine as text; '$Path' for a node."),
    ] = msgspec.field(default_factory=list)


class CheckAt(Inputs, frozen=True, kw_only=True):
    expression: Annotated[str, about("Must hold.", min_length=1)]
    frame: Annotated[int, about("After this frame instead of at the end.", ge=0)] | None = None


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
        "inputs": [as_input(call, each, f"input.inputs[{number}]") for number, each in enumerate(inputs)],
    }
    if any(window):
        if not all(window):
            raise Invalid("Give width and height, or neither.", path="input.width", rule="dependentRequired")
        params["size"] = list(window)
    return params


def last_frame(steps: int | None, inputs: Sequence[InputAt], others: Sequence[tuple[str, int]]) -> int:
    """Return how many frames to run: as many as were asked for, or as all that is to happen needs.

    Raises:
        Invalid: something would come when it is over.
    """
    needs = [(f"inputs[{number}]", each.frame + 1) for number, each in enumerate(inputs)] + [*others]
    where, needed = max(needs, key=lambda need: need[1], default=("", 1))
    if steps is not None and needed > steps:
        seen = ", which the frame after it sees" if where.startswith("inputs") else ""
        raise Invalid(
            f"'{where}' names frame {needed - bool(seen)}{seen}, and {count_noun(steps, 'frame')} would be run.",
            path="input.steps",
            rule="minimum",
            hint=f"Pass steps: {needed} or more, or leave steps out.",
        )
    if needed > MOST_STEPS:
        raise Invalid(f"'{where}' is later than frame {MOST_STEPS}.", path="input.steps", rule="maximum")
    return max(needed, 1) if steps is None else steps


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


def as_input(call: Call, given: InputAt, path: str) -> dict[str, Any]:
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
    if sum(each is not None for each in (given.method, given.emit, given.add)) != 1:
        raise Invalid("Give either 'method', 'emit' or 'add'.", path=f"input.{parameter}", rule="oneOf")
    if (given.position if given.add is None else given.arguments or None) is not None:
        raise Invalid("'position' goes with 'add', 'arguments' with the others.", path=f"input.{parameter}", rule="not")
    if given.add is not None:
        return _as_addition(call, given, given.add, f"input.{parameter}.add")
    arguments = [as_value(value, parameter) for value in given.arguments]
    wanted = {"frame": given.frame, "node": given.node.removeprefix("$"), "arguments": arguments}
    if given.method is None:
        return wanted | {"emit": given.emit}
    method_call = wanted | {"method": given.method}
    return method_call | ({"own_only": True} if _is_only_for_scripts(call, given.method, given, parameter) else {})


def _as_addition(call: Call, given: CallAt, added: str, path: str) -> dict[str, Any]:
    """Return what is to be added: an instance of a scene of the project, or an engine's node that one sees."""
    row: dict[str, Any] = {"frame": given.frame, "node": given.node.removeprefix("$")}
    row |= {"position": given.position} if given.position is not None else {}
    if added.endswith(".tscn"):
        workspace = open_workspace(call)
        workspace.document(added)  # refused with a hint where it is not there
        return row | {"add": workspace.resource_path(added)}
    known = class_index(call)
    if not any(known.is_a(known.node_class(added, path), base) for base in _ADDED):
        raise Invalid(
            f"'{added}' is no class below Node2D, Node3D or Control.",
            path=path,
            rule="class",
            hint="Such as 'enemy.tscn' or 'CharacterBody2D'.",
        )
    return row | {"add": added}


def as_check(call: Call, check: str | CheckAt, parameter: str) -> dict[str, Any]:
    """Return a condition, how the engine is to read it, and what it compares.

    Raises:
        Denied: it names something that reaches beyond the game.
    """
    from scenewright.godot.engine.comparisons import comparisons_in

    expression = check if isinstance(check, str) else check.expression
    text = as_expression(call, expression, parameter)
    compared = [
        {
            "left": as_expression(call, each.left, parameter),
            "right": as_expression(call, each.right, parameter),
            "operator": each.operator,
            "written_left": each.left,
            "written_right": each.right,
        }
        for each in comparisons_in(expression)
    ]
    row: dict[str, Any] = {"expression": expression, "text": text, "comparisons": compared}
    return row if isinstance(check, str) or check.frame is None else row | {"frame": check.frame}


def as_expression(call: Call, expression: str, parameter: str) -> str:
    """Return an expression as the engine is to read it.

    Raises:
        Denied: it names something that reaches beyond the game.
    """
    from scenewright.godot.engine.conditions import for_expression
    from scenewright.godot.engine.probe_expressions import check_expression

    text = for_expression(expression, class_index(call))
    check_expression(text, class_index(call), parameter)
    return text


def _is_only_for_scripts(call: Call, method: str, given: CallAt, parameter: str) -> bool:
    """Whether the method may be called only where a script of the project declares it."""
    from scenewright.godot.engine.probe_expressions import DENIED, is_ours, may_set

    sets = method in _SETTERS and bool(given.arguments) and may_set(str(given.arguments[0]))
    if sets or not (method in DENIED or is_ours(method)):
        return False
    name, workspace = method.encode(), open_workspace(call)
    if is_ours(method) or not any(name in workspace.peek(path) for path in workspace.listing(".gd", ".cs")):
        raise Denied(
            f"'{parameter}' may not call '{method}': it reaches beyond the game.",
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


def as_value(value: Any, parameter: str) -> str:
    """Return a JSON value as the engine writes it; text that is a literal of the engine stands for its value.

    Raises:
        Denied: it would make an object, which may bring its own code.
    """
    from scenewright.godot.documents.errors import ParseError
    from scenewright.godot.documents.variant_reader import parse_variant

    if isinstance(value, str) and not value.startswith("#"):  # a color, which is made of text where one is wanted
        try:
            parse_variant(value)
        except ParseError:
            return msgspec.json.encode(value).decode()
        _mind_objects(value, parameter)
        return value
    _mind_literals(value, parameter)
    return msgspec.json.encode(value).decode()


def _mind_literals(value: Any, parameter: str) -> None:
    """Make sure that literals inside of values make no objects either."""
    if isinstance(value, dict):
        if isinstance(value.get("$literal"), str):
            _mind_objects(value["$literal"], parameter)
        for each in value.values():
            _mind_literals(each, parameter)
    elif isinstance(value, list):
        for each in value:
            _mind_literals(each, parameter)


def _mind_objects(literal: str, parameter: str) -> None:
    if _OBJECT.search(_QUOTED.sub("", literal)):
        raise Denied(
            f"'{parameter}' may not create objects by a literal.",
            hint="Pass a resource by its res:// path, a node by '$Path'.",
        )
