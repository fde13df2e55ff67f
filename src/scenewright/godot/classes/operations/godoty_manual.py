"""Godoty's two documentation tools: a class or method as Markdown, and a search; from the class index, offline."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from scenewright.core.calls.call import Call
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, about, to_wire
from scenewright.core.operations.paging import Page
from scenewright.core.text.counts import count_noun
from scenewright.godot.editor.operations.captures import as_named
from scenewright.godot.project.openers import class_index

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scenewright.godot.classes.answers import ClassDocs, MethodDoc

__all__ = ["OPERATIONS"]


class DocsInputs(Inputs, frozen=True, kw_only=True, rename=as_named):
    class_name: Annotated[str, about("Class, such as 'CharacterBody3D'.", min_length=1)]
    method_name: Annotated[str, about("Only this method, its own or inherited.")] | None = None
    include_inherited: Annotated[bool, about("Include inherited members.")] = False
    offset: Annotated[int, about("First character to return.", ge=0)] = 0
    max_chars: Annotated[int, about("Most characters to return.", ge=1, le=50_000)] = 12_000


class Manual(Outputs, frozen=True, kw_only=True, rename=as_named):
    class_name: Annotated[str, about("The class.")]
    markdown: Annotated[str, about("Its documentation, or the part that was asked for.")]
    total_chars: Annotated[int, about("Length of all of it.")] = 0
    truncated: Annotated[bool, about("Whether there is more; continue at next_offset.")] = False
    next_offset: Annotated[int, about("Where the rest starts.")] | None = None


@operation(
    id="godot.manual.get",
    name="Class Manual",
    category="editor.docs",
    safety=Safety.READ_ONLY,
    tool="godot_get_docs",
    manager="godot_workspace_manager",
    action="docs.markdown",
    examples=(
        Example(
            "A method",
            {"class_name": "Node", "method_name": "add_child"},
            {"class_name": "Node", "markdown": "### add_child(node: Node) -> void\n\nAdds a child.", "total_chars": 52},
        ),
    ),
)
def get_docs(call: Call, inputs: DocsInputs) -> Manual:
    """Returns the documentation of an engine class, or of one of its methods, as Markdown."""
    from scenewright.godot.classes.docs import Docs

    docs = Docs(class_index(call))
    if inputs.method_name:
        entry = docs.method_docs(inputs.class_name, inputs.method_name)
        call.summary = f"{entry.class_name}.{entry.method.name}"
        return _cut_part(entry.class_name, "\n".join(_render_method(entry.method)), inputs)
    page = docs.class_docs(inputs.class_name, include_inherited=inputs.include_inherited)
    call.summary = f"{page.class_name}: {page.brief_description}"[:200]
    return _cut_part(page.class_name, "\n".join(_render_page(page)), inputs)


class SearchInputs(Inputs, frozen=True, kw_only=True, rename=as_named):
    query: Annotated[str, about("Name or words to look for.", min_length=1, max_length=400)]
    limit: Annotated[int, about("Hits to return.", ge=1, le=100)] = 10


class ManualHits(Outputs, frozen=True, kw_only=True, rename=as_named):
    query: Annotated[str, about("What was looked for.")]
    results: Annotated[list[dict[str, Any]], about("Hits, the most relevant first.")]
    total_count: Annotated[int, about("Hits in all.")]


@operation(
    id="godot.manual.search",
    name="Search Manual",
    category="editor.docs",
    safety=Safety.READ_ONLY,
    tool="godot_search_docs",
    manager="godot_workspace_manager",
    action="docs.hits",
    examples=(
        Example(
            "How do bodies collide?",
            {"query": "collision layer", "limit": 1},
            {"query": "collision layer", "results": [{"name": "collision_layer"}], "total_count": 40},
        ),
    ),
)
def search_docs(call: Call, inputs: SearchInputs) -> ManualHits:
    """Searches the engine's class reference, the most relevant classes and members first."""
    from scenewright.godot.classes.docs import Docs

    hits = Docs(class_index(call)).search(inputs.query, limit=inputs.limit)
    call.summary = f"{len(hits.results)} of {count_noun(hits.total_count, 'hit')} for '{inputs.query[:60]}'."
    return ManualHits(query=hits.query, results=[to_wire(hit) for hit in hits.results], total_count=hits.total_count)


OPERATIONS = (get_docs, search_docs)


def _cut_part(class_name: str, text: str, inputs: DocsInputs) -> Manual:
    page = Page.cut(text, inputs.offset, inputs.max_chars)
    return Manual(
        class_name=class_name,
        markdown=page.items,
        total_chars=len(text),
        truncated=page.has_more,
        next_offset=page.next_offset,
    )


def _render_page(page: ClassDocs) -> Iterator[str]:
    yield f"# {page.class_name}" + (f" (inherits {page.inherits})" if page.inherits else "")
    yield from ("", page.brief_description, "", page.description)
    for title, members in (("Properties", page.properties), ("Signals", page.signals), ("Constants", page.constants)):
        if members:
            yield f"\n## {title}\n"
            yield from (
                f"- `{_render_member(member)}` {' '.join(member.description.split())}".rstrip() for member in members
            )
    for enum in page.enums:
        names = [f"{value.name} = {value.value}" for value in enum.values]
        yield f"\n## enum {enum.name}\n\n{', '.join(names)}"
    if page.methods:
        yield "\n## Methods\n"
    for method in page.methods:
        yield from _render_method(method)


def _render_member(member: Any) -> str:
    kind = getattr(member, "type", "")
    value = getattr(member, "value", None) if not kind else getattr(member, "default", None)
    return str(member.name) + (f": {kind}" if kind else "") + (f" = {value}" if value not in (None, "") else "")


def _render_method(method: MethodDoc) -> Iterator[str]:
    arguments = ", ".join(
        f"{argument.name}: {argument.type}" + (f" = {argument.default}" if argument.default is not None else "")
        for argument in method.arguments
    )
    yield from (f"### {method.name}({arguments}) -> {method.return_type}", "", method.description, "")
