"""Input actions: what the player does, and the keys, buttons and sticks that stand for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from scenewright.core.calls.call import Call
from scenewright.core.faults import Conflict, Invalid
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, Record, about
from scenewright.core.text.counts import count_noun
from scenewright.godot.project.openers import class_index, open_configuration

if TYPE_CHECKING:
    from scenewright.godot.documents.variant import Variant
    from scenewright.godot.project.input_map import InputMap

__all__ = ["OPERATIONS", "NewAction", "write_new_actions"]

DEADZONE = 0.5

ActionName = Annotated[str, about("Action, such as 'jump'.", min_length=1, max_length=200)]
Deadzone = Annotated[float, about("How far a stick must move.", ge=0, le=1)]
Events = Annotated[
    list[Any],
    about(
        "Names such as 'Space', 'Ctrl+S', 'A (keycode)', 'Mouse Left', 'Joypad Button A', 'Joypad Left Stick Up'; or "
        '{"type": "key", "keycode": "S", "ctrl": true}, with mouse_button, joypad_button and joypad_motion alike.',
        max_length=100,
    ),
]


class ActionRow(Record, frozen=True, kw_only=True):
    name: Annotated[str, about("Action.")]
    events: Annotated[list[Any], about("Its events by name; those without one as the engine's literal.")]
    deadzone: Annotated[float, about("How far a stick must move.")]
    builtin: Annotated[bool, about("The engine's own, unchanged.")] = False


class Actions(Outputs, frozen=True, kw_only=True):
    writes_what_was_sent: ClassVar = True

    actions: Annotated[list[ActionRow], about("The action that was changed, or all of them.")]


_JUMP = {"actions": [{"name": "jump", "events": ["Space", "Joypad Button A"], "deadzone": 0.5}]}
_KEYS = (
    "A key binding by its bare name is a place on the keyboard; 'A (keycode)' is the letter in any layout. "
    "A gamepad or joystick is 'Joypad Button A' and 'Joypad Left Stick Up'."
)


class ActionQuery(Inputs, frozen=True, kw_only=True):
    name: Annotated[str, about("Only this action; may be the engine's own.")] | None = None
    include_builtin: Annotated[bool, about("List the engine's own ui_* actions too.")] = False


@operation(
    id="godot.input.list",
    category="project",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="list_input_actions",
    manager="godot_project_config_manager",
    action="input_map.list",
    examples=(Example("Jumping", {}, _JUMP),),
)
def list_input_actions(call: Call, inputs: ActionQuery) -> Actions:
    """Lists input actions with their events by name."""
    actions = _open_input_map(call)
    names = actions.own()
    if inputs.include_builtin:
        names += [name for name in actions.builtin() if name not in names]
    if inputs.name is not None:
        names = [actions.existing(inputs.name)]
    call.summary = f"{count_noun(len(names), 'input action')}."
    return Actions(actions=[_action_row(actions, name) for name in names])


class AddInputs(Inputs, frozen=True, kw_only=True):
    name: ActionName
    events: Events | None = None
    deadzone: Deadzone = DEADZONE
    overwrite: Annotated[bool, about("Replace an action of that name.")] = False


@operation(
    id="godot.input.add",
    category="project",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="add_input_action",
    manager="godot_project_config_manager",
    action="input_map.add",
    notes=_KEYS,
    examples=(Example("Jumping", {"name": "jump", "events": ["Space", "Joypad Button A"]}, _JUMP),),
)
def add_input_action(call: Call, inputs: AddInputs) -> Actions:
    """Adds an input action with its events."""
    actions, name = _open_input_map(call), inputs.name
    if actions.known(name) and not inputs.overwrite:
        raise Conflict(
            f"There is an action '{name}' already.",
            hint="add_event adds to it; overwrite: true replaces it.",
            retryable=False,
        )
    return _write_action(call, actions, name, inputs.deadzone, actions.read(inputs.events or []))


class RemoveInputs(Inputs, frozen=True, kw_only=True):
    name: ActionName


@operation(
    id="godot.input.remove",
    category="project",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="remove_input_action",
    manager="godot_project_config_manager",
    action="input_map.remove",
    examples=(Example("No jumping", {"name": "jump"}, {"actions": []}),),
)
def remove_input_action(call: Call, inputs: RemoveInputs) -> Actions:
    """Removes an input action of the project, or resets a changed one of the engine's own."""
    actions = _open_input_map(call)
    name = actions.existing(inputs.name)
    if not actions.is_own(name):
        raise Invalid(
            f"'{name}' is the engine's own and cannot be removed.",
            path="input.name",
            rule="builtin",
            hint="Remove its events with remove_event.",
        )
    actions.settings.remove(f"input/{name}")
    actions.settings.save()
    call.summary = f"Removed '{name}' from the project."
    return Actions(actions=[])


class EventInputs(Inputs, frozen=True, kw_only=True):
    name: ActionName
    events: Events


@operation(
    id="godot.input.add_event",
    name="Add Input Events",
    category="project",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="add_input_event",
    manager="godot_project_config_manager",
    action="input_map.add_event",
    idempotent=True,
    notes=_KEYS,
    examples=(Example("Also with a pad", {"name": "jump", "events": ["Joypad Button A"]}, _JUMP),),
)
def add_input_event(call: Call, inputs: EventInputs) -> Actions:
    """Adds events to an input action, also to one of the engine's own."""
    actions = _open_input_map(call)
    name = actions.existing(inputs.name)
    after = actions.joined(name, actions.read(_require_events(inputs.events)))
    return _write_action(call, actions, name, actions.deadzone(name), after)


