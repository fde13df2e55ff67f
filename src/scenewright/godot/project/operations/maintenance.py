"""Keeping a project in order: uids for files that lack them, files saved anew by the engine, mesh libraries."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from scenewright.core.calls.call import Call
from scenewright.core.faults import Conflict, Invalid, NotFound, did_you_mean
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, NoInputs, Outputs, Record, about
from scenewright.core.text.counts import count_noun
from scenewright.godot.project.openers import ScenePath, open_workspace

if TYPE_CHECKING:
    from scenewright.godot.documents.document import Document
    from scenewright.godot.engine.worker import Reply
    from scenewright.godot.project.missing_uids import Identities
    from scenewright.godot.project.workspace import Workspace

__all__ = ["OPERATIONS"]

_SECONDS = 300.0
_MOST = 200
_LIBRARIES = (".tres", ".res", ".meshlib")


class UidsGiven(Outputs, frozen=True, kw_only=True):
    given: Annotated[list[str], about("Files that got a uid.")]
    total: Annotated[int, about("How many.")]
    updated: Annotated[list[str], about("Scenes and resources whose references got uids.")]
    unreadable: Annotated[list[str], about("Files that cannot be parsed, left as they are.")]


@operation(
    id="godot.uid.update",
    category="asset",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="update_project_uids",
    manager="godot_asset_manager",
    action="update_uids",
    idempotent=True,
    notes="Works without Godot. Existing uids stay; imported files get theirs when they are imported.",
    examples=(
        Example(
            "A script that came from elsewhere",
            {},
            {"given": ["res://hero.gd"], "total": 1, "updated": ["res://main.tscn"], "unreadable": []},
        ),
    ),
)
def update_project_uids(call: Call, inputs: NoInputs) -> UidsGiven:  # noqa: ARG001
    """Gives scripts, shaders, scenes and resources the uids they lack, and adds uids to references."""
    from scenewright.godot.project.missing_uids import Identities

    identities = Identities(open_workspace(call))
    given_uids = list(identities.give())
    updated = list(identities.name())
    call.summary = (
        f"{count_noun(len(given_uids), 'file')} got a uid; references changed in {count_noun(len(updated), 'file')}."
    )
    return UidsGiven(
        given=given_uids[:_MOST],
        total=len(given_uids),
        updated=updated[:_MOST],
        unreadable=identities.unreadable[:_MOST],
    )


class ResaveInputs(Inputs, frozen=True, kw_only=True):
    files: Annotated[list[str], about("Only these scenes and resources; all otherwise.", max_length=1000)] = (
        msgspec.field(default_factory=list)
    )


class FailedRow(Record, frozen=True, kw_only=True):
    path: Annotated[str, about("File.")]
    message: Annotated[str, about("Why it was left as it is.")]


class Resaved(Outputs, frozen=True, kw_only=True):
    changed: Annotated[list[str], about("Files that changed.")]
    total: Annotated[int, about("How many.")]
    unchanged: Annotated[int, about("Files that did not need to change.")]
    failed: Annotated[list[FailedRow], about("Files that do not load cleanly; saving them would lose something.")]


@operation(
    id="godot.resource.resave",
    category="asset",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="resave_resources",
    manager="godot_asset_manager",
    action="resave",
    timeout=_SECONDS,
    idempotent=True,
    notes="Needs Godot. Brings files of older versions into the form of this one; uids stay. Can be undone.",
    executes="always",
    examples=(Example("All", {}, {"changed": ["res://old.tscn"], "total": 1, "unchanged": 40, "failed": []}),),
)
async def resave_resources(call: Call, inputs: ResaveInputs) -> Resaved:
    """Has the engine load and save scenes and resources again, in the form it writes today."""
    from scenewright.godot.engine.requests import ask_engine
    from scenewright.godot.project.missing_uids import Identities

    workspace = open_workspace(call)
    paths = [workspace.resource_path(path) for path in inputs.files] or [
        f"res://{path}" for path in workspace.listing(".tscn", ".tres")
    ]
    for path in paths:
        workspace.document(path)  # refused with a hint where it is not there
    with tempfile.TemporaryDirectory(prefix="scenewright-saving-") as folder:
        asked = {"paths": paths, "folder": folder}
        reply = await ask_engine(call, "saving.again", asked, timeout=_SECONDS - 20)
        failed = [
            row for path, place in zip(paths, reply.value, strict=True) if (row := _failed_row(path, place, reply))
        ]
        bad = {row.path for row in failed}
        saved = {
            path: Path(place).read_bytes() for path, place in zip(paths, reply.value, strict=True) if path not in bad
        }
    identities = Identities(workspace)
    changed = [path for path, content in saved.items() if _restage_if_changed(workspace, identities, path, content)]
    call.summary = f"{len(changed)} of {count_noun(len(paths), 'file')} changed, {len(failed)} left out."
    return Resaved(
        changed=changed[:_MOST], total=len(changed), unchanged=len(saved) - len(changed), failed=failed[:_MOST]
    )


class LibraryInputs(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    output_path: Annotated[str, about("Library to write: .tres, .res or .meshlib.", min_length=1)]
    mesh_item_names: Annotated[list[str], about("Only the meshes of these nodes; all otherwise.")] = msgspec.field(
        default_factory=list
    )
    overwrite: Annotated[bool, about("Replace a file that exists.")] = False


class ItemRow(Record, frozen=True, kw_only=True):
    id: Annotated[int, about("Number in the library.")]
    name: Annotated[str, about("Name: that of the node, or of the body around it.")]
    shapes: Annotated[int, about("Collision shapes.")]
    navigation: Annotated[bool, about("Whether it has a navigation mesh.")]


class Library(Outputs, frozen=True, kw_only=True):
    path: Annotated[str, about("The library.")]
    items: Annotated[list[ItemRow], about("What it holds.")]


@operation(
    id="godot.mesh_library.export",
    category="asset",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="export_mesh_library",
    manager="godot_asset_manager",
    timeout=130.0,
    notes="Needs Godot. Shapes come from a StaticBody3D below a mesh or around it, navigation from a "
    "NavigationRegion3D below it; no previews. Items of a library that is replaced keep their ids.",
    executes="always",
    examples=(
        Example(
            "Tiles",
            {"scenePath": "tiles.tscn", "outputPath": "tiles.tres"},
            {"path": "res://tiles.tres", "items": [{"id": 0, "name": "Floor", "shapes": 1, "navigation": False}]},
        ),
    ),
)
async def export_mesh_library(call: Call, inputs: LibraryInputs) -> Library:
    """Makes a MeshLibrary for a GridMap from the meshes of a 3D scene, with their collision shapes."""
    from scenewright.godot.engine.requests import ask_engine
    from scenewright.godot.project.missing_uids import Identities

    workspace = open_workspace(call)
    scene, place = workspace.resource_path(inputs.scene_path), workspace.place(inputs.output_path)
    workspace.document(scene)  # refused with a hint where it is not there
    _check_library(call, place, overwrite=inputs.overwrite)
    with tempfile.TemporaryDirectory(prefix="scenewright-library-") as folder:
        made = Path(folder) / f"library{Path(place).suffix}"
        asked: dict[str, Any] = {"scene": scene, "place": str(made), "names": inputs.mesh_item_names}
        asked |= {"older": f"res://{place}"} if call.files.exists(place) else {}
        reply = await ask_engine(call, "saving.mesh_library", asked, timeout=120.0)
        _check_made(reply, scene, inputs.mesh_item_names)
        content = made.read_bytes()
    if place.endswith(".tres"):
        _restage_if_changed(workspace, Identities(workspace), place, content)
    else:
        call.files.write(place, content)
    items = [ItemRow(**{**item, "id": int(item["id"]), "shapes": int(item["shapes"])}) for item in reply.value["items"]]
    call.summary = f"res://{place} has {count_noun(len(items), 'mesh', 'meshes')}."
    return Library(path=f"res://{place}", items=items)


OPERATIONS = (update_project_uids, resave_resources, export_mesh_library)


def _failed_row(path: str, place: str, reply: Reply) -> FailedRow | None:
    errors = [complaint.message for complaint in reply.about.get(path, []) if complaint.severity == "error"]
    if place and not errors:
        return None
    return FailedRow(path=path, message=errors[0] if errors else "The engine cannot load it.")


def _restage_if_changed(workspace: Workspace, identities: Identities, path: str, content: bytes) -> bool:
    """Stages what the engine saved, with the uids that it leaves out without an editor; whether that is a change."""
    from scenewright.godot.documents import document as documents
    from scenewright.godot.documents.ids import new_uid

    place = workspace.place(path)
    document = identities.named(documents.Document.parse(content, place))
    uid = identities.of(f"res://{place}") or new_uid()
    document = document.set_attribute(document.sections[0], "uid", uid)
    before = workspace.document(place) if workspace.files.exists(place) else None
    if before is not None:
        document = _with_ids_of(before, document)
    workspace.save(place, document)
    return before is None or before.to_bytes() != document.to_bytes()


def _with_ids_of(before: Document, document: Document) -> Document:
    """Files keep the ids by which the document calls them; the engine knows these only by the document's own path."""
    from scenewright.godot.documents.resources import rename_resource_id
    from scenewright.godot.documents.variant import ExtResource

    known = {section.string("path"): section.string("id") for section in before.tagged("ext_resource")}
    used_ids = {section.string("id") for section in document.tagged("ext_resource")}
    for section in document.tagged("ext_resource"):
        known_id, current_id = known.get(section.string("path")), section.string("id")
        if known_id and current_id and known_id not in used_ids:
            document = rename_resource_id(document, ExtResource(current_id), known_id)
    return document


