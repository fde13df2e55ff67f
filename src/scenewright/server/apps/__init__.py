"""MCP Apps: what hosts that announce them show beside a tool's answer, each one HTML file that talks to its host.

A host is told of them in the listing only if it announced the extension, so that nobody else's listing grows. They are
found through their tools and not listed as resources, as the extension allows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib import resources
from typing import Any, Final

import mcp_types as types

from scenewright.core.faults import NotFound

__all__ = ["EXTENSION", "MIME_TYPE", "are_announced", "read_app", "with_apps"]

EXTENSION: Final = "io.modelcontextprotocol/ui"
MIME_TYPE: Final = "text/html;profile=mcp-app"
SCHEME: Final = "ui://scenewright/"
_FILES: Final = {"activity": "activity.html", "picture": "picture.html"}
_OF_TOOLS: Final = {"history": "activity", "history_list": "activity", "scene_picture": "picture"}
_JOINS: Final = ("scene_picture",)  # an action of a manager, which shows other things too
_MARK = "/* host.js */"


def are_announced(capabilities: types.ClientCapabilities | None) -> bool:
    """Return whether a client says that it shows such apps."""
    extensions: Mapping[str, Any] = (capabilities.extensions if capabilities is not None else None) or {}
    settings = extensions.get(EXTENSION)
    return isinstance(settings, Mapping) and MIME_TYPE in (settings.get("mimeTypes") or ())


def with_apps(tools: Sequence[types.Tool], further: Sequence[types.Tool]) -> list[types.Tool]:
    """Return a listing with the apps of its tools; of `further` tools those join whose app is theirs alone."""
    known = {tool.name for tool in tools}
    joined = [*tools, *(tool for tool in further if tool.name in _JOINS and tool.name not in known)]
    return [_with_app(tool) if tool.name in _OF_TOOLS else tool for tool in joined]


def _with_app(tool: types.Tool) -> types.Tool:
    ui = {"resourceUri": f"{SCHEME}{_OF_TOOLS[tool.name]}"}
    return tool.model_copy(update={"meta": {**(tool.meta or {}), "ui": ui}})


def read_app(uri: str) -> types.TextResourceContents:
    """Return an app's page.

    Raises:
        NotFound: there is none at this address.
    """
    name = _FILES.get(uri.removeprefix(SCHEME))
    if name is None or not uri.startswith(SCHEME):
        raise NotFound(f"There is no app at '{uri[:100]}'.")
    return types.TextResourceContents(
        uri=uri, mime_type=MIME_TYPE, text=_page(name), _meta={"ui": {"prefersBorder": True}}
    )


@lru_cache
def _page(name: str) -> str:
    folder = resources.files("scenewright.server.apps")
    host = folder.joinpath("host.js").read_text(encoding="utf-8")
    return folder.joinpath(name).read_text(encoding="utf-8").replace(_MARK, host)
