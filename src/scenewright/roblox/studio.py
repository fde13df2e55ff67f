"""The backend over a place that is open in Studio: every question goes through the bridge to the plugin.

What bridge protocol 1.1 has an operation for is asked with that operation, so that any plugin that speaks it will do.
The rest needs our own plugin; scenes work with Gox's too (`plain/`).
"""

from __future__ import annotations

import base64
import math
import uuid
from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from time import monotonic
from typing import Any

import anyio.to_thread

from scenewright.core.calls.call import Call
from scenewright.core.calls.effects import begin_lasting
from scenewright.core.faults import Invalid, NotFound, Unsupported, did_you_mean
from scenewright.roblox.backend import (
    ChildrenPage,
    Create,
    Delete,
    Done,
    Edit,
    Execution,
    Info,
    InstanceMatches,
    InstanceView,
    Run,
    Search,
    Snapshot,
    Source,
    Target,
    View,
)
from scenewright.roblox.drafts import UNRECORDED, StudioStep, draft_of, step_of
from scenewright.roblox.edits import done_from_wire, edit_to_wire, info_from_wire, mapping, target_to_wire, tidy
from scenewright.roblox.gox_plugin.requests import INSTALL, fields, operation_of, without_none
from scenewright.roblox.gox_plugin.scenes import PlainScenes
from scenewright.roblox.reflection.database import database
from scenewright.roblox.relay.hub import OURS, Ask
from scenewright.roblox.relay.server import Relay

__all__ = ["StudioBackend", "readable_properties"]

_APART = ("Attributes", "Name", "Parent", "Source", "Tags")  # said elsewhere


