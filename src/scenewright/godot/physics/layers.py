"""Physics layers as calls name them: by number from 1, or by the names that the project's settings give them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scenewright.core.faults import Invalid

__all__ = ["LAYERS", "layer_names"]

LAYERS = 32


def layer_names(layers: Sequence[Any], path: str) -> list[str] | int:
    """Return layers as a flags property takes them: numbers under the names that the inspector has for them.

    Raises:
        Invalid: one is neither a layer's number nor a name.
    """
    if layers and all(isinstance(layer, bool) for layer in layers):
        layers = [number for number, wanted in enumerate(layers, 1) if wanted]  # a switch for each layer
    for layer in layers:
        if not isinstance(layer, str) and (type(layer) is not int or not 1 <= layer <= LAYERS):
            raise Invalid(
                f"{layer!r} is not a layer.",
                path=path,
                rule="range",
                hint=f"Layers are numbered from 1 to {LAYERS}, or have a name.",
            )
    return [f"Layer {layer}" if isinstance(layer, int) else layer for layer in layers] or 0
