"""Reference pages of the project's own scripts, from the comments in them."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated, Literal

import anyio.to_thread

from scenewright.core.call import Call
from scenewright.core.model import Inputs, Outputs, about
from scenewright.core.operation import Example, Safety, operation
from scenewright.godot.engine.verdicts import ScriptError, script_errors
from scenewright.godot.operations.opening import open_workspace

__all__ = ["OPERATIONS"]

_SECONDS = 300.0
_ENDINGS = {"xml": ".xml", "rst": ".rst", "markdown": ".md"}


class DocsInputs(Inputs, frozen=True, kw_only=True):
    format: Annotated[Literal["xml", "rst", "markdown"], about("xml is the engine's own form.")] = "xml"
    output_path: Annotated[str, about("Folder of the project for the pages.", min_length=1)] = "docs/api"


class Documented(Outputs, frozen=True, kw_only=True):
    files: Annotated[list[str], about("The pages, one per class.")]
    errors: Annotated[list[ScriptError], about("Scripts that do not compile have no page.")]


@operation(
    id="godot.docs.generate", name="Generate Docs", category="script", safety=Safety.SAFE_WRITE, needs_project=True,
    tool="generate_docs", action=("godot_code_manager", "docs.generate"), timeout=_SECONDS, idempotent=True,
    notes="Needs Godot. Pages show what stands in ## comments, with types and defaults.",
    examples=(Example("For a site", {"format": "rst"}, {"files": ["docs/api/Hero.rst"], "errors": []}),),
)  # fmt: skip
async def generate_docs(call: Call, inputs: DocsInputs) -> Documented:
    """Writes reference pages of the project's scripts from their documentation comments: xml, rst or markdown."""
    from scenewright.godot.engine.calling import pool_of
    from scenewright.godot.engine.commands import run_engine
    from scenewright.godot.script_pages import page_of

    folder = open_workspace(call).place(inputs.output_path)
    await anyio.to_thread.run_sync(lambda: pool_of(call).refresh())  # classes by name are known from that list
    files: list[str] = []
    with tempfile.TemporaryDirectory(prefix="scenewright-docs-") as scratch:
        arguments = ["--headless", "--doctool", scratch, "--gdscript-docs", "res://"]
        done = await run_engine(call, arguments, timeout=_SECONDS - 20)
        for made in sorted(Path(scratch).glob("*.xml")):
            content = made.read_bytes()
            if inputs.format != "xml":
                content = page_of(content, inputs.format).encode()
            place = f"{folder}/{made.stem}{_ENDINGS[inputs.format]}"
            call.files.write(place, content)
            files.append(place)
    errors = script_errors(done.complaints)
    call.summary = f"{len(files)} pages in {folder}, {len(errors)} errors."
    return Documented(files=files, errors=errors[:50])


OPERATIONS = (generate_docs,)
