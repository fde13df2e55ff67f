"""Autoloads: scenes and scripts that the game starts before its main scene."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from scenewright.core.calls.call import Call
from scenewright.core.faults import Conflict, Invalid, NotFound, did_you_mean
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, NoInputs, Outputs, Record, about
from scenewright.core.text.counts import count_noun
from scenewright.godot.project.openers import class_index, open_configuration, open_workspace

if TYPE_CHECKING:
    from scenewright.godot.classes.index import ClassIndex
    from scenewright.godot.language.project_scripts import ProjectScripts
    from scenewright.godot.project.configuration import Configuration

__all__ = ["OPERATIONS", "AutoloadRow", "autoload_rows"]

_KEYWORDS = {
    "if",
    "elif",
    "else",
    "for",
    "while",
    "break",
    "continue",
    "pass",
    "return",
    "match",
    "when",
    "class",
    "class_name",
    "extends",
    "is",
    "in",
    "as",
    "self",
    "super",
    "signal",
    "func",
    "static",
    "const",
    "enum",
    "var",
    "await",
    "preload",
    "yield",
    "assert",
    "void",
    "and",
    "or",
    "not",
    "true",
    "false",
    "null",
    "namespace",
    "trait",
    "breakpoint",
    "PI",
    "TAU",
    "INF",
    "NAN",
}
_KINDS = (".gd", ".cs", ".tscn", ".scn")


AutoloadName = Annotated[str, about("Name that scripts use for it.", min_length=1, max_length=200)]


class AutoloadRow(Record, frozen=True, kw_only=True):
    name: Annotated[str, about("Name.")]
    path: Annotated[str, about("Script or scene.")]
    singleton: Annotated[bool, about("Scripts reach it by its name.")] = False


class Autoloads(Outputs, frozen=True, kw_only=True):
    writes_what_was_sent: ClassVar = True

    autoloads: Annotated[list[AutoloadRow], about("All autoloads, in the order they start.")]


_SCORE = {"autoloads": [{"name": "Score", "path": "res://score.gd", "singleton": True}]}


@operation(
    id="godot.autoload.list",
    category="project",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="list_autoloads",
    manager="godot_project_config_manager",
    action="autoload.list",
    examples=(Example("A score keeper", {}, _SCORE),),
)
def list_autoloads(call: Call, _: NoInputs) -> Autoloads:
    """Lists the autoloads in the order they start."""
    return _list_all(call, open_configuration(call))


class AddInputs(Inputs, frozen=True, kw_only=True):
    name: AutoloadName
    path: Annotated[str, about("Script or scene.", min_length=1)]
    singleton: Annotated[bool, about("Scripts reach it by its name as a global variable.")] = True
    overwrite: Annotated[bool, about("Replace one of that name.")] = False


@operation(
    id="godot.autoload.add",
    category="project",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="add_autoload",
    manager="godot_project_config_manager",
    action="autoload.add",
    examples=(Example("A score keeper", {"name": "Score", "path": "score.gd"}, _SCORE),),
)
def add_autoload(call: Call, inputs: AddInputs) -> Autoloads:
    """Adds an autoload; a name or file that the engine rejects is refused."""
    from scenewright.godot.project.addresses import Addresses

    settings, name = open_configuration(call), inputs.name
    path = Addresses(open_workspace(call)).file(inputs.path).path
    scripts = open_workspace(call).scripts(class_index(call))
    _check_name(name, scripts)
    if settings.has(f"autoload/{name}") and not inputs.overwrite:
        raise Conflict(
            f"There is an autoload '{name}' already.", hint="Pass overwrite: true to replace it.", retryable=False
        )
    _check_file(path, scripts)
    settings.set(f"autoload/{name}", f"{'*' if inputs.singleton else ''}{path}")
    settings.save()
    call.summary = f"{path} starts as '{name}'."
    return _list_all(call, settings)


class RemoveInputs(Inputs, frozen=True, kw_only=True):
    name: AutoloadName


@operation(
    id="godot.autoload.remove",
    category="project",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="remove_autoload",
    manager="godot_project_config_manager",
    action="autoload.remove",
    examples=(Example("Without a score", {"name": "Score"}, {"autoloads": []}),),
)
def remove_autoload(call: Call, inputs: RemoveInputs) -> Autoloads:
    """Removes an autoload; its file stays."""
    settings, name = open_configuration(call), inputs.name
    if not settings.has(f"autoload/{name}"):
        known = settings.below("autoload")
        raise NotFound(
            f"There is no autoload '{name}'.", hint=did_you_mean(name, known, "list_autoloads shows those there are.")
        )
    settings.remove(f"autoload/{name}")
    settings.save()
    call.summary = f"Removed the autoload '{name}'."
    return _list_all(call, settings)


class ManageInputs(Inputs, frozen=True, kw_only=True):
    action: Annotated[Literal["add", "remove", "list"], about("What to do.")]
    name: AutoloadName | None = None
    path: Annotated[str, about("Script or scene, for add.", min_length=1)] | None = None
    singleton: Annotated[bool, about("Scripts reach it by its name as a global variable.")] = True
    overwrite: Annotated[bool, about("Replace one of that name.")] = False


@operation(
    id="godot.autoload.manage",
    category="project",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="manage_autoloads",
    split_into_actions=True,
    examples=(Example("A score keeper", {"action": "add", "name": "Score", "path": "score.gd"}, _SCORE),),
)
def manage_autoloads(call: Call, inputs: ManageInputs) -> Autoloads:
    """Lists, adds or removes autoloads; a name or file that the engine rejects is refused."""
    parts = {"list": list_autoloads, "add": add_autoload, "remove": remove_autoload}
    done: Autoloads = parts[inputs.action].handler(call, _inputs_of_action(inputs))
    return done


OPERATIONS = (list_autoloads, add_autoload, remove_autoload, manage_autoloads)


def autoload_rows(settings: Configuration) -> list[AutoloadRow]:
    """Return the autoloads of the file, in its order."""
    rows: list[AutoloadRow] = []
    for name in settings.below("autoload"):
        path = settings.text(f"autoload/{name}")
        rows.append(AutoloadRow(name=name, path=path.removeprefix("*"), singleton=path.startswith("*")))
    return rows


def _inputs_of_action(inputs: ManageInputs) -> Inputs:
    """What the operation for one action takes."""
    if inputs.action == "list":
        return NoInputs()
    name = _require(inputs.name, "name")
    if inputs.action == "remove":
        return RemoveInputs(name=name)
    path = _require(inputs.path, "path")
    return AddInputs(name=name, path=path, singleton=inputs.singleton, overwrite=inputs.overwrite)


def _list_all(call: Call, settings: Configuration) -> Autoloads:
    rows = autoload_rows(settings)
    call.summary = call.summary or f"{count_noun(len(rows), 'autoload')}."
    return Autoloads(autoloads=rows)


def _require(value: str | None, name: str) -> str:
    if value is None:
        raise Invalid(f"This action needs '{name}'.", path=f"input.{name}", rule="required")
    return value


def _check_name(name: str, scripts: ProjectScripts) -> None:
    """Refuses what the editor refuses: no identifier, or a name that stands for something else."""
    from scenewright.godot.classes.variant import VARIANT_TYPES

    index, owner = scripts.index, ""
    if not name.isascii() or not name.isidentifier():
        raise Invalid(
            f"'{name}' is not a valid autoload name.",
            path="input.name",
            rule="identifier",
            hint="Use letters, digits and underscores, such as 'GameState'.",
        )
    if name in index or name in VARIANT_TYPES:
        owner = "a class of the engine"
    elif name in scripts.classes():
        owner = f"the class of {scripts.classes()[name]}"
    elif name in _KEYWORDS:
        owner = "a GDScript keyword"
    elif _is_global(index, name):
        owner = "a global constant of the engine"
    if owner:
        raise Invalid(f"'{name}' is {owner}.", path="input.name", rule="taken", hint="Choose another name.")


def _is_global(index: ClassIndex, name: str) -> bool:
    from scenewright.godot.classes.index import GLOBAL

    try:
        index.constant(GLOBAL, name)
    except NotFound:
        return any(enum.name == name for enum in index.enums(GLOBAL))
    return True


def _check_file(path: str, scripts: ProjectScripts) -> None:
    if not path.endswith(_KINDS):
        raise Invalid(
            f"'{path}' is neither a script nor a scene.",
            path="input.path",
            rule="suffix",
            hint=f"An autoload is one of {', '.join(_KINDS)}.",
        )
    if not path.endswith(".gd") or scripts.script_at(path) is None:
        return  # the engine alone can tell
    base = scripts.native_base(path)
    if base in scripts.index and not scripts.index.is_a(base, "Node"):
        raise Invalid(
            f"'{path}' extends {base}, but an autoload must be a Node.",
            path="input.path",
            rule="class",
            hint="Make the script extend Node.",
        )
