"""Answers questions about the class reference, offline: a class, a method, a search."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

import msgspec

from scenewright.core.faults import Invalid, did_you_mean
from scenewright.godot.classes.answers import ClassDocs, MethodDocs, SearchResult, SearchResults
from scenewright.godot.classes.entries import MEMBER_KINDS, record_at
from scenewright.godot.classes.index import ClassIndex
from scenewright.godot.classes.markup import Markup, first_sentence
from scenewright.godot.classes.page import ClassPage
from scenewright.godot.classes.records import Method
from scenewright.godot.classes.search import MemberHit, search

__all__ = ["SEARCH_IN", "Docs"]

# What a search can be narrowed to, in the Godoty protocol's words and some more, and the kind of entry each means.
SEARCH_IN: Final = {
    "classes": "class",
    "methods": "method",
    "properties": "property",
    "signals": "signal",
    "constants": "constant",
    "enums": "enum",
    "annotations": "annotation",
    "theme_items": "theme_item",
}


@dataclass(frozen=True, slots=True)
class Docs:
    """The documentation in one index. Descriptions come out in the markup asked for."""

    index: ClassIndex
    markup: Markup = "markdown"

    def class_docs(self, class_name: str, *, include_inherited: bool = False) -> ClassDocs:
        """Return a class with its members, on request those it inherits too.

        Raises:
            NotFound: there is no such class.
        """
        index, info = self.index, self.index.class_info(class_name)
        page = ClassPage(info.name, self.markup)
        return ClassDocs(
            success=True,
            class_name=info.name,
            inherits=info.inherits,
            brief_description=page.text(info.brief),
            description=page.text(info.description),
            methods=page.methods(index.methods(info.name, inherited=include_inherited)),
            properties=page.properties(index.properties(info.name, inherited=include_inherited)),
            signals=page.signals(index.signals(info.name, inherited=include_inherited)),
            enums=page.enums(index.enums(info.name, inherited=include_inherited)),
            constants=page.constants(index.constants(info.name, inherited=include_inherited)),
            ancestors=index.chain(info.name)[1:],
            subclasses=index.subclasses(info.name, direct=True),
            constructors=page.methods(info.constructors),
            operators=page.methods(info.operators),
            annotations=page.methods(info.annotations),
            theme_items=page.theme_items(info.theme_items),
            tutorials=tuple(link.address for link in info.links),
            deprecated=info.status.deprecated,
            experimental=info.status.experimental,
            version=index.version,
        )

    def method_docs(self, class_name: str, method_name: str) -> MethodDocs:
        """Return a method, including an inherited one, an accessor, a constructor or an annotation.

        Raises:
            NotFound: there is no such class or method.
        """
        info = self.index.class_info(class_name)
        page = ClassPage(info.name, self.markup)
        special = [candidate for candidate in (*info.constructors, *info.annotations) if candidate.name == method_name]
        first, *others = special or [self._with_text(self.index.method(class_name, method_name))]
        return MethodDocs(
            success=True,
            class_name=info.name,
            method=page.method(first),
            overloads=page.methods(others),
            version=self.index.version,
        )

    def search(self, query: str, *, search_in: Collection[str] | None = None, limit: int = 20) -> SearchResults:
        """Return classes and members that match, the best first.

        Raises:
            Invalid: `search_in` names something that is not in `SEARCH_IN`.
        """
        hits = search(self.index, query, kinds=_kinds_to_search(search_in), limit=limit)
        return SearchResults(
            success=True,
            query=query,
            results=tuple(map(self._search_result, hits.best)),
            total_count=hits.total,
            version=self.index.version,
        )

    def _search_result(self, hit: MemberHit) -> SearchResult:
        info = self.index.store.class_info(hit.place.class_id)
        record = record_at(info, hit.place)
        text = info.brief or info.description if record is info else getattr(record, "description", "")
        status = getattr(record, "status", None)
        return SearchResult(
            type=MEMBER_KINDS[hit.place.kind],
            class_name=info.name,
            name=record.name,
            description=first_sentence(text),
            relevance=hit.relevance,
            signature=getattr(record, "signature", ""),
            deprecated=status.deprecated if status else None,
        )

    def _with_text(self, method: Method) -> Method:
        """An accessor has no text of its own; its property has."""
        if not method.accessor_of:
            return method
        property_ = self.index.property(method.owner, method.accessor_of)
        does = "Sets" if property_.setter == method.name else "Returns"
        return msgspec.structs.replace(method, description=f"{does} [member {property_.name}]. {property_.description}")


def _kinds_to_search(search_in: Collection[str] | None) -> Collection[str]:
    for name in search_in or ():
        if name not in SEARCH_IN:
            known = list(SEARCH_IN)
            raise Invalid(
                f"'{name}' cannot be searched; search in {', '.join(known)}.",
                path="search_in",
                rule="enum",
                hint=did_you_mean(name, known),
            )
    return [SEARCH_IN[name] for name in search_in] if search_in else MEMBER_KINDS
