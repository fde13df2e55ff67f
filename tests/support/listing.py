"""What a listing shows of a manager's actions."""

from __future__ import annotations

import re
from typing import Any

__all__ = ["listed_actions"]


def listed_actions(tool: dict[str, Any]) -> list[str]:
    """Return the actions that a tool of `tools/list` shows, in its description or under `params`, sorted."""
    properties = tool["inputSchema"]["properties"]
    texts = f"{tool['description']}\n{properties.get('params', {}).get('description', '')}"
    brief = re.search(r" Actions: ([\w., -]+)$", tool["description"])  # of a manager that only names them
    if brief:
        return sorted(brief[1].split(", "))
    lines = re.findall(r"^([\w.|-]+)\(", texts, re.MULTILINE)
    return sorted(name for line in lines for name in line.split("|"))
