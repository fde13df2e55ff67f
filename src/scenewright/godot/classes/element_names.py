"""Names of array elements, which are made at run time: `item_0/text`, `settings/1/joints/0/bone`."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["INDEX", "pattern_of"]

INDEX: Final = "#"  # stands for any number
_NUMBER = re.compile(r"(?<=[_/])\d+(?=/|$)")


def pattern_of(name: str) -> str:
    """Return a name without its element numbers: `item_3/text` becomes `item_#/text`."""
    return _NUMBER.sub(INDEX, name)
