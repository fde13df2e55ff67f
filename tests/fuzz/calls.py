"""Calls of every tool there is, each with something in it that no tool accepts."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from tests.fuzz.hostile import arguments, hostile

from scenewright.app import catalogues
from scenewright.core.operations.declaration import Manager, Operation
from scenewright.core.operations.registry import build_registry

REGISTRY = build_registry(catalogues(), verified=True)
NAMES = sorted({*REGISTRY.operations, *REGISTRY.managers})


def found(name: str) -> Operation | Manager:
    return REGISTRY.find(name)


@st.composite
def unacceptable_calls(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    """A tool and arguments that no tool accepts; JSON can carry them."""
    name = draw(st.sampled_from(NAMES))
    tool = found(name)
    if isinstance(tool, Operation):
        given = draw(arguments(tool.input_schema, deep=False))
    else:
        action = draw(st.sampled_from(sorted(REGISTRY.actions[name])))
        given = {"action": action} | draw(arguments(REGISTRY.actions[name][action].input_schema, deep=False))
    return name, given | {"no such parameter": draw(hostile(deep=False))}
