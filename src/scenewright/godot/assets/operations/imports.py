"""Assets: which there are, bringing them into the project, and having the engine import them."""

from __future__ import annotations

import contextlib
import os
import re
import time
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec

from scenewright.core.calls.call import Call
from scenewright.core.faults import Conflict, Invalid, NotFound
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, Record, about
from scenewright.core.operations.paging import NextOffset, Page
from scenewright.core.text.counts import count_noun
from scenewright.core.writes.file_sizes import read_limited
from scenewright.godot.assets.import_results import FileFate, counted, fate_of
from scenewright.godot.assets.import_states import (
    IMPORTED,
    KINDS,
    asset_files,
    either_case,
    import_mark,
    import_state,
    unimported,
)
from scenewright.godot.project.openers import open_workspace

if TYPE_CHECKING:
    from scenewright.godot.project.workspace import Workspace

__all__ = ["OPERATIONS"]

_BROUGHT = ("texture", "audio", "model", "font")  # no text: that of another folder is not the caller's to read
_MOST_BYTES = 64 << 20
_MOST_TOLD = 500
Kind = Literal["texture", "audio", "model", "font", "scene", "resource", "script", "shader", "data"]


class AssetFilter(Inputs, frozen=True, kw_only=True):
    category: Annotated[Kind | Literal["all"], about("Only assets of this kind.")] = "all"
    folder: Annotated[str, about("Only assets below this folder.")] | None = None
    recursive: Annotated[bool, about("Include subfolders.")] = True
    limit: Annotated[int, about("Assets per page.", ge=1, le=1000)] = 200
    offset: Annotated[int, about("Assets to skip, from nextOffset.", ge=0)] = 0


class Asset(Record, frozen=True, kw_only=True):
    path: Annotated[str, about("res:// path.")]
    category: Annotated[str, about("Its kind.")]
    bytes: Annotated[int, about("Size of the file.")]
    imported: (
        Annotated[bool, about("Whether the engine has imported it as it is; absent where it need not.")] | None
    ) = None


class Assets(Outputs, frozen=True, kw_only=True):
    assets: Annotated[list[Asset], about("Assets, sorted by path.")]
    total: Annotated[int, about("How many there are in all.")]
    next_offset: NextOffset = None


@operation(
    id="godot.asset.list",
    category="asset",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="list_assets",
    manager="godot_asset_manager",
    parameter_aliases={"directory": "folder"},
    examples=(
        Example(
            "Textures",
            {"category": "texture"},
            {"assets": [{"path": "res://hero.png", "category": "texture", "bytes": 812, "imported": True}], "total": 1},
        ),
    ),
)
def list_assets(call: Call, inputs: AssetFilter) -> Assets:
    """Lists the project's assets by kind, and says which the engine still has to import."""
    workspace = open_workspace(call)
    endings = KINDS.get(inputs.category) or tuple(end for ends in KINDS.values() for end in ends)
    paths = workspace.listing_in(inputs.folder, *either_case(endings), recursive=inputs.recursive)
    page = Page.cut(paths, inputs.offset, inputs.limit)
    call.summary = f"{count_noun(len(paths), 'asset')}."
    return Assets(
        assets=[_asset(workspace, path) for path in page.items],
        total=len(paths),
        next_offset=page.next_offset,
    )


class CheckInputs(Inputs, frozen=True, kw_only=True):
    files: Annotated[list[str] | None, about("Only these.")] = None


class Unimported(Outputs, frozen=True, kw_only=True):
    missing: Annotated[list[str], about("Assets the engine has not imported.")]
    stale: Annotated[list[str], about("Assets that changed since.")]
    total: Annotated[int, about("Assets that need an import in this project.")]


@operation(
    id="godot.asset.import_check",
    name="Import Check",
    category="asset",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="auto_import_check",
    manager="godot_asset_manager",
    examples=(Example("One is new", {}, {"missing": ["res://hero.png"], "stale": [], "total": 4}),),
)
def auto_import_check(call: Call, inputs: CheckInputs) -> Unimported:
    """Says which assets the engine has not imported yet, or not as they are now."""
    workspace = open_workspace(call)
    missing, stale, total = unimported(workspace)
    if inputs.files is not None:
        asked = {workspace.resource_path(path) for path in inputs.files}
        missing, stale, total = (
            [each for each in missing if each in asked],
            [e for e in stale if e in asked],
            len(asked),
        )
    call.summary = f"{len(missing)} not imported, {len(stale)} changed since."
    return Unimported(missing=missing[:500], stale=stale[:500], total=total)


class BringInputs(Inputs, frozen=True, kw_only=True):
    source_path: Annotated[str, about("Asset in a folder that is open to tools, as an absolute path.", min_length=1)]
    destination_path: Annotated[str, about("Where it goes, res:// or from the project's root.", min_length=1)]
    overwrite: Annotated[bool, about("Replace a file that is there.")] = False


class Brought(Outputs, frozen=True, kw_only=True):
    path: Annotated[str, about("res:// path.")]
    bytes: Annotated[int, about("Size of the file.")]


