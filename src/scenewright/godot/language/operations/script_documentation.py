"""Reference pages of the project's own scripts, from the comments in them."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import anyio.to_thread

from scenewright.core.calls.call import Call
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, about
from scenewright.core.policy.execution import permit_execution
from scenewright.core.text.counts import count_noun
from scenewright.godot.engine.verdicts import ScriptError, script_errors
from scenewright.godot.project.openers import class_index, open_workspace

if TYPE_CHECKING:
    from scenewright.godot.classes.index import ClassIndex
    from scenewright.godot.project.workspace import Workspace

__all__ = ["OPERATIONS"]

_SECONDS = 300.0
_ENDINGS = {"xml": ".xml", "rst": ".rst", "markdown": ".md"}


class DocsInputs(Inputs, frozen=True, kw_only=True):
    format: Annotated[Literal["xml", "rst", "markdown"], about("xml is the engine's own form.")] = "xml"
    output_path: Annotated[str, about("Folder in the project for the pages.", min_length=1)] = "docs/api"


class Documented(Outputs, frozen=True, kw_only=True):
    files: Annotated[list[str], about("The pages, one per class.")]
    errors: Annotated[list[ScriptError], about("Scripts that do not compile have no page.")]


@operation(
    id="godot.docs.generate",
    category="script",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="generate_docs",
    manager="godot_code_manager",
    action="docs.generate",
    timeout=_SECONDS,
    idempotent=True,
    notes="Needs Godot. Pages show the ## comments, with types and defaults.",
    executes="always",
    examples=(Example("For a site", {"format": "rst"}, {"files": ["docs/api/Hero.rst"], "errors": []}),),
)
async def generate_docs(call: Call, inputs: DocsInputs) -> Documented:
    """Writes reference pages of the project's scripts from their documentation comments: xml, rst or markdown."""
    from scenewright.godot.engine.commands import run_engine
    from scenewright.godot.engine.requests import pool_of
    from scenewright.godot.language.script_pages import page_of

    workspace = open_workspace(call)
    folder, own = workspace.place(inputs.output_path), _Own(workspace, class_index(call))
    permit = await permit_execution(call)
    await anyio.to_thread.run_sync(lambda: pool_of(call, permit).refresh())  # classes by name are known from that list
    files: list[str] = []
    with tempfile.TemporaryDirectory(prefix="scenewright-docs-") as scratch:
        arguments = ["--headless", "--doctool", scratch, "--gdscript-docs", "res://"]
        done = await run_engine(call, arguments, timeout=_SECONDS - 20)
        for page in filter(own.has_page, sorted(Path(scratch).glob("*.xml"))):
            content = page.read_bytes()
            if inputs.format != "xml":
                content = page_of(content, inputs.format).encode()
            place = f"{folder}/{page.stem}{_ENDINGS[inputs.format]}"
            call.files.write(place, content)
            files.append(place)
    errors = [error for error in script_errors(done.complaints) if error.path in own.scripts]
    call.summary = f"{count_noun(len(files), 'page')} in {folder}, {count_noun(len(errors), 'error')}."
    return Documented(files=files, errors=errors[:50])


class _Own:
    """The project's own scripts: the engine makes pages of folders too that it leaves out everywhere else."""

    def __init__(self, workspace: Workspace, index: ClassIndex) -> None:
        from scenewright.godot.project.workspace import ROOT

        self.scripts = {f"{ROOT}{path}" for path in workspace.listing(".gd")}
        files = (path.removeprefix(ROOT).replace("/", "--") for path in self.scripts)  # as their pages are called
        self._names = {*files, *workspace.scripts(index).classes()}

    def has_page(self, page: Path) -> bool:
        """Whether a page is of one of them, or of a class inside one."""
        parts = page.stem.split(".")
        return any(".".join(parts[:count]) in self._names for count in range(1, len(parts) + 1))


OPERATIONS = (generate_docs,)
