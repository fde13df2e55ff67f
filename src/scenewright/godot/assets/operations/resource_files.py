"""Resource files: which there are, making, reading and changing them; every value by its declared type."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from scenewright.core.calls.call import Call
from scenewright.core.faults import Conflict, Invalid, NotFound, did_you_mean
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, Record, about
from scenewright.core.operations.paging import NextOffset, Page
from scenewright.core.text.counts import count_noun
from scenewright.godot.project.openers import class_index, open_workspace
from scenewright.godot.scenes.operations.node_properties import Unwritten, Values, set_or_default

if TYPE_CHECKING:
    from scenewright.godot.assets.resource_file import ResourceFile
    from scenewright.godot.project.workspace import Workspace

__all__ = ["OPERATIONS", "NewResource", "ResourceWritten", "create_resource"]

ResourcePath = Annotated[str, about("Resource file (.tres), res:// or from the project's root.", min_length=1)]


class NewResource(Inputs, frozen=True, kw_only=True):
    resource_path: ResourcePath
    resource_type: Annotated[str, about("Resource class of the engine, or class_name of the project.", min_length=1)]
    properties: Values | None = None
    overwrite: Annotated[bool, about("Replace a resource that exists.")] = False


class ResourceWritten(Outputs, frozen=True, kw_only=True):
    resource_path: Annotated[str, about("res:// path.")]
    type: Annotated[str, about("Class.")]
    uid: Annotated[str, about("uid:// of the file.")] | None = None
    properties: Annotated[dict[str, Any], about("The values, read back.")] | None = None
    unwritten: Unwritten | None = None


@operation(
    id="godot.resource.create",
    category="resource",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="create_resource",
    manager="godot_asset_manager",
    action="resource.create",
    examples=(
        Example(
            "A style",
            {"resourcePath": "ui/panel.tres", "resourceType": "StyleBoxFlat", "properties": {"bg_color": "#202020"}},
            {
                "resourcePath": "res://ui/panel.tres",
                "type": "StyleBoxFlat",
                "uid": "uid://b4k2j0x1y7q3",
                "properties": {"bg_color": "Color(0.1254902, 0.1254902, 0.1254902, 1)"},
            },
        ),
    ),
)
def create_resource(call: Call, inputs: NewResource) -> ResourceWritten:
    """Creates a resource file of a class of the engine or the project, its properties set and read back."""
    from scenewright.godot.assets.resource_file import new_resource

    workspace = open_workspace(call)
    place = _place(workspace, inputs.resource_path)
    if call.files.exists(place) and not inputs.overwrite:
        raise Conflict(
            f"'res://{place}' exists already.",
            hint="Pass overwrite: true, or change it with edit_resource.",
            retryable=False,
        )
    resource = new_resource(workspace, class_index(call), inputs.resource_type)
    placed = resource.set(inputs.properties or {})
    workspace.save(place, placed.document)
    call.summary = f"Created res://{place} ({resource.type})."
    return ResourceWritten(
        resource_path=f"res://{place}",
        type=resource.type,
        uid=resource.uid,
        properties=placed.shown() or None,
        unwritten=placed.defaults or None,
    )


class ResourceFilter(Inputs, frozen=True, kw_only=True):
    type: Annotated[str, about("Class of the engine or project; what inherits from it counts too.")] | None = None
    folder: Annotated[str, about("Only resources below this folder.")] | None = None
    recursive: Annotated[bool, about("Include subfolders.")] = True
    include_imported: Annotated[bool, about("Add imported files such as textures and sounds.")] = False
    limit: Annotated[int, about("Resources per page.", ge=1, le=1000)] = 200
    offset: Annotated[int, about("Resources to skip, from nextOffset.", ge=0)] = 0


class ResourceRow(Record, frozen=True, kw_only=True):
    path: Annotated[str, about("res:// path.")]
    type: Annotated[str, about("Class; empty where only the engine can tell, as of binary files.")] = ""
    script_class: Annotated[str, about("Class of the project.")] = ""
    uid: Annotated[str, about("uid:// of the file.")] | None = None


class ResourceList(Outputs, frozen=True, kw_only=True):
    resources: Annotated[list[ResourceRow], about("Resources, sorted by path.")]
    total: Annotated[int, about("How many there are in all.")]
    next_offset: NextOffset = None


@operation(
    id="godot.resource.list",
    category="resource",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="list_resources",
    manager="godot_asset_manager",
    parameter_aliases={"dirPath": "folder", "maxResults": "limit", "directory": "folder", "resourceType": "type"},
    examples=(
        Example(
            "All styles",
            {"type": "StyleBox"},
            {"resources": [{"path": "res://ui/panel.tres", "type": "StyleBoxFlat"}], "total": 1},
        ),
    ),
)
def list_resources(call: Call, inputs: ResourceFilter) -> ResourceList:
    """Lists the project's resource files with their classes, on request with imported files."""
    from scenewright.godot.assets.resource_file import ResourceListing

    workspace = open_workspace(call)
    listing = ResourceListing(workspace, class_index(call))
    if inputs.type is not None:
        listing.check_class(inputs.type)
    rows = [
        ResourceRow(path=file.path, type=file.class_name, script_class=listing.script_class(file), uid=file.uid)
        for file in listing.files(inputs.folder, imported=inputs.include_imported, recursive=inputs.recursive)
        if inputs.type is None or listing.is_a(file, inputs.type)
    ]
    call.warnings += listing.broken
    page = Page.cut(rows, inputs.offset, inputs.limit)
    call.summary = f"{count_noun(len(rows), 'resource')}."
    return ResourceList(resources=page.items, total=len(rows), next_offset=page.next_offset)


