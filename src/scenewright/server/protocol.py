"""Wires the runtime to the low-level MCP server: each protocol method to the one place that answers it."""

from __future__ import annotations

import inspect
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import cached_property
from typing import Any

import anyio
import anyio.to_thread
import mcp_types as types
from mcp.server.caching import CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import NotificationOptions, Server
from mcp.server.models import InitializationOptions
from mcp.server.subscriptions import ListenHandler
from mcp.shared.exceptions import MCPError

from scenewright.contracts import render
from scenewright.core.calls.call import Request
from scenewright.core.calls.questions import Unanswerable
from scenewright.core.faults import Denied, Fault, Internal, NotFound
from scenewright.core.operations.registry import Background
from scenewright.core.operations.resources_and_prompts import Completer, Content, Prompt
from scenewright.core.runtime import Listing, Runtime
from scenewright.server.apps import are_announced, read_app, with_apps
from scenewright.server.client import McpClient, is_modern
from scenewright.server.client_log import LogLevels
from scenewright.server.content import (
    listed_prompt,
    listed_resource,
    listed_template,
    prompt_message,
    resource_contents,
    tool_result,
)
from scenewright.server.errors import missing_capability, protocol_error, unknown_resource
from scenewright.server.instructions import instructions
from scenewright.server.notices import Notices
from scenewright.server.one_time_state import SpentStates
from scenewright.server.presence import ServerPresence
from scenewright.server.rounds import InputNeeded
from scenewright.server.sealed_state import SealedStates
from scenewright.server.surface import surface_of

__all__ = ["McpServer"]

logger = logging.getLogger(__name__)
Ctx = ServerRequestContext[Any, Any]
ENGINE_CHECK_SECONDS = 2.0
MOST_PAUSE_SECONDS = 60.0  # between two tries of what goes on beside the calls
ANSWER_SECONDS = 3600.0  # how long a person may take over a form
MAX_COMPLETIONS = 100


class _Server(Server[Any]):
    """Says in every handshake that its listings may change; over HTTP the SDK would not ask us."""

    def create_initialization_options(
        self,
        notification_options: NotificationOptions | None = None,
        experimental_capabilities: dict[str, dict[str, Any]] | None = None,
        extensions: dict[str, dict[str, Any]] | None = None,
    ) -> InitializationOptions:
        changing = NotificationOptions(tools_changed=True, resources_changed=True, prompts_changed=True)
        return super().create_initialization_options(
            notification_options or changing, experimental_capabilities, extensions
        )


