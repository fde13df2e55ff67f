"""The engine's class reference, offline: the three documentation methods of the Godoty protocol."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec

from scenewright.core.calls.call import Call
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, JsonSchema, about, to_wire
from scenewright.core.text.counts import count_noun
from scenewright.godot.project.openers import class_index

if TYPE_CHECKING:
    from scenewright.godot.classes.docs import Docs

__all__ = ["OPERATIONS"]

Kind = Literal["classes", "methods", "properties", "signals", "constants"]


class ClassQuery(Inputs, frozen=True, kw_only=True):
    class_name: Annotated[str, about("Class, such as 'CharacterBody2D'.", min_length=1)]
    include_inherited: Annotated[bool, about("Include inherited members.")] = False
    names: Annotated[list[str], about("Only these members, with their full text.", max_length=100)] = msgspec.field(
        default_factory=list
    )
    limit: Annotated[int, about("Members per page.", ge=1, le=1000)] = 100
    offset: Annotated[int, about("Members to skip, from nextOffset.", ge=0)] = 0


class MethodQuery(Inputs, frozen=True, kw_only=True):
    class_name: Annotated[str, about("Class, such as 'Node'.", min_length=1)]
    method_name: Annotated[str, about("Method, its own or inherited.", min_length=1)]


class DocsQuery(Inputs, frozen=True, kw_only=True):
    query: Annotated[str, about("Name or words to look for.", min_length=1, max_length=400)]
    search_in: Annotated[list[Kind] | None, about("What to search; everything if left out.")] = None
    limit: Annotated[int, about("Hits to return.", ge=1, le=100)] = 20


_MEMBERS = {"type": "array", "items": {"type": "object"}}
_CLASS: JsonSchema = {
    "type": "object",
    "properties": {
        "class_name": {"type": "string", "description": "The class."},
        "inherits": {"type": "string", "description": "Its parent."},
        "brief_description": {"type": "string", "description": "What it is, in a sentence."},
        "description": {"type": "string", "description": "What it is for."},
        "methods": {**_MEMBERS, "description": "Its methods."},
        "properties": {**_MEMBERS, "description": "Its properties with types and defaults."},
        "signals": {**_MEMBERS, "description": "Its signals."},
        "enums": {**_MEMBERS, "description": "Its enumerations."},
        "constants": {**_MEMBERS, "description": "Its constants."},
        "total": {"type": "integer", "description": "Members of all kinds."},
        "nextOffset": {"type": "integer", "description": "Where the next page starts; absent on the last."},
    },
    "required": ["class_name", "inherits", "methods", "properties", "signals", "enums", "constants"],
}
_METHOD: JsonSchema = {
    "type": "object",
    "properties": {
        "class_name": {"type": "string", "description": "The class."},
        "method": {"type": "object", "description": "Arguments, return type and description."},
    },
    "required": ["class_name", "method"],
}
_RESULTS: JsonSchema = {
    "type": "object",
    "properties": {
        "query": {"type": "string", "description": "What was looked for."},
        "results": {**_MEMBERS, "description": "Hits, the most relevant first."},
        "total_count": {"type": "integer", "description": "Hits in all."},
    },
    "required": ["query", "results", "total_count"],
}


@operation(
    id="godot.docs.class",
    name="Class Documentation",
    category="editor.docs",
    safety=Safety.READ_ONLY,
    tool="get_class_docs",
    manager="godot_workspace_manager",
    action="docs.get_class",
    outputs=_CLASS,
    notes="Members come with their signature and first sentence; names returns the full text of some.",
    examples=(
        Example(
            "A class by name",
            {"className": "Timer"},
            {
                "class_name": "Timer",
                "inherits": "Node",
                "methods": [],
                "properties": [],
                "signals": [],
                "enums": [],
                "constants": [],
            },
        ),
    ),
)
def class_docs(call: Call, inputs: ClassQuery) -> dict[str, Any]:
    """Returns the documentation of an engine class: methods, properties, signals, enums and constants."""
    from scenewright.godot.classes.digest import members_named, page_of

    # Who asks for a member by name means it wherever it is from.
    inherited = inputs.include_inherited or bool(inputs.names)
    page = _open_docs(call).class_docs(inputs.class_name, include_inherited=inherited)
    call.summary = f"{page.class_name}: {page.brief_description}"[:200]
    if inputs.names:
        return members_named(_to_reply(page), inputs.names)
    return page_of(_to_reply(page), inputs.offset, inputs.limit)


@operation(
    id="godot.docs.method",
    name="Method Documentation",
    category="editor.docs",
    safety=Safety.READ_ONLY,
    tool="get_method_docs",
    manager="godot_workspace_manager",
    action="docs.get_method",
    outputs=_METHOD,
    examples=(
        Example(
            "An inherited method",
            {"className": "Timer", "methodName": "add_child"},
            {"class_name": "Node", "method": {"name": "add_child", "return_type": "void"}},
        ),
    ),
)
def method_docs(call: Call, inputs: MethodQuery) -> dict[str, Any]:
    """Returns the documentation of one method with its arguments."""
    page = _open_docs(call).method_docs(inputs.class_name, inputs.method_name)
    call.summary = f"{page.class_name}.{page.method.signature or page.method.name}"
    return _to_reply(page)


@operation(
    id="godot.docs.search",
    name="Search Documentation",
    category="editor.docs",
    safety=Safety.READ_ONLY,
    tool="search_docs",
    manager="godot_workspace_manager",
    action="docs.search",
    outputs=_RESULTS,
    parameter_aliases={"maxResults": "limit"},
    examples=(
        Example(
            "How do I move a body?",
            {"query": "move and slide", "limit": 1},
            {"query": "move and slide", "total_count": 40, "results": [{"name": "move_and_slide"}]},
        ),
    ),
)
def search_docs(call: Call, inputs: DocsQuery) -> dict[str, Any]:
    """Searches the engine's class reference, the most relevant classes and members first."""
    hits = _open_docs(call).search(inputs.query, search_in=inputs.search_in, limit=inputs.limit)
    call.summary = f"{len(hits.results)} of {count_noun(hits.total_count, 'hit')} for '{inputs.query[:60]}'."
    return _to_reply(hits)


OPERATIONS = (class_docs, method_docs, search_docs)


def _open_docs(call: Call) -> Docs:
    from scenewright.godot.classes.docs import Docs

    return Docs(class_index(call))


def _to_reply(answer: Any) -> dict[str, Any]:
    body: dict[str, Any] = to_wire(answer)
    body.pop("success", None)  # the envelope says so already
    return body