class ReadResource(Inputs, frozen=True, kw_only=True):
    resource_path: ResourcePath
    id: Annotated[str, about("An inner resource of the file, instead of the file's own.")] | None = None
    names: Annotated[list[str] | None, about("Only these properties, set or not.")] = None
    include_defaults: Annotated[bool, about("Add what the file does not set, with its default.")] = False


class InnerRow(Record, frozen=True, kw_only=True):
    id: Annotated[str, about("Id within the file.")]
    type: Annotated[str, about("Class.")]


class ResourceRead(Outputs, frozen=True, kw_only=True):
    resource_path: Annotated[str, about("res:// path.")]
    type: Annotated[str, about("Class.")]
    properties: Annotated[dict[str, Any], about("Effective values.")]
    script: Annotated[str, about("Its script.")] | None = None
    uid: Annotated[str, about("uid:// of the file.")] | None = None
    inner: Annotated[list[InnerRow], about("Resources inside the file; read one with id.")] | None = None


@operation(
    id="godot.resource.read",
    category="resource",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="read_resource",
    manager="godot_asset_manager",
    action="resource.read",
    examples=(
        Example(
            "A style",
            {"resourcePath": "ui/panel.tres"},
            {
                "resourcePath": "res://ui/panel.tres",
                "type": "StyleBoxFlat",
                "properties": {"bg_color": "Color(0.1, 0.1, 0.1, 1)"},
            },
        ),
    ),
)
def read_resource(call: Call, inputs: ReadResource) -> ResourceRead:
    """Returns the effective properties of a resource file, or of a resource inside it."""
    resource = _open(call, inputs.resource_path, inputs.id)
    properties = resource.read(inputs.names, defaults=inputs.include_defaults)
    call.summary = f"{resource.path}: {resource.type}, {count_noun(len(properties), 'property', 'properties')}."
    return ResourceRead(
        resource_path=resource.path,
        type=resource.type,
        properties=properties,
        script=resource.script,
        uid=resource.uid,
        inner=[InnerRow(id=each.id, type=each.type) for each in resource.inner] or None,
    )


class EditResource(Inputs, frozen=True, kw_only=True):
    resource_path: ResourcePath
    properties: Values | None = None
    reset: Annotated[list[str] | None, about("Properties to reset to their default.")] = None
    id: Annotated[str, about("An inner resource of the file, instead of the file's own.")] | None = None


@operation(
    id="godot.resource.edit",
    category="resource",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="edit_resource",
    manager="godot_asset_manager",
    action="resource.edit",
    idempotent=True,
    examples=(
        Example(
            "A darker panel",
            {"resourcePath": "ui/panel.tres", "properties": {"bg_color": "black"}},
            {
                "resourcePath": "res://ui/panel.tres",
                "type": "StyleBoxFlat",
                "properties": {"bg_color": "Color(0, 0, 0, 1)"},
            },
        ),
    ),
)
def edit_resource(call: Call, inputs: EditResource) -> ResourceWritten:
    """Sets or resets properties of a resource file, or of a resource inside it; the values are read back."""
    if not inputs.properties and not inputs.reset:
        raise Invalid("Give properties or reset.", path="input.properties", rule="required")
    resource = _open(call, inputs.resource_path, inputs.id)
    placed = resource.set(inputs.properties or {}, reset=inputs.reset or ())
    open_workspace(call).save(inputs.resource_path, placed.document)
    call.summary = f"Set {set_or_default(placed.values, placed.defaults)} of {resource.path}."
    return ResourceWritten(
        resource_path=resource.path,
        type=resource.type,
        uid=resource.uid,
        properties=placed.shown() or None,
        unwritten=placed.defaults or None,
    )


OPERATIONS = (create_resource, list_resources, read_resource, edit_resource)


def _place(workspace: Workspace, path: str) -> str:
    place = workspace.place(path)
    if not place.endswith(".tres"):
        raise Invalid("A resource's file name ends in .tres.", path="input.resourcePath", rule="suffix")
    return place


def _open(call: Call, path: str, inner: str | None) -> ResourceFile:
    from scenewright.godot.assets.resource_file import ResourceFile

    workspace = open_workspace(call)
    place = _place(workspace, path)
    resource = ResourceFile(workspace, class_index(call), workspace.document(place), f"res://{place}", inner)
    known = [each.id for each in resource.inner]
    if inner is not None and inner not in known:
        raise NotFound(f"'res://{place}' has no inner resource '{inner}'.", hint=did_you_mean(inner, known))
    return resource
