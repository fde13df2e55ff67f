"""Pictures that only the engine reads: drawings, and formats of its own."""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import anyio.from_thread

from scenewright.core.policy.execution import permit_execution
from scenewright.godot.assets.images.pictures import MOST_PIXELS, too_large, unreadable
from scenewright.godot.engine.requests import pool_of

if TYPE_CHECKING:
    from PIL.Image import Image

    from scenewright.core.calls.call import Call
    from scenewright.godot.project.workspace import Workspace

__all__ = ["SUFFIXES", "decode_picture"]

SUFFIXES = (".svg", ".exr", ".hdr", ".ktx", ".dds")


def decode_picture(call: Call, workspace: Workspace, place: str, parameter: str) -> Image:
    """Return a picture of the project with four channels; a drawing as large as it is imported. Blocks.

    Raises:
        NotFound: there is no such file.
        Invalid: it is no picture that the engine reads.
        Unsupported: there is no Godot to be had.
    """
    from PIL import Image

    with TemporaryDirectory(prefix="scenewright-") as folder:
        source = Path(folder, f"picture{PurePosixPath(place).suffix.lower()}")
        target = Path(folder, "decoded.png")
        source.write_bytes(workspace.files.read(place))
        params = {"path": str(source), "target": str(target), "scale": _scale(workspace, place), "most": MOST_PIXELS}
        permit = anyio.from_thread.run(permit_execution, call)
        answer = pool_of(call, permit).ask("images.decode", params).value
        if not answer["loads"]:
            raise unreadable(place, parameter)
        if not answer["fits"]:
            raise too_large(place, (int(answer["width"]), int(answer["height"])), parameter)
        with Image.open(target) as picture:
            return picture.convert("RGBA")


def _scale(workspace: Workspace, place: str) -> float:
    from scenewright.godot.documents.settings import find_setting

    beside = f"{place}.import"
    setting = find_setting(workspace.document(beside), "params/svg/scale") if workspace.files.exists(beside) else None
    value = setting.value if setting is not None else None
    return float(value) if isinstance(value, int | float) and value > 0 else 1.0