def _check_library(call: Call, place: str, *, overwrite: bool) -> None:
    if not place.endswith(_LIBRARIES):
        raise Invalid(
            f"A mesh library cannot be written to '{place}'.",
            path="input.outputPath",
            rule="pattern",
            hint=f"Use one of these endings: {', '.join(_LIBRARIES)}.",
        )
    if call.files.exists(place) and not overwrite:
        raise Conflict(f"'res://{place}' exists already.", hint="Pass overwrite: true to replace it.", retryable=False)


def _check_made(reply: Reply, scene: str, names: list[str]) -> None:
    if not reply.value["loads"] or not reply.value["saved"]:
        errors = [complaint.message for complaint in reply.complaints][:10]
        hint = "validate_scene says what is wrong with it."
        raise Invalid(
            f"'{scene}' cannot be loaded.", path="input.scenePath", rule="scene", hint=hint, details={"errors": errors}
        )
    known = reply.value["known"]
    for name in names:
        if name not in known:
            listed = did_you_mean(name, known) or f"There are: {', '.join(known[:20]) or 'none'}."
            raise NotFound(f"'{scene}' has no MeshInstance3D '{name}' with a mesh.", hint=listed)
    if not known:
        raise NotFound(f"'{scene}' has no MeshInstance3D with a mesh.", hint="Add the meshes to the scene first.")
