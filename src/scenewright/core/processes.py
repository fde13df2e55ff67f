"""How other programs are started on every system."""

from __future__ import annotations

import subprocess
import sys
from typing import Final

__all__ = ["NO_WINDOW"]

# For `creationflags`: on Windows a program of the console would flash a window of its own.
if sys.platform == "win32":
    NO_WINDOW: Final[int] = subprocess.CREATE_NO_WINDOW
else:
    NO_WINDOW: Final[int] = 0
