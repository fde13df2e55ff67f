"""Export: the presets, and having the engine build the game or a pack of its data."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec

from scenewright.core.calls.call import Call
from scenewright.core.faults import Fault, Invalid, Unsupported
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, NoInputs, Outputs, Record, about
from scenewright.core.policy.confirmation import refuse_sensitive_place
from scenewright.core.text.counts import count_noun
from scenewright.godot.project.openers import class_index, open_workspace

if TYPE_CHECKING:
    from scenewright.godot.engine.commands import Done
    from scenewright.godot.export.presets import Preset, Presets

__all__ = ["OPERATIONS", "lacking_templates", "open_presets"]

_SECONDS = 900.0
_NO_TEMPLATE = "No export template found"
_TEMPLATE_HINT = (
    "Install the templates of this version in the editor (Editor > Manage Export Templates), or set "
    "custom_template/release and custom_template/debug in the preset's options with edit_export_preset."
)


class PresetRow(Record, frozen=True, kw_only=True):
    name: Annotated[str, about("Name, for preset.")]
    platform: Annotated[str, about("Platform.")]
    runnable: Annotated[bool, about("Whether the editor's one-click deploy uses it.")]
    export_path: Annotated[str, about("Where it exports to by default.")] = ""
    missing_templates: Annotated[list[str], about("Templates it needs that are missing.")] | None = None


class PresetList(Outputs, frozen=True, kw_only=True):
    presets: Annotated[list[PresetRow], about("Presets, in their order.")]
    platforms: Annotated[list[str], about("Platforms a preset can be for.")]


@operation(
    id="godot.export.presets",
    category="project",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="list_export_presets",
    manager="godot_workspace_manager",
    action="export.presets",
    examples=(
        Example(
            "One",
            {},
            {
                "presets": [
                    {"name": "Linux", "platform": "Linux", "runnable": True, "exportPath": "build/game.x86_64"}
                ],
                "platforms": ["Linux", "Web"],
            },
        ),
    ),
)
def list_export_presets(call: Call, inputs: NoInputs) -> PresetList:  # noqa: ARG001
    """Lists the export presets of the project, with the export templates that are missing for each."""
    from scenewright.godot.export.platforms import platform_names

    presets = open_presets(call).all()
    call.summary = f"{count_noun(len(presets), 'export preset')}."
    return PresetList(presets=[_row(each) for each in presets], platforms=platform_names())


class AddPresetInputs(Inputs, frozen=True, kw_only=True):
    platform: Annotated[str, about("Linux, Windows Desktop, macOS, Web, Android, iOS or visionOS.", min_length=1)]
    preset: Annotated[str, about("Its name; the platform's if left out.", min_length=1)] | None = None
    export_path: Annotated[str, about("Where it exports to by default, from the project's root.")] = ""
    options: Annotated[dict[str, Any], about("Options of the platform, such as binary_format/embed_pck.")] = (
        msgspec.field(default_factory=dict)
    )
    properties: Annotated[dict[str, Any], about("custom_features, export_filter, include_filter, …")] = msgspec.field(
        default_factory=dict
    )


class PresetWritten(Outputs, frozen=True, kw_only=True):
    preset: Annotated[str, about("Name.")]
    platform: Annotated[str, about("Platform.")]
    export_path: Annotated[str, about("Where it exports to.")]
    values: Annotated[dict[str, Any], about("What was asked for, as it is now.")]
    missing_templates: Annotated[list[str], about("Templates it needs that are missing.")] | None = None


@operation(
    id="godot.export.preset.add",
    category="project",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="add_export_preset",
    manager="godot_workspace_manager",
    action="export.add_preset",
    notes="Written with all that the editor would write; export_files with export_filter 'scenes', 'resources' or "
    "'exclude'. Passwords and keys belong in the editor, which keeps them out of the project's files.",
    examples=(
        Example(
            "A build for Linux",
            {"platform": "Linux", "exportPath": "build/game.x86_64", "options": {"binary_format/embed_pck": True}},
            {
                "preset": "Linux",
                "platform": "Linux",
                "exportPath": "build/game.x86_64",
                "values": {"binary_format/embed_pck": True},
            },
        ),
    ),
)
def add_export_preset(call: Call, inputs: AddPresetInputs) -> PresetWritten:
    """Adds an export preset for a platform, as the editor's export dialog would write it."""
    presets = open_presets(call)
    name = presets.add(inputs.preset, inputs.platform, _export_place(call, inputs.export_path), {})
    presets.edit(name, inputs.properties, inputs.options)
    call.summary = f"Export preset '{name}' added."
    return _preset_written(presets, name, [*inputs.properties, *inputs.options])


