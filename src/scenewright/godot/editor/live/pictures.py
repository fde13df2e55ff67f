"""Pictures as the bridge sends them: data URLs."""

from __future__ import annotations

import base64
import binascii
from typing import Any

from scenewright.bridge.refusals import EditorFailed
from scenewright.core.calls.call import Attachment

__all__ = ["picture_of"]


def picture_of(answer: dict[str, Any]) -> Attachment:
    """Return the picture that an answer holds.

    Raises:
        EditorFailed: it holds none.
    """
    head, comma, data = str(answer.get("image") or "").partition(",")
    mime = head.removeprefix("data:").removesuffix(";base64")
    try:
        content = base64.b64decode(data, validate=True)
    except binascii.Error:
        content = b""
    if not comma or not mime.startswith("image/") or not content:
        raise EditorFailed("The editor sent no picture.", hint="Try again; godot_sync_addon updates an old addon.")
    return Attachment("image", content, mime)
