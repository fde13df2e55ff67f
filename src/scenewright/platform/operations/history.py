"""`history`: what was changed in the project, and taking it back."""

from __future__ import annotations

from typing import Annotated, ClassVar

from scenewright.core.calls.call import Call
from scenewright.core.faults import Conflict, NotFound
from scenewright.core.operations.declaration import Example, Manager, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, Record, about
from scenewright.core.projects.live import unchained
from scenewright.core.text.counts import count_noun
from scenewright.core.writes.drafts import draft_back
from scenewright.core.writes.journal import Entry, FileRecord, Journal
from scenewright.core.writes.past_changes import diff_of_entry
from scenewright.core.writes.standing_entries import Standing

__all__ = ["MANAGER", "OPERATIONS"]

MANAGER = Manager(
    name="history",
    title="History",
    description="What was changed in the project, by which call, and taking it back.",
)

EntryNumber = Annotated[int, about("Number of a history entry.", ge=1)]
_EXAMPLE = {
    "entry": 7,
    "at": "2026-01-01T12:00:00.000+00:00",
    "operation": "project.file.edit",
    "summary": "Replaced 1 place in player.gd.",
    "files": ["modified player.gd"],
}


class ListQuery(Inputs, frozen=True, kw_only=True):
    limit: Annotated[int, about("Entries per page.", ge=1, le=200)] = 20
    offset: Annotated[int, about("Entries to skip.", ge=0)] = 0
    before: Annotated[int, about("Only entries older than this one.", ge=1)] | None = None
    path: Annotated[str, about("Only changes to this file.")] | None = None


class EntryRow(Record, frozen=True, kw_only=True):
    entry: EntryNumber
    at: Annotated[str, about("When.")]
    operation: Annotated[str, about("Which operation.")]
    summary: Annotated[str, about("What it did.")]
    files: Annotated[list[str], about("Each file and what happened to it.")]
    actor: Annotated[str, about("Who asked for it, if known.")] | None = None
    undoes: Annotated[list[int], about("Entries this one took back.")] | None = None


class Entries(Outputs, frozen=True, kw_only=True):
    entries: Annotated[list[EntryRow], about("Newest first.")]
    next_offset: Annotated[int, about("Where the next page starts; absent on the last.")] | None = None


@operation(
    id="history.list",
    name="List Changes",
    category="history",
    safety=Safety.READ_ONLY,
    needs_project=True,
    manager="history",
    common=True,
    action="list",
    examples=(Example("The last change", {"limit": 1}, {"entries": [_EXAMPLE]}),),
)
def list_entries(call: Call, inputs: ListQuery) -> Entries:
    """Lists the changes made to the project, newest first."""
    wanted = inputs.offset + inputs.limit
    entries = call.state.journal.entries(limit=wanted + 1, before=inputs.before, path=inputs.path)
    page = entries[inputs.offset : wanted]
    call.summary = f"{count_noun(len(page), 'change')}{', and there are older ones' if len(entries) > wanted else ''}."
    return Entries(
        entries=[_row(entry) for entry in page],
        next_offset=wanted if len(entries) > wanted else None,
    )


class EntryQuery(Inputs, frozen=True, kw_only=True):
    entry: EntryNumber


class Shown(Outputs, frozen=True, kw_only=True):
    entry: Annotated[EntryRow, about("The change.")]
    correlation_id: Annotated[str, about("The call's correlation id.")]
    diff: Annotated[list[str], about("A unified diff of each file.")]


@operation(
    id="history.show",
    name="Show Change",
    category="history",
    safety=Safety.READ_ONLY,
    needs_project=True,
    manager="history",
    common=True,
    action="show",
    examples=(
        Example(
            "One change",
            {"entry": 7},
            {
                "entry": _EXAMPLE,
                "correlationId": "5b0c…",
                "diff": ["modified player.gd\n@@ -1 +1 @@\n-speed = 200\n+speed = 300"],
            },
        ),
    ),
)
def show(call: Call, inputs: EntryQuery) -> Shown:
    """Shows one change with its diff."""
    journal = call.state.journal
    entry = journal.entry(inputs.entry)
    diff = diff_of_entry(journal, entry, call.state.generated)
    call.summary = f"Entry {entry.id}: {entry.summary}"
    return Shown(entry=_row(entry), correlation_id=entry.correlation_id, diff=diff.entries if diff else [])