class EditPresetInputs(Inputs, frozen=True, kw_only=True):
    preset: Annotated[str, about("Name.", min_length=1)]
    new_name: Annotated[str, about("Another name for it.", min_length=1)] | None = None
    export_path: Annotated[str, about("Where it exports to by default, from the project's root.")] | None = None
    runnable: Annotated[bool, about("Whether the editor's one-click deploy uses it.")] | None = None
    options: Annotated[dict[str, Any], about("Options of the platform to set.")] = msgspec.field(default_factory=dict)
    properties: Annotated[dict[str, Any], about("custom_features, export_filter, include_filter, …")] = msgspec.field(
        default_factory=dict
    )


@operation(
    id="godot.export.preset.edit",
    category="project",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="edit_export_preset",
    manager="godot_workspace_manager",
    action="export.edit_preset",
    idempotent=True,
    examples=(
        Example(
            "Its own template",
            {"preset": "Linux", "options": {"custom_template/release": "/opt/template"}},
            {
                "preset": "Linux",
                "platform": "Linux",
                "exportPath": "build/game.x86_64",
                "values": {"custom_template/release": "/opt/template"},
            },
        ),
    ),
)
def edit_export_preset(call: Call, inputs: EditPresetInputs) -> PresetWritten:
    """Changes an export preset; what is not named stays as it is."""
    presets = open_presets(call)
    name = inputs.preset
    presets.edit(name, inputs.properties, inputs.options)
    if inputs.export_path is not None:
        presets.set_fixed(name, "export_path", _export_place(call, inputs.export_path))
    if inputs.runnable is not None:
        presets.set_fixed(name, "runnable", inputs.runnable)
    if inputs.new_name is not None:
        presets.set_fixed(name, "name", inputs.new_name)
        name = inputs.new_name
    call.summary = f"Export preset '{name}' changed."
    return _preset_written(presets, name, [*inputs.properties, *inputs.options])


class ExportInputs(Inputs, frozen=True, kw_only=True):
    preset: Annotated[str, about("Name of the export preset.", min_length=1)]
    output_path: Annotated[str, about("File in the project to export to; the preset's if left out.")] | None = None
    mode: Annotated[Literal["release", "debug"], about("Which build.")] = "release"


class PackInputs(Inputs, frozen=True, kw_only=True):
    preset: Annotated[str, about("Name of the export preset.", min_length=1)]
    output_path: Annotated[str, about("File in the project: .pck or .zip.", min_length=1)]


class ProductRow(Record, frozen=True, kw_only=True):
    path: Annotated[str, about("File.")]
    bytes: Annotated[int, about("Size.")]


class Exported(Outputs, frozen=True, kw_only=True):
    path: Annotated[str, about("What to start, or the pack.")]
    files: Annotated[list[ProductRow], about("All files that were written.")]
    issues: Annotated[list[str], about("What the engine complained of.")]


_NOTES = (
    "Needs Godot. The files stay inside the project and are not kept in the history; a new folder gets a .gdignore. "
    "An export that fails or is cancelled leaves nothing behind."
)


@operation(
    id="godot.export.run",
    category="project",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="export_project",
    manager="godot_workspace_manager",
    action="export.project",
    timeout=_SECONDS,
    transactional=False,
    idempotent=True,
    notes=f"{_NOTES} Needs export templates too. What has Godot start other programs, such as Java for Android, Xcode "
    "or signing tools, needs ALLOW_EXTERNAL_TOOLS.",
    executes="always",
    examples=(
        Example(
            "A release",
            {"preset": "Linux", "outputPath": "build/game.x86_64"},
            {
                "path": "build/game.x86_64",
                "files": [{"path": "build/game.x86_64", "bytes": 81825488}, {"path": "build/game.pck", "bytes": 4116}],
                "issues": [],
            },
        ),
    ),
)
async def export_project(call: Call, inputs: ExportInputs) -> Exported:
    """Builds the game for a platform with one of its export presets, in release or debug mode."""
    preset = open_presets(call).named(inputs.preset)
    output = inputs.output_path or preset.export_path
    if not output:
        raise Invalid(
            f"The preset '{preset.name}' has no export path.",
            path="input.outputPath",
            rule="required",
            hint="Pass outputPath, such as build/game.x86_64.",
        )
    return await _export(call, preset, output, f"--export-{inputs.mode}")


