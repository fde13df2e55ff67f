"""scenewright from its wheel, in an environment of its own that this checkout is out of reach of."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path

__all__ = ["build_wheel", "install_wheel", "plain_environment"]

ROOT = Path(__file__).parents[2]


def build_wheel(folder: Path) -> Path:
    """Build the wheel of this checkout into a folder, and return it."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=120)
    return next(folder.glob("*.whl"))


def install_wheel(wheel: Path, folder: Path) -> Path:
    """Make a virtual environment with a wheel in it, and return where its programs are.

    What the wheel depends on it takes from the environment of the tests.
    """
    venv.create(folder, with_pip=False)
    pip = [sys.executable, "-m", "pip", "--quiet", "--python", str(folder / "bin" / "python"), "install"]
    subprocess.run([*pip, "--no-deps", "--no-index", str(wheel)], check=True, timeout=120)
    (site,) = folder.glob("lib/python*/site-packages")
    # A path file of the other environment, which leads to this checkout, is not read there.
    (site / "dependencies.pth").write_text(next(path for path in sys.path if path.endswith("site-packages")) + "\n")
    return folder / "bin"


def plain_environment(home: Path) -> dict[str, str]:
    """The environment of a person with a home folder, and without a Godot."""
    return {"PATH": os.environ["PATH"], "HOME": str(home), "GODOT_PATH": ""}
