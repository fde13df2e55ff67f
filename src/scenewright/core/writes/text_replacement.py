"""Replaces a text in a file's content, only where it occurs as often as expected."""

from __future__ import annotations

from scenewright.core.calls.deadline import current_deadline, seconds_left
from scenewright.core.faults import Invalid, TimedOut
from scenewright.core.text.counts import count_noun
from scenewright.core.text.near_misses import near_miss
from scenewright.core.text.patterns import (
    MOST_RESULT,
    PatternProblem,
    ReplacementProblem,
    replace_matches,
)

__all__ = ["replaced", "replaced_all", "replaced_lines"]

PATTERN_SECONDS = 10.0


def replaced(content: bytes, find: str, replace: str, *, count: int, name: str) -> bytes:
    """Return the content with the text replaced; on bytes, so that line ends and byte order marks around it stay.

    Raises:
        Invalid: the text occurs more or less often.
    """
    return _replaced_text(content, find, replace, range(count, count + 1), name)[0]


def replaced_lines(content: bytes, first: int, last: int, expect: str, replace: str, *, name: str) -> bytes:
    """Return the content with whole lines, counted from 1, replaced; an empty text takes them out.

    Raises:
        Invalid: those lines are not there, or are not what was expected.
    """
    lines = content.split(b"\n")
    if last > len(lines):
        raise Invalid(f"'{name}' has {len(lines)} lines.", path="input.replacements", rule="maximum")
    newline = b"\r\n" if _has_only_crlf(content) else b"\n"
    there = b"\n".join(lines[first - 1 : last]).replace(b"\r\n", b"\n").rstrip(b"\r\n")
    if there != expect.replace("\r\n", "\n").rstrip("\n").encode():
        shown = there[:200].decode("utf-8", "replace")
        raise Invalid(
            f"Lines {first} to {last} of '{name}' are not what was expected.",
            path="input.replacements",
            rule="expect",
            hint=f"They are now: {shown}",
        )
    ends = newline.removesuffix(b"\n")  # that of each line stays with it
    new = replace.replace("\r\n", "\n").removesuffix("\n").encode().split(b"\n") if replace else []
    is_last = last == len(lines)
    put = [line + ends for line in new]
    if is_last and put and not lines[-1].endswith(b"\r"):
        put[-1] = new[-1]
    return b"\n".join([*lines[: first - 1], *put, *lines[last:]])


def replaced_all(
    content: bytes, find: str, replace: str, *, regex: bool, counts: range, name: str
) -> tuple[bytes, int]:
    """Return the content with every occurrence of a text or regular expression replaced, and how many there were.

    Raises:
        Invalid: it is no expression, or does not occur one of these numbers of times.
        TimedOut: the expression takes too long on this text.
    """
    if not regex:
        return _replaced_text(content, find, replace, counts, name)
    # Bytes that are no text stay what they are.
    text = content.decode("utf-8", "surrogateescape")
    after, count = _replaced_matches(text, find, replace, counts, name)
    return after.encode("utf-8", "surrogateescape"), count


def _replaced_matches(text: str, find: str, replace: str, counts: range, name: str) -> tuple[str, int]:
    # Less than all that is left, so that the fault can name the parameter.
    seconds, deadline = min(PATTERN_SECONDS, 0.8 * seconds_left(2 * PATTERN_SECONDS)), current_deadline()
    try:
        done = replace_matches(
            find,
            replace,
            text,
            counts=counts,
            seconds=seconds,
            given_up=lambda: deadline is not None and deadline.passed,
        )
    except PatternProblem as wrong:
        raise Invalid(f"'find' is not a regular expression: {wrong}.", path="input.find", rule="regex") from None
    except ReplacementProblem as wrong:
        raise Invalid(f"'replace' does not fit the expression: {wrong}.", path="input.replace", rule="regex") from None
    if done.timed_out:
        raise TimedOut(
            f"The expression in 'find' took longer than {seconds:.1f} s on '{name}' and was stopped.",
            hint="Avoid repetition inside repetition, such as (a+)+; say what comes between, or give a plain text.",
            retryable=False,
        )
    if done.text is None:
        raise _count_fault(done.matches, _expected_count(counts), name)
    return done.text, done.matches


def _replaced_text(content: bytes, find: str, replace: str, counts: range, name: str) -> tuple[bytes, int]:
    old, new = find.encode(), replace.encode()
    count = content.count(old)
    if count == 0 and _has_only_crlf(content) and b"\n" in old and b"\r" not in old:
        return _replaced_text(content, _with_crlf(find), _with_crlf(replace), counts, name)
    if count not in counts:
        near = near_miss(find, content.decode("utf-8", "replace")) if count == 0 else None
        raise _count_fault(count, _expected_count(counts), name, near)
    if len(content) + count * len(new) > MOST_RESULT:
        raise Invalid("'replace' is too long to be put there so often.", path="input.replace", rule="maxLength")
    return content.replace(old, new), count


def _expected_count(counts: range) -> str:
    return f"and {counts[0]} to {counts[-1]} are replaced" if len(counts) > 1 else f"not {counts[0]}"


def _has_only_crlf(content: bytes) -> bool:
    """Whether every line ends as on Windows, while whoever reads the file in a reply sees plain line ends."""
    return b"\r\n" in content and content.count(b"\n") == content.count(b"\r\n")


def _with_crlf(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\n", "\r\n")


def _count_fault(count: int, but: str, name: str, near: str | None = None) -> Invalid:
    return Invalid(
        f"'find' occurs {count_noun(count, 'time')} in '{name}', {but}.",
        path="input.find",
        rule="count",
        hint="Give more of the text around the place, or the right count."
        if count
        else near or "Read the file; find must match exactly, spaces and line ends included.",
    )