class UndoInputs(Inputs, frozen=True, kw_only=True):
    entry: Annotated[int, about("Entry to take back; the last one not yet taken back if left out.", ge=1)] | None = None


class Undone(Outputs, frozen=True, kw_only=True):
    told_by_diff: ClassVar = ("files",)

    undone: Annotated[list[int], about("Entries taken back, newest first.")]
    files: Annotated[list[str], about("Each file and what happened to it.")]


@operation(
    id="history.undo",
    name="Undo Change",
    category="history",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    manager="history",
    common=True,
    action="undo",
    notes="An undo is an entry too: undo that entry to redo the change.",
    examples=(Example("The last change", {}, {"undone": [7], "files": ["modified player.gd"]}),),
)
def undo(call: Call, inputs: UndoInputs) -> Undone:
    """Takes back one change, or the last one; refused where a file has changed since."""
    journal = call.state.journal
    if inputs.entry is None:
        return _take_back(call, [_last_standing(call)])
    wanted = journal.entry(inputs.entry)
    if wanted not in Standing(call.stage).among([*_entries_after(journal, wanted.id), wanted]):
        raise Conflict(
            f"Entry {wanted.id} was turned back in the editor already, by its own undo or redo. Nothing was changed.",
            hint="Leave entry out to take back the last change that stands; editor_redo and editor_undo take the"
            " editor's own steps.",
            details={"entry": wanted.id},
            retryable=False,
        )
    return _take_back(call, [wanted])


class UndoToInputs(Inputs, frozen=True, kw_only=True):
    entry: Annotated[int, about("Entry to go back to; 0 for the state before the first.", ge=0)]


@operation(
    id="history.undo_to",
    name="Undo to Entry",
    category="history",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    manager="history",
    common=True,
    action="undo_to",
    examples=(Example("Back to entry 5", {"entry": 5}, {"undone": [7, 6], "files": ["modified player.gd"]}),),
)
def undo_to(call: Call, inputs: UndoToInputs) -> Undone:
    """Brings all files back to how they were right after an entry, in one step that can itself be undone."""
    journal = call.state.journal
    if inputs.entry and not journal.entries(limit=1, before=inputs.entry + 1):
        journal.entry(inputs.entry)  # numbers of refused changes are missing; but nothing this old is known any more
    newer = _entries_after(journal, inputs.entry)
    if not newer:
        raise NotFound(f"There is no change after entry {inputs.entry}.", hint="history_list shows the entries.")
    return _take_back(call, newer)


OPERATIONS = (list_entries, show, undo, undo_to)


def _entries_after(journal: Journal, number: int) -> list[Entry]:
    """All entries after one, newest first."""
    newer: list[Entry] = []
    before: int | None = None
    while page := journal.entries(limit=200, before=before):
        newer += [entry for entry in page if entry.id > number]
        before = page[-1].id
        if before <= number:
            break
    return newer


def _last_standing(call: Call) -> Entry:
    taken_back: set[int] = set()
    before: int | None = None
    standing = Standing(call.stage)
    while page := call.state.journal.entries(limit=100, before=before):
        for entry in standing.among(page):
            if entry.id in taken_back:
                continue
            if not entry.undoes:
                return entry
            taken_back.update(entry.undoes)
        before = page[-1].id
    raise NotFound("There is no change to take back.", hint="history_list shows what there is.")