@operation(
    id="godot.asset.bring",
    category="asset",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="import_asset",
    manager="godot_asset_manager",
    idempotent=True,
    notes="Copies the file; import_assets has the engine import it.",
    examples=(
        Example(
            "A picture",
            {"sourcePath": "/home/me/hero.png", "destinationPath": "art/hero.png"},
            {"path": "res://art/hero.png", "bytes": 812},
        ),
    ),
)
def import_asset(call: Call, inputs: BringInputs) -> Brought:
    """Copies an asset into the project, from another folder that a person has opened to tools."""
    workspace = open_workspace(call)
    source = call.runtime.roots.locate_file(inputs.source_path, parameter="sourcePath")
    suffix = source.suffix.lower()
    if not any(suffix in KINDS[kind] for kind in _BROUGHT):
        raise Invalid(
            f"'{suffix}' is not the ending of an asset.",
            path="input.sourcePath",
            rule="enum",
            hint="Bring pictures, sounds, models or fonts; write_file writes what you can read.",
        )
    if source.stat().st_size > _MOST_BYTES:
        raise Invalid(f"'{source}' is larger than {_MOST_BYTES >> 20} MiB.", path="input.sourcePath", rule="maximum")
    place = workspace.place(inputs.destination_path)
    if PurePosixPath(place).suffix.lower() != suffix:
        place = str(PurePosixPath(place) / source.name)
    if call.files.exists(place) and not inputs.overwrite:
        raise Conflict(f"'res://{place}' exists already.", hint="Pass overwrite: true to replace it.", retryable=False)
    content = source.read_bytes()
    call.files.write(place, content)
    call.summary = f"Copied {source.name} to res://{place}."
    return Brought(path=f"res://{place}", bytes=len(content))


class ImportIssue(Record, frozen=True, kw_only=True):
    message: Annotated[str, about("What the importer says.")]
    severity: Annotated[str, about("error or warning.")] = "error"


class Imported(Outputs, frozen=True, kw_only=True):
    imported: Annotated[list[str], about("Assets that the engine imported.")]
    failed: Annotated[list[str], about("Assets that it could not import.")]
    issues: Annotated[list[ImportIssue], about("What it complained of.")]
    files: (
        Annotated[list[FileFate], about("Of each file that was named, or is not imported: what became of it, and why.")]
        | None
    ) = None


@operation(
    id="godot.asset.import",
    category="asset",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="import_assets",
    asked_for="Compile a compute shader (.glsl).",
    aliases=("godot_import_project_assets",),
    manager="godot_asset_manager",
    action="scan",
    timeout=600.0,
    transactional=False,
    idempotent=True,
    notes="Needs Godot, which writes .import and .uid files beside the assets and its cache in .godot.",
    executes="always",
    examples=(Example("One is new", {}, {"imported": ["res://hero.png"], "failed": [], "issues": []}),),
)
async def import_assets(call: Call, inputs: Inputs) -> Imported:
    """Has the engine scan the project and import every asset that is new or has changed."""
    del inputs
    return await _import(call)


class ReimportInputs(Inputs, frozen=True, kw_only=True):
    files: Annotated[list[str], about("Assets to import again.", max_length=500)] = msgspec.field(default_factory=list)
    method: Annotated[
        Literal["touch", "delete_import"],
        about("delete_import forgets the import settings too, so that the engine's own apply; uids stay."),
    ] = "touch"
    settings: Annotated[
        dict[str, Any],
        about("Import settings to change first, as in the .import file: {'loop_mode': 'Forward', 'mipmaps': true}."),
    ] = msgspec.field(default_factory=dict)


@operation(
    id="godot.asset.reimport",
    category="asset",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="reimport_assets",
    manager="godot_asset_manager",
    action="reimport",
    asked_for="Change the import settings of an asset: make a sound loop, filter or compress a texture.",
    timeout=600.0,
    transactional=False,
    parameter_aliases={"assetPaths": "files", "paths": "files"},
    idempotent=True,
    notes="Needs Godot. Without files, all assets are imported again.",
    executes="always",
    examples=(
        Example(
            "One",
            {"files": ["hero.png"]},
            {
                "imported": ["res://hero.png"],
                "failed": [],
                "issues": [],
                "files": [{"path": "res://hero.png", "state": "imported"}],
            },
        ),
    ),
)
async def reimport_assets(call: Call, inputs: ReimportInputs) -> Imported:
    """Has the engine import assets again, with other import settings where they are given."""
    workspace = open_workspace(call)
    asked = [workspace.place(path) for path in inputs.files]
    _check_settings(inputs)
    places = asked or asset_files(workspace, IMPORTED)
    for place in places:
        if not call.files.exists(place):
            raise NotFound(f"There is no file 'res://{place}'.", hint="list_assets shows the files there are.")
    if inputs.settings:
        return await _import_with(call, places, inputs.settings)
    for place in places:
        _make_stale(call.state.project.root, place)
    return await (_import(call, asked) if inputs.method == "touch" else _import_as_new(call, places, asked))


OPERATIONS = (list_assets, auto_import_check, import_asset, import_assets, reimport_assets)


