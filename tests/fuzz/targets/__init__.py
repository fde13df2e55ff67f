"""Every target, a module for each subject; a subject is loaded when one of its targets is asked for."""

from __future__ import annotations

from importlib import import_module

from tests.fuzz.target import Target

__all__ = ["SUBJECTS", "all_targets", "find_target", "targets_of"]

SUBJECTS = ("godot", "unity", "roblox", "pixel", "records", "lines", "tools")


def targets_of(subject: str) -> tuple[Target, ...]:
    """The targets of a subject; their names begin with it."""
    found: tuple[Target, ...] = import_module(f"{__name__}.{subject}").TARGETS
    assert all(target.name.startswith(f"{subject}.") for target in found)
    return found


def all_targets() -> list[Target]:
    return [target for subject in SUBJECTS for target in targets_of(subject)]


def find_target(name: str) -> Target:
    return next(target for target in targets_of(name.partition(".")[0]) if target.name == name)
