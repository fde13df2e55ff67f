"""The settings of a project: reading them with the engine's defaults, setting and removing them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from scenewright.core.calls.call import Call
from scenewright.core.faults import Invalid
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, Record, about
from scenewright.core.operations.paging import NextOffset, Page
from scenewright.core.text.counts import count_noun
from scenewright.godot.project.openers import open_configuration

if TYPE_CHECKING:
    from scenewright.godot.project.configuration import Configuration

__all__ = ["OPERATIONS"]


class SettingsQuery(Inputs, frozen=True, kw_only=True):
    section: Annotated[str, about("Only this section, such as 'display'.")] | None = None
    key: Annotated[str, about("Start of the name: 'window/size' in a section, or in full.")] | None = None
    include_defaults: Annotated[bool, about("Add what the file does not set, with the engine's default.")] = False
    limit: Annotated[int, about("Settings per page.", ge=1, le=1000)] = 100
    offset: Annotated[int, about("Settings to skip, from nextOffset.", ge=0)] = 0


class SettingRow(Record, frozen=True, kw_only=True):
    name: Annotated[str, about("Full name.")]
    value: Annotated[Any, about("Effective value; of an input action, its events by name.")]
    default: Annotated[Any, about("The engine's default, where the file sets another.")] = None
    type: Annotated[str, about("Declared type.")] = ""
    is_default: Annotated[bool, about("The file does not set it.")] = False


class SettingList(Outputs, frozen=True, kw_only=True):
    settings: Annotated[list[SettingRow], about("Settings, in the order of the file, then by name.")]
    total: Annotated[int, about("How many match.")]
    next_offset: NextOffset = None


@operation(
    id="godot.setting.list",
    category="project",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="get_project_settings",
    manager="godot_project_config_manager",
    action="project_setting.get",
    examples=(
        Example(
            "The window's size",
            {"section": "display", "key": "window/size"},
            {
                "settings": [
                    {"name": "display/window/size/viewport_width", "value": 640, "default": 1152, "type": "int"}
                ],
                "total": 1,
            },
        ),
    ),
)
def get_project_settings(call: Call, inputs: SettingsQuery) -> SettingList:
    """Returns the settings of project.godot, by section or by the start of their name, with the engine's defaults."""
    settings = open_configuration(call)
    names = settings.names()
    if inputs.include_defaults:
        names += sorted(settings.declared.keys() - set(names))
    matches = [name for name in names if _matches_query(name, inputs)]
    page = Page.cut(matches, inputs.offset, inputs.limit)
    call.summary = f"{count_noun(len(matches), 'setting')}."
    return SettingList(
        settings=[_setting_row(settings, name) for name in page.items],
        total=len(matches),
        next_offset=page.next_offset,
    )


class SettingInputs(Inputs, frozen=True, kw_only=True):
    key: Annotated[str, about("Full name, such as 'application/config/name'.", min_length=1, max_length=400)]
    value: Annotated[
        Any, about("JSON, or the engine's literal such as 'Vector2(0, 1)'; null removes it from the file.")
    ]
    section: Annotated[str, about("Section, if the key is given without it.")] | None = None
    custom: Annotated[bool, about("Allow a new name in a section of the engine.")] = False


class SettingWritten(Outputs, frozen=True, kw_only=True):
    writes_what_was_sent: ClassVar = True

    key: Annotated[str, about("Full name.")]
    value: Annotated[Any, about("The effective value.")]
    previous: Annotated[Any, about("The effective value before.")] = None


@operation(
    id="godot.setting.set",
    category="project",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="set_project_setting",
    manager="godot_project_config_manager",
    action="project_setting.set",
    idempotent=True,
    deletes_with={"value": None},
    notes="Such as display/window/size/viewport_width for the size of the window, application/run/main_scene or "
    "physics/2d/default_gravity. An open editor overwrites project.godot when it saves its "
    "settings; it then has to be restarted.",
    examples=(
        Example(
            "The window's width",
            {"key": "display/window/size/viewport_width", "value": 640},
            {"key": "display/window/size/viewport_width", "value": 640, "previous": 1152},
        ),
    ),
)
def set_project_setting(call: Call, inputs: SettingInputs) -> SettingWritten:
    """Sets or removes a setting of project.godot; the value is checked by its declared type and read back."""
    settings = open_configuration(call)
    name = _full_name(inputs.key, inputs.section)
    settings.check_name(name, custom=inputs.custom or inputs.value is None)
    _refuse_managed(name, inputs.value)
    before = _present_setting(settings, name)
    if inputs.value is None:
        settings.remove(name)
        call.summary = f"Removed '{name}' from project.godot."
    else:
        settings.set(name, settings.coerced(name, inputs.value))
        call.summary = f"Set '{name}'."
        _look_at_choices(call, settings, name)
    settings.save()
    return SettingWritten(key=name, value=_present_setting(settings, name), previous=before)


OPERATIONS = (get_project_settings, set_project_setting)


_MANAGED = {"autoload/": "add_autoload", "input/": "add_input_action"}


def _refuse_managed(name: str, value: Any) -> None:
    """Leaves what has rules of its own to the operations that know them; taking it out is the same for all."""
    tool = next((tool for start, tool in _MANAGED.items() if name.startswith(start)), None)
    if tool is not None and value is not None:
        raise Invalid(
            f"'{name}' cannot be set directly.",
            path="input.key",
            rule="managed",
            hint=f"{tool} with overwrite: true checks the name and what it stands for.",
        )


def _full_name(key: str, section: str | None) -> str:
    start = f"{section}/" if section else ""
    return key if key.startswith(start) else start + key


def _matches_query(name: str, inputs: SettingsQuery) -> bool:
    if inputs.section and not name.startswith(f"{inputs.section.strip('/')}/"):
        return False
    return name.startswith(_full_name(inputs.key or "", inputs.section and inputs.section.strip("/")))


def _present_setting(settings: Configuration, name: str) -> Any:
    from scenewright.godot.documents.variant import Dictionary
    from scenewright.godot.values.presentation import present

    value = settings.value(name)
    if name.startswith("input/") and isinstance(value, Dictionary):
        return _present_action(settings, name.removeprefix("input/"))
    return present(value, settings.known(name))


def _present_action(settings: Configuration, name: str) -> Any:
    """An input action with its events by name: as a literal each has 300 characters, and is not set this way."""
    from scenewright.godot.project.input_map import InputMap

    actions = InputMap(settings, settings.index)
    return {"deadzone": actions.deadzone(name), "events": actions.described(name)}


def _setting_row(settings: Configuration, name: str) -> SettingRow:
    from scenewright.godot.values.presentation import present

    known, value, is_set = settings.known(name), _present_setting(settings, name), settings.has(name)
    default = present(settings.default(name), known) if is_set and not name.startswith("input/") else None
    return SettingRow(
        name=name,
        value=value,
        default=default if default != value else None,
        type=known.type if known else "",
        is_default=not is_set,
    )


def _look_at_choices(call: Call, settings: Configuration, name: str) -> None:
    """Texts to choose from may depend on the platform and on extensions, so that another one is only pointed at."""
    from scenewright.godot.classes.variant import Hint

    known, value = settings.known(name), settings.text(name)
    if known is not None and known.variant == "String" and known.hint == Hint.ENUM and known.hint_string:
        choices = [choice.partition(":")[0] for choice in known.hint_string.split(",")]
        if value not in choices:
            call.warnings.append(f"The engine knows {', '.join(map(repr, choices))} for '{name}', not '{value}'.")