class StudioBackend:
    """A Studio, as one call sees it."""

    name = "studio"

    def __init__(self, relay: Relay, call: Call, *, studio: str | None = None) -> None:
        self._relay = relay
        self._call = call
        self._studio = studio
        self._draft = draft_of(call.files, relay, studio)
        # Before the pipeline gives up, which would not know how far Studio came.
        limit = call.request.timeout or call.operation.timeout or call.runtime.config.action_timeout
        self._deadline = monotonic() + limit * 0.8
        self._key = call.meta.idempotency_key  # the caller's own goes along with the first change
        self._scenes = PlainScenes(self._ask, call.warnings.append, self._next_key)

    @property
    def place(self) -> str:
        return self._studio or "studio"

    # Questions

    async def info(self, target: Target) -> Info:
        answer = await self._ask("instance.get", fields(target, "instance"))
        return info_from_wire(answer["instance"])

    async def node(self, target: Target, view: View) -> InstanceView:
        wanted = _view(view)
        if view.properties == ():
            wanted["byClass"] = _names_of([(await self.info(target)).class_name])
        try:
            answer = await self._ask_ours("place.node", {"target": target_to_wire(target), "view": wanted})
        except NotFound as fault:
            if fault.details.get("missing") != OURS or not _is_little(view):
                raise
            return InstanceView(await self.info(target))
        return _node(answer["node"])

    async def children(self, parent: Target, offset: int, limit: int) -> ChildrenPage:
        asked = fields(parent, "parent") | {"offset": offset, "limit": limit}
        answer = await self._ask("instance.list_children", asked)
        above = info_from_wire(answer["parent"]) if "parent" in answer else await self.info(parent)
        return ChildrenPage(above, int(answer["total"]), tuple(map(info_from_wire, answer["children"])))

    async def find(self, root: Target, search: Search, offset: int, limit: int) -> InstanceMatches:
        filters = {
            "nameContains": search.name_contains,
            "className": search.class_name,
            "isA": search.is_a,
            "tag": search.tag,
        }
        asked = fields(root, "root") | {key: value for key, value in filters.items() if value is not None}
        asked |= {"offset": offset, "limit": limit}
        ours = search.is_a is not None or search.tag is not None
        answer = await (self._ask_ours if ours else self._ask)("instance.find", asked)
        top = info_from_wire(answer["root"]) if "root" in answer else await self.info(root)
        return InstanceMatches(top, tuple(map(info_from_wire, answer["matches"])), bool(answer.get("hasMore")))

    async def snapshot(self, root: Target, wanted: Snapshot) -> InstanceView:
        try:
            return await self._snapshot(root, wanted)
        except NotFound as fault:
            if fault.details.get("missing") != OURS:
                raise
            return await self._scenes.snapshot(root, wanted)

    async def _snapshot(self, root: Target, wanted: Snapshot) -> InstanceView:
        view = _view(wanted.view)
        limits = {"depth": wanted.max_depth, "children": wanted.max_children, "nodes": wanted.max_nodes}
        asked = {"target": target_to_wire(root), "limits": limits}
        if wanted.view.properties == ():
            # The plugin cannot list a class's properties; we can, once we know the classes.
            bare = _node((await self._ask_ours("place.tree", asked | {"view": _view(View())}))["node"])
            view["byClass"] = _names_of(sorted(_classes_in(bare)))
        return _node((await self._ask_ours("place.tree", asked | {"view": view}))["node"])

    async def source(self, script: Target) -> Source:
        answer = await self._ask("script.get_source", fields(script, "script"))
        info = info_from_wire(answer["info"]) if "info" in answer else await self.info(Target(id=answer["instanceId"]))
        return Source(info, answer["source"])

    async def sources(self, root: Target) -> Sequence[Source]:
        answer = await self._ask_ours("place.sources", {"target": target_to_wire(root)})
        return [Source(info_from_wire(each["info"]), each["text"]) for each in answer["sources"]]

    # Changes

    async def apply(self, edits: Sequence[Edit], *, label: str) -> Sequence[Done]:
        asked = {"edits": [edit_to_wire(edit) for edit in edits]}
        try:
            answer = await self._ask_ours("place.try", asked)
        except NotFound as fault:
            if fault.details.get("missing") != OURS:
                raise
            return await self._apply_plainly(edits)
        done = [done_from_wire(edit, result) for edit, result in zip(edits, answer["done"], strict=True)]
        self._draft.studio = self._draft.studio or answer.get("studio")
        self._draft.add(edits, done, label)
        if not any(draft is self._draft for draft in self._call.files.drafts):
            self._call.files.drafts.append(self._draft)
        return done

    async def execute(self, run: Run) -> Execution:
        if not await begin_lasting(self._call, "what a script does in Studio is done at once."):
            return Execution((await self.source(run.script)).info, ran=False)
        asked: dict[str, Any] = fields(run.script, "script") | {
            "functionName": run.function_name,
            "forceRequire": run.force_require,
            "expectReturn": run.expect_return,
        }
        if run.function_name is not None:
            asked |= {"args": list(run.args), "argCount": len(run.args)}
        answer = await self._ask("script.execute", without_none(asked), key=self._next_key())
        self._note_undo(answer)
        info = info_from_wire(answer["info"]) if "info" in answer else await self.info(Target(id=answer["instanceId"]))
        output = tuple(answer["output"]) if isinstance(answer.get("output"), list) else ()
        return Execution(info, bool(answer.get("called")), return_value=tidy(answer.get("returnValue")), output=output)

    async def capture(self, root: Target, *, width: int, height: int) -> tuple[bytes, str]:
        if self._draft.edits:
            raise Unsupported("A picture shows the place as it is, without what is only staged.")
        asked = fields(root, "root") | {"width": width, "height": height}
        try:
            answer = await self._ask_ours("scene.capture", asked)
        except NotFound as fault:
            if fault.details.get("missing") != OURS:
                raise
            return await self._scenes.capture(root, width=width, height=height)
        if not answer["captured"]:
            raise Unsupported(answer["reason"])
        return base64.b64decode(answer["image"]), "image/png"

    async def _apply_plainly(self, edits: Sequence[Edit]) -> list[Done]:
        """By the operations of bridge protocol 1.1, which make changes at once: in a scene, or one thing at a time."""
        dry_run = self._call.dry_run
        operation, asked = ("", {}) if self._scenes.seen is not None else _single(edits)
        if dry_run and self._call.shares_changes:
            self._call.warnings.append("Studio's plugin tried this on the place as it is, without the calls before it.")
        if not dry_run:
            await begin_lasting(self._call, "Studio's plugin makes every change at once.", INSTALL)
            self._call.warnings.append(UNRECORDED)
        if self._scenes.seen is not None:
            return await self._scenes.apply(edits, dry_run=dry_run)
        edit = edits[0]
        before = await self.info(edit.target) if isinstance(edit, Delete) else None
        answer = await self._ask(operation, asked | {"dryRun": dry_run}, key=self._next_key())
        if before is not None:
            return [Done(edit, before)]
        if isinstance(edit, Create) and dry_run:
            above = (await self.info(edit.parent)).path
            return [Done(edit, Info("", edit.name, edit.class_name, f"{above}.{edit.name}", above, 0))]
        info = await self.info(Target(id=answer["instanceId"]) if isinstance(edit, Create) else edit.target)
        return [Done(edit, info, after=getattr(edit, "value", None))]

    # The bridge

    def _note_undo(self, answer: Mapping[str, Any]) -> None:
        """Have the history record a step that Studio has made, or warn that there is none."""
        if answer.get("step"):
            self._call.files.drafts.append(StudioStep(step_of(answer), self._studio))
            self._call.lasting = False
        else:
            self._call.warnings.append(UNRECORDED)

    def _next_key(self) -> str:
        """Return a key for each change, so that one that was cut off can be asked again without being made twice."""
        key, self._key = self._key or uuid.uuid4().hex, None
        return key

    async def plain(self, operation: str) -> dict[str, Any]:
        """Carry out an operation of bridge protocol 1.1 that takes nothing."""
        return await self._ask(operation, {})

    async def ask(self, operation: str, payload: Mapping[str, Any], **options: Any) -> dict[str, Any]:
        """Carry out any operation of our own plugin."""
        return await self._ask_ours(operation, payload, **options)

    async def _ask_ours(self, operation: str, payload: Mapping[str, Any], **options: Any) -> dict[str, Any]:
        return await self._ask(operation, payload, capability=OURS, **options)

    async def _ask(self, operation: str, payload: Mapping[str, Any], **options: Any) -> dict[str, Any]:
        key = options.pop("key", None)
        if self._draft.edits and "role" not in options:
            payload = {**payload, "staged": self._draft.edits}
        ask = Ask(
            operation=operation,
            payload=payload,
            studio=self._draft.studio or self._studio,
            correlation_id=self._call.meta.correlation_id,
            idempotency_key=key,
            timeout=max(0.1, min(options.pop("timeout", math.inf), self._deadline - monotonic())),
            **options,
        )
        try:
            return await anyio.to_thread.run_sync(partial(self._relay.call, ask), abandon_on_cancel=True)
        except (NotFound, Invalid) as fault:
            near, names = fault.details.pop("missingName", None), fault.details.pop("names", None)
            if near and isinstance(names, list):
                fault.hint = did_you_mean(str(near), list(map(str, names))) or fault.hint
            raise