class McpServer:
    """One runtime, served over MCP."""

    def __init__(self, runtime: Runtime) -> None:
        self.runtime = runtime
        self._notices = Notices(runtime.listened_to)
        self._levels = LogLevels()
        self.presence = ServerPresence(runtime)
        runtime.on_change.append(self._notices.resource_changed)
        runtime.on_relist.append(self._relisted)
        self.server = self._make_server()

    @property
    def listeners_known(self) -> anyio.Event:
        """Set once a client can be told of changes."""
        return self._notices.someone

    @property
    def options(self) -> InitializationOptions:
        return self.server.create_initialization_options()

    def _make_server(self) -> Server[Any]:
        # A listing is valid until a tools/list_changed says otherwise; what a resource holds may change any time.
        listing = CacheHint(ttl_ms=60_000, scope="private")
        server = _Server(
            "scenewright",
            version=self.runtime.server_version,
            title="scenewright",
            description="Game projects for agents: Godot, Roblox and Unity.",
            instructions=instructions(self.runtime),
            lifespan=self._lifespan,
            cache_hints={
                "tools/list": listing,
                "resources/list": listing,
                "resources/templates/list": listing,
                "prompts/list": listing,
                "resources/read": CacheHint(ttl_ms=0, scope="private"),
            },
            get_tool_input_schema=self._input_schema,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_list_resources=self._list_resources,
            on_list_resource_templates=self._list_templates,
            on_read_resource=self._read_resource,
            on_subscribe_resource=self._notices.subscribe,
            on_unsubscribe_resource=self._notices.unsubscribe,
            on_subscriptions_listen=ListenHandler(self._notices.bus),
            on_list_prompts=self._list_prompts,
            on_get_prompt=self._get_prompt,
            on_completion=self._complete,
        )
        # Deprecated from 2026-07-28 on, and what every client before it still uses.
        server.add_request_handler("logging/setLevel", types.SetLevelRequestParams, self._levels.set_level)
        server.add_notification_handler("notifications/initialized", types.NotificationParams, self._notices.joined)
        # What 2026-07-28 clients carry between the rounds of one request is sealed, and bound to that request.
        server.middleware.append(SpentStates(ANSWER_SECONDS))
        server.middleware.append(SealedStates("scenewright", ANSWER_SECONDS))
        return server

    @asynccontextmanager
    async def _lifespan(self, server: Server[Any]) -> AsyncIterator[dict[str, Any]]:
        del server
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._notices.pump)
            tasks.start_soon(self._watch_engines)
            for job in self.runtime.registry.background:
                tasks.start_soon(self._go_on, job)
            yield {}
            tasks.cancel_scope.cancel()

    async def _go_on(self, job: Background) -> None:
        """Does what goes on beside the calls; a failure there must not end the server."""
        pause = ENGINE_CHECK_SECONDS
        while True:
            try:
                await job(self.runtime)
                return
            except OSError as error:  # such as too many open files, which passes
                logger.warning("a job in the background is tried again in %g s (%s)", pause, error.strerror)
            except Exception:
                logger.exception("a job in the background failed")
                return
            await anyio.sleep(pause)
            pause = min(2 * pause, MOST_PAUSE_SECONDS)

    async def _watch_engines(self) -> None:
        """The listing depends on which engines the project folder belongs to, and that may change."""
        pause = ENGINE_CHECK_SECONDS
        while True:
            await anyio.sleep(pause)
            try:
                self._look_for_engines()
                pause = ENGINE_CHECK_SECONDS
            except Exception:
                pause = min(2 * pause, MOST_PAUSE_SECONDS)
                logger.exception("the project's folder cannot be looked at; tried again in %g s", pause)

    def _look_for_engines(self) -> None:
        self.runtime.look_again()
        self.runtime.watch_editors()

    def _relisted(self, listing: Listing) -> None:
        if listing == "tools":
            self.__dict__.pop("_tools", None)
        self._notices.relisted(listing)

    # Tools

    @cached_property
    def _tools(self) -> list[types.Tool]:
        return [types.Tool.model_validate(tool.wire(), by_name=False) for tool in surface_of(self.runtime).tools()]

    @property
    def _full_tools(self) -> list[types.Tool]:
        """Every tool by itself, for hosts that show an app beside one that is an action of a manager otherwise."""
        surface = replace(surface_of(self.runtime), config=replace(self.runtime.config, toolset="full"))
        return [types.Tool.model_validate(tool.wire(), by_name=False) for tool in surface.tools()]

    async def _list_tools(self, ctx: Ctx, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        del params
        self.runtime.listed = frozenset(engine.name for engine in self.runtime.engines)
        if are_announced(ctx.session.client_capabilities):
            return types.ListToolsResult(tools=with_apps(self._tools, self._full_tools))
        return types.ListToolsResult(tools=self._tools)

    def _input_schema(self, name: str) -> dict[str, Any] | None:
        return next((tool.input_schema for tool in self._tools if tool.name == name), None)

    async def _call_tool(
        self, ctx: Ctx, params: types.CallToolRequestParams
    ) -> types.CallToolResult | types.InputRequiredResult:
        client = McpClient(ctx, params, self._levels)
        self.runtime.client_name = client.name or ""
        self.presence.note(client.name)
        request = Request(
            tool=params.name, arguments=params.arguments or {}, meta=ctx.meta, client=client, caller=client.name
        )
        try:
            outcome = await self.runtime.run(request)
        except InputNeeded as needed:
            return needed.result
        if outcome.call.entry is not None and not self.runtime.engines:
            self._look_for_engines()  # it may have begun a project
        if isinstance(outcome.fault, Unanswerable) and is_modern(ctx):
            raise missing_capability(outcome.fault)
        brief = self.runtime.config.dialect != "contract"
        rendered = render(outcome, modern=is_modern(ctx), brief=brief)
        if rendered.error is not None:
            raise MCPError(rendered.error.code, rendered.error.message, rendered.error.data)
        return tool_result(rendered)

    # Resources

    async def _list_resources(self, ctx: Ctx, params: types.PaginatedRequestParams | None) -> types.ListResourcesResult:
        del ctx, params
        resources = surface_of(self.runtime).resources()
        return types.ListResourcesResult(resources=[listed_resource(r) for r in resources if not r.is_template])

    async def _list_templates(
        self, ctx: Ctx, params: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        del ctx, params
        resources = surface_of(self.runtime).resources()
        return types.ListResourceTemplatesResult(
            resource_templates=[listed_template(r) for r in resources if r.is_template]
        )

    async def _read_resource(self, ctx: Ctx, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        uri = str(params.uri)
        try:
            if uri.startswith("ui://"):
                return types.ReadResourceResult(contents=[read_app(uri)])
            resource, values = self.runtime.registry.resource(uri)
            content = resource.read(self.runtime, values)
            content = await content if inspect.isawaitable(content) else content
        except NotFound as fault:
            raise unknown_resource(fault, uri, modern=is_modern(ctx)) from None
        except Fault as fault:
            raise protocol_error(fault, modern=is_modern(ctx)) from None
        except Exception:
            logger.exception("'%s' could not be read", uri[:200])
            raise protocol_error(Internal(), modern=is_modern(ctx)) from None
        assert isinstance(content, Content)
        return types.ReadResourceResult(contents=[resource_contents(uri, content)])

    # Prompts

    async def _list_prompts(self, ctx: Ctx, params: types.PaginatedRequestParams | None) -> types.ListPromptsResult:
        del ctx, params
        return types.ListPromptsResult(prompts=[listed_prompt(p) for p in surface_of(self.runtime).prompts()])

    async def _get_prompt(
        self, ctx: Ctx, params: types.GetPromptRequestParams
    ) -> types.GetPromptResult | types.InputRequiredResult:
        prompt = self.runtime.registry.prompts.get(params.name)
        if prompt is None:
            raise MCPError(types.INVALID_PARAMS, f"There is no prompt '{params.name[:100]}'.")
        values = params.arguments or {}
        missing = [a.name for a in prompt.arguments if a.required and a.name not in values]
        if missing:
            raise MCPError(types.INVALID_PARAMS, f"The prompt '{prompt.name}' needs: {', '.join(missing)}.")
        try:
            values |= await _filled_in(McpClient(ctx, params, self._levels), prompt)
            messages = prompt.render(self.runtime, values)
        except InputNeeded as needed:
            return needed.result
        except Fault as fault:
            raise protocol_error(fault, modern=is_modern(ctx)) from None
        return types.GetPromptResult(description=prompt.description, messages=[prompt_message(m) for m in messages])

    # Completions

    async def _complete(self, ctx: Ctx, params: types.CompleteRequestParams) -> types.CompleteResult:
        del ctx
        completer = self._completer(params)
        values: Sequence[str] = ()
        if completer is not None:
            context = (params.context.arguments if params.context else None) or {}
            # It may look through the project's files.
            values = await anyio.to_thread.run_sync(completer, self.runtime, params.argument.value, context)
        return types.CompleteResult(
            completion=types.Completion(
                values=list(values[:MAX_COMPLETIONS]), total=len(values), has_more=len(values) > MAX_COMPLETIONS
            )
        )

    def _completer(self, params: types.CompleteRequestParams) -> Completer | None:
        wanted = params.argument.name
        if isinstance(params.ref, types.PromptReference):
            prompt = self.runtime.registry.prompts.get(params.ref.name)
            arguments = prompt.arguments if prompt else ()
            return next((a.complete for a in arguments if a.name == wanted), None)
        for resource in self.runtime.registry.resources:
            if resource.uri == str(params.ref.uri):
                return resource.complete.get(wanted)
        return None


async def _filled_in(client: McpClient, prompt: Prompt) -> dict[str, str]:
    """What the person filled in to the prompt's forms."""
    if not prompt.forms:
        return {}
    answers = await client.ask(prompt.forms)
    if any(answer.action != "accept" for answer in answers.values()):
        raise Denied("The person did not fill in the form.")
    return {key: str(value) for answer in answers.values() for key, value in answer.content.items()}
