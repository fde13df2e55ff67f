"""Files and folders of a project: whether they are there, making folders, one file in place of another."""

from __future__ import annotations

from base64 import b64decode
from typing import Annotated

from scenewright.core.calls.call import Call
from scenewright.core.faults import Conflict, Invalid, NotFound
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, Record, about
from scenewright.core.text.counts import count_noun
from scenewright.godot.project.openers import class_index, open_workspace

__all__ = ["OPERATIONS"]

_KEEPER = ".gitkeep"

Path = Annotated[str, about("res:// or from the project's root.", min_length=1)]


class ExistsInputs(Inputs, frozen=True, kw_only=True):
    path: Path


class Exists(Outputs, frozen=True, kw_only=True):
    path: Annotated[str, about("res:// path.")]
    exists: Annotated[bool, about("Whether it exists.")]
    kind: Annotated[str, about("file or folder.")] | None = None
    type: Annotated[str, about("Class of what the file holds.")] | None = None
    bytes: Annotated[int, about("Size of the file.")] | None = None


@operation(
    id="godot.file.exists",
    category="asset",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="file_exists",
    manager="godot_asset_manager",
    parameter_aliases={"filePath": "path"},
    examples=(
        Example(
            "A picture",
            {"path": "art/player.png"},
            {
                "path": "res://art/player.png",
                "exists": True,
                "kind": "file",
                "type": "CompressedTexture2D",
                "bytes": 2048,
            },
        ),
    ),
)
def file_exists(call: Call, inputs: ExistsInputs) -> Exists:
    """Says whether a file or folder exists, and what it holds."""
    from scenewright.godot.project.addresses import Addresses

    workspace = open_workspace(call)
    place = workspace.place(inputs.path)
    if (call.files.project.root / place).is_dir():
        return Exists(path=f"res://{place}", exists=True, kind="folder")
    if not call.files.exists(place):
        call.summary = f"There is no res://{place}."
        return Exists(path=f"res://{place}", exists=False)
    file = Addresses(workspace).file(place)
    size = len(call.files.read(place))
    return Exists(path=f"res://{place}", exists=True, kind="file", type=file.class_name or None, bytes=size)


class FolderInputs(Inputs, frozen=True, kw_only=True):
    path: Path
    create_parents: Annotated[bool, about("Create missing parent folders.")] = True


class FolderMade(Outputs, frozen=True, kw_only=True):
    path: Annotated[str, about("res:// path.")]
    created: Annotated[bool, about("Whether it is new.")]


@operation(
    id="godot.folder.create",
    category="asset",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="create_folder",
    manager="godot_asset_manager",
    idempotent=True,
    notes="An empty folder gets a .gitkeep, which the engine does not see. Writing a file creates its folder.",
    parameter_aliases={"dirPath": "path"},
    examples=(Example("For pictures", {"path": "art/enemies"}, {"path": "res://art/enemies", "created": True}),),
)
def create_folder(call: Call, inputs: FolderInputs) -> FolderMade:
    """Creates a folder and its parents; one that exists is left as it is."""
    place = open_workspace(call).place(inputs.path)
    folder = call.files.project.root / place
    if not inputs.create_parents and not folder.parent.is_dir():
        raise NotFound(
            f"'res://{place}' would be in a folder that does not exist.",
            hint="Leave createParents out to create it too.",
        )
    if folder.is_dir():
        return FolderMade(path=f"res://{place}", created=False)
    if call.files.exists(place):
        raise Conflict(f"'res://{place}' is a file.", hint="Choose another name.", retryable=False)
    call.files.write(f"{place}/{_KEEPER}", b"")
    call.summary = f"Created res://{place}."
    return FolderMade(path=f"res://{place}", created=True)


class BinaryInputs(Inputs, frozen=True, kw_only=True):
    path: Path
    base64: Annotated[str, about("The whole content.")]
    overwrite: Annotated[bool, about("Replace a file that exists.")] = False


