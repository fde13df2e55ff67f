"""Audio: buses and their effects in the project's bus layout, and players in scenes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec

from scenewright.core.calls.call import Call
from scenewright.core.faults import Invalid, NotFound
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, Record, about
from scenewright.core.text.counts import count_noun
from scenewright.godot.project.openers import class_index, open_edit, open_workspace
from scenewright.godot.scenes.operations.node_properties import NodeWritten
from scenewright.godot.scenes.operations.ready_made_node import ReadyMadeNode, Unique, chosen, given, put, written

if TYPE_CHECKING:
    from scenewright.godot.audio.bus_layout import Bus, BusLayout

__all__ = ["OPERATIONS"]

BusName = Annotated[str, about("Name of the bus.", min_length=1, max_length=100)]
Decibels = Annotated[float, about("Volume in decibels; 0 is as recorded.", ge=-80, le=24)]
Index = Annotated[int, about("Place among the buses; 0 is Master.", ge=0)]


_USUAL_LAYOUT = "res://default_bus_layout.tres"
_ALSO = {"name": "busName", "volumeDb": "volume", "send": "parentBus"}  # what replies and the engine call them


class BusRow(Record, frozen=True, kw_only=True):
    name: Annotated[str, about("Name.")]
    index: Annotated[int, about("Index; sound flows to lower ones.")]
    volume_db: Annotated[float, about("Volume in decibels.")]
    send: Annotated[str, about("Bus it sends to; Master if empty.")] = ""
    solo: Annotated[bool, about("Solo.")] = False
    mute: Annotated[bool, about("Muted.")] = False
    bypass: Annotated[bool, about("Bypass effects.")] = False
    effects: Annotated[list[dict[str, Any]], about("Effects in order: type, enabled, params.")] = msgspec.field(
        default_factory=list
    )


class BusWritten(Outputs, frozen=True, kw_only=True):
    layout_path: Annotated[str, about("Bus layout of the project.")]
    bus: Annotated[BusRow, about("The bus as it is now.")]

    @classmethod
    def shorten(cls, output: dict[str, Any]) -> dict[str, Any]:
        """Leave out what a bus has unless it is told otherwise, and where every project keeps its buses."""
        bus = {name: value for name, value in output["bus"].items() if value not in (0.0, "Master") or name == "index"}
        return {"bus": bus} if output["layoutPath"] == _USUAL_LAYOUT else {**output, "bus": bus}


class NewBus(Inputs, frozen=True, kw_only=True):
    bus_name: BusName
    parent_bus: Annotated[str, about("Bus it sends to; Master if left out.")] | None = None
    volume: Decibels | None = None
    solo: Annotated[bool, about("Solo.")] | None = None
    mute: Annotated[bool, about("Muted.")] | None = None
    bypass: Annotated[bool, about("Bypass effects.")] | None = None
    index: Index | None = None


@operation(
    id="godot.audio.bus.create",
    category="audio",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="create_audio_bus",
    manager="godot_audio_manager",
    action="bus.create",
    parameter_aliases=_ALSO,
    examples=(
        Example(
            "Music, a bit quieter",
            {"busName": "Music", "volume": -6},
            {
                "layoutPath": "res://default_bus_layout.tres",
                "bus": {"name": "Music", "index": 1, "volumeDb": -6.0, "send": "Master"},
            },
        ),
    ),
)
def create_audio_bus(call: Call, inputs: NewBus) -> BusWritten:
    """Adds an audio bus to the project's bus layout, which is created if missing."""
    from scenewright.godot.audio.bus_layout import MASTER, Bus

    layout = _open_layout(call)
    send = inputs.parent_bus or MASTER
    layout.find(send)
    bus = Bus(name=inputs.bus_name, send=send)
    place = layout.insert(bus, inputs.index)
    _configure(bus, inputs)
    call.summary = f"Added the audio bus '{bus.name}'."
    return _save_bus(layout, place)


class EditBus(Inputs, frozen=True, kw_only=True):
    bus_name: BusName
    new_name: BusName | None = None
    parent_bus: Annotated[str, about("Bus it sends to.")] | None = None
    volume: Decibels | None = None
    solo: Annotated[bool, about("Solo.")] | None = None
    mute: Annotated[bool, about("Muted.")] | None = None
    bypass: Annotated[bool, about("Bypass effects.")] | None = None
    index: Index | None = None


