"""Audio mixers and their snapshots."""

from __future__ import annotations

from typing import Annotated

from scenewright.core.calls.call import Call
from scenewright.core.faults import Fault, NotFound, did_you_mean
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, NoInputs, Outputs, Record, about
from scenewright.unity.operations.openers import Diagnostics, one_asset, open_workspace

__all__ = ["OPERATIONS"]


class MixerRow(Record, frozen=True, kw_only=True):
    path: Annotated[str, about("Path of the mixer.")]
    name: Annotated[str, about("Name of the mixer.")]
    guid: Annotated[str, about("Guid of the mixer.")]
    groups: Annotated[list[str], about("Groups as paths, the master first.")]
    snapshots: Annotated[list[str], about("Snapshots, in the mixer's order.")]
    start_snapshot: Annotated[str, about("Snapshot it starts with.")] | None = None
    exposed_parameters: Annotated[list[str], about("Parameters that scripts can set, sorted.")] | None = None


class MixerList(Outputs, frozen=True, kw_only=True):
    mixers: Annotated[list[MixerRow], about("Audio mixers, sorted by path.")]
    diagnostics: Diagnostics | None = None


@operation(
    id="audio.mixer.list",
    name="List Audio Mixers",
    category="audio",
    safety=Safety.READ_ONLY,
    needs_project=True,
    contract="editormcp",
    definition_version="0.1",
    examples=(
        Example(
            "One mixer",
            {},
            {
                "mixers": [
                    {
                        "path": "Assets/Audio/Main.mixer",
                        "name": "Main",
                        "guid": "3d000000000000000000000000000001",
                        "groups": ["Master", "Master/Sfx"],
                        "snapshots": ["Snapshot", "Muted"],
                        "startSnapshot": "Snapshot",
                        "exposedParameters": ["SfxVolume"],
                    }
                ]
            },
        ),
    ),
)
def list_mixers(call: Call, inputs: NoInputs) -> MixerList:
    """Lists the audio mixers of the project with their groups and snapshots."""
    from scenewright.unity.mixers import Mixer

    del inputs
    workspace = open_workspace(call)
    rows, diagnostics = [], []
    for asset in workspace.graph.files():
        if asset.suffix != ".mixer":
            continue
        try:
            mixer = Mixer(workspace.file(asset.path))
        except Fault as problem:
            diagnostics.append(problem.message)
            continue
        rows.append(
            MixerRow(
                path=asset.path,
                name=mixer.name,
                guid=asset.guid,
                groups=[path for path, _ in mixer.groups()],
                snapshots=list(mixer.snapshots()),
                start_snapshot=mixer.start_snapshot,
                exposed_parameters=sorted(mixer.exposed().values()) or None,
            )
        )
    return MixerList(mixers=rows, diagnostics=diagnostics or None)


class SnapshotQuery(Inputs, frozen=True, kw_only=True):
    mixer_path: Annotated[str, about("Path to the mixer, such as 'Assets/Audio/Main.mixer'.")] | None = None
    mixer_guid: Annotated[str, about("Guid of the mixer, in place of its path.")] | None = None
    snapshot_name: Annotated[str, about("Name of the snapshot.", min_length=1)]


class ParameterRow(Record, frozen=True, kw_only=True):
    name: Annotated[str, about("Parameter; 'unknown' where nothing in the mixer has it any more.")]
    value: Annotated[float, about("Value in the snapshot; volumes are in decibels.")]
    group: Annotated[str, about("Group it belongs to, as a path; empty if unknown.")]
    guid: Annotated[str, about("Guid of the parameter.")]
    exposed_as: Annotated[str, about("Name under which scripts can set it.")] | None = None


class SnapshotRead(Outputs, frozen=True, kw_only=True):
    mixer_path: Annotated[str, about("Path of the mixer.")]
    snapshot_name: Annotated[str, about("Name of the snapshot.")]
    parameters: Annotated[list[ParameterRow], about("Values, sorted by group, name and guid; unknown ones last.")]


@operation(
    id="audio.mixer.snapshot.read",
    name="Read Audio Mixer Snapshot",
    category="audio",
    safety=Safety.READ_ONLY,
    needs_project=True,
    contract="editormcp",
    definition_version="0.1",
    notes="A snapshot keeps the values of effects that were removed; those are listed as unknown.",
    examples=(
        Example(
            "A snapshot with one value",
            {"mixerPath": "Assets/Audio/Main.mixer", "snapshotName": "Muted"},
            {
                "mixerPath": "Assets/Audio/Main.mixer",
                "snapshotName": "Muted",
                "parameters": [
                    {"name": "Volume", "value": -80.0, "group": "Master", "guid": "10eeeeeeeeeeeeeeeeeeeeeeeeeeeeee"}
                ],
            },
        ),
    ),
)
def read_snapshot(call: Call, inputs: SnapshotQuery) -> SnapshotRead:
    """Reads the parameter values of an audio mixer's snapshot."""
    from scenewright.unity.mixers import Mixer, Parameter

    workspace = open_workspace(call)
    path = one_asset(workspace, inputs.mixer_path, inputs.mixer_guid, "mixerPath")
    mixer = Mixer(workspace.file(path))
    snapshots = mixer.snapshots()
    if inputs.snapshot_name not in snapshots:
        raise NotFound(
            f"'{path}' has no snapshot '{inputs.snapshot_name}'.",
            hint=did_you_mean(inputs.snapshot_name, list(snapshots)) or f"It has: {', '.join(snapshots) or 'none'}.",
        )
    values = snapshots[inputs.snapshot_name].get("m_FloatValues")
    parameters, exposed = mixer.parameters(), mixer.exposed()
    rows = []
    for guid, value in (values if isinstance(values, dict) else {}).items():
        known = parameters.get(guid, Parameter("unknown", ""))
        rows.append(
            ParameterRow(
                name=known.name, value=_number(value), group=known.group, guid=guid, exposed_as=exposed.get(guid)
            )
        )
    rows.sort(key=lambda row: (row.name == "unknown", row.group, row.name, row.guid))
    return SnapshotRead(mixer_path=path, snapshot_name=inputs.snapshot_name, parameters=rows)


OPERATIONS = (list_mixers, read_snapshot)


def _number(value: object) -> float:
    try:
        return float(str(value))
    except ValueError:
        return 0.0
