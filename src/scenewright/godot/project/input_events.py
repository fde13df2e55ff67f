"""Input events by readable name: 'Ctrl+S', 'Mouse Left', 'Joypad Button A', 'Joypad Left Stick Up'.

Both ways: what a caller may write becomes the object the engine keeps in project.godot, and such an object becomes a
name that means the same event again. A bare key name is the place of the key on the keyboard, as the editor records
it; 'A (keycode)' is the letter wherever the layout puts it, 'A (label)' what is printed on it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from scenewright.core.faults import Invalid, did_you_mean
from scenewright.godot.classes.index import ClassIndex
from scenewright.godot.documents import variant as v
from scenewright.godot.documents.errors import ParseError
from scenewright.godot.documents.variant_reader import parse_variant
from scenewright.godot.project.input_names import name_of, number_of, plain, refused, table

__all__ = ["describe_event", "is_same_event", "read_event"]

_MODIFIERS: Final = {"Ctrl": "ctrl_pressed", "Shift": "shift_pressed", "Alt": "alt_pressed", "Meta": "meta_pressed"}
_REMAPPED: Final = "command_or_control_autoremap"
_MODIFIER_NAMES: Final = {
    **{name.lower(): field for name, field in _MODIFIERS.items()},
    "control": "ctrl_pressed",
    "option": "alt_pressed",
    **dict.fromkeys(("cmd", "command", "super", "win", "windows"), "meta_pressed"),
    **dict.fromkeys(("cmdorctrl", "ctrlorcmd", "commandorcontrol"), _REMAPPED),
}
_KEY_FIELDS: Final = {"physical": "physical_keycode", "keycode": "keycode", "label": "key_label"}
_AXES: Final = {
    "Left Stick Left": (0, -1.0),
    "Left Stick Right": (0, 1.0),
    "Left Stick Up": (1, -1.0),
    "Left Stick Down": (1, 1.0),
    "Right Stick Left": (2, -1.0),
    "Right Stick Right": (2, 1.0),
    "Right Stick Up": (3, -1.0),
    "Right Stick Down": (3, 1.0),
    "Left Trigger": (4, 1.0),
    "Right Trigger": (5, 1.0),
}
_TRIGGERS: Final = {"l2": "lefttrigger", "lt": "lefttrigger", "r2": "righttrigger", "rt": "righttrigger"}
_SUFFIX: Final = re.compile(r"(?<!\s)\s*+(?:\((physical|keycode|label|unicode)\)|- (physical|unicode))$", re.IGNORECASE)
_DEVICE: Final = re.compile(r"(?<!\s)\s*+\(device ([0-9]{1,2})\)$", re.IGNORECASE)
_JOYPAD: Final = re.compile(r"(?:joypad|gamepad|controller|joy)\b[ _-]*", re.IGNORECASE)
_AXIS: Final = re.compile(r"axis ?([0-9]) ?([+-](?:1|0\.[0-9]{0,5}[1-9])?)", re.IGNORECASE)
_TYPES: Final = {
    "key": "InputEventKey",
    "mouse_button": "InputEventMouseButton",
    "joypad_button": "InputEventJoypadButton",
    "joypad_motion": "InputEventJoypadMotion",
    "joypad_axis": "InputEventJoypadMotion",
}
# What the engine writes of each event, in its order; `None` is where the modifiers stand.
_FIELDS: Final[Mapping[str, tuple[tuple[str, v.Variant] | None, ...]]] = {
    "InputEventKey": (
        ("window_id", 0),
        None,
        ("pressed", False),
        ("keycode", 0),
        ("physical_keycode", 0),
        ("key_label", 0),
        ("unicode", 0),
        ("location", 0),
        ("echo", False),
    ),
    "InputEventMouseButton": (
        ("window_id", 0),
        None,
        ("button_mask", 0),
        ("position", v.Vector2(0.0, 0.0)),
        ("global_position", v.Vector2(0.0, 0.0)),
        ("factor", 1.0),
        ("button_index", 0),
        ("canceled", False),
        ("pressed", False),
        ("double_click", False),
    ),
    "InputEventJoypadButton": (("button_index", 0), ("pressure", 0.0), ("pressed", False)),
    "InputEventJoypadMotion": (("axis", 0), ("axis_value", 0.0)),
}
_IDENTITY: Final = (
    "keycode",
    "physical_keycode",
    "key_label",
    "location",
    "button_index",
    "axis",
    _REMAPPED,
    *_MODIFIERS.values(),
)


def read_event(given: Any, index: ClassIndex) -> v.Object:
    """Return the event that a text or a typed object stands for.

    Raises:
        Invalid: it stands for none.
    """
    if isinstance(given, str):
        return _from_text(given.strip(), index)
    if isinstance(given, int) and given in table("Key", index)[1].values():  # godot-mcp-omni sends key codes
        return _from_fields({"type": "key", "keycode": given}, index)
    if isinstance(given, Mapping):
        return _from_literal(given["$literal"], index) if set(given) == {"$literal"} else _from_fields(given, index)
    raise refused(f"{given!r} is not an input event")


def describe_event(event: v.Variant, index: ClassIndex) -> str | None:
    """Return a name that `read_event` takes for the same event, or None if there is none."""
    if not isinstance(event, v.Object) or event.type not in _FIELDS:
        return None
    name = _describe_fields(event.type, dict(event.properties), index)
    try:
        return name if is_same_event(read_event(name, index), event) else None
    except Invalid:
        return None


def is_same_event(one: v.Variant, other: v.Variant) -> bool:
    """Return whether two events mean the same key, button or direction; a device counts only if both name one."""
    if not isinstance(one, v.Object) or not isinstance(other, v.Object) or one.type != other.type:
        return one == other
    left, right = dict(one.properties), dict(other.properties)
    if any((left.get(name) or 0) != (right.get(name) or 0) for name in _IDENTITY):
        return False
    devices = {side.get("device", -1) for side in (left, right)} - {-1}
    return _is_negative(left.get("axis_value")) == _is_negative(right.get("axis_value")) and len(devices) < 2


def _is_negative(value: v.Variant) -> bool:
    return isinstance(value, int | float) and value < 0


def _from_text(text: str, index: ClassIndex) -> v.Object:
    if joypad := _JOYPAD.match(text):
        device = _DEVICE.search(text)
        rest = text[joypad.end() : device.start() if device else None]
        return _read_joypad_event(rest, int(device[1]) if device else -1, text, index)
    suffix = _SUFFIX.search(text)
    *held, last = _split_keys(text[: suffix.start()] if suffix else text)
    fields: dict[str, Any] = {}
    for name in held:
        if plain(name) not in _MODIFIER_NAMES:
            raise refused(f"'{name}' in '{text}' is not a modifier", did_you_mean(name, [*_MODIFIERS, "CmdOrCtrl"]))
        fields[_MODIFIER_NAMES[plain(name)]] = True
    words = re.sub(r"\b(mouse|button|click)\b", " ", last, flags=re.IGNORECASE)
    if re.search(r"\b(mouse|click)\b", last, re.IGNORECASE):
        return _make_event("InputEventMouseButton", fields | {"button_index": number_of(words, "MouseButton", index)})
    kind = (suffix[1] or suffix[2]).lower() if suffix else "physical"
    field = _KEY_FIELDS["label" if kind == "unicode" else kind]
    return _make_event("InputEventKey", fields | {field: number_of(last, "Key", index)})


def _split_keys(text: str) -> list[str]:
    """The parts of 'Ctrl+Shift+S'; a plus at the end is the key."""
    if text.endswith("+"):
        return [*(part.strip() for part in text[:-1].rstrip("+").split("+") if part.strip()), "+"]
    return [part.strip() for part in text.split("+")]


def _read_joypad_event(rest: str, device: int, text: str, index: ClassIndex) -> v.Object:
    word = plain(rest)
    axes = {plain(name): axis for name, axis in _AXES.items()}
    axis = axes.get(_TRIGGERS.get(word, word))
    if match := _AXIS.fullmatch(rest.strip()):
        axis = int(match[1]), float(match[2] if match[2][1:] else f"{match[2]}1")
    if axis is not None:
        return _make_event("InputEventJoypadMotion", {"device": device, "axis": axis[0], "axis_value": axis[1]})
    try:
        number = number_of(re.sub(r"^button\b", "", rest, flags=re.IGNORECASE), "JoyButton", index)
    except Invalid:
        known = [
            f"Joypad {name}" for name in (*_AXES, *(f"Button {button}" for button in table("JoyButton", index)[1]))
        ]
        raise refused(f"'{text}' is not a joypad input", did_you_mean(text, known)) from None
    return _make_event("InputEventJoypadButton", {"device": device, "button_index": number})


def _from_literal(text: Any, index: ClassIndex) -> v.Object:
    try:
        value = parse_variant(str(text))
    except ParseError as problem:
        raise refused(problem.message) from None
    if not isinstance(value, v.Object) or not index.is_a(value.type, "InputEvent"):
        raise refused(f"'{str(text)[:60]}' is not an InputEvent object")
    return value


def _from_fields(given: Mapping[str, Any], index: ClassIndex) -> v.Object:
    """An event from `{"type": "key", "keycode": "S", "ctrl": true}`."""
    wanted = str(given.get("type", ""))
    kind = _TYPES.get(re.sub(r"(?<=[a-z])(?=[A-Z])", "_", wanted.removeprefix("InputEvent")).lower())
    if kind is None:
        raise refused(f"'{wanted}' is not an event type", f"One of {', '.join(_TYPES)}.")
    known = dict(part for part in _FIELDS[kind] if part is not None) | {"device": -1}
    if None in _FIELDS[kind]:
        known |= dict.fromkeys((*_MODIFIERS.values(), _REMAPPED), False)
    fields: dict[str, Any] = {}
    for name, value in given.items():
        if name != "type":
            field = _resolve_field(name, kind, known)
            fields[field] = _field_value(field, value, kind, known[field], index)
    if not _says_which(kind, fields):
        raise refused(f"A {wanted} event must say which key, button or axis", f"Its fields: {', '.join(known)}.")
    return _make_event(kind, fields)


def _says_which(kind: str, fields: Mapping[str, Any]) -> bool:
    if kind == "InputEventKey":
        return any(fields.get(field) for field in _KEY_FIELDS.values())
    if kind == "InputEventJoypadMotion":
        return "axis" in fields and bool(fields.get("axis_value"))
    return bool(fields.get("button_index", -1) >= (kind == "InputEventMouseButton"))


def _resolve_field(name: str, kind: str, known: Mapping[str, Any]) -> str:
    snake = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()
    short = {"key": "physical_keycode", "button": "button_index", "value": "axis_value", **_MODIFIER_NAMES}
    field = snake if snake in known else short.get(snake, snake)
    if field not in known:
        raise refused(f"An {kind} has no '{name}'", did_you_mean(snake, [*known, *short]))
    return field


def _field_value(field: str, value: Any, kind: str, default: v.Variant, index: ClassIndex) -> v.Variant:
    if field in _KEY_FIELDS.values() or field == "button_index":
        enum = {"InputEventKey": "Key", "InputEventMouseButton": "MouseButton"}.get(kind, "JoyButton")
        return number_of(value, enum, index) if isinstance(value, str) else _check_field_value(field, value, default)
    return _check_field_value(field, value, default)


def _check_field_value(field: str, value: Any, default: v.Variant) -> v.Variant:
    if isinstance(default, float) and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if type(value) is not type(default) or (isinstance(value, int) and not -1 <= value < 1 << 31):
        raise refused(f"{field} cannot be {value!r}", f"It is {type(default).__name__}, such as {default!r}.")
    checked: v.Variant = value
    return checked


def _make_event(kind: str, fields: Mapping[str, Any]) -> v.Object:
    """An event with every field the engine writes."""
    modifiers: tuple[tuple[str, v.Variant], ...] = tuple(
        (name, False) for name in ("alt_pressed", "shift_pressed", "ctrl_pressed", "meta_pressed")
    )
    if fields.get(_REMAPPED):  # then the engine leaves out the two that it stands for
        modifiers = ((_REMAPPED, True), *modifiers[:2])
    own = [field for part in _FIELDS[kind] for field in (modifiers if part is None else (part,))]
    every = [("resource_local_to_scene", False), ("resource_name", ""), ("device", -1), *own, ("script", None)]
    return v.Object(kind, tuple((name, fields.get(name, default)) for name, default in every))


def _describe_fields(kind: str, fields: Mapping[str, v.Variant], index: ClassIndex) -> str:
    held = (["CmdOrCtrl"] if fields.get(_REMAPPED) else []) + [
        name for name, field in _MODIFIERS.items() if fields.get(field)
    ]
    start = "".join(f"{name}+" for name in held)
    if kind == "InputEventKey":
        says, code = next(((says, fields[field]) for says, field in _KEY_FIELDS.items() if fields.get(field)), ("", 0))
        return f"{start}{name_of(code, 'Key', index)}{'' if says == 'physical' else f' ({says})'}"
    button = fields.get("button_index")
    if kind == "InputEventMouseButton":
        return f"{start}Mouse {name_of(button, 'MouseButton', index)}"
    device = fields.get("device")
    end = f" (device {device})" if isinstance(device, int) and device >= 0 else ""
    if kind == "InputEventJoypadButton":
        return f"Joypad Button {name_of(button, 'JoyButton', index)}{end}"
    return f"Joypad {_axis_text(fields)}{end}"


def _axis_text(fields: Mapping[str, v.Variant]) -> str:
    axis, value = fields.get("axis", 0), fields.get("axis_value", 0.0)
    named = next((name for name, known in _AXES.items() if known == (axis, value)), None)
    return named or f"Axis {axis} {f'{value:+g}' if isinstance(value, int | float) else ''}"
