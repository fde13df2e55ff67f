"""A reply in the words of a contract, before any wire format."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import msgspec

from scenewright.core.call import Attachment

__all__ = ["Rendered", "RpcError", "as_text"]


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
