"""The engine's uids: from a file to its uid and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from scenewright.core.calls.call import Call
from scenewright.core.faults import NotFound
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, about
from scenewright.godot.project.openers import open_workspace

if TYPE_CHECKING:
    from scenewright.godot.values.tree import File

__all__ = ["OPERATIONS"]


class UidQuery(Inputs, frozen=True, kw_only=True):
    file_path: Annotated[str, about("File, res:// or from the project's root.", min_length=1)]


class UidInputs(Inputs, frozen=True, kw_only=True):
    uid: Annotated[str, about("Such as 'uid://dw6x8oyqx4ghm'; or a path, for its uid.", min_length=1, max_length=1024)]


class Addressed(Outputs, frozen=True, kw_only=True):
    path: Annotated[str, about("res:// path.")]
    uid: Annotated[str, about("The file's uid.")]
    type: Annotated[str, about("Class of what the file holds.")] = ""


_EXAMPLE = {"path": "res://player.tscn", "uid": "uid://dw6x8oyqx4ghm", "type": "PackedScene"}


@operation(
    id="godot.uid.get",
    category="asset",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="get_uid",
    manager="godot_asset_manager",
    examples=(Example("A scene", {"filePath": "player.tscn"}, _EXAMPLE),),
)
def get_uid(call: Call, inputs: UidQuery) -> Addressed:
    """Returns the uid of a scene, resource, script or imported file."""
    file = _find_file(call, inputs.file_path)
    if not file.uid:
        raise NotFound(f"'{file.path}' has no uid.", hint="The editor gives files one when it imports the project.")
    call.summary = f"{file.path} is {file.uid}."
    return Addressed(path=file.path, uid=file.uid, type=file.class_name)


@operation(
    id="godot.uid.resolve",
    category="asset",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="resolve_uid",
    manager="godot_asset_manager",
    action="uid_convert",
    parameter_aliases={"filePath": "uid"},
    examples=(Example("A uid from a scene", {"uid": "uid://dw6x8oyqx4ghm"}, _EXAMPLE),),
)
def resolve_uid(call: Call, inputs: UidInputs) -> Addressed:
    """Converts a uid to the file that has it, or a file's path to its uid."""
    if not inputs.uid.startswith("uid://"):
        known: Addressed = get_uid.handler(call, UidQuery(file_path=inputs.uid))
        return known
    file = _find_file(call, inputs.uid)
    call.summary = f"{inputs.uid} is {file.path}."
    return Addressed(path=file.path, uid=inputs.uid, type=file.class_name)


OPERATIONS = (get_uid, resolve_uid)


def _find_file(call: Call, address: str) -> File:
    from scenewright.godot.project.addresses import Addresses

    return Addresses(open_workspace(call)).file(address)
