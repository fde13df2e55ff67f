"""Attachments and replies as the MCP wire has them."""

from __future__ import annotations

import base64

import mcp_types as types

from scenewright.contracts import Rendered
from scenewright.core.call import Attachment
from scenewright.core.offer import Content

__all__ = ["resource_contents", "tool_result"]


def tool_result(rendered: Rendered) -> types.CallToolResult:
    """A reply that is not a protocol error."""
    content = [_block(attachment) for attachment in rendered.attachments]
    if rendered.text is not None:
        content.insert(0, types.TextContent(text=rendered.text))
    return types.CallToolResult(
        content=content,
        structured_content=rendered.structured,
        is_error=rendered.is_error,
        _meta=rendered.meta or None,
    )


def resource_contents(uri: str, content: Content) -> types.TextResourceContents | types.BlobResourceContents:
    if isinstance(content.data, str):
        return types.TextResourceContents(uri=uri, mime_type=content.mime_type, text=content.data)
    return types.BlobResourceContents(uri=uri, mime_type=content.mime_type, blob=_base64(content.data))


def _block(attachment: Attachment) -> types.ContentBlock:
    if attachment.kind == "image":
        return types.ImageContent(data=_base64(attachment.data), mime_type=attachment.mime_type)
    if attachment.kind == "audio":
        return types.AudioContent(data=_base64(attachment.data), mime_type=attachment.mime_type)
    if attachment.kind == "resource":
        content = Content(attachment.data, attachment.mime_type)
        return types.EmbeddedResource(resource=resource_contents(attachment.uri or "", content))
    return types.TextContent(text=str(attachment.data))


def _base64(data: bytes | str) -> str:
    return base64.b64encode(data if isinstance(data, bytes) else data.encode()).decode()
