"""A reply in the words of a contract, before any wire format."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import msgspec

from scenewright.core.calls.call import Attachment

__all__ = ["Rendered", "RpcError", "as_text", "spoken", "whole"]


@dataclass(frozen=True, slots=True)
class RpcError:
    """A reply that is an error of the protocol."""

    code: int
    message: str
    data: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendered:
    """A reply: structured content with the same as text beside it, or a protocol error."""

    structured: dict[str, Any] | None = None
    text: str | None = None
    is_error: bool = False
    error: RpcError | None = None
    attachments: tuple[Attachment, ...] = ()
    meta: dict[str, Any] = field(default_factory=dict)

    @property
    def failed(self) -> bool:
        return self.is_error or self.error is not None


def as_text(value: Any) -> str:
    """Compact JSON."""
    return msgspec.json.encode(value).decode()


def spoken(body: Any) -> tuple[Any, str]:
    """The body and its text, with half characters replaced: a file's name may hold them, and no wire format can."""
    try:
        return body, as_text(body)
    except UnicodeEncodeError:
        body = whole(body)
        return body, as_text(body)


def whole(value: Any) -> Any:
    """A JSON value in which every text is valid Unicode."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, dict):
        return {whole(key): whole(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [whole(item) for item in value]
    return value