@operation(
    id="godot.input.remove_event",
    name="Remove Input Events",
    category="project",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="remove_input_event",
    manager="godot_project_config_manager",
    action="input_map.remove_event",
    examples=(Example("Not with W", {"name": "jump", "events": ["W"]}, _JUMP),),
)
def remove_input_event(call: Call, inputs: EventInputs) -> Actions:
    """Removes events from an input action; refuses one it does not have."""
    actions = _open_input_map(call)
    name = actions.existing(inputs.name)
    after = actions.without(name, actions.read(_require_events(inputs.events)))
    return _write_action(call, actions, name, actions.deadzone(name), after)


class ManageInputs(Inputs, frozen=True, kw_only=True):
    action: Annotated[Literal["add", "remove", "list", "add_event", "remove_event"], about("What to do.")]
    name: ActionName | None = None
    events: Events | None = None
    deadzone: Deadzone = DEADZONE
    overwrite: Annotated[bool, about("Replace an action of that name, for add.")] = False
    include_builtin: Annotated[bool, about("List the engine's own ui_* actions too.")] = False


@operation(
    id="godot.input.manage",
    category="project",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="manage_input_actions",
    split_into_actions=True,
    notes=_KEYS,
    examples=(Example("Jumping", {"action": "add", "name": "jump", "events": ["Space", "Joypad Button A"]}, _JUMP),),
)
def manage_input_actions(call: Call, inputs: ManageInputs) -> Actions:
    """Lists, adds or removes input actions, and adds or removes the events of one."""
    done: Actions = _PARTS[inputs.action].handler(call, _inputs_of_action(inputs))
    return done


class NewAction(Inputs, frozen=True, kw_only=True):
    name: ActionName
    keys: Events | None = None
    events: Annotated[list[Any], about("Another name for keys.")] | None = None
    deadzone: Deadzone = DEADZONE


class SetupInputs(Inputs, frozen=True, kw_only=True):
    actions: Annotated[list[NewAction], about("Actions with their keys and other events.", min_length=1)]


@operation(
    id="godot.input.setup",
    name="Set Up Input Map",
    category="project",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="setup_input_map",
    common=True,
    forms={"keys": "['Space'|'Ctrl+S'|'Mouse Left'|'Joypad Button A']"},
    manager="godot_project_config_manager",
    action="input_map.setup",
    idempotent=True,
    examples=(
        Example(
            "Walking",
            {"actions": [{"name": "left", "keys": ["A", "Left"]}]},
            {"actions": [{"name": "left", "events": ["A", "Left"], "deadzone": 0.5}]},
        ),
    ),
)
def setup_input_map(call: Call, inputs: SetupInputs) -> Actions:
    """Sets up several input actions at once, each with exactly these events."""
    actions = _open_input_map(call)
    write_new_actions(actions, inputs.actions, "actions")
    actions.settings.save()
    call.summary = f"Set up {count_noun(len(inputs.actions), 'input action')}."
    return Actions(actions=[_action_row(actions, name) for name in dict.fromkeys(new.name for new in inputs.actions)])


OPERATIONS = (
    list_input_actions,
    add_input_action,
    remove_input_action,
    add_input_event,
    remove_input_event,
    setup_input_map,
    manage_input_actions,
)


_PARTS = {
    "list": list_input_actions,
    "add": add_input_action,
    "remove": remove_input_action,
    "add_event": add_input_event,
    "remove_event": remove_input_event,
}


def write_new_actions(actions: InputMap, new_actions: Sequence[NewAction], parameter: str) -> None:
    """Give each action exactly its events; the settings are not saved by this.

    Raises:
        Invalid: an action has no events in either form, or in both.
    """
    for at, new in enumerate(new_actions):
        if (new.keys is None) == (new.events is None):
            raise Invalid("Give either 'keys' or 'events'.", path=f"input.{parameter}[{at}].keys", rule="oneOf")
        actions.write(new.name, new.deadzone, actions.read(new.keys or new.events or []))


def _inputs_of_action(inputs: ManageInputs) -> Inputs:
    """What the operation for one action takes."""
    if inputs.action == "list":
        return ActionQuery(name=inputs.name, include_builtin=inputs.include_builtin)
    if inputs.name is None:
        raise Invalid("This action needs 'name'.", path="input.name", rule="required")
    if inputs.action == "remove":
        return RemoveInputs(name=inputs.name)
    if inputs.action != "add":
        return EventInputs(name=inputs.name, events=inputs.events or [])
    return AddInputs(name=inputs.name, events=inputs.events, deadzone=inputs.deadzone, overwrite=inputs.overwrite)


def _open_input_map(call: Call) -> InputMap:
    from scenewright.godot.project.input_map import InputMap

    return InputMap(open_configuration(call), class_index(call))


def _write_action(call: Call, actions: InputMap, name: str, deadzone: float, events: Sequence[Variant]) -> Actions:
    actions.write(name, deadzone, events)
    actions.settings.save()
    call.summary = f"'{name}' has {count_noun(len(events), 'event')}."
    return Actions(actions=[_action_row(actions, name)])


def _require_events(events: Sequence[Any]) -> Sequence[Any]:
    if not events:
        raise Invalid("This action needs 'events'.", path="input.events", rule="required")
    return events


def _action_row(actions: InputMap, name: str) -> ActionRow:
    return ActionRow(
        name=name,
        events=actions.described(name),
        deadzone=actions.deadzone(name),
        builtin=not actions.is_own(name),
    )
