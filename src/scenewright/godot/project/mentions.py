"""Where a text names files of the project: `res://` paths, bare or in strings, and paths from its own folder.

Works on texts only. Paths are those from the project's root, as a workspace has them.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator

import msgspec

__all__ = ["Mention", "line_of", "mentions", "rewrite"]

Wanted = Callable[[str], bool]

# A string may hold a path with spaces or be a sentence that names a path; the first reading that is wanted counts.
_ADDRESS = re.compile(r"""(?P<open>["']\*?)?res://(?=(?P<path>[^"'\\\r\n]*))""")
_APOSTROPHES = re.compile(r"""[^"\\\r\n]*""")
_BARE = re.compile(r"""[^\s"'\\)\]}>,;`]*""")
_SENTENCE_END = ".:!?"
_RELATIVE = {
    ".gd": re.compile(r"""(?:\bpreload\s*\(\s*|\bextends\s+)["']([^"':\r\n]+)["']"""),
    ".gdshader": re.compile(r'#include\s+"([^":\r\n]+)"'),
    ".gdshaderinc": re.compile(r'#include\s+"([^":\r\n]+)"'),
    ".tscn": re.compile(r'\[ext_resource\b[^\]\r\n]*?\spath="([^":\r\n]+)"'),
    ".tres": re.compile(r'\[ext_resource\b[^\]\r\n]*?\spath="([^":\r\n]+)"'),
    "plugin.cfg": re.compile(r'^script\s*=\s*"([^":\r\n]+)"', re.MULTILINE),
}


class Mention(msgspec.Struct, frozen=True):
    """A path in a text; the span is that of the path itself, without `res://`."""

    start: int
    end: int
    path: str
    relative: bool = False


def mentions(
    text: str, place: str, wanted: Wanted, exists: Wanted, *, relative: Wanted | None = None
) -> Iterator[Mention]:
    """Yield the places where a text names a wanted path; `exists` tells a name with spaces from a sentence.

    Other paths may be wanted where they are `relative` to the file's folder.
    """
    for match in _ADDRESS.finditer(text):
        mention = next((reading for reading in _possible_mentions(text, match, exists) if wanted(reading.path)), None)
        if mention is not None:
            yield mention
    folder = posixpath.dirname(place)
    pattern = _relative_to(place)
    for match in pattern.finditer(text) if pattern else ():
        path = posixpath.normpath(posixpath.join(folder, match[1]))
        if (relative or wanted)(path):
            yield Mention(match.start(1), match.end(1), path, relative=True)


def rewrite(text: str, places: Iterable[Mention], place: str, moved: Callable[[str], str]) -> tuple[str, list[Mention]]:
    """Return the text with changed paths, for a file that will be at `place`, and the mentions that changed."""
    parts: list[str] = []
    changed: list[Mention] = []
    end = 0
    for mention in sorted(places, key=lambda mention: mention.start):
        written = text[mention.start : mention.end]
        new = _rewrite_path(mention, written, place, moved(mention.path))
        if new != written:
            parts += [text[end : mention.start], new]
            end = mention.end
            changed.append(mention)
    return "".join([*parts, text[end:]]), changed


def _rewrite_path(mention: Mention, before: str, place: str, path: str) -> str:
    """A path in the way it was written before."""
    slash = "/" if before.endswith("/") else ""
    if not mention.relative:
        return before if path == mention.path else path + slash
    path = posixpath.relpath(path, posixpath.dirname(place) or ".")
    if posixpath.normpath(before) == path:
        return before
    dot = "./" if before.startswith("./") and not path.startswith("..") else ""
    return dot + path + slash


def line_of(text: str, offset: int) -> tuple[int, str]:
    """Return the number of the line that an offset is on, and the line."""
    start = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    return text.count("\n", 0, start) + 1, text[start : end if end >= 0 else len(text)].strip()


def _possible_mentions(text: str, match: re.Match[str], exists: Wanted) -> Iterator[Mention]:
    start = match.start("path")
    if match["open"]:
        # An apostrophe inside double quotes is part of the name.
        quoted = _APOSTROPHES.match(text, start) if match["open"].startswith('"') else None
        whole = _make_mention(start, (quoted[0] if quoted else match["path"]).partition("::")[0])
        yield whole
        if exists(whole.path):
            return
    bare = _BARE.match(text, start)
    yield _make_mention(start, (bare[0] if bare else "").partition("::")[0].rstrip(_SENTENCE_END))


def _make_mention(start: int, path: str) -> Mention:
    return Mention(start, start + len(path), posixpath.normpath(path) if path else ".")


def _relative_to(place: str) -> re.Pattern[str] | None:
    name = posixpath.basename(place)
    return _RELATIVE.get(name) or _RELATIVE.get(posixpath.splitext(name)[1])