@operation(
    id="godot.audio.bus.edit",
    category="audio",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="edit_audio_bus",
    manager="godot_audio_manager",
    action="bus.edit",
    idempotent=True,
    parameter_aliases=_ALSO,
    notes="Players refer to a bus by name: after a rename, set the new name there too.",
    examples=(
        Example(
            "Mute the music",
            {"busName": "Music", "mute": True},
            {
                "layoutPath": "res://default_bus_layout.tres",
                "bus": {"name": "Music", "index": 1, "volumeDb": -6.0, "send": "Master", "mute": True},
            },
        ),
    ),
)
def edit_audio_bus(call: Call, inputs: EditBus) -> BusWritten:
    """Renames, moves or changes an audio bus: volume, where it sends to, solo, mute, bypass."""
    layout = _open_layout(call)
    place = layout.find(inputs.bus_name)
    if inputs.index is not None and inputs.index != place:
        place = layout.move(place, inputs.index)
    if inputs.new_name is not None:
        layout.rename(place, inputs.new_name)
    if inputs.parent_bus is not None:
        layout.send(place, inputs.parent_bus)
    _configure(layout.buses[place], inputs)
    call.summary = f"Changed the audio bus '{layout.buses[place].name}'."
    return _save_bus(layout, place)


class VolumeInputs(Inputs, frozen=True, kw_only=True):
    bus: BusName
    volume_db: Decibels


@operation(
    id="godot.audio.bus.volume",
    category="audio",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="set_bus_volume",
    manager="godot_inspector_manager",
    action="audio.set_bus_volume",
    idempotent=True,
    examples=(
        Example(
            "Half as loud",
            {"bus": "Master", "volumeDb": -10},
            {"layoutPath": "res://default_bus_layout.tres", "bus": {"name": "Master", "index": 0, "volumeDb": -10.0}},
        ),
    ),
)
def set_bus_volume(call: Call, inputs: VolumeInputs) -> BusWritten:
    """Sets the volume of an audio bus in the project's bus layout."""
    layout = _open_layout(call)
    place = layout.find(inputs.bus)
    layout.buses[place].volume_db = inputs.volume_db
    call.summary = f"'{inputs.bus}' is at {inputs.volume_db:g} dB."
    return _save_bus(layout, place)


class BusesInputs(Inputs, frozen=True, kw_only=True):
    bus_name: Annotated[str, about("Only this bus.")] | None = None


class BusList(Outputs, frozen=True, kw_only=True):
    layout_path: Annotated[str, about("Bus layout of the project.")]
    buses: Annotated[list[BusRow], about("Buses in order.")]


@operation(
    id="godot.audio.bus.list",
    category="audio",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="list_audio_buses",
    manager="godot_audio_manager",
    action="bus.list",
    examples=(
        Example(
            "All buses",
            {},
            {"layoutPath": "res://default_bus_layout.tres", "buses": [{"name": "Master", "index": 0, "volumeDb": 0.0}]},
        ),
    ),
)
def list_audio_buses(call: Call, inputs: BusesInputs) -> BusList:
    """Lists the project's audio buses with volume, flow and effects."""
    layout = _open_layout(call)
    places = [layout.find(inputs.bus_name)] if inputs.bus_name else range(len(layout.buses))
    call.summary = f"{count_noun(len(layout.buses), 'bus', 'buses')}."
    return BusList(layout_path=layout.path, buses=[_bus_row(layout, place) for place in places])


class RemoveBus(Inputs, frozen=True, kw_only=True):
    bus_name: BusName
    effect: Annotated[int, about("Only its effect at this index, from 0.", ge=0)] | None = None


class BusRemoved(Outputs, frozen=True, kw_only=True):
    layout_path: Annotated[str, about("Bus layout of the project.")]
    removed: Annotated[str, about("What was removed.")]


