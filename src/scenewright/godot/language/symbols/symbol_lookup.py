"""Opens a search for symbols, as a call sees its project: with the engine's language server where it can be asked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from scenewright.core.faults import Denied, Invalid, NotFound, Unsupported
from scenewright.godot.engine.language_server.servers import language_view
from scenewright.godot.language.symbols.symbol_search import SymbolSearch
from scenewright.godot.project.openers import class_index, open_workspace

if TYPE_CHECKING:
    from scenewright.core.calls.call import Call
    from scenewright.godot.engine.language_server.analysis import View
    from scenewright.godot.project.workspace import Workspace

__all__ = ["OpenSearch", "open_search", "script_place"]

_AUTOLOAD = "autoload/"


class OpenSearch:
    """A search and, where there is one, the server that it asks."""

    def __init__(self, search: SymbolSearch, view: View | None, workspace: Workspace) -> None:
        self.search, self.view, self.workspace = search, view, workspace

    def script(self, path: str) -> str:
        """Return the path from the root of a script that is there.

        Raises:
            NotFound: it is not.
            Invalid: it is no script.
        """
        place = script_place(self.workspace, path)
        if place not in self.search.paths:
            self.workspace.files.read(place)
            raise NotFound(f"'res://{place}' is not part of what Godot looks through.", hint="It may be hidden.")
        if not self.search.source(place).is_utf8:
            raise Invalid(
                f"'res://{place}' is not UTF-8, which Godot does not read.", path="input.scriptPath", rule="encoding"
            )
        return place


def script_place(workspace: Workspace, path: str) -> str:
    """Return a script's path from the root.

    Raises:
        Invalid: it is no script.
    """
    place = workspace.place(path)
    if not place.endswith(".gd"):
        raise Invalid("A script's file name ends in .gd.", path="input.scriptPath", rule="suffix")
    return place


@contextmanager
def open_search(call: Call) -> Iterator[OpenSearch]:
    """Yield a search, from a handler in a thread; the reply says where it had to do without the engine."""
    workspace = open_workspace(call)
    with ExitStack() as stack:
        try:
            view = stack.enter_context(language_view(call))
        except (Denied, Unsupported) as refused:
            call.warnings.append(f"Answered from the syntax alone, which knows no types of values: {refused.message}")
            yield OpenSearch(_search_without(call, workspace), None, workspace)
            return
        yield OpenSearch(
            SymbolSearch(view.declared, view.scripts(), view.text, autoloads_of(workspace), view), view, workspace
        )


def autoloads_of(workspace: Workspace) -> dict[str, str]:
    """Return the paths of what the project loads by a name."""
    try:
        section = workspace.document("project.godot").find("autoload")
    except NotFound:
        return {}
    properties = section.properties if section is not None else ()
    return {each.name: each.raw.strip().strip('"').removeprefix("*") for each in properties}


def _search_without(call: Call, workspace: Workspace) -> SymbolSearch:
    from scenewright.godot.project.sources import Sources

    scripts = workspace.scripts(class_index(call))
    return SymbolSearch(scripts, workspace.listing(".gd"), Sources(workspace).peek, autoloads_of(workspace))
