"""Keyframe tables: tracks as a caller writes them, made into tracks with every value by its declared type."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from scenewright.core.faults import Invalid, NotFound, did_you_mean
from scenewright.core.text.counts import count_noun, with_article
from scenewright.godot.animation.players import Player
from scenewright.godot.animation.rows import easing_number, handles_of, key_fields, located, seconds
from scenewright.godot.animation.targets import Targets, TrackTarget
from scenewright.godot.animation.tracks import INTERPOLATIONS, UPDATES, Key, Kind, Track
from scenewright.godot.classes.records import Method, Property
from scenewright.godot.classes.variant import VARIANT_TYPES
from scenewright.godot.documents import variant as v
from scenewright.godot.documents.tree import TreeNode
from scenewright.godot.project.checks.members import Members, script_of
from scenewright.godot.values.coercion import coerce
from scenewright.godot.values.elements import ANY, of_type
from scenewright.godot.values.tree import Coerced, array, dictionary, has_nodes

__all__ = ["PLAIN_KINDS", "Aim", "Tables"]

# Two-dimensional nodes have no tracks of their own: the engine moves them by property.
PLAIN_KINDS = {"position_2d": "position", "rotation_2d": "rotation", "scale_2d": "scale"}
_SPACE = {"position_3d": "Vector3", "rotation_3d": "Quaternion", "scale_3d": "Vector3", "blend_shape": "float"}
_NOW = {"position_3d": "position", "rotation_3d": "quaternion", "scale_3d": "scale"}
_CLASSES = {
    "position_3d": ("Node3D",),
    "rotation_3d": ("Node3D",),
    "scale_3d": ("Node3D",),
    "blend_shape": ("MeshInstance3D",),
    "animation": ("AnimationPlayer",),
    "audio": ("AudioStreamPlayer", "AudioStreamPlayer2D", "AudioStreamPlayer3D"),
}
# What a key has beside its time and value, where that is not an easing.
_FIELDS = {
    "bezier": ("inHandle", "outHandle", "handleMode"),
    "audio": ("startOffset", "endOffset"),
    "animation": (),
}
_CONTINUOUS = frozenset(
    {"float", "Vector2", "Rect2", "Vector3", "AABB", "Quaternion", "Color", "Plane", "Transform2D", "Transform3D"}
)


class Aim(msgspec.Struct, frozen=True):
    """A track to be: its kind and where it leads."""

    kind: Kind
    target: TrackTarget

    def track(self, *, interpolation: str | None = None, update: str | None = None) -> Track:
        """Return the track without its keys.

        Raises:
            Invalid: it is of a kind that has no update mode, and one is given.
        """
        if update is not None and self.kind != "value":
            raise Invalid(f"A {self.kind} track has no update mode.", path="input.update", rule="kind")
        discrete = self.kind == "value" and self.target.wanted.variant not in (*_CONTINUOUS, "Nil")
        return Track(
            kind=self.kind,
            path=self.target.path,
            interpolation=INTERPOLATIONS.index(interpolation or "linear"),
            update=UPDATES.index(update or ("discrete" if discrete else "continuous")),
        )


class Tables:
    """Makes tracks for one player."""

    def __init__(self, targets: Targets) -> None:
        self.targets = targets
        self._index = targets.index

    def aim(self, node: str, property_: str | None, kind: str | None) -> Aim:
        """Return where a track leads.

        Raises:
            NotFound, Invalid: there is no such node or property, or a track of that kind cannot lead there.
        """
        if property_ is None and ":" in node:  # as the engine's own paths have it
            node, _, property_ = node.partition(":")
        inside = property_
        if kind in PLAIN_KINDS:
            inside, kind = property_ or PLAIN_KINDS[kind], "value"
        chosen: Any = kind or "value"
        if chosen in ("value", "bezier"):
            if not inside:
                raise Invalid(
                    f"A {chosen} track needs a property.",
                    path="input.property",
                    rule="required",
                    hint="Or give another type: method, audio, position_3d...",
                )
            target = self.targets.property(node, inside)
            if chosen == "bezier" and target.wanted.variant not in ("float", "int", "Nil"):
                raise Invalid(
                    f"A bezier track animates one number, and {inside} is {with_article(target.wanted.variant)}.",
                    path="input.property",
                    rule="type",
                    hint=f"Name a part of it, such as '{inside}:x'.",
                )
            return Aim(chosen, target)
        target_node = self.targets.node(node)
        self._require_class(target_node, chosen)
        if chosen == "blend_shape" and not inside:
            raise Invalid("Give the blend shape's name in property.", path="input.property", rule="required")
        wanted = of_type(_SPACE[chosen], "Animation", chosen, self._index) if chosen in _SPACE else ANY
        bone = (inside or "") if chosen in _SPACE else ""
        return Aim(chosen, TrackTarget(target_node, self.targets.path(target_node, bone), inside or "", wanted))

    def keys(self, aim: Aim, rows: list[Any]) -> tuple[Key, ...]:
        """Return the keys of a table, in order of time.

        Raises:
            Invalid: two are at the same time, or one does not fit.
        """
        keys_by_time: dict[float, Key] = {}
        for at, row in enumerate(rows):
            with located(f"key {at}", f"keys[{at}]"):
                key = self.key(aim, **key_fields(row))
                if key.time in keys_by_time:
                    raise Invalid(f"there is a key at {key.time:g} s already.", rule="unique")
                keys_by_time[key.time] = key
        return tuple(keys_by_time[time] for time in sorted(keys_by_time))

    def key(self, aim: Aim, *, time: Any = None, value: Any = None, **more: Any) -> Key:
        """Read one key."""
        if isinstance(time, bool) or not isinstance(time, int | float) or not 0 <= time < 1e6:
            raise Invalid(f"{time!r} is not a time in seconds.", path="input.time", rule="type")
        for name in more:
            if more[name] is not None and name not in _FIELDS.get(aim.kind, ("transition", "easing")):
                raise Invalid(
                    f"a key of {with_article(aim.kind)} track has no {name}.", path=f"input.{name}", rule="kind"
                )
        handles, mode = handles_of(more)
        offsets = tuple(seconds(more, name, 0.0) for name in ("startOffset", "endOffset"))
        with located("", "input.value", exact=True):
            key_value = self.value(aim, value)
        return Key(
            float(time),
            key_value,
            easing_number(more.get("transition"), more.get("easing")),
            handles,
            mode,
            offsets,
        )

    def reset(self, track: Track, aim: Aim) -> Track | None:
        """Return a track for the RESET animation: one key with the scene's initial value."""
        if aim.kind in ("method", "audio", "animation") or (aim.kind in _NOW and aim.target.property):
            return None  # nothing to go back to, or a bone whose rest only the engine knows
        if aim.kind == "blend_shape":
            value: Coerced = 0.0
        else:
            target = aim.target
            if aim.kind in _NOW:
                target = msgspec.structs.replace(target, property=_NOW[aim.kind])
            value = self.targets.current(target)
        return msgspec.structs.replace(track, keys=(Key(0.0, value),))

    def value(self, aim: Aim, raw: Any) -> Coerced:
        """Return the value of a key as the kind of its track has it."""
        node = aim.target.node
        context = self.targets.context(node)
        if aim.kind == "method":
            return self._method_call(node, raw)
        if aim.kind == "audio":
            return coerce(raw, of_type("AudioStream", "Animation", "stream", self._index), context)
        if aim.kind == "animation":
            return self._animation_name(node, raw)
        coerced = coerce(raw, aim.target.wanted, context)
        if has_nodes(coerced):
            raise Invalid(f"{aim.target.property} holds a node: an animation cannot set it.", rule="type")
        return float(coerced) if aim.kind == "bezier" and isinstance(coerced, int) else coerced

    def _animation_name(self, node: TreeNode, name: Any) -> Coerced:
        if not isinstance(name, str) or not name:
            raise Invalid("a key of an animation track must be the name of an animation, or '[stop]'.", rule="type")
        player = Player(self.targets.edit, node.path)
        known = [*player.animations(), "[stop]"]
        if name not in known and not player.sealed:
            raise NotFound(f"'{node.path}' has no animation '{name}'.", hint=did_you_mean(name, known))
        return name

    def _method_call(self, node: TreeNode, raw: Any) -> Coerced:
        """`"hide"`, or `{"method": "hurt", "args": [1]}`."""
        call: Mapping[str, Any] = {"method": raw} if isinstance(raw, str) else raw
        if not isinstance(call, Mapping) or not isinstance(call.get("method"), str) or call.keys() - {"method", "args"}:
            raise Invalid('a key of a method track must be "name" or {"method": "name", "args": [...]}.', rule="type")
        name, given_args = call["method"], call.get("args", [])
        if not isinstance(given_args, list):
            raise Invalid(f"the args of {name} must be a list.", rule="type")
        context = self.targets.context(node)
        script = script_of(node)
        if Members(context.scripts).has_method(node.type or "", script, name) is False:
            own = [each.name for each in context.scripts.functions(script)] if script else []
            known = [*own, *(each.name for each in self._index.methods(node.type or "", accessors=True))]
            raise NotFound(f"'{node.path}' ({node.type}) has no method '{name}'.", hint=did_you_mean(name, known))
        wanted = self._argument_types(node, script, name, len(given_args))
        args = tuple(coerce(each, kind, context) for each, kind in zip(given_args, wanted, strict=True))
        return dictionary((("args", array(args)), ("method", v.StringName(name))))

    def _argument_types(self, node: TreeNode, script: str | None, name: str, count: int) -> list[Property]:
        """What a method takes, so far as it says."""
        declared = self.targets.context(node).scripts.functions(script) if script is not None else []
        own = next((each for each in declared if each.name == name), None)
        if own is not None:
            types = [each.type or "" for each in own.parameters]
            known = [self._script_type(kind, name) for kind in types]
            least = sum(each.default is None and not each.is_rest for each in own.parameters)
            most = count if any(each.is_rest for each in own.parameters) else len(known)
            shown = f"{name}({', '.join(each.name for each in own.parameters)})"
        elif self._index.has_method(node.type or "", name):
            method: Method = self._index.method(node.type or "", name)
            known = [
                of_type(each.enum or each.type, node.type or "", each.name, self._index) for each in method.arguments
            ]
            least = sum(each.default is None for each in method.arguments)
            most, shown = count if method.is_vararg else len(known), method.signature
        else:
            return [ANY] * count
        if not least <= count <= most:
            raise Invalid(f"{name} is called with {count_noun(count, 'argument')}: {shown}.", rule="arguments")
        return [*known[:count], *[ANY] * (count - len(known))]

    def _script_type(self, kind: str, name: str) -> Property:
        return of_type(kind, "", name, self._index) if kind in VARIANT_TYPES and kind != "Object" else ANY

    def _require_class(self, node: TreeNode, kind: str) -> None:
        wanted = _CLASSES.get(kind, ())
        if (
            node.type in self._index
            and wanted
            and not any(self._index.is_a(node.type or "", class_name) for class_name in wanted)
        ):
            raise Invalid(
                f"A {kind} track leads to a {' or '.join(wanted)}; '{node.path}' is {with_article(node.type)}.",
                path="input.nodePath",
                rule="class",
            )
