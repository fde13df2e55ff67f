"""The project's own guidelines: searching them, and reading a section."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from scenewright.core.calls.call import Call
from scenewright.core.faults import NotFound, did_you_mean
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, Record, about
from scenewright.core.text.counts import count_noun
from scenewright.godot.project.openers import open_workspace

if TYPE_CHECKING:
    from scenewright.godot.project.guidelines_file import Section

__all__ = ["OPERATIONS"]

GuidelinesFile = Annotated[str, about("Another file of the project than AI_GUIDELINES.md.", min_length=1)]


class SearchInputs(Inputs, frozen=True, kw_only=True):
    query: Annotated[str, about("Words to look for; all must be in a paragraph.", min_length=1, max_length=200)]
    guidelines_file_path: GuidelinesFile | None = None
    max_matches: Annotated[int, about("Most matches to return.", ge=1, le=100)] = 10


class GuidelineMatch(Record, frozen=True, kw_only=True):
    section: Annotated[str, about("Heading it stands under, for get_section.")]
    line: Annotated[int, about("Line of the file.")]
    text: Annotated[str, about("The paragraph.")]


class GuidelineMatches(Outputs, frozen=True, kw_only=True):
    file: Annotated[str, about("File that was searched.")]
    matches: Annotated[list[GuidelineMatch], about("Matching paragraphs, in order.")]
    total: Annotated[int, about("How many there are.")]
    sections: Annotated[list[str], about("All headings.")]


@operation(
    id="godot.guidelines.search",
    category="project",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="search_guidelines",
    manager="godot_workspace_manager",
    action="guidelines.search",
    notes="AI_GUIDELINES.md is looked for in the root, docs/ and .godot_mcp/.",
    examples=(
        Example(
            "Naming",
            {"query": "snake_case"},
            {
                "file": "AI_GUIDELINES.md",
                "total": 1,
                "sections": ["Naming"],
                "matches": [{"section": "Naming", "line": 3, "text": "Files are in snake_case."}],
            },
        ),
    ),
)
def search_guidelines(call: Call, inputs: SearchInputs) -> GuidelineMatches:
    """Searches the project's AI_GUIDELINES.md and returns the matching paragraphs."""
    file, sections = _read_guidelines(call, inputs.guidelines_file_path)
    words = inputs.query.casefold().split()
    matches = [
        GuidelineMatch(section=section.title, line=line, text=text)
        for section in sections
        for line, text in _split_paragraphs(section)
        if all(word in f"{section.title} {text}".casefold() for word in words)
    ]
    call.summary = f"{count_noun(len(matches), 'match', 'matches')} in {file}."
    titles = [section.title for section in sections if section.title]
    return GuidelineMatches(file=file, matches=matches[: inputs.max_matches], total=len(matches), sections=titles[:100])


class SectionInputs(Inputs, frozen=True, kw_only=True):
    section: Annotated[str, about("Heading; case does not matter.", min_length=1, max_length=200)]
    guidelines_file_path: GuidelinesFile | None = None
    max_chars: Annotated[int, about("Most characters to return.", ge=100, le=100_000)] = 12_000


class SectionText(Outputs, frozen=True, kw_only=True):
    file: Annotated[str, about("File.")]
    section: Annotated[str, about("Heading.")]
    line: Annotated[int, about("Line of the heading.")]
    text: Annotated[str, about("The section, with those below it.")]
    truncated: Annotated[bool, about("Whether maxChars left some out.")] = False


@operation(
    id="godot.guidelines.section",
    name="Guidelines Section",
    category="project",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="get_guidelines_section",
    manager="godot_workspace_manager",
    action="guidelines.get_section",
    examples=(
        Example(
            "One",
            {"section": "Naming"},
            {
                "file": "AI_GUIDELINES.md",
                "section": "Naming",
                "line": 1,
                "text": "# Naming\n\nFiles are in snake_case.",
            },
        ),
    ),
)
def get_guidelines_section(call: Call, inputs: SectionInputs) -> SectionText:
    """Returns one section of the project's AI_GUIDELINES.md."""
    file, sections = _read_guidelines(call, inputs.guidelines_file_path)
    wanted = inputs.section.strip().lstrip("#").strip().casefold()
    titled = [candidate for candidate in sections if candidate.title]
    section = next((candidate for candidate in titled if candidate.title.casefold() == wanted), None) or next(
        (candidate for candidate in titled if wanted in candidate.title.casefold()), None
    )
    if section is None:
        names = [candidate.title for candidate in titled]
        hint = did_you_mean(inputs.section, names) or f"There are: {', '.join(names[:30])}."
        raise NotFound(f"'{file}' has no section '{inputs.section}'.", hint=hint)
    text = "\n".join(section.whole).strip()
    call.summary = f"{file}: {section.title}"
    return SectionText(
        file=file,
        section=section.title,
        line=section.line,
        text=text[: inputs.max_chars],
        truncated=len(text) > inputs.max_chars,
    )


OPERATIONS = (search_guidelines, get_guidelines_section)


def _read_guidelines(call: Call, path: str | None) -> tuple[str, list[Section]]:
    from scenewright.core.writes.disk import read_if_there
    from scenewright.godot.project.guidelines_file import PLACES, find_guidelines, sections_of

    root = call.state.project.root
    if path is not None:
        place = open_workspace(call).place(path)
        return place, sections_of(call.files.read(place).decode("utf-8", "replace"))
    file = find_guidelines(root)
    if file is None:
        hint = f"Write {', '.join(PLACES[:2])}, or pass guidelinesFilePath."
        raise NotFound("The project has no AI_GUIDELINES.md.", hint=hint)
    content = read_if_there(file) or b""  # it may lie where no other call reads
    return file.relative_to(root).as_posix(), sections_of(content.decode("utf-8", "replace"))


def _split_paragraphs(section: Section) -> list[tuple[int, str]]:
    paragraphs: list[tuple[int, str]] = []
    first = section.line + (1 if section.level else 0)
    gathered: list[str] = []
    for number, line in enumerate([*section.own, ""]):
        if line.strip():
            gathered.append(line.strip())
        elif gathered:
            paragraphs.append((first + number - len(gathered), " ".join(gathered)))
            gathered = []
    return paragraphs
