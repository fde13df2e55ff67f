"""Files that an editor has open, with an editor that is only a dict: what goes there, what to the disk, what back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import pytest
from tests.conftest import Caller

from scenewright.app import catalogues
from scenewright.core.calls.call import Call
from scenewright.core.config import Config
from scenewright.core.faults import Conflict
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, about
from scenewright.core.operations.registry import Catalogue, build_registry
from scenewright.core.projects.live import Live, OpenFile, Steps
from scenewright.core.projects.project import Engine, Project
from scenewright.core.runtime import Runtime
from scenewright.core.writes.changeset import Change

pytestmark = pytest.mark.anyio


class Text(Inputs, frozen=True, kw_only=True):
    path: Annotated[str, about("File.")]
    text: Annotated[str, about("What to add.")] = ""


class Texts(Outputs, frozen=True, kw_only=True):
    text: Annotated[str, about("What the file holds.")]


@operation(
    id="toy.text.add",
    name="Add Text",
    category="project",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="add_text",
    examples=(Example("x", {"path": "a", "text": "x"}, {"text": "x"}),),
)
def add_text(call: Call, inputs: Text) -> Texts:
    """Adds text to a file."""
    content = call.files.read(inputs.path) + inputs.text.encode()
    if inputs.text:
        call.files.write(inputs.path, content)
    return Texts(text=content.decode())


@operation(
    id="toy.text.read",
    category="project",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="read_text",
    examples=(Example("x", {"path": "a"}, {"text": "x"}),),
)
async def read_text(call: Call, inputs: Text) -> Texts:
    """Reads a file on the event loop, where nobody can wait for an editor."""
    return Texts(text=call.files.read(inputs.path).decode())


@dataclass
class ToyEditor(Live):
    """Open files with their undo stacks; the twin of a real editor."""

    open: dict[str, bytes] = field(default_factory=dict)
    unsaved: set[str] = field(default_factory=set)
    stacks: dict[str, list[bytes]] = field(default_factory=dict)
    told: list[str] = field(default_factory=list)

    # Live

    def stage(self, project: Project, *, writes: bool, plain: bool) -> tuple[ToyStage | None, str | None]:
        return (ToyStage(self, writes, plain), None) if self.open else (None, "out of reach" if self.told else None)

    def is_open(self, project: Project) -> bool:
        return bool(self.open)

    def watch(self, project: Project) -> None:
        return None

    def close(self) -> None:
        return None


@dataclass
class ToyStage:
    editor: ToyEditor
    writes: bool
    plain: bool
    used: bool = False
    doubts: tuple[str, ...] = ()

    @property
    def label(self) -> dict[str, Any]:
        return {"port": 1}

    def find(self, path: str) -> OpenFile | None:
        if path not in (self.editor.unsaved if self.plain else self.editor.open):
            return None
        self.used = True
        return OpenFile(self.editor.open[path], path in self.editor.unsaved)

    def unsaved_texts(self) -> list[str]:
        return [] if self.writes else sorted(self.editor.unsaved)

    async def editable(self, changes: Sequence[Change]) -> Sequence[Change]:
        return changes

    async def apply(self, changes: Sequence[Change], title: str) -> Steps:
        for change in changes:
            assert change.after is not None
            if self.editor.open[change.path] != change.before:
                raise Conflict("edited since")
            self.editor.stacks.setdefault(change.path, []).append(self.editor.open[change.path])
            self.editor.open[change.path] = change.after
            self.editor.unsaved.add(change.path)
        return {change.path: {"depth": len(self.editor.stacks[change.path])} for change in changes}

    def settled(self, changes: Sequence[Change]) -> Sequence[Change]:
        return changes

    def renamed(self, output: Any) -> Any:
        return output

    def has_made(self, path: str) -> bool:
        del path
        return True

    def reverted(self, steps: Steps) -> bool:
        return all(len(self.editor.stacks[path]) < step["depth"] for path, step in steps.items())

    async def take_back(self, steps: Steps) -> Steps:
        for path, step in steps.items():
            if len(self.editor.stacks[path]) != step["depth"]:
                raise Conflict("edited after")
            self.editor.open[path] = self.editor.stacks[path].pop()
        return {path: {"depth": step["depth"] - 1} for path, step in steps.items()}

    async def guard(self, changes: Sequence[Change]) -> None:
        if clash := [change.path for change in changes if change.path in self.editor.unsaved]:
            raise Conflict(f"unsaved: {clash}")

    async def written(self, changes: Sequence[Change]) -> list[str]:
        self.editor.told += [change.path for change in changes]
        return []


@pytest.fixture
def editor() -> ToyEditor:
    return ToyEditor()


@pytest.fixture
def caller(project: Path, editor: ToyEditor) -> Iterator[Caller]:
    (project / "toy.txt").write_text("")
    (project / "a.txt").write_text("disk")
    (project / "b.txt").write_text("disk")
    toy = Catalogue(engine=Engine("toy", ("toy.txt",)), operations=(add_text, read_text), live=lambda _: editor)
    runtime = Runtime(
        Config(project=project, rate_limit=None), build_registry([*catalogues(), toy]), server_version="0"
    )
    yield Caller(runtime)
    runtime.close()


async def body(caller: Caller, tool: str, **arguments: Any) -> dict[str, Any]:
    reply = await caller.reply(tool, arguments)
    assert reply.structured is not None
    return reply.structured


async def test_an_open_file_is_read_from_the_editor(caller: Caller, editor: ToyEditor) -> None:
    editor.open["a.txt"] = b"editor"
    reply = await body(caller, "add_text", path="a.txt")
    assert reply["result"]["text"] == "editor"
    assert reply["execution"] == {"mode": "live", "editor": {"port": 1}}


async def test_a_handler_on_the_event_loop_does_not_take_the_disks_text_silently(
    caller: Caller, editor: ToyEditor
) -> None:
    editor.open |= {"a.txt": b"editor", "b.txt": b"editor"}
    editor.unsaved.add("a.txt")
    reply = await body(caller, "read_text", path="a.txt")
    assert reply["result"]["text"] == "disk"
    assert reply["warnings"] == ["a.txt is open with unsaved text; this is about the disk."]
    assert "warnings" not in await body(caller, "read_text", path="b.txt")  # saved as it is


async def test_with_an_editor_a_file_that_is_not_open_is_said_to_be_a_file(caller: Caller, editor: ToyEditor) -> None:
    editor.open["b.txt"] = b"editor"
    assert (await body(caller, "add_text", path="a.txt"))["execution"] == {"mode": "files"}


async def test_a_change_of_an_open_file_is_made_in_the_editor_only(
    project: Path, caller: Caller, editor: ToyEditor
) -> None:
    editor.open["a.txt"] = b"editor"
    reply = await body(caller, "add_text", path="a.txt", text="!")
    assert editor.open["a.txt"] == b"editor!"
    assert (project / "a.txt").read_text() == "disk"
    assert reply["execution"]["historyEntry"] == 1
    assert "files" not in reply
    assert editor.told == []


async def test_undo_goes_through_the_editor(caller: Caller, editor: ToyEditor) -> None:
    editor.open["a.txt"] = b"editor"
    await body(caller, "add_text", path="a.txt", text="!")
    undone = await body(caller, "history", action="undo")
    assert undone["execution"]["mode"] == "live"
    assert editor.open["a.txt"] == b"editor"


async def test_undo_is_refused_after_another_edit(caller: Caller, editor: ToyEditor) -> None:
    editor.open["a.txt"] = b"editor"
    await body(caller, "add_text", path="a.txt", text="!")
    editor.stacks["a.txt"].append(b"by hand")
    reply = await body(caller, "history", action="undo")
    assert reply["error"]["message"] == "edited after"
    assert editor.open["a.txt"] == b"editor!"


async def test_once_saved_and_closed_a_live_change_is_taken_back_on_the_file(
    project: Path, caller: Caller, editor: ToyEditor
) -> None:
    editor.open["a.txt"] = b"editor"
    await body(caller, "add_text", path="a.txt", text="!")
    (project / "a.txt").write_bytes(editor.open.pop("a.txt"))
    undone = await body(caller, "history", action="undo")
    assert undone["ok"], undone
    assert (project / "a.txt").read_text() == "editor"


async def test_an_edit_in_between_is_a_conflict(caller: Caller, editor: ToyEditor) -> None:
    class Hasty(dict[str, bytes]):
        def __getitem__(self, key: str) -> bytes:
            now = super().__getitem__(key)
            self[key] = now + b"?"  # somebody types
            return now

    editor.open = Hasty({"a.txt": b"editor"})
    reply = await body(caller, "add_text", path="a.txt", text="!")
    assert reply["error"]["message"] == "edited since"


async def test_a_file_tool_writes_to_the_disk_and_tells_the_editor(
    project: Path, caller: Caller, editor: ToyEditor
) -> None:
    editor.open["a.txt"] = b"disk"
    reply = await body(caller, "write_file", path="a.txt", content="new", overwrite=True)
    assert reply["execution"]["mode"] == "files"
    assert (project / "a.txt").read_text() == "new"
    assert editor.told == ["a.txt"]


async def test_a_file_tool_reads_what_the_editor_has_not_saved_even_if_that_is_nothing(
    caller: Caller, editor: ToyEditor
) -> None:
    editor.open |= {"a.txt": b"", "b.txt": b"editor"}
    editor.unsaved.add("a.txt")
    reply = await body(caller, "read_file", path="a.txt")
    assert (reply["result"]["text"], reply["execution"]["mode"]) == ("", "live")
    reply = await body(caller, "read_file", path="b.txt")
    assert (reply["result"]["text"], reply["execution"]["mode"]) == ("disk", "files")


async def test_a_file_tool_does_not_write_over_unsaved_changes(
    project: Path, caller: Caller, editor: ToyEditor
) -> None:
    editor.open["a.txt"] = b"editor"
    editor.unsaved.add("a.txt")
    for tool, more in (("write_file", {"content": "new", "overwrite": True}), ("delete_file", {})):
        reply = await caller.reply(tool, {"path": "a.txt", **more}, meta={"approved": True})
        assert reply.structured is not None
        assert "unsaved" in reply.structured["error"]["message"]
    assert (project / "a.txt").read_text() == "disk"


async def test_a_batch_changes_editor_and_disk_or_neither(
    project: Path, caller: Caller, editor: ToyEditor, monkeypatch: pytest.MonkeyPatch
) -> None:
    editor.open["a.txt"] = b"editor"
    operations = [{"tool": "add_text", "args": {"path": name, "text": "!"}} for name in ("a.txt", "b.txt")]

    def refuse(*arguments: object, **options: object) -> None:
        raise Conflict("not now")

    with monkeypatch.context() as patch:
        patch.setattr(caller.runtime.state.journal, "commit", refuse)
        assert (await body(caller, "batch_operations", operations=operations, atomic=True))["ok"] is False
        assert editor.open["a.txt"] == b"editor"
    reply = await body(caller, "batch_operations", operations=operations, atomic=True)
    assert reply["execution"]["mode"] == "live"
    assert (editor.open["a.txt"], (project / "b.txt").read_text()) == (b"editor!", "disk!")
    assert [file["resPath"] for file in reply["files"]] == ["b.txt"]


async def test_a_dry_run_changes_neither(project: Path, caller: Caller, editor: ToyEditor) -> None:
    editor.open["a.txt"] = b"editor"
    reply = await body(caller, "add_text", path="a.txt", text="!", dryRun=True)
    assert "+editor!" in reply["execution"]["diff"]["entries"][0]
    assert editor.open["a.txt"] == b"editor"


async def test_an_editor_out_of_reach_is_a_warning_not_a_silence(caller: Caller, editor: ToyEditor) -> None:
    editor.told.append("something")
    reply = await body(caller, "add_text", path="a.txt")
    assert reply["warnings"] == ["out of reach"]
    assert reply["result"]["text"] == "disk"