@operation(
    id="godot.audio.bus.remove",
    category="audio",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="remove_audio_bus",
    manager="godot_audio_manager",
    action="bus.remove",
    examples=(
        Example(
            "Its first effect",
            {"busName": "Music", "effect": 0},
            {"layoutPath": "res://default_bus_layout.tres", "removed": "AudioEffectReverb"},
        ),
    ),
)
def remove_audio_bus(call: Call, inputs: RemoveBus) -> BusRemoved:
    """Removes an audio bus, or one effect of it; buses that sent to it send to Master."""
    layout = _open_layout(call)
    place = layout.find(inputs.bus_name)
    removed = inputs.bus_name
    if inputs.effect is not None:
        removed = str(layout.shown(_effect(layout, place, inputs.effect))["type"])
        del layout.buses[place].effects[inputs.effect]
    else:
        orphans = layout.remove(place)
        call.warnings += [f"'{name}' sends to Master now." for name in orphans]
    layout.save()
    call.summary = f"Removed {removed}."
    return BusRemoved(layout_path=layout.path, removed=removed)


class EffectInputs(Inputs, frozen=True, kw_only=True):
    bus_name: BusName
    effect_type: (
        Annotated[
            str,
            about(
                "amplify, bandlimit, bandpass, capture, chorus, compressor, delay, distortion, eq6, eq10, eq21, "
                "filter, hard_limiter, highpass, highshelf, limiter, lowpass, lowshelf, notch, panner, phaser, "
                "pitch_shift, record, reverb, spectrum_analyzer or stereo_enhance."
            ),
        ]
        | None
    ) = None
    effect_params: Annotated[dict[str, Any], about("Properties of the effect.")] | None = None
    index: Annotated[int, about("Index among the effects; last if left out.", ge=0)] | None = None
    enabled: Annotated[bool, about("Whether it is on.")] | None = None


@operation(
    id="godot.audio.effect.add",
    category="audio",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="add_audio_effect",
    manager="godot_audio_manager",
    action="effect.add",
    notes="Without effectType it changes the effect at index.",
    examples=(
        Example(
            "A hall",
            {"busName": "Music", "effectType": "reverb", "effectParams": {"room_size": 0.9}},
            {
                "layoutPath": "res://default_bus_layout.tres",
                "bus": {
                    "name": "Music",
                    "index": 1,
                    "volumeDb": 0.0,
                    "send": "Master",
                    "effects": [{"type": "AudioEffectReverb", "enabled": True, "params": {"room_size": 0.9}}],
                },
            },
        ),
    ),
)
def add_audio_effect(call: Call, inputs: EffectInputs) -> BusWritten:
    """Adds an effect to an audio bus, or changes one, its values by declared type."""
    from scenewright.godot.audio.bus_layout import EFFECTS, Effect

    layout = _open_layout(call)
    place = layout.find(inputs.bus_name)
    if inputs.effect_type is None:
        _change_effect(layout, place, inputs)
        call.summary = f"Changed an effect of '{inputs.bus_name}'."
        return _save_bus(layout, place)
    kind = EFFECTS[chosen(inputs.effect_type, EFFECTS, "effectType")]
    effects = layout.buses[place].effects
    at = len(effects) if inputs.index is None else inputs.index
    if at > len(effects):
        raise Invalid(
            f"The bus has {count_noun(len(effects), 'effect')}.",
            path="input.index",
            rule="range",
            hint="Leave index out.",
        )
    resource = layout.make_effect(kind, inputs.effect_params or {})
    effects.insert(at, Effect(effect=resource, enabled=inputs.enabled is not False))
    call.summary = f"Added {kind} to '{inputs.bus_name}'."
    return _save_bus(layout, place)


class PlayerInputs(ReadyMadeNode, frozen=True, kw_only=True):
    stream_path: Annotated[str, about("Sound file, res:// or from the project's root.")] | None = None
    dimension: (
        Annotated[Literal["2d", "3d", "none"], about("Heard from a place in 2D or 3D, or everywhere.")] | None
    ) = None
    is_3d: Annotated[bool, about("The same as dimension 3d.")] | None = msgspec.field(default=None, name="is3D")
    bus: Annotated[str, about("Bus it plays on.")] | None = None
    volume_db: Decibels | None = None
    autoplay: Annotated[bool, about("Play when the scene starts.")] | None = None
    ensure_unique_name: Unique = False