def _take_back(call: Call, entries: list[Entry]) -> Undone:
    standing = _without_undone(list(Standing(call.stage).among(entries)) if len(entries) > 1 else entries)
    if _made_live(call, standing):
        call.files.stage = call.stage
    _refuse_mixed(call, standing)
    for entry in standing:
        # What goes first makes room: a folder may have taken the place of a file, or a file that of a folder.
        for file in sorted(entry.files, key=lambda file: file.before is not None):
            _put_back(call, entry, file)
        rounds = unchained(entry.places)
        call.files.drafts += [draft_back(call, place, step) for steps in rounds for place, step in steps.items()]
    numbers = [entry.id for entry in entries]
    call.undoes = tuple(numbers)
    call.summary = f"Took back {_describe_entries(entries)}"
    files = [f"{change.kind} {change.path}" for change in call.files.changes()]
    return Undone(undone=numbers, files=files + [f"edited {draft.place}" for draft in call.files.drafts])


def _describe_entries(entries: list[Entry]) -> str:
    """Which changes, and of a single one what it was."""
    numbers = ", ".join(str(entry.id) for entry in entries)
    if len(entries) > 1:
        return f"entries {numbers}."
    undone = ", ".join(map(str, entries[0].undoes))
    return f"entry {numbers}, the undo of {undone}." if undone else f"entry {numbers}: {entries[0].summary}"


def _without_undone(entries: list[Entry]) -> list[Entry]:
    """Newest first, without changes that were taken back meanwhile: an editor has forgotten those."""
    numbers = {entry.id for entry in entries}
    skipped: set[int] = set()
    for entry in entries:
        if entry.undoes and entry.id not in skipped and numbers - skipped >= set(entry.undoes):
            skipped |= {entry.id, *entry.undoes}
    return [entry for entry in entries if entry.id not in skipped]


def _refuse_mixed(call: Call, entries: list[Entry]) -> None:
    """An editor takes back what was made there, and nothing else: what a file got on disk is for a call of its own."""
    opened = ((entry.id, path) for entry in entries for path in entry.live if path not in entry.places)
    made_live = {path: number for number, path in opened if _is_open(call, path)}
    for entry in entries:
        for path in [file.path for file in entry.files if file.path in made_live and file.path not in entry.live]:
            part = entry.id if made_live[path] > entry.id else entry.id - 1
            raise Conflict(
                f"Entry {entry.id} changed '{path}' on disk, and entry {made_live[path]} changed it in the editor, so"
                " they cannot be taken back together. Nothing was changed.",
                hint=f"Go back in parts: undo_to {part}, save the scene if it is unsaved then, and go on from there.",
                details={"path": path, "entry": entry.id},
                retryable=False,
            )


def _is_open(call: Call, path: str) -> bool:
    return call.files.exists(path) and call.files.is_live(path)


def _put_back(call: Call, entry: Entry, file: FileRecord) -> None:
    journal = call.state.journal
    now = call.files.read(file.path) if call.files.exists(file.path) else None
    if file.path in entry.live and call.files.is_live(file.path):
        # The editor's own undo takes it back, and knows whether other edits came after.
        call.takes_back += unchained({file.path: entry.live[file.path]})
    elif now != journal.content(file.after):
        raise Conflict(
            f"'{file.path}' has changed since entry {entry.id}. Nothing was written.",
            hint=f"Take the newer changes back first (undo_to {entry.id - 1}), or edit the file by hand.",
            details={"path": file.path, "entry": entry.id},
            retryable=False,
        )
    if (before := journal.content(file.before)) is None:
        call.files.delete(file.path)
    else:
        call.files.restore(file.path, before)


def _made_live(call: Call, entries: list[Entry]) -> bool:
    """Whether an editor still has open what the entries changed there."""
    stage = call.stage
    return stage is not None and any(
        stage.find(path) for entry in entries for path in entry.live if path not in entry.places
    )


def _touched_paths(entry: Entry) -> list[str]:
    return [f"{file.kind} {file.path}" for file in entry.files] + [f"edited {place}" for place in entry.places]


def _row(entry: Entry) -> EntryRow:
    return EntryRow(
        entry=entry.id,
        at=entry.at,
        operation=entry.operation,
        summary=entry.summary,
        actor=entry.actor,
        files=_touched_paths(entry),
        undoes=list(entry.undoes) or None,
    )
