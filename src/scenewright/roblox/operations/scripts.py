"""Scripts: create, update, edit, delete, read, and search. Every source is checked before it is written."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from scenewright.core.calls.call import Call
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Outputs, Record, about
from scenewright.core.operations.paging import Page
from scenewright.core.text.counts import count_noun
from scenewright.core.writes.text_replacement import replaced
from scenewright.roblox.openers import PlaceInputs, open_backend
from scenewright.roblox.operations.common_models import Changed, IdText, Name, PathText, apply, target_of

__all__ = ["OPERATIONS"]

_MAIN = "ServerScriptService.Main"
_SECONDS = 10.0

SourceText = Annotated[str, about("Luau source.", max_length=1_000_000)]


class ScriptCreated(Changed, frozen=True, kw_only=True):
    in_dry_run: ClassVar = {"created": False}
    created: Annotated[bool, about("Whether it was created; false in a dry run.")]
    class_name: Annotated[str, about("Class.")]


class CreateScript(PlaceInputs, frozen=True, kw_only=True):
    parent_path: PathText | None = None
    parent_id: IdText | None = None
    name: Name
    script_type: Annotated[Literal["Script", "LocalScript", "ModuleScript"], about("Class of the script.")]
    source: SourceText


@operation(
    id="roblox.script_create",
    name="Create Script",
    category="script",
    safety=Safety.SAFE_WRITE,
    contract="gox",
    parameter_aliases={"className": "scriptType"},
    examples=(
        Example(
            "A module",
            {"parentPath": "ReplicatedStorage", "name": "Config", "scriptType": "ModuleScript", "source": "return {}"},
            {
                "created": True,
                "className": "ModuleScript",
                "path": "ReplicatedStorage.Config",
                "instanceId": "inst-RBX1",
                "diffSummary": "created 1 instance in game.rbxlx",
                "backend": "place",
            },
        ),
    ),
)
async def script_create(call: Call, inputs: CreateScript) -> ScriptCreated:
    """Creates a script under a parent; its source is checked first."""
    from scenewright.roblox.backend import Create

    _check(call, inputs.source, inputs.name)
    backend = await open_backend(call, inputs)
    edit = Create(target_of(inputs, "parent"), inputs.script_type, inputs.name, source=inputs.source)
    (done,), summary = await apply(call, backend, [edit], f"Create {inputs.name}")
    return ScriptCreated(
        created=True,
        class_name=done.info.class_name,
        path=done.info.path,
        instance_id=done.info.instance_id,
        diff_summary=summary,
        backend=backend.name,
    )


class ScriptInputs(PlaceInputs, frozen=True, kw_only=True):
    script_path: PathText | None = None
    script_id: IdText | None = None


class UpdateScript(ScriptInputs, frozen=True, kw_only=True):
    source: SourceText


class ScriptUpdated(Changed, frozen=True, kw_only=True):
    in_dry_run: ClassVar = {"updated": False}
    updated: Annotated[bool, about("Whether it was updated; false in a dry run.")]


@operation(
    id="roblox.script_update",
    name="Update Script",
    category="script",
    safety=Safety.SAFE_WRITE,
    contract="gox",
    idempotent=True,
    parameter_aliases={"instancePath": "scriptPath"},
    examples=(
        Example(
            "A new source",
            {"scriptPath": _MAIN, "source": "print('hi')"},
            {
                "updated": True,
                "path": _MAIN,
                "instanceId": "inst-RBX2",
                "diffSummary": "changed 1 source in game.rbxlx",
                "backend": "place",
            },
        ),
    ),
)
async def script_update(call: Call, inputs: UpdateScript) -> ScriptUpdated:
    """Replaces the whole source of a script, checked first; roblox.script_edit changes a part of it."""
    from scenewright.roblox.backend import SetSource

    backend = await open_backend(call, inputs)
    script = (await backend.source(target_of(inputs, "script"))).info
    _check(call, inputs.source, script.path)
    edit = SetSource(target_of(inputs, "script"), inputs.source)
    _, summary = await apply(call, backend, [edit], f"Update {script.name}")
    return ScriptUpdated(
        updated=True,
        path=script.path,
        instance_id=script.instance_id,
        diff_summary=summary,
        backend=backend.name,
    )


class EditScript(ScriptInputs, frozen=True, kw_only=True):
    find: Annotated[str, about("Text to replace, exactly as in the source.", min_length=1)]
    replace: Annotated[str, about("Text to put there.")]
    count: Annotated[int, about("How often find must occur; anything else is refused.", ge=1, le=1000)] = 1


class ScriptEdited(ScriptUpdated, frozen=True, kw_only=True):
    replacements: Annotated[int, about("Number of places replaced.")]


@operation(
    id="roblox.script_edit",
    name="Edit Script",
    category="script",
    safety=Safety.SAFE_WRITE,
    contract="gox",
    parameter_aliases={"instancePath": "scriptPath"},
    examples=(
        Example(
            "Faster",
            {"scriptPath": _MAIN, "find": "speed = 16", "replace": "speed = 24"},
            {
                "updated": True,
                "replacements": 1,
                "path": _MAIN,
                "instanceId": "inst-RBX2",
                "diffSummary": "changed 1 source in game.rbxlx",
                "backend": "place",
            },
        ),
    ),
)
async def script_edit(call: Call, inputs: EditScript) -> ScriptEdited:
    """Replaces a text in a script, only where it occurs exactly as often as expected and the result is valid Luau."""
    from scenewright.roblox.backend import SetSource

    backend = await open_backend(call, inputs)
    script = await backend.source(target_of(inputs, "script"))
    before = script.text.encode("utf-8", "surrogateescape")
    after = replaced(before, inputs.find, inputs.replace, count=inputs.count, name=script.info.path)
    source = after.decode("utf-8", "surrogateescape")
    _check(call, source, script.info.path, field="replace")
    edit = SetSource(target_of(inputs, "script"), source)
    _, summary = await apply(call, backend, [edit], f"Edit {script.info.name}")
    return ScriptEdited(
        updated=True,
        replacements=inputs.count,
        path=script.info.path,
        instance_id=script.info.instance_id,
        diff_summary=summary,
        backend=backend.name,
    )


class ScriptDeleted(Changed, frozen=True, kw_only=True):
    in_dry_run: ClassVar = {"deleted": False}
    deleted: Annotated[bool, about("Whether it was deleted; false in a dry run.")]


@operation(
    id="roblox.script_delete",
    name="Delete Script",
    category="script",
    safety=Safety.SAFE_WRITE,
    contract="gox",
    parameter_aliases={"instancePath": "scriptPath"},
    examples=(
        Example(
            "By path",
            {"scriptPath": _MAIN},
            {"deleted": True, "path": _MAIN, "diffSummary": "deleted 1 instance in game.rbxlx", "backend": "place"},
        ),
    ),
)
async def script_delete(call: Call, inputs: ScriptInputs) -> ScriptDeleted:
    """Deletes a script and what is below it; history keeps it."""
    from scenewright.roblox.backend import Delete

    backend = await open_backend(call, inputs)
    script = (await backend.source(target_of(inputs, "script"))).info
    _, summary = await apply(call, backend, [Delete(target_of(inputs, "script"))], f"Delete {script.name}")
    return ScriptDeleted(deleted=True, path=script.path, diff_summary=summary, backend=backend.name)


class ScriptSource(Outputs, frozen=True, kw_only=True):
    path: Annotated[str, about("Path of the script.")]
    instance_id: Annotated[str, about("Its id.")]
    class_name: Annotated[str, about("Its class.")]
    source: Annotated[str, about("Its source.")]
    backend: Annotated[str, about("What answered: place, rojo or studio.")] = ""


@operation(
    id="roblox.script_get_source",
    name="Get Script Source",
    category="script",
    safety=Safety.READ_ONLY,
    contract="gox",
    parameter_aliases={"instancePath": "scriptPath"},
    examples=(
        Example(
            "By path",
            {"scriptPath": _MAIN},
            {
                "path": _MAIN,
                "instanceId": "inst-RBX2",
                "className": "Script",
                "source": "print('hi')",
                "backend": "place",
            },
        ),
    ),
)
async def script_get_source(call: Call, inputs: ScriptInputs) -> ScriptSource:
    """Returns the source of a script."""
    backend = await open_backend(call, inputs)
    script = await backend.source(target_of(inputs, "script"))
    call.summary = f"{script.info.path}: {len(script.text):,} characters."
    return ScriptSource(
        path=script.info.path,
        instance_id=script.info.instance_id,
        class_name=script.info.class_name,
        source=script.text,
        backend=backend.name,
    )


class SearchScripts(PlaceInputs, frozen=True, kw_only=True):
    query: Annotated[str, about("Text to look for, or a pattern with regex.", min_length=1, max_length=1000)]
    regex: Annotated[bool, about("Take query as a regular expression, matched within a line.")] = False
    ignore_case: Annotated[bool, about("Ignore case.")] = False
    root_path: PathText | None = None
    root_id: IdText | None = None
    offset: Annotated[int, about("Matches to skip.", ge=0)] = 0
    limit: Annotated[int, about("Most matches to return.", ge=1, le=500)] = 50


class ScriptMatch(Record, frozen=True, kw_only=True):
    path: Annotated[str, about("Path of the script.")]
    line: Annotated[int, about("Line, from 1.")]
    column: Annotated[int, about("Column, from 1.")]
    text: Annotated[str, about("The line.")]


class ScriptMatches(Outputs, frozen=True, kw_only=True):
    matches: Annotated[list[ScriptMatch], about("Lines that match, by script in the order of the tree.")]
    scripts: Annotated[int, about("Number of scripts looked through.")]
    truncated: Annotated[bool, about("Whether there are more; continue at nextOffset.")] = False
    next_offset: Annotated[int, about("Where the rest starts.")] | None = None
    backend: Annotated[str, about("What answered: place, rojo or studio.")] = ""


@operation(
    id="roblox.script_search",
    name="Search Scripts",
    category="script",
    safety=Safety.READ_ONLY,
    contract="gox",
    examples=(
        Example(
            "Who requires a module",
            {"query": "require(.*Config)", "regex": True},
            {
                "matches": [{"path": _MAIN, "line": 1, "column": 16, "text": "local Config = require(RS.Config)"}],
                "scripts": 12,
                "backend": "place",
            },
        ),
    ),
)
async def script_search(call: Call, inputs: SearchScripts) -> ScriptMatches:
    """Finds text or a pattern in the sources of all scripts, line by line."""
    from anyio import to_thread

    from scenewright.core.text.grep import Hit, Job, search

    backend = await open_backend(call, inputs)
    sources = await backend.sources(target_of(inputs, "root", default="game"))
    jobs = [Job(source.info.path, "", source.text) for source in sources]

    def look() -> Page[list[Hit]]:
        result = search(
            inputs.query,
            jobs,
            regex=inputs.regex,
            ignore_case=inputs.ignore_case,
            limit=inputs.offset + inputs.limit + 1,
            seconds=_SECONDS,
        )
        if result.timed_out:
            call.warnings.append(f"The pattern took more than {_SECONDS:g} s; what was found until then is returned.")
        return Page.cut(result.hits, inputs.offset, inputs.limit)

    page = await to_thread.run_sync(look, abandon_on_cancel=True)
    call.summary = f"{count_noun(len(page.items), 'match', 'matches')} in {count_noun(len(jobs), 'script')}."
    return ScriptMatches(
        matches=[ScriptMatch(path=hit.name, line=hit.line, column=hit.column, text=hit.text) for hit in page.items],
        scripts=len(jobs),
        truncated=page.has_more,
        next_offset=page.next_offset,
        backend=backend.name,
    )


OPERATIONS = (
    script_create,
    script_update,
    script_edit,
    script_delete,
    script_get_source,
    script_search,
)


def _check(call: Call, source: str, name: str, *, field: str = "source") -> None:
    from scenewright.roblox.syntax import check

    if not check(source, field=field, name=name):
        call.warnings.append("The source was not checked: install scenewright[roblox] for Luau's compiler.")
