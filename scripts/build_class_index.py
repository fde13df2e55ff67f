"""Makes the class index that ships with the package, from a Godot editor binary: `build_class_index.py [GODOT]`."""

from __future__ import annotations

import argparse
import os
import shutil
from pathlib import Path

from scenewright.godot.classes.engine import describe
from scenewright.godot.classes.index import ClassIndex
from scenewright.godot.classes.library import SHIPPED, save


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("godot", nargs="?", help="the editor binary; otherwise GODOT_PATH or `godot` on the path")
    parser.add_argument("--output", type=Path, default=SHIPPED, help="the file to write")
    options = parser.parse_args()
    binary = options.godot or os.environ.get("GODOT_PATH") or shutil.which("godot")
    if not binary:
        parser.error("no Godot found: give its path, set GODOT_PATH or put it on the path")
    save(describe(Path(binary).absolute()), options.output)
    index = ClassIndex(options.output)
    print(f"{options.output}: Godot {index.version} ({index.store.build})")
    print(f"{len(index.class_names)} classes, {options.output.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
