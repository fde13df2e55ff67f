"""Data that goes with a game as JSON files, and what its last run complained about."""

from __future__ import annotations

import json
import re
from typing import Annotated, Any

import anyio.to_thread

from scenewright.core.calls.call import Call
from scenewright.core.faults import Invalid
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, about
from scenewright.core.text.counts import count_noun
from scenewright.godot.engine.operations.runs import Said, folded, games_of, said_by, said_in_editor
from scenewright.godot.project.openers import open_workspace

__all__ = ["OPERATIONS"]

_FOLDER = "game_data"
_COMPLAINTS = ("error or warning", "errors and warnings")
_NAME = re.compile(r"[\w][\w .-]{0,99}")

DataName = Annotated[str, about("Name of the data, such as 'levels' or 'slot1'.", min_length=1, max_length=100)]
_NOTES = (
    "In res://game_data/NAME.json, where history can undo it; the game reads it with FileAccess and JSON. user:// is "
    "the player's own folder, outside the project, and no tool writes there."
)


class SaveInputs(Inputs, frozen=True, kw_only=True):
    data: Annotated[Any, about("Any JSON.")]
    name: DataName = "save"
    merge: Annotated[bool, about("Keep other keys of data that is there.")] = False


class Saved(Outputs, frozen=True, kw_only=True):
    path: Annotated[str, about("res:// path.")]
    bytes: Annotated[int, about("Size of the file.")]


@operation(
    id="godot.data.save",
    category="project",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="save_game_data",
    manager="godot_project_config_manager",
    idempotent=True,
    notes=_NOTES,
    parameter_aliases={"key": "name", "value": "data"},
    examples=(
        Example(
            "A starting state",
            {"name": "start", "data": {"lives": 3}},
            {"path": "res://game_data/start.json", "bytes": 17},
        ),
    ),
)
def save_game_data(call: Call, inputs: SaveInputs) -> Saved:
    """Writes game data as a JSON file of the project."""
    place = _data_path(inputs.name)
    data = inputs.data
    if inputs.merge and call.files.exists(place):
        before = _read_data(call, place)
        if not isinstance(before, dict) or not isinstance(data, dict):
            raise Invalid("Only objects can be merged.", path="input.merge", rule="type", hint="Leave merge out.")
        data = before | data
    content = (json.dumps(data, indent="\t", ensure_ascii=False) + "\n").encode()
    call.files.write(place, content)
    call.summary = f"Saved res://{place}."
    return Saved(path=f"res://{place}", bytes=len(content))


class LoadInputs(Inputs, frozen=True, kw_only=True):
    name: DataName = "save"
    default: Annotated[Any, about("What to return if nothing was saved; without it, that is an error.")] = None


class Loaded(Outputs, frozen=True, kw_only=True):
    path: Annotated[str, about("res:// path.")]
    data: Annotated[Any, about("What was saved.")]


@operation(
    id="godot.data.load",
    category="project",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="load_game_data",
    manager="godot_project_config_manager",
    parameter_aliases={"key": "name", "defaultValue": "default"},
    examples=(
        Example("A starting state", {"name": "start"}, {"path": "res://game_data/start.json", "data": {"lives": 3}}),
    ),
)
def load_game_data(call: Call, inputs: LoadInputs) -> Loaded:
    """Reads game data that was saved as a JSON file of the project."""
    place = _data_path(inputs.name)
    if inputs.default is not None and not call.files.exists(place):
        call.summary = f"There is no res://{place} yet; this is the default."
        return Loaded(path=f"res://{place}", data=inputs.default)
    data = _read_data(call, place)
    call.summary = f"Read res://{place}."
    return Loaded(path=f"res://{place}", data=data)


class RecentInputs(Inputs, frozen=True, kw_only=True):
    limit: Annotated[int, about("Most to return.", ge=1, le=500)] = 20


class Recent(Outputs, frozen=True, kw_only=True):
    errors: Annotated[list[Said], about("Errors and warnings, the latest last.")]
    total: Annotated[int, about("How many there are in all.")]


@operation(
    id="godot.debug.recent_errors",
    name="Recent Errors",
    category="debug",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="get_recent_errors",
    manager="godot_project_config_manager",
    action="errors.get_recent",
    notes="Of the game that was run last. get_script_errors compiles scripts, godot_get_errors asks an open editor.",
    parameter_aliases={"maxMatches": "limit"},
    examples=(
        Example("After a run", {}, {"errors": [{"message": "Division by zero.", "severity": "error"}], "total": 1}),
    ),
)
async def get_recent_errors(call: Call, inputs: RecentInputs) -> Recent:
    """Returns the latest errors and warnings of the game that runs or ran last, also of one run from the editor."""
    from scenewright.godot.editor.live.running_game import editor_game

    game = games_of(call).find(call.state.project.root)
    played = await editor_game(call) if game is None or not game.running else None
    if played is not None and (played.running or game is None):
        played_errors = folded([said_in_editor(error) for error in played.errors])
        call.summary = f"{count_noun(len(played_errors), *_COMPLAINTS)} of run {played.run} from the editor."
        return Recent(errors=played_errors[-inputs.limit :], total=len(played_errors))
    errors = (await anyio.to_thread.run_sync(said_by, game, 0))[1] if game is not None else []
    call.summary = (
        f"{count_noun(len(errors), *_COMPLAINTS)}." if game else "No game has run yet; run_project starts it."
    )
    return Recent(errors=errors[-inputs.limit :], total=len(errors))


OPERATIONS = (save_game_data, load_game_data, get_recent_errors)


def _data_path(name: str) -> str:
    plain = name.removesuffix(".json")
    if not _NAME.fullmatch(plain):
        raise Invalid(
            f"'{name}' is not a valid name for data.",
            path="input.name",
            rule="pattern",
            hint="Use letters, digits, _, -, . and spaces.",
        )
    return f"{_FOLDER}/{plain}.json"


def _read_data(call: Call, place: str) -> Any:
    from scenewright.core.faults import NotFound, did_you_mean

    if not call.files.exists(place):
        known = [path for path in open_workspace(call).listing(".json") if path.startswith(f"{_FOLDER}/")]
        raise NotFound(f"There is no 'res://{place}'.", hint=did_you_mean(place, known) or "save_game_data creates it.")
    try:
        return json.loads(call.files.read(place).decode("utf-8-sig"))
    except ValueError as wrong:
        raise Invalid(f"'res://{place}' is not JSON: {wrong}.", path="input.name", rule="json") from None
