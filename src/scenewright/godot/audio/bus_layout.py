"""The audio buses of a project: a resource file that the engine reads at start, with `bus/1/name` and so on in it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from scenewright.core.faults import Conflict, Invalid, NotFound, did_you_mean
from scenewright.godot.assets.resource_file import ResourceFile, new_resource
from scenewright.godot.classes.index import ClassIndex
from scenewright.godot.documents.document import Document
from scenewright.godot.documents.references import references, resource_sections
from scenewright.godot.documents.resources import with_load_steps
from scenewright.godot.documents.variant import StringName, SubResource, Variant
from scenewright.godot.project.configuration import Configuration
from scenewright.godot.project.workspace import Workspace
from scenewright.godot.scenes.property_access import Properties
from scenewright.godot.values.presentation import present

__all__ = ["EFFECTS", "MASTER", "Bus", "BusLayout", "Effect"]

MASTER = "Master"
_SETTING = "audio/buses/default_bus_layout"
_KEY = re.compile(r"bus/(\d+)/(?:effect/(\d+)/)?(\w+)")
# godot-mcp-unified's names of effects that are not the engine's own in snake case.
_OTHER_NAMES = {
    "bandlimit": "AudioEffectBandLimitFilter",
    "bandpass": "AudioEffectBandPassFilter",
    "highpass": "AudioEffectHighPassFilter",
    "highshelf": "AudioEffectHighShelfFilter",
    "lowpass": "AudioEffectLowPassFilter",
    "lowshelf": "AudioEffectLowShelfFilter",
    "notch": "AudioEffectNotchFilter",
    "eq6": "AudioEffectEQ6",
    "eq10": "AudioEffectEQ10",
    "eq21": "AudioEffectEQ21",
}
_PLAIN_NAMES = (
    "amplify",
    "chorus",
    "compressor",
    "delay",
    "distortion",
    "filter",
    "limiter",
    "panner",
    "phaser",
    "pitch_shift",
    "record",
    "reverb",
    "spectrum_analyzer",
    "stereo_enhance",
    "capture",
    "hard_limiter",
)
EFFECTS: dict[str, str] = {
    **{name: "AudioEffect" + name.title().replace("_", "") for name in _PLAIN_NAMES},
    **_OTHER_NAMES,
}


class Effect(msgspec.Struct, kw_only=True):
    """One effect of a bus: where its resource is, and whether it is on."""

    effect: Variant
    enabled: bool = True
    others: dict[str, Variant] = msgspec.field(default_factory=dict)  # what only another version knows


class Bus(msgspec.Struct, kw_only=True):
    name: str = ""
    solo: bool = False
    mute: bool = False
    bypass_fx: bool = False
    volume_db: float = 0.0
    send: str = ""
    effects: list[Effect] = msgspec.field(default_factory=list)
    others: dict[str, Variant] = msgspec.field(default_factory=dict)


_MOST = 1000
_KINDS: dict[type, dict[str, Any]] = {
    Bus: {"name": str, "solo": bool, "mute": bool, "bypass_fx": bool, "volume_db": (int, float), "send": str},
    Effect: {"effect": object, "enabled": bool},
}


class BusLayout:
    """The buses in their order, Master first. An edit is staged with `save`."""

    def __init__(self, workspace: Workspace, index: ClassIndex) -> None:
        self._workspace = workspace
        self._index = index
        settings = Configuration(workspace, index)
        self.path = workspace.resource_path(settings.text(_SETTING) or "res://default_bus_layout.tres")
        is_there = workspace.files.exists(workspace.place(self.path))
        if is_there:
            self.document = workspace.document(self.path)
            ResourceFile(workspace, index, self.document, self.path)  # refused where it is something else
        else:
            self.document = new_resource(workspace, index, "AudioBusLayout").document
        self.buses = _read_buses(self.document)

    def find(self, name: str) -> int:
        """Return the index of a bus.

        Raises:
            NotFound: there is none of that name.
        """
        names = [bus.name for bus in self.buses]
        if name not in names:
            raise NotFound(
                f"There is no audio bus '{name}'.",
                hint=did_you_mean(name, names) or f"The buses are {', '.join(names)}.",
            )
        return names.index(name)

    def insert(self, bus: Bus, index: int | None) -> int:
        """Add a bus at an index, by default last, and return the index.

        Raises:
            Conflict: the name is taken.
            Invalid: it cannot be there.
        """
        if any(bus.name == other.name for other in self.buses):
            raise Conflict(
                f"There is an audio bus '{bus.name}' already.", hint="Change it with edit_audio_bus.", retryable=False
            )
        place = len(self.buses) if index is None else index
        if not 1 <= place <= len(self.buses):
            raise Invalid(
                f"A bus can be at 1 to {len(self.buses)}; 0 is {MASTER}.",
                path="input.index",
                rule="range",
            )
        self.buses.insert(place, bus)
        self._must_flow(place)
        return place

    def move(self, at: int, to: int) -> int:
        """Move a bus to another index."""
        if at == 0 or not 1 <= to < len(self.buses):
            raise Invalid(
                f"A bus can be moved to 1 to {len(self.buses) - 1}; {MASTER} stays at 0.",
                path="input.index",
                rule="range",
            )
        self.buses.insert(to, self.buses.pop(at))
        for place in range(len(self.buses)):
            self._must_flow(place)
        return to

    def rename(self, at: int, name: str) -> None:
        """Rename a bus, also where others send to it."""
        previous = self.buses[at].name
        if at == 0 or name == MASTER:
            raise Invalid(f"{MASTER} keeps its name.", path="input.newName", rule="name")
        if name != previous and any(name == bus.name for bus in self.buses):
            raise Conflict(f"There is an audio bus '{name}' already.", hint="Choose another name.", retryable=False)
        self.buses[at].name = name
        for bus in self.buses:
            bus.send = name if bus.send == previous else bus.send

    def send(self, at: int, target: str) -> None:
        """Make a bus send to another.

        Raises:
            NotFound, Invalid
        """
        self.find(target)
        if at == 0:
            raise Invalid(
                f"{MASTER} sends to no other bus.", path="input.parentBus", rule="flow", hint="Leave parentBus out."
            )
        self.buses[at].send = target
        self._must_flow(at)

    def remove(self, at: int) -> list[str]:
        """Remove a bus; return the names of those that sent to it, and now send to Master."""
        if at == 0:
            raise Invalid(f"{MASTER} cannot be removed.", path="input.busName", rule="master")
        gone = self.buses.pop(at)
        orphans = [bus for bus in self.buses if bus.send == gone.name]
        for bus in orphans:
            bus.send = MASTER
        return [bus.name for bus in orphans]

    def make_effect(self, kind: str, params: Mapping[str, Any]) -> Variant:
        """Create an effect inside the file."""
        properties = Properties(self._workspace, self._index, kind="AudioBusLayout", script=None)
        form = {"$resource": kind, "props": dict(params)}
        placed = properties.place(self.document, {"bus/0/effect/0/effect": form}, keep_defaults=True)
        self.document = placed.document
        return placed.values["bus/0/effect/0/effect"]

    def effect(self, effect: Effect) -> ResourceFile | None:
        """Return the resource of an effect, or None if it is a file of its own."""
        if not isinstance(effect.effect, SubResource):
            return None
        return ResourceFile(self._workspace, self._index, self.document, self.path, effect.effect.id)

    def change_effect(self, effect: Effect, params: Mapping[str, Any]) -> None:
        """Set values of an effect."""
        resource = self.effect(effect)
        if resource is None:
            raise Invalid(
                "The effect is a file of its own.",
                path="input.effectParams",
                rule="inner",
                hint="Change the file with edit_resource.",
            )
        self.document = resource.set(params).document

    def shown(self, effect: Effect) -> dict[str, Any]:
        """Return an effect for a reply: its class and what it sets."""
        resource = self.effect(effect)
        if resource is None:
            return {"type": present(effect.effect, document=self.document), "enabled": effect.enabled}
        params = resource.read(None, defaults=False)
        return {"type": resource.type, "enabled": effect.enabled, **({"params": params} if params else {})}

    def save(self) -> None:
        """Stage the file, written as the engine does."""
        section = self.document.find("resource")
        assert section is not None  # looked at on the way in
        document = self.document
        for name in [property_.name for property_ in section.properties if _KEY.fullmatch(property_.name)]:
            current = document.find("resource")
            assert current is not None
            document = document.remove_property(current, name)
        for name, value in _bus_properties(self.buses).items():
            current = document.find("resource")
            assert current is not None
            document = document.set_property(current, name, value)
        self.document = _without_unused(document)
        self._workspace.save(self.path, self.document)

    def _must_flow(self, at: int) -> None:
        """A bus can only send to one that comes before it; the engine would take Master instead."""
        bus = self.buses[at]
        names = [other.name for other in self.buses[:at]]
        if bus.send and bus.send not in names and at > 0:
            raise Invalid(
                f"'{bus.name}' cannot send to '{bus.send}', which does not come before it.",
                path="input.parentBus",
                rule="flow",
                hint="Sound flows to buses with a lower index; move one of them with index.",
            )


def _read_buses(document: Document) -> list[Bus]:
    buses = [Bus(name=MASTER)]
    section = document.find("resource")
    for property_ in section.properties if section is not None else ():
        match = _KEY.fullmatch(property_.name)
        if match is None:
            continue
        if max(int(match[1]), int(match[2] or 0)) > _MOST:
            raise Invalid(
                f"'{property_.name}' exceeds {_MOST} buses or effects.",
                rule="size",
                hint="Fix the bus layout in a text editor.",
            )
        while len(buses) <= int(match[1]):
            buses.append(Bus())
        bus = buses[int(match[1])]
        if match[2] is None:
            _set_field(bus, match[3], _to_plain(property_.value))
            continue
        while len(bus.effects) <= int(match[2]):
            bus.effects.append(Effect(effect=None))
        _set_field(bus.effects[int(match[2])], match[3], property_.value)
    return buses


def _set_field(holder: Bus | Effect, name: str, value: Any) -> None:
    """Keeps a value by its name; one that is not as this version writes it goes back as it came."""
    kinds = _KINDS[type(holder)]
    if name in kinds and isinstance(value, kinds[name]):
        setattr(holder, name, value)
    else:
        holder.others[name] = value


def _to_plain(value: Variant) -> Any:
    return value.text if isinstance(value, StringName) else value


def _bus_properties(buses: list[Bus]) -> dict[str, Variant]:
    values: dict[str, Variant] = {}
    for place, bus in enumerate(buses):
        start = f"bus/{place}/"
        own: dict[str, Variant] = {
            "name": StringName(bus.name),
            "solo": bus.solo,
            "mute": bus.mute,
            "bypass_fx": bus.bypass_fx,
            "volume_db": float(bus.volume_db),
            "send": StringName(bus.send),
        }
        if place == 0:  # what a new layout has, the engine leaves out
            own = {name: value for name, value in own.items() if value != _plain_master()[name]}
        values |= {start + name: value for name, value in {**own, **bus.others}.items()}
        for at, effect in enumerate(bus.effects):
            values[f"{start}effect/{at}/effect"] = effect.effect
            values[f"{start}effect/{at}/enabled"] = effect.enabled
            values |= {f"{start}effect/{at}/{name}": value for name, value in effect.others.items()}
    return values


def _plain_master() -> dict[str, Variant]:
    return {
        "name": StringName(MASTER),
        "solo": False,
        "mute": False,
        "bypass_fx": False,
        "volume_db": 0.0,
        "send": StringName(""),
    }


def _without_unused(document: Document) -> Document:
    """The document without effects that no bus has any more."""
    while True:
        used = {reference for section in document.sections for reference in references(section.text)}
        unused = [section for reference, section in resource_sections(document).items() if reference not in used]
        if not unused:
            return with_load_steps(document)
        document = document.remove(unused)
