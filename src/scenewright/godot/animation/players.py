"""An AnimationPlayer of a scene: its libraries, wherever they are kept, and the animations in them.

An animation goes by the name that the engine plays it by: `walk`, or `moves/walk` in the library `moves`.
"""

from __future__ import annotations

from collections.abc import Mapping

from scenewright.core.faults import Conflict, Invalid, NotFound, did_you_mean
from scenewright.godot.animation.animations import Animation
from scenewright.godot.animation.inner_resources import HeldResource, Holder, ReachedResources
from scenewright.godot.animation.tracks import CAPTURE, Track, track_properties
from scenewright.godot.classes.property_order import property_rank
from scenewright.godot.documents import nodes, paths
from scenewright.godot.documents import variant as v
from scenewright.godot.documents.resources import add_inner_resource
from scenewright.godot.scenes.scene_edit import SceneEdit
from scenewright.godot.values.tree import Coerced

__all__ = ["RESET", "Player"]

RESET = "RESET"
RESET_LENGTH = 0.001
_FORBIDDEN = "/:,["
# What is given anew with an animation; its markers and names stay.
_CONTENT = ("tracks/", "length", "loop_mode", "step", "capture_included")


class Player:
    """A player to be looked at or changed."""

    def __init__(self, edit: SceneEdit, node_path: str, *, parameter: str = "playerNodePath") -> None:
        self.edit = edit
        self.parts = ReachedResources(edit)
        self.path = edit.node(node_path, wanted="AnimationPlayer", parameter=parameter).path
        self.sealed: dict[str, str] = {}  # what only the engine can read, and why

    @property
    def root(self) -> str:
        """The node that the paths of its tracks start from.

        Raises:
            Invalid: it is outside of the scene.
        """
        path = self._resolve_root()
        if path is None:
            raise Invalid(
                f"The root_node of '{self.path}' is not a node of {self.edit.path}.",
                rule="root",
                hint="Set its root_node with edit_node, or move the player below the scene's root.",
            )
        return path

    @property
    def has_root(self) -> bool:
        return self._resolve_root() is not None

    @property
    def autoplay(self) -> str | None:
        """What plays from the start."""
        stored = self.edit.tree.nodes[self.path].find("autoplay")
        return _text(stored.value) or None if stored is not None else None

    def libraries(self) -> dict[str, HeldResource]:
        """Return the libraries by name, including those of scenes that this one instances."""
        libraries: dict[str, HeldResource] = {}
        for layer in self.edit.tree.nodes[self.path].layers:
            document = layer.node.section.document
            holder: Holder = self.edit
            if document is not self.edit.document:
                holder = self.parts.reading(document, layer.scene or "")
            for property_ in layer.node.section.properties:
                for name, value in _named_libraries(property_.name, property_.value):
                    part = self._follow_resource(name, holder, value)
                    libraries |= {name: part} if part is not None else {}
        return libraries

    def animations(self) -> dict[str, Animation]:
        """Return the animations by the name they are played by, sorted."""
        animations = {}
        for library, part in self.libraries().items():
            for name, value in _entries(part):
                full = f"{library}/{name}" if library else name
                inner = self._follow_resource(full, part.holder, value)
                if inner is not None:
                    animations[full] = Animation(full, inner)
        return dict(sorted(animations.items()))

    def find(self, name: str, *, to_change: bool = False) -> Animation:
        """Return an animation by the name it is played by.

        Raises:
            NotFound: there is none of that name.
            Conflict: it is to be changed and belongs to another scene.
        """
        known = self.animations()
        self._must_be_open(name)
        if name not in known:
            raise NotFound(
                f"'{self.path}' has no animation '{name}'.",
                hint=did_you_mean(name, list(known)) or "add_animation makes one.",
            )
        if to_change:
            self._must_be_ours(known[name].part)
        return known[name]

    def add(self, name: str, values: Mapping[str, Coerced], tracks: list[Track]) -> Animation:
        """Add an animation, or replace the content of an existing one."""
        stored = dict(values)
        if any(track.update == CAPTURE for track in tracks):
            stored["capture_included"] = True
        for at, track in enumerate(tracks):
            stored |= track_properties(at, track)
        known = self.animations().get(name)
        if known is not None:
            self._must_be_ours(known.part)
            known.part.set(stored, remove=[name for name in known.part.names() if name.startswith(_CONTENT)])
            return known
        library, _, short = name.rpartition("/")
        _check_name(short, "animationName")
        part = self._library(library)
        reference = part.make("Animation", {"resource_name": short, **stored})
        self._write_entries(part, {**dict(_entries(part)), short: reference})
        return Animation(name, HeldResource(part.holder, reference.id))

    def remove(self, name: str) -> None:
        """Remove an animation, and what the player says about it."""
        self.find(name, to_change=True)
        library, _, short = name.rpartition("/")
        part = self.libraries()[library]
        self._must_be_ours(part)
        self._write_entries(part, {key: value for key, value in _entries(part) if key != short})
        self._forget_animation(name)

    def reset(self, tracks: list[Track]) -> list[str]:
        """Add missing tracks to the RESET animation, as the editor's key button does; return their paths."""
        known = self.animations().get(RESET)
        if known is None:
            self.add(RESET, {"length": RESET_LENGTH}, tracks)
            return [track.path for track in tracks]
        self._must_be_ours(known.part)
        there = {(track.kind, track.path) for track in known.tracks}
        missing = [track for track in tracks if (track.kind, track.path) not in there]
        for at, track in enumerate(missing, len(known.tracks)):
            known.set_track(at, track)
        return [track.path for track in missing]

    def save(self) -> None:
        self.parts.save()

    def _resolve_root(self) -> str | None:
        stored = self.edit.tree.nodes[self.path].find("root_node")
        way = stored.value if stored is not None else None
        unique = {node.name: node.path for node in self.edit.tree.nodes.values() if node.unique_name}
        target = paths.resolve(self.path, way.text if isinstance(way, v.NodePath) else "..", unique)
        return target if target is not None and self.edit.tree.find(target) is not None else None

    def _library(self, name: str) -> HeldResource:
        """A library to add to; one that is missing is made in the scene."""
        known = self.libraries().get(name)
        self._must_be_open(f"{name}/")
        if known is not None:
            self._must_be_ours(known)
            return known
        own = self.edit.scene.by_path.get(self.path)
        if own is None or own.is_override:
            raise self._instanced_player()
        if name:
            _check_name(name, "animationName")
        self.edit.document, made = add_inner_resource(self.edit.document, "AnimationLibrary", {})
        section = self.edit.scene.node(self.path).section
        stored = section.find("libraries")
        if stored is not None and isinstance(stored.value, v.Dictionary):  # as versions before 4.6 write it
            entries = v.Dictionary((*stored.value.entries, (v.StringName(name), v.SubResource(made))))
            self.edit.document = self.edit.document.set_property(section, "libraries", entries)
        else:
            rank = property_rank(self.edit.index, "AnimationPlayer", ())
            self.edit.scene = nodes.set_properties(
                self.edit.scene, self.path, {f"libraries/{name}": v.SubResource(made)}, rank=rank
            )
        return HeldResource(self.edit, made)

    def _write_entries(self, library: HeldResource, entries: Mapping[str, v.Variant]) -> None:
        if entries:
            pairs = tuple((v.StringName(key), value) for key, value in entries.items())
            library.set({"_data": v.Dictionary(pairs)})
        else:
            library.set({}, remove=["_data"])

    def _forget_animation(self, name: str) -> None:
        own = self.edit.scene.by_path.get(self.path)
        if own is None:
            return
        section, gone = own.section, [f"next/{name}"]
        if _text(section.value("autoplay")) == name:
            gone.append("autoplay")
        blends = section.value("blend_times")
        if isinstance(blends, v.Array):
            rows = [blends.items[at : at + 3] for at in range(0, len(blends.items), 3)]
            remaining = tuple(part for row in rows if name not in (_text(row[0]), _text(row[1])) for part in row)
            if remaining:
                self.edit.scene = nodes.set_properties(self.edit.scene, self.path, {"blend_times": v.Array(remaining)})
            else:
                gone.append("blend_times")
        there = [property_name for property_name in gone if section.find(property_name) is not None]
        if there:
            self.edit.scene = nodes.remove_properties(self.edit.scene, self.path, there)

    def _follow_resource(self, name: str, holder: Holder, value: v.Variant) -> HeldResource | None:
        try:
            return self.parts.follow(holder, value)
        except Invalid as problem:
            self.sealed[name] = problem.message
            return None

    def _must_be_open(self, name: str) -> None:
        for place in (name, name.rpartition("/")[0]):
            if place in self.sealed:
                raise Invalid(
                    self.sealed[place],
                    path="input.animationName",
                    rule="file",
                    hint="Animations in a .tres or in a library of the scene's own can be read and changed.",
                )

    def _must_be_ours(self, part: HeldResource) -> None:
        if part.holder is not self.edit and not part.holder.path.endswith(".tres"):
            raise self._instanced_player(part.holder.path)

    def _instanced_player(self, scene: str | None = None) -> Conflict:
        home = scene or _scene_of_node(self.edit, self.path)
        where = f" with scenePath '{home}'" if home else " in that scene"
        return Conflict(
            f"'{self.path}' comes with an instance: its animations belong to {home or 'another scene'}.",
            hint=f"Make the call{where}, or add an AnimationPlayer of this scene's own.",
            retryable=False,
        )


