"""Installing the editor addon into a project, as staged files: journaled, undoable, nothing else touched."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Annotated

from scenewright.core.calls.call import Call
from scenewright.core.faults import NotFound
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, about
from scenewright.core.writes.diff import is_within
from scenewright.godot.editor.addon_files import FOLDER, PLUGIN, shipped_files

if TYPE_CHECKING:
    from pathlib import Path

    from scenewright.godot.project.workspace import Workspace

__all__ = ["OPERATIONS"]

_SETTING = "editor_plugins/enabled"
_KINDS = {"created": "new", "modified": "renewed", "deleted": "removed"}


class SyncInputs(Inputs, frozen=True, kw_only=True):
    enable_plugin: Annotated[bool, about("Enable it in project.godot.")] = True
    ensure_token: Annotated[bool, about("Create your token now, not when the editor first starts.")] = True


class Synced(Outputs, frozen=True, kw_only=True):
    folder: Annotated[str, about("Where the addon is.")]
    version: Annotated[str, about("Its version.")]
    enabled: Annotated[bool, about("Whether project.godot enables it.")]
    installed: Annotated[int, about("Files of it that are new.")] = 0
    renewed: Annotated[int, about("Files of it that were another version.")] = 0
    removed: Annotated[int, about("Files of an older version that are gone.")] = 0
    unchanged: Annotated[int, about("Files of it that were there already.")] = 0
    next_step: Annotated[str, about("What is left to do.")] | None = None


@operation(
    id="godot.addon.sync",
    name="Install Editor Addon",
    category="editor",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="godot_sync_addon",
    idempotent=True,
    manager="godot_workspace_manager",
    action="sync_addon",
    notes="An editor that is open already must reload the project once to start the addon.",
    examples=(
        Example(
            "Into a project",
            {},
            {
                "folder": "res://addons/scenewright_bridge",
                "version": "1.0.0",
                "enabled": True,
                "installed": 70,
                "nextStep": "Open the project in Godot: the addon connects by itself.",
            },
        ),
    ),
)
def sync_addon(call: Call, inputs: SyncInputs) -> Synced:
    """Installs or updates the addon that connects the Godot editor, and enables it in project.godot."""
    from scenewright.core.projects.user_folder import user_token
    from scenewright.godot.project.openers import open_workspace

    if not call.files.exists("project.godot"):
        raise NotFound("There is no project.godot in this folder.", hint="Pass projectPath, the project's root.")
    shipped = dict(shipped_files())
    for path, content in shipped.items():
        call.files.write(path, content)
    for path in _installed(call.state.project.root):
        if path.removesuffix(".uid") not in shipped:  # the engine keeps its uids beside the scripts
            call.files.delete(path)
    enabled = _ensure_enabled(open_workspace(call), enable=inputs.enable_plugin)
    if inputs.ensure_token and not call.dry_run:
        user_token()
    kinds = Counter(change.kind for change in call.files.changes() if is_within(change.path, FOLDER))
    version, left = _version(shipped), len(shipped) - kinds["created"] - kinds["modified"]
    counts = ", ".join(f"{number} {_KINDS[kind]}" for kind, number in kinds.items())
    files = "file" if list(kinds.values()) == [1] else "files"
    call.summary = f"The addon, version {version}, is " + (f"in place: {counts} {files}." if counts else "up to date.")
    return Synced(
        folder=f"res://{FOLDER}",
        version=version,
        enabled=enabled,
        installed=kinds["created"],
        renewed=kinds["modified"],
        removed=kinds["deleted"],
        unchanged=left,
        next_step=_next_step(call, enabled=enabled, changed=bool(kinds)),
    )


OPERATIONS = (sync_addon,)


def _next_step(call: Call, *, enabled: bool, changed: bool) -> str | None:
    if not enabled:
        return "Enable it in project.godot (enablePlugin) or in Godot's project settings, under Plugins."
    if call.stage is not None:
        return "Reload the project in the open editor (Project, Reload Current Project)." if changed else None
    return "Open the project in Godot: the addon connects by itself."


def _installed(root: Path) -> list[str]:
    folder = root / FOLDER
    return [file.relative_to(root).as_posix() for file in sorted(folder.rglob("*")) if file.is_file()]


def _ensure_enabled(workspace: Workspace, *, enable: bool) -> bool:
    """Whether project.godot enables the addon, once that is so where it shall be."""
    from scenewright.godot.documents.settings import find_setting, set_setting
    from scenewright.godot.documents.variant import PackedStringArray

    document = workspace.document("project.godot")
    setting = find_setting(document, _SETTING)
    value = setting.value if setting is not None else None
    plugins = value.items if isinstance(value, PackedStringArray) else ()
    if PLUGIN in plugins or not enable:
        return PLUGIN in plugins
    workspace.save("project.godot", set_setting(document, _SETTING, PackedStringArray((*plugins, PLUGIN))))
    return True


def _version(shipped: dict[str, bytes]) -> str:
    lines = shipped[f"{FOLDER}/plugin.cfg"].decode().splitlines()
    return next(line.partition("=")[2].strip('"') for line in lines if line.startswith("version="))