@operation(
    id="godot.audio.player.create",
    name="Set Up Audio Player",
    category="audio",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="setup_audio_player",
    aliases=("create_audio_player",),
    manager="godot_builder_manager",
    action="create_audio_player",
    notes="properties takes the rest: pitch_scale, max_polyphony, max_distance, attenuation, unit_size, …",
    examples=(
        Example(
            "Music",
            {
                "scenePath": "main.tscn",
                "nodeName": "Music",
                "streamPath": "music/theme.ogg",
                "bus": "Music",
                "autoplay": True,
            },
            {"scenePath": "res://main.tscn", "nodePath": "Music", "properties": {"autoplay": True}},
        ),
    ),
)
def setup_audio_player(call: Call, inputs: PlayerInputs) -> NodeWritten:
    """Adds a player for a sound or background music, heard everywhere or from its place, with stream and bus."""
    edit = open_edit(call, inputs.scene_path)
    kind = "AudioStreamPlayer" + _side(inputs)
    stream = None if inputs.stream_path is None else edit.workspace.resource_path(inputs.stream_path)
    values = given(stream=stream, volume_db=inputs.volume_db, bus=inputs.bus, autoplay=inputs.autoplay)
    name = edit.free_name(inputs.parent_node_path, inputs.node_name) if inputs.ensure_unique_name else inputs.node_name
    node = put(edit, kind, msgspec.structs.replace(inputs, node_name=name), values)
    return written(call, edit, node, kind)


OPERATIONS = (
    create_audio_bus,
    edit_audio_bus,
    set_bus_volume,
    list_audio_buses,
    remove_audio_bus,
    add_audio_effect,
    setup_audio_player,
)


def _open_layout(call: Call) -> BusLayout:
    from scenewright.godot.audio.bus_layout import BusLayout

    return BusLayout(open_workspace(call), class_index(call))


def _configure(bus: Bus, inputs: NewBus | EditBus) -> None:
    values = given(volume_db=inputs.volume, solo=inputs.solo, mute=inputs.mute, bypass_fx=inputs.bypass)
    for name, value in values.items():
        setattr(bus, name, value)


def _save_bus(layout: BusLayout, place: int) -> BusWritten:
    layout.save()
    return BusWritten(layout_path=layout.path, bus=_bus_row(layout, place))


def _bus_row(layout: BusLayout, place: int) -> BusRow:
    bus = layout.buses[place]
    return BusRow(
        name=bus.name,
        index=place,
        volume_db=bus.volume_db,
        send=bus.send,
        solo=bus.solo,
        mute=bus.mute,
        bypass=bus.bypass_fx,
        effects=[layout.shown(effect) for effect in bus.effects],
    )


def _effect(layout: BusLayout, place: int, at: int) -> Any:
    bus = layout.buses[place]
    if at >= len(bus.effects):
        raise NotFound(
            f"'{bus.name}' has {count_noun(len(bus.effects), 'effect')}.", hint="list_audio_buses shows them, from 0."
        )
    return bus.effects[at]


def _change_effect(layout: BusLayout, place: int, inputs: EffectInputs) -> None:
    if inputs.index is None:
        raise Invalid("Give effectType to add one, or index to change one.", path="input.effectType", rule="required")
    effect = _effect(layout, place, inputs.index)
    if inputs.enabled is not None:
        effect.enabled = inputs.enabled
    if inputs.effect_params:
        layout.change_effect(effect, inputs.effect_params)


def _side(inputs: PlayerInputs) -> str:
    """The end of the class: as asked for; a plain player has no place and fits everywhere."""
    if inputs.dimension is not None and inputs.is_3d not in (None, inputs.dimension == "3d"):
        raise Invalid(
            f"dimension is {inputs.dimension}, but is3D contradicts it.",
            path="input.is3D",
            rule="oneOf",
            hint="Leave is3D out.",
        )
    if inputs.dimension is not None:
        return {"2d": "2D", "3d": "3D", "none": ""}[inputs.dimension]
    return "3D" if inputs.is_3d else ""