class BinaryWritten(Outputs, frozen=True, kw_only=True):
    path: Annotated[str, about("res:// path.")]
    bytes: Annotated[int, about("Size of the file.")]
    created: Annotated[bool, about("Whether it is new.")] = False


@operation(
    id="godot.file.write_binary",
    category="asset",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="write_binary_file",
    manager="godot_code_manager",
    action="file.write_binary",
    idempotent=True,
    parameter_aliases={"filePath": "path"},
    examples=(
        Example(
            "A tiny file",
            {"path": "data/a.bin", "base64": "AAE="},
            {"path": "res://data/a.bin", "bytes": 2, "created": True},
        ),
    ),
)
def write_binary_file(call: Call, inputs: BinaryInputs) -> BinaryWritten:
    """Writes a whole binary file, such as a picture or sound, given as base64."""
    place = open_workspace(call).place(inputs.path)
    existed = call.files.exists(place)
    if existed and not inputs.overwrite:
        raise Conflict(f"'res://{place}' exists already.", hint="Pass overwrite: true to replace it.", retryable=False)
    try:
        content = b64decode(inputs.base64, validate=True)
    except ValueError:
        raise Invalid("'base64' is not valid base64.", path="input.base64", rule="encoding") from None
    call.files.write(place, content)
    call.summary = f"{'Replaced' if existed else 'Created'} res://{place} ({len(content):,} bytes)."
    return BinaryWritten(path=f"res://{place}", bytes=len(content), created=not existed)


class ReplaceInputs(Inputs, frozen=True, kw_only=True):
    old_path: Path
    new_path: Path
    scene_path: Annotated[str, about("Only in this scene or resource; in all if left out.")] | None = None


class ReplacedRow(Record, frozen=True, kw_only=True):
    path: Annotated[str, about("File that was changed.")]
    references: Annotated[int, about("Sections of it that now use the new file.")]


class ResourceReplaced(Outputs, frozen=True, kw_only=True):
    old_path: Annotated[str, about("res:// path.")]
    new_path: Annotated[str, about("res:// path.")]
    files: Annotated[list[ReplacedRow], about("Files that were changed.")]
    left: Annotated[list[str], about("Scripts and settings that still name the old file.")] | None = None


@operation(
    id="godot.resource.replace",
    category="asset",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="replace_resource",
    manager="godot_asset_manager",
    action="scene.replace_resource",
    idempotent=True,
    parameter_aliases={"oldResource": "oldPath", "newResource": "newPath"},
    examples=(
        Example(
            "A new picture everywhere",
            {"oldPath": "art/old.png", "newPath": "art/new.png"},
            {
                "oldPath": "res://art/old.png",
                "newPath": "res://art/new.png",
                "files": [{"path": "res://main.tscn", "references": 2}],
            },
        ),
    ),
)
def replace_resource(call: Call, inputs: ReplaceInputs) -> ResourceReplaced:
    """Makes every scene and resource that uses one file use another; refuses a file whose class does not fit."""
    from scenewright.godot.project.reference_replacement import Replacement
    from scenewright.godot.project.usages import Usages

    workspace = open_workspace(call)
    replacement = Replacement(workspace, class_index(call), inputs.old_path, inputs.new_path)
    done = replacement.apply(inputs.scene_path)
    call.warnings += [f"Skipped, since it cannot be read: {problem}" for problem in replacement.unread]
    usages = Usages(workspace).of_file(workspace.place(inputs.old_path))
    left = [f"{usage.path}:{usage.line}" for usage in usages if inputs.scene_path is None]
    if not done and not left and not call.files.exists(workspace.place(inputs.old_path)):
        raise NotFound(f"Nothing uses '{replacement.old.path}', and it does not exist.", hint="Check oldPath.")
    call.summary = f"{replacement.new.path} replaces it in {count_noun(len(done), 'file')}."
    return ResourceReplaced(
        old_path=replacement.old.path,
        new_path=replacement.new.path,
        left=left or None,
        files=[ReplacedRow(path=file.path, references=file.count) for file in done],
    )


OPERATIONS = (file_exists, create_folder, write_binary_file, replace_resource)
