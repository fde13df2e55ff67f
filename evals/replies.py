"""What a model reads of the wire: the listing as text, and a call's result as text and pictures."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

__all__ = ["listing_text", "read_result"]


def listing_text(instructions: str, tools: list[dict[str, Any]]) -> str:
    """Return the instructions, then one tool per line, with what hosts show a model: name, description, parameters."""
    shown = [{key: tool[key] for key in ("name", "description", "inputSchema") if key in tool} for tool in tools]
    return "\n".join([instructions, *(json.dumps(tool, ensure_ascii=False, separators=(",", ":")) for tool in shown)])


def read_result(result: dict[str, Any], pictures: Path, number: int) -> tuple[str, int]:
    """Return a result's text and how many pictures it had; these are saved, and the text names them."""
    lines: list[str] = []
    count = 0
    for block in result.get("content", []):
        if block["type"] == "text":
            lines.append(block["text"])
        elif block["type"] == "image":
            count += 1
            lines.append(f"[picture: {_save(block, pictures, f'{number}-{count}')}]")
        else:
            lines.append(json.dumps(block, ensure_ascii=False))
    if not lines and result.get("structuredContent") is not None:
        lines.append(json.dumps(result["structuredContent"], ensure_ascii=False, separators=(",", ":")))
    return "\n".join(lines), count


def _save(block: dict[str, Any], pictures: Path, name: str) -> Path:
    pictures.mkdir(exist_ok=True)
    file = pictures / f"{name}.{block['mimeType'].partition('/')[2]}"
    file.write_bytes(base64.b64decode(block["data"]))
    return file