def _scene_of_node(edit: SceneEdit, path: str) -> str | None:
    """The scene that brings a node."""
    while path != ".":
        node = edit.tree.nodes[path]
        if node.instance is not None:
            return node.instance
        path = paths.parent_of(path)
    return edit.tree.root.instance


def _named_libraries(name: str, value: v.Variant) -> list[tuple[str, v.Variant]]:
    """The libraries that a property of a player names."""
    if name.startswith("libraries/"):
        return [(name.removeprefix("libraries/"), value)]
    if name == "libraries" and isinstance(value, v.Dictionary):
        return [(_text(key), part) for key, part in value.entries]
    return []


def _entries(library: HeldResource) -> list[tuple[str, v.Variant]]:
    data = library.value("_data")
    return [(_text(key), value) for key, value in data.entries] if isinstance(data, v.Dictionary) else []


def _text(value: v.Variant) -> str:
    return value.text if isinstance(value, v.StringName) else str(value or "")


def _check_name(name: str, parameter: str) -> None:
    if not name or any(letter in name for letter in _FORBIDDEN):
        raise Invalid(
            f"'{name}' cannot be the name of an animation or library.",
            path=f"input.{parameter}",
            rule="name",
            hint="Use a name without any of / : , [ ; 'library/name' puts an animation into a library.",
        )
