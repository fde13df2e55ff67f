"""Installing the editor addon into a project, as staged files: journaled, undoable, nothing else touched."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from scenewright.core.call import Call
from scenewright.core.faults import NotFound
from scenewright.core.model import Inputs, Outputs, about
from scenewright.core.operation import Example, Safety, operation

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from scenewright.godot.workspace import Workspace

__all__ = ["FOLDER", "OPERATIONS", "PLUGIN"]

FOLDER = "addons/scenewright_bridge"
PLUGIN = f"res://{FOLDER}/plugin.cfg"
_SETTING = "editor_plugins/enabled"


class SyncInputs(Inputs, frozen=True, kw_only=True):
    enable_plugin: Annotated[bool, about("Enable it in project.godot.")] = True
    ensure_token: Annotated[bool, about("Make the project's token now, not when the editor first starts.")] = True


class Synced(Outputs, frozen=True, kw_only=True):
    folder: Annotated[str, about("Where the addon is.")]
    version: Annotated[str, about("Its version.")]
    changed: Annotated[list[str], about("Files that are new, renewed or gone.")]
    enabled: Annotated[bool, about("Whether project.godot enables it.")]


@operation(
    id="godot.addon.sync", name="Install Editor Addon", category="editor", safety=Safety.SAFE_WRITE,
    needs_project=True, tool="godot_sync_addon", idempotent=True, action=("godot_workspace_manager", "sync_addon"),
    notes="An editor that is open already must reload the project once to start the addon.",
    examples=(
        Example("Into a project", {},
                {"folder": "res://addons/scenewright_bridge", "version": "1.0.0",
                 "changed": ["addons/scenewright_bridge/plugin.cfg", "project.godot"], "enabled": True}),
    ),
)  # fmt: skip
def sync_addon(call: Call, inputs: SyncInputs) -> Synced:
    """Installs the addon that connects the Godot editor, or renews it, and enables it in project.godot."""
    from scenewright.core.token import project_token
    from scenewright.godot.operations.opening import open_workspace

    if not call.files.exists("project.godot"):
        raise NotFound("There is no project.godot in this folder.", hint="Pass projectPath, the project's root.")
    shipped = dict(_shipped())
    for path, content in shipped.items():
        call.files.write(path, content)
    for path in _installed(call.state.project.root):
        if path.removesuffix(".uid") not in shipped:  # the engine keeps its uids beside the scripts
            call.files.delete(path)
    enabled = _enabled(open_workspace(call), enable=inputs.enable_plugin)
    if inputs.ensure_token and not call.dry_run:
        call.state.open_for_writing()
        project_token(call.state.folder)
    changed = [change.path for change in call.files.changes()]
    call.summary = (
        f"The addon is in place; {len(changed)} files were written." if changed else "The addon is up to date."
    )
    return Synced(folder=f"res://{FOLDER}", version=_version(shipped), changed=changed, enabled=enabled)


OPERATIONS = (sync_addon,)


def _shipped() -> Iterator[tuple[str, bytes]]:
    """The addon's files as they are to lie in a project."""
    from importlib.resources import as_file, files

    with as_file(files("scenewright.godot") / "addon" / "scenewright_bridge") as source:
        for file in sorted(source.rglob("*")):
            if file.is_file() and "__pycache__" not in file.parts:
                yield f"{FOLDER}/{file.relative_to(source).as_posix()}", file.read_bytes()


def _installed(root: Path) -> list[str]:
    folder = root / FOLDER
    return [file.relative_to(root).as_posix() for file in sorted(folder.rglob("*")) if file.is_file()]


def _enabled(workspace: Workspace, *, enable: bool) -> bool:
    """Whether project.godot enables the addon, once that is so where it shall be."""
    from scenewright.godot.text.settings import find_setting, set_setting
    from scenewright.godot.text.variant import PackedStringArray

    document = workspace.document("project.godot")
    found = find_setting(document, _SETTING)
    value = found.value if found is not None else None
    plugins = value.items if isinstance(value, PackedStringArray) else ()
    if PLUGIN in plugins or not enable:
        return PLUGIN in plugins
    workspace.save("project.godot", set_setting(document, _SETTING, PackedStringArray((*plugins, PLUGIN))))
    return True


def _version(shipped: dict[str, bytes]) -> str:
    lines = shipped[f"{FOLDER}/plugin.cfg"].decode().splitlines()
    return next(line.partition("=")[2].strip('"') for line in lines if line.startswith("version="))