async def _import(call: Call, asked: Sequence[str] = ()) -> Imported:
    from scenewright.godot.engine.commands import run_engine

    workspace = open_workspace(call)
    assets = asset_files(workspace, IMPORTED)
    before = {path: import_state(workspace, path) for path in assets}
    done = await run_engine(call, ["--headless", "--import"], timeout=590.0)
    now = {path: import_state(workspace, path) for path in assets}
    texts = [complaint.message for complaint in done.complaints]
    root = call.state.project.root
    fates = [
        fate_of(root, path, before=before.get(path), now=now.get(path), complaints=texts)
        for path in dict.fromkeys([*asked, *assets])
    ]
    failed = [f"res://{path}" for path in assets if any(f"importing 'res://{path}'" in text for text in texts)]
    imported = [fate.path for fate in fates if fate.state == "imported" and fate.path not in failed]
    issues = [ImportIssue(message=complaint.message, severity=complaint.severity) for complaint in done.complaints[:50]]
    named = {f"res://{path}" for path in asked}
    listed = [fate for fate in fates if fate.path in named or fate.state not in ("imported", "current")]
    call.summary = f"{counted(fate for fate in fates if not named or fate.path in named) or 'There are no assets'}."
    return Imported(imported=sorted(imported), failed=failed, issues=issues, files=listed[:_MOST_TOLD] or None)


def _check_settings(inputs: ReimportInputs) -> None:
    if inputs.settings and not inputs.files:
        raise Invalid(
            "'settings' goes with 'files'.", path="input.files", rule="required", hint="Name the assets they are for."
        )
    if inputs.settings and inputs.method == "delete_import":
        raise Invalid("'settings' goes with the method touch.", path="input.method", rule="const")


async def _import_with(call: Call, places: list[str], settings: dict[str, Any]) -> Imported:
    """Imports with other settings, which are a change like any other; what was never imported is first."""
    from scenewright.godot.assets.import_settings import changed_settings

    root = call.state.project.root
    beside = [f"{place}.import" for place in places]
    if not all((root / path).is_file() for path in beside):  # what the call itself has looked for stays absent to it
        await _import(call)
    kept = {path: call.files.read(path) for path in beside}
    changed = {path: changed_settings(content, path, settings) for path, content in kept.items()}
    try:
        for path, (content, _) in changed.items():
            (root / path).write_bytes(content)
        for place in places:
            _make_stale(root, place)
        done = await _import(call, places)
        written = {path: read_limited(root / path) for path in kept}
    finally:  # on disk it is as before until the commit, which can be undone
        for path, content in kept.items():
            (root / path).write_bytes(content)
    for path, content in written.items():
        call.files.write(path, content)
    named = ", ".join(f"{name}={value}" for name, value in next(iter(changed.values()))[1].items())
    call.summary = f"Set {named}: {call.summary}"
    return done


async def _import_as_new(call: Call, places: list[str], asked: Sequence[str]) -> Imported:
    """Imports with the engine's own settings; what comes of the old ones is a change like any other."""
    root = call.state.project.root
    beside = [path for place in places if call.files.exists(path := f"{place}.import")]
    kept = {path: call.files.read(path) for path in beside}
    try:
        for path, content in kept.items():
            _reset_settings(root / path, content)
        done = await _import(call, asked)
        settings = {path: read_limited(root / path) for path in kept}
    finally:  # on disk it is as before until the commit, which can be undone
        for path, content in kept.items():
            (root / path).write_bytes(content)
    for path, content in settings.items():
        call.files.write(path, content)
    return done


def _reset_settings(settings: Path, content: bytes) -> None:
    """Leaves nothing but the uid, by which scenes may know the asset, and the date that says that it is stale."""
    uid = re.search(rb'^uid="[^"\n]*"$', content, re.MULTILINE)
    dated = settings.stat()
    settings.write_bytes(b"[remap]\n\n" + (uid[0] + b"\n" if uid else b""))
    os.utime(settings, ns=(dated.st_atime_ns, dated.st_mtime_ns))


def _asset(workspace: Workspace, path: str) -> Asset:
    suffix = PurePosixPath(path).suffix.lower()
    kind = next(kind for kind, endings in KINDS.items() if suffix in endings)
    state = import_state(workspace, path) if suffix in IMPORTED else "kept"
    imported = None if state == "kept" else state == "imported"
    return Asset(path=f"res://{path}", category=kind, bytes=_size_of(workspace, path), imported=imported)


def _size_of(workspace: Workspace, path: str) -> int:
    files = workspace.files
    return len(files.read(path)) if files.is_staged(path) else (files.project.root / path).stat().st_size


def _make_stale(root: Path, path: str) -> None:
    """Takes the engine's mark away, and dates the settings beside the asset anew: only then does it look for one."""
    import_mark(root, path).unlink(missing_ok=True)
    settings = root / f"{path}.import"
    with contextlib.suppress(FileNotFoundError):
        dated = settings.stat().st_mtime
        os.utime(settings, (dated, max(time.time(), dated + 1)))  # it counts in seconds
