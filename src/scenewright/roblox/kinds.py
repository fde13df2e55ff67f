"""Which kind a stored value has, where the file alone does not say: a file has one type for all texts, for instance."""

from __future__ import annotations

from functools import lru_cache

from scenewright.roblox.reflection.database import database
from scenewright.roblox.values import TEXT_KINDS

__all__ = ["SCRIPT_CLASSES", "default_of", "is_script", "stored_kind"]

SCRIPT_CLASSES = ("Script", "LocalScript", "ModuleScript")
_ONE_LAYOUT = (
    TEXT_KINDS,
    frozenset(("Int32", "BrickColor")),
    frozenset(("SharedString", "NetAssetRef")),
    frozenset(("ContentId", "Content")),
)


def is_script(class_name: str) -> bool:
    return class_name in SCRIPT_CLASSES or database().is_a(class_name, "LuaSourceContainer")


@lru_cache(maxsize=20_000)
def stored_kind(class_name: str, name: str, kind: str) -> str:
    """Return the kind of a value that a file shows as `kind`, which the engine's declaration may say more exactly."""
    if name == "Source" and kind in TEXT_KINDS and is_script(class_name):
        return "ProtectedString"
    declared = database().canonical(class_name, name)
    if declared is None:
        return kind
    wanted = "Enum" if declared.enum else declared.kind
    if any(kind in group and wanted in group for group in _ONE_LAYOUT):
        return wanted
    return kind


def default_of(class_name: str, name: str) -> dict[str, object] | None:
    """Return the default of a property by its stored name, as `{kind: data}`."""
    declared = database().canonical(class_name, name)
    return database().default(class_name, declared.name) if declared else None