@operation(
    id="godot.export.pack",
    category="project",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="export_pack",
    manager="godot_workspace_manager",
    action="export.pack",
    timeout=_SECONDS,
    transactional=False,
    idempotent=True,
    notes=_NOTES,
    executes="always",
    examples=(
        Example(
            "A pack",
            {"preset": "Linux", "outputPath": "build/game.pck"},
            {"path": "build/game.pck", "files": [{"path": "build/game.pck", "bytes": 4116}], "issues": []},
        ),
    ),
)
async def export_pack(call: Call, inputs: PackInputs) -> Exported:
    """Writes the game's data alone, as .pck or .zip; needs no export templates."""
    return await _export(call, open_presets(call).named(inputs.preset), inputs.output_path, "--export-pack")


OPERATIONS = (list_export_presets, add_export_preset, edit_export_preset, export_project, export_pack)


def lacking_templates(preset: Preset) -> list[str] | None:
    """Return the templates that a preset lacks; None where there is no Godot to ask which it needs."""
    from scenewright.godot.engine.binary import find_binary
    from scenewright.godot.export.templates import missing_templates, templates_folder

    try:
        return missing_templates(preset, templates_folder(find_binary()))
    except Fault:
        return None


def open_presets(call: Call) -> Presets:
    """Return the export presets of the project."""
    from scenewright.godot.export.presets import Presets

    return Presets(open_workspace(call), class_index(call))


def _export_place(call: Call, given: str) -> str:
    """Where a preset exports to, from the project's root: the engine takes no res:// there."""
    return open_workspace(call).place(given) if given else ""


def _row(preset: Preset) -> PresetRow:
    return PresetRow(
        name=preset.name,
        platform=preset.platform,
        runnable=preset.runnable,
        export_path=preset.export_path,
        missing_templates=lacking_templates(preset) or None,
    )


def _preset_written(presets: Presets, name: str, keys: list[str]) -> PresetWritten:
    from scenewright.godot.values.presentation import present

    preset = presets.named(name)
    now = {**preset.options, **preset.own}
    values = {key: now[key] if isinstance(now[key], str) else present(now[key]) for key in keys}
    return PresetWritten(
        preset=name,
        platform=preset.platform,
        export_path=preset.export_path,
        values=values,
        missing_templates=lacking_templates(preset) or None,
    )


async def _export(call: Call, preset: Preset, output: str, how: str) -> Exported:
    from scenewright.core.policy.gates import pass_external, settings_of
    from scenewright.godot.engine.commands import check_argument, run_engine
    from scenewright.godot.export.products import check_output, move_into_place
    from scenewright.godot.export.programs import other_programs

    check_argument(preset.name, "preset")
    if how != "--export-pack" and (programs := other_programs(preset)) is not None:
        pass_external(f"An export with '{preset.name}' has Godot start {programs}.", settings_of(call))
    root = call.state.project.root
    place = open_workspace(call).place(output)
    refuse_sensitive_place(call, place)
    check_output(place, preset.platform, pack=how == "--export-pack")
    call.state.open_for_writing()
    folder = Path(tempfile.mkdtemp(prefix="export-", dir=call.state.folder))
    try:
        target = folder / Path(place).name
        done = await run_engine(call, ["--headless", how, preset.name, str(target)], timeout=_SECONDS - 10)
        if done.exit_code != 0 or not target.exists():
            raise _export_failed(preset, done)
        moved = [path.relative_to(root).as_posix() for path in move_into_place(folder, (root / place).parent)]
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    rows = [ProductRow(path=path, bytes=(root / path).stat().st_size) for path in moved]
    call.summary = (
        f"Exported to {place}: {count_noun(sum(row.bytes for row in rows), 'byte')} in {count_noun(len(rows), 'file')}."
    )
    return Exported(path=place, files=rows, issues=[complaint.message for complaint in done.complaints[:50]])


def _export_failed(preset: Preset, done: Done) -> Fault:
    errors = [complaint.message for complaint in done.errors]
    details = {"errors": errors[:20]}
    lacking = next((text for text in errors if _NO_TEMPLATE in text), None)
    if lacking is not None:
        text = f"Export templates for '{preset.name}' ({preset.platform}) are missing."
        return Unsupported(text, hint=_TEMPLATE_HINT, details=details)
    first = errors[0] if errors else f"Godot ended with {done.exit_code}."
    return Invalid(f"The export failed: {first}", rule="export", hint="Fix what details.errors says.", details=details)