def _single(edits: Sequence[Edit]) -> tuple[str, dict[str, Any]]:
    if len(edits) != 1:
        raise Unsupported("Studio's plugin changes one thing at a time.", hint=INSTALL)
    return operation_of(edits[0])


def _view(view: View) -> dict[str, Any]:
    wanted: dict[str, Any] = {"attributes": view.attributes, "tags": view.tags, "source": view.source}
    return wanted | ({"names": list(view.properties)} if view.properties else {})


def _is_little(view: View) -> bool:
    """Nothing at all, or one property, which is asked for before it is set and which any plugin can do without."""
    return len(view.properties or ("",)) == 1 and view == View(properties=view.properties)


def _names_of(classes: Sequence[str]) -> dict[str, list[str]]:
    return {name: list(readable_properties(name)) for name in classes}


@lru_cache(maxsize=2000)
def readable_properties(class_name: str) -> tuple[str, ...]:
    """Return the properties of a class that scripts can read and files hold."""
    return tuple(
        name
        for name, declared in database().properties(class_name).items()
        if declared.scriptability in ("Read", "ReadWrite") and declared.stored_as is not None and name not in _APART
    )


def _classes_in(node: InstanceView) -> set[str]:
    names = {node.info.class_name}
    for child in node.children:
        names |= _classes_in(child)
    return names


def _node(wire: Mapping[str, Any]) -> InstanceView:
    return InstanceView(
        info=info_from_wire(wire["info"]),
        properties={name: tidy(value) for name, value in sorted(mapping(wire.get("properties")).items())},
        attributes={name: tidy(value) for name, value in sorted(mapping(wire.get("attributes")).items())},
        tags=tuple(wire.get("tags") or ()),
        source=wire.get("source"),
        children=tuple(_node(child) for child in wire.get("children") or ()),
        left_out=int(wire.get("leftOut", 0)),
    )
