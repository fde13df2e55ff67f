"""Input actions: what the player does, and the keys, buttons and sticks that stand for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

from scenewright.core.call import Call
from scenewright.core.faults import Conflict, Invalid, NotFound, did_you_mean
from scenewright.core.model import Inputs, Outputs, Record, about
from scenewright.core.operation import Example, Safety, operation
from scenewright.godot.operations.opening import class_index
from scenewright.godot.operations.settings import open_configuration

if TYPE_CHECKING:
    from scenewright.godot.configuration import Configuration
    from scenewright.godot.text.variant import Dictionary, Object, Variant

__all__ = ["OPERATIONS"]

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


class ActionInputs(Inputs, frozen=True, kw_only=True):
    action: Annotated[Literal["add", "remove", "list", "add_event", "remove_event"], about("What to do.")]
    name: ActionName | None = None
    events: Events | None = None
    deadzone: Deadzone = DEADZONE
    overwrite: Annotated[bool, about("Replace an action of that name, for add.")] = False
    include_builtin: Annotated[bool, about("List the engine's own ui_* actions too.")] = False


class ActionRow(Record, frozen=True, kw_only=True):
    name: Annotated[str, about("Action.")]
    events: Annotated[list[Any], about("Its events by name; those without one as the engine's literal.")]
    deadzone: Annotated[float, about("How far a stick must move.")]
    builtin: Annotated[bool, about("The engine's own, as it is.")] = False


class Actions(Outputs, frozen=True, kw_only=True):
    actions: Annotated[list[ActionRow], about("The action that was changed, or all of them.")]


@operation(
    id="godot.input.manage", name="Manage Input Actions", category="project", safety=Safety.SAFE_WRITE,
    needs_project=True, tool="manage_input_actions",
    notes="A key by its bare name is its place on the keyboard; 'A (keycode)' is the letter in any layout.",
    examples=(
        Example("Jumping", {"action": "add", "name": "jump", "events": ["Space", "Joypad Button A"]},
                {"actions": [{"name": "jump", "events": ["Space", "Joypad Button A"], "deadzone": 0.5}]}),
    ),
)  # fmt: skip
def manage_input_actions(call: Call, inputs: ActionInputs) -> Actions:
    """Lists, adds or removes input actions, and adds or removes the events of one."""
    settings = open_configuration(call)
    if inputs.action == "list":
        rows = _listed(settings, inputs)
        call.summary = f"{len(rows)} input actions."
        return Actions(actions=rows)
    name = _checked_name(inputs.name)
    if inputs.action == "remove":
        _remove(settings, name)
        call.summary = f"There is no action '{name}' any more."
        rows = []
    else:
        _change(settings, name, inputs)
        call.summary = f"'{name}' has {len(_events(settings, name))} events."
        rows = [_row(settings, name)]
    settings.save()
    return Actions(actions=rows)


class NewAction(Record, frozen=True, kw_only=True):
    name: ActionName
    keys: Events
    deadzone: Deadzone = DEADZONE


class SetupInputs(Inputs, frozen=True, kw_only=True):
    actions: Annotated[list[NewAction], about("Actions with their keys and other events.", min_length=1)]


@operation(
    id="godot.input.setup", name="Set Up Input Map", category="project", safety=Safety.SAFE_WRITE, needs_project=True,
    tool="setup_input_map", action=("godot_project_config_manager", "input_map.setup"), idempotent=True,
    examples=(
        Example("Walking", {"actions": [{"name": "left", "keys": ["A", "Left"]}]},
                {"actions": [{"name": "left", "events": ["A", "Left"], "deadzone": 0.5}]}),
    ),
)  # fmt: skip
def setup_input_map(call: Call, inputs: SetupInputs) -> Actions:
    """Makes several input actions at once, each with exactly these events."""
    settings = open_configuration(call)
    for new in inputs.actions:
        _write(settings, _checked_name(new.name), new.deadzone, _read(new.keys))
    settings.save()
    call.summary = f"{len(inputs.actions)} input actions are set up."
    return Actions(actions=[_row(settings, name) for name in dict.fromkeys(new.name for new in inputs.actions)])


OPERATIONS = (manage_input_actions, setup_input_map)


def _checked_name(name: str | None) -> str:
    if name is None:
        raise Invalid("This action needs 'name'.", path="input.name", rule="required")
    if any(mark in '/:"=\\;[]' or not mark.isprintable() for mark in name) or name != name.strip():
        raise Invalid(
            f"'{name}' is no name for an action.", path="input.name", rule="name",
            hint='Without / : = \\ " and without spaces around it, such as \'move_left\'.',
        )  # fmt: skip
    return name


def _listed(settings: Configuration, inputs: ActionInputs) -> list[ActionRow]:
    names = settings.below("input")
    if inputs.include_builtin:
        declared = sorted(name.removeprefix("input/") for name in settings.declared if name.startswith("input/"))
        names += [name for name in declared if name not in names]
    if inputs.name is not None:
        names = [name for name in _known(settings) if name == inputs.name]
        if not names:
            raise _unknown(settings, inputs.name)
    return [_row(settings, name) for name in names]


def _change(settings: Configuration, name: str, inputs: ActionInputs) -> None:
    given = _read(inputs.events or [])
    if inputs.action == "add":
        if name in _known(settings) and not inputs.overwrite:
            raise Conflict(
                f"There is an action '{name}' already.",
                hint="add_event adds to it; overwrite: true replaces it.",
                retryable=False,
            )
        _write(settings, name, inputs.deadzone, given)
        return
    if name not in _known(settings):
        raise _unknown(settings, name)
    if not given:
        raise Invalid("This action needs 'events'.", path="input.events", rule="required")
    now = _events(settings, name)
    after = _joined(now, given) if inputs.action == "add_event" else _without(settings, name, given)
    _write(settings, name, _deadzone(settings, name), after)


def _joined(now: Sequence[Variant], given: Sequence[Object]) -> list[Variant]:
    from scenewright.godot.inputs import is_same_event

    found = list(now)
    for event in given:
        if not any(is_same_event(event, known) for known in found):
            found.append(event)
    return found


def _without(settings: Configuration, name: str, given: Sequence[Object]) -> list[Variant]:
    from scenewright.godot.inputs import describe_event, is_same_event

    now = _events(settings, name)
    for event in given:
        if not any(is_same_event(event, known) for known in now):
            said = describe_event(event, class_index()) or event.type
            has = ", ".join(str(each) for each in _row(settings, name).events) or "none"
            raise NotFound(f"'{name}' has no event '{said}'.", hint=f"It has {has}.")
    return [known for known in now if not any(is_same_event(event, known) for event in given)]


def _remove(settings: Configuration, name: str) -> None:
    if settings.has(f"input/{name}"):
        settings.remove(f"input/{name}")
    elif name in _known(settings):
        raise Invalid(
            f"'{name}' is the engine's own and cannot be removed.", path="input.name", rule="builtin",
            hint="Its events can: remove_event.",
        )  # fmt: skip
    else:
        raise _unknown(settings, name)


def _read(events: Sequence[Any]) -> list[Object]:
    from scenewright.godot.inputs import is_same_event, read_event

    found: list[Object] = []
    for given in events:
        event = read_event(given, class_index())
        if not any(is_same_event(event, known) for known in found):
            found.append(event)
    return found


def _write(settings: Configuration, name: str, deadzone: float, events: Sequence[Variant]) -> None:
    from scenewright.godot.text.variant import Array, Dictionary

    settings.set(f"input/{name}", Dictionary((("deadzone", float(deadzone)), ("events", Array(tuple(events))))))


def _dictionary(settings: Configuration, name: str) -> Dictionary:
    from scenewright.godot.text.variant import Dictionary

    value = settings.value(f"input/{name}")
    return value if isinstance(value, Dictionary) else Dictionary()


def _events(settings: Configuration, name: str) -> tuple[Variant, ...]:
    from scenewright.godot.text.variant import Array

    found = _dictionary(settings, name).get("events")
    return found.items if isinstance(found, Array) else ()


def _deadzone(settings: Configuration, name: str) -> float:
    found = _dictionary(settings, name).get("deadzone")
    return float(found) if isinstance(found, int | float) else DEADZONE


def _row(settings: Configuration, name: str) -> ActionRow:
    from scenewright.godot.inputs import describe_event
    from scenewright.godot.values.presenting import present

    events = _events(settings, name)
    return ActionRow(
        name=name,
        events=[describe_event(event, class_index()) or present(event) for event in events],
        deadzone=_deadzone(settings, name),
        builtin=not settings.has(f"input/{name}"),
    )


def _known(settings: Configuration) -> list[str]:
    own = settings.below("input")
    return own + [name.removeprefix("input/") for name in settings.declared if name.startswith("input/")]


def _unknown(settings: Configuration, name: str) -> NotFound:
    return NotFound(f"There is no action '{name}'.", hint=did_you_mean(name, _known(settings)))
