"""The conformance profile's catalogue."""

from __future__ import annotations

from scenewright.core.registry import Catalogue

__all__ = ["CATALOGUE"]

CATALOGUE = Catalogue()
