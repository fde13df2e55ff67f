"""Replies, resources and prompts as the MCP wire has them."""

from __future__ import annotations

import base64

import mcp_types as types

from scenewright.contracts import Rendered
from scenewright.core.calls.call import Attachment
from scenewright.core.operations.resources_and_prompts import Content, Message, Prompt, Resource

__all__ = ["listed_prompt", "listed_resource", "listed_template", "prompt_message", "resource_contents", "tool_result"]


def tool_result(rendered: Rendered) -> types.CallToolResult:
    """Return a reply that is not a protocol error."""
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


def listed_resource(resource: Resource) -> types.Resource:
    return types.Resource(
        uri=resource.uri,
        name=resource.name,
        title=resource.title,
        description=resource.description,
        mime_type=resource.mime_type,
    )


def listed_template(resource: Resource) -> types.ResourceTemplate:
    return types.ResourceTemplate(
        uri_template=resource.uri,
        name=resource.name,
        title=resource.title,
        description=resource.description,
        mime_type=resource.mime_type,
    )


def listed_prompt(prompt: Prompt) -> types.Prompt:
    return types.Prompt(
        name=prompt.name,
        title=prompt.title,
        description=prompt.description,
        arguments=[
            types.PromptArgument(name=argument.name, description=argument.description, required=argument.required)
            for argument in prompt.arguments
        ],
    )


def prompt_message(message: Message) -> types.PromptMessage:
    content = message.content
    block = types.TextContent(text=content) if isinstance(content, str) else _block(content)
    return types.PromptMessage(role=message.role, content=block)


def _block(attachment: Attachment) -> types.ContentBlock:
    if attachment.kind == "image":
        return types.ImageContent(data=_base64(attachment.data), mime_type=attachment.mime_type)
    if attachment.kind == "audio":
        return types.AudioContent(data=_base64(attachment.data), mime_type=attachment.mime_type)
    if attachment.kind == "resource":
        content = Content(attachment.data, attachment.mime_type)
        return types.EmbeddedResource(resource=resource_contents(attachment.uri or "", content))
    if attachment.kind == "resource_link":
        return types.ResourceLink(uri=attachment.uri or "", name=str(attachment.data), mime_type=attachment.mime_type)
    return types.TextContent(text=str(attachment.data))


def _base64(data: bytes | str) -> str:
    return base64.b64encode(data if isinstance(data, bytes) else data.encode()).decode()
