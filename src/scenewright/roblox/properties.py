"""Properties by the names that scripts use, over what files store: other names, other kinds, places they moved to."""

from __future__ import annotations

from functools import lru_cache

from scenewright.roblox.conversion import converted
from scenewright.roblox.defaults import default_property
from scenewright.roblox.property_migrations import MIGRATIONS
from scenewright.roblox.reflection.database import ClassProperty, database
from scenewright.roblox.tree import Instance
from scenewright.roblox.value_forms.frames import orientation_of, oriented, positioned
from scenewright.roblox.values import Value, as_bytes

__all__ = ["declared_kind", "read", "stored_as", "stored_properties", "write"]

_IN_FRAME = ("Position", "Orientation", "Rotation")


def declared_kind(declared: ClassProperty) -> str:
    return "Enum" if declared.enum else declared.kind


def read(instance: Instance, name: str, *, defaults: bool = True) -> Value | None:
    """Return the value of a property as scripts see it; None where neither the file nor the engine's defaults say."""
    if name == "Name":
        return Value("String", as_bytes(instance.name))
    declared = database().canonical(instance.class_name, name)
    if declared is None:
        return instance.stored(name)
    value = _stored(instance, declared) or _derive_from_frame(instance, declared)
    if value is None and defaults:
        value = default_property(instance.class_name, declared.name) or _moved_default(instance, declared)
    return _as_declared(value, declared) if value is not None else None


def stored_properties(instance: Instance) -> dict[str, Value]:
    """Return what the file says of an instance, under canonical names; what moved or is an alias appears once."""
    properties: dict[str, Value] = {}
    for stored in instance.stored_names():
        declared = database().canonical(instance.class_name, stored)
        name = declared.name if declared else stored
        value = read(instance, name, defaults=False) if declared else instance.stored(stored)
        if value is not None:
            properties.setdefault(name, value)
    return dict(sorted(properties.items()))


def write(instance: Instance, name: str, value: Value) -> None:
    """Store a property that a script would set."""
    if name == "Name":
        instance.rename(value.data.decode("utf-8", "surrogateescape"))
        return
    declared = database().canonical(instance.class_name, name)
    if declared is None:
        instance.store(name, value)
        return
    if declared.storage == "-" and declared.name in _IN_FRAME:
        _write_in_frame(instance, declared.name, value)
        return
    if declared.is_view and _has(instance, declared.name):
        instance.store(declared.name, None)  # which no editor reads
    if declared.moved_to is not None and not _has(instance, declared.name):
        how, names = declared.moved_to
        moved = MIGRATIONS[how].forward(value)
        if moved is not None:
            for target in names:
                write(instance, target, moved)
            return
    _store(instance, declared, value)


def _has(instance: Instance, name: str) -> bool:
    return instance.stored(name) is not None


def _store(instance: Instance, declared: ClassProperty, value: Value) -> None:
    """Under the name and in the kind that the file has already, else those of today's engine."""
    for name in stored_as(instance.class_name, declared.name):
        current = instance.stored(name)
        if current is not None and current.kind != "Unknown":
            instance.store(name, converted(value, current.kind) or value)
            return
    default = default_property(instance.class_name, declared.name)
    wanted = converted(value, default.kind) if default is not None else None
    instance.store(declared.stored_as or declared.name, wanted or value)


def _stored(instance: Instance, declared: ClassProperty) -> Value | None:
    if declared.is_view and (shown := _read_moved(instance, declared)) is not None:
        return shown
    for name in stored_as(instance.class_name, declared.name):
        value = instance.stored(name)
        if value is not None:
            return value
    return _read_moved(instance, declared)


@lru_cache(maxsize=20_000)
def stored_as(class_name: str, name: str) -> tuple[str, ...]:
    """Return the names under which a property may be stored: today's first, then its own, then older ones."""
    declared = database().property(class_name, name)
    names = [declared.stored_as] if declared and declared.stored_as else []
    names.append(name)
    for owner in database().lineage(class_name):
        names += database().aliases(owner, name)
    return tuple(dict.fromkeys(each for each in names if each))


def _read_moved(instance: Instance, declared: ClassProperty) -> Value | None:
    """From where it is now, or from where it once was."""
    if declared.moved_to is not None:
        how, names = declared.moved_to
        for name in names:
            target = database().canonical(instance.class_name, name)
            value = _direct(instance, target.name) if target else None
            if value is not None:
                return MIGRATIONS[how].backward(value)
        return None
    for old, how in database().moved_from(instance.class_name, declared.name):
        value = _direct(instance, old)
        if value is not None:
            return MIGRATIONS[how].forward(value)
    return None


def _moved_default(instance: Instance, declared: ClassProperty) -> Value | None:
    """Return the default of a property that moved, from the default of where it is now."""
    if declared.moved_to is None:
        return None
    how, names = declared.moved_to
    default = default_property(instance.class_name, names[0])
    return MIGRATIONS[how].backward(default) if default is not None else None


def _direct(instance: Instance, name: str) -> Value | None:
    values = (instance.stored(stored) for stored in stored_as(instance.class_name, name))
    return next((value for value in values if value is not None), None)


def _derive_from_frame(instance: Instance, declared: ClassProperty) -> Value | None:
    if declared.storage != "-" or declared.name not in _IN_FRAME:
        return None
    frame = read(instance, "CFrame")
    if frame is None or frame.kind != "CFrame":
        return None
    return Value("Vector3", frame.data[:3] if declared.name == "Position" else orientation_of(frame.data))


def _write_in_frame(instance: Instance, name: str, value: Value) -> None:
    frame = read(instance, "CFrame")
    if frame is None or frame.kind != "CFrame":
        instance.store(name, value)
        return
    change = positioned if name == "Position" else oriented
    write(instance, "CFrame", Value("CFrame", change(frame.data, value.data)))


def _as_declared(value: Value, declared: ClassProperty) -> Value:
    return converted(value, declared_kind(declared)) or value
