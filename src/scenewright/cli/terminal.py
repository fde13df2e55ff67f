"""A person on a terminal: what they are shown and how they are asked."""

from __future__ import annotations

import json
import sys
from typing import Any

from scenewright.cli.outline import outline
from scenewright.cli.output import has_every_letter, say
from scenewright.contracts import Rendered
from scenewright.core.calls.call import DRY_RUN, Attachment, SilentClient
from scenewright.core.text.control_characters import escape_controls, escape_json_controls, visible_values

__all__ = ["TerminalClient", "print_json", "print_reply"]

_OF_CODE = ("returnValue", "output")  # what code that was run says, which no diff shows
_SUGGESTION = "See it run: "  # begins the part of a summary that suggests a call


class TerminalClient(SilentClient):
    """The client of a call from the shell."""

    id = "cli"

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet or not sys.stderr.isatty()

    async def progress(self, done: float, total: float | None, message: str | None) -> None:
        if not self._quiet:
            share = f"{done / total:4.0%}" if total else f"{done:g}"
            print(f"\r\033[K{share} {escape_controls(message or '')}", end="", file=sys.stderr, flush=True)

    async def log(self, level: str, message: str) -> None:
        if not self._quiet:
            say(f"{level}: {message}", to=sys.stderr)

    async def approve(self, question: str) -> bool | None:
        if not (sys.stdin.isatty() and sys.stderr.isatty()):
            return None
        say(f"{question} [y/N] ", to=sys.stderr, end="")
        return sys.stdin.readline().strip().lower() in ("y", "yes")


def print_json(value: Any) -> None:
    # Where letters are missing they are escaped: to a program nothing may be lost.
    text = json.dumps(value, ensure_ascii=not has_every_letter(sys.stdout), separators=(",", ":"))
    print(escape_json_controls(text))


def print_reply(rendered: Rendered, *, as_json: bool) -> None:
    """Print the reply to a call, for a program or for a person."""
    if as_json:
        _print_exact(rendered)
    elif rendered.failed:
        _print_failure(rendered)
    else:
        _print_success(rendered)


def _print_exact(rendered: Rendered) -> None:
    if rendered.error is not None:
        error = rendered.error
        print_json({"error": {"code": error.code, "message": error.message, "data": error.data}})
    elif rendered.structured is not None:
        print_json(rendered.structured)
    else:
        (say if sys.stdout.isatty() else print)(rendered.text or "")


def _print_failure(rendered: Rendered) -> None:
    body = (rendered.structured or {}).get("error") or {}
    if not body and rendered.text and rendered.text.startswith("{"):
        body = json.loads(rendered.text)["error"]
    console = _console(stderr=True)
    console.print(f"[bold red]✗[/] {_escape(body.get('message') or rendered.text or '')}")
    if fix := body.get("suggestedFix"):
        console.print(f"  [dim]{_escape(fix)}[/]")
    _print_warnings(console, rendered.structured or {})


def _print_warnings(console: Any, body: dict[str, Any]) -> None:
    for warning in body.get("warnings", []):
        console.print(f"[yellow]![/] {_escape(warning)}")


def _print_success(rendered: Rendered) -> None:
    body = rendered.structured or {}
    console = _console(stderr=False)
    result, execution = body.get("result", body.get("output", body)), body.get("execution") or {}
    diff = body.get("diff") or execution.get("diff")
    summary, sign, suggestion = (body.get("summary") or _summary_of(result, diff)).partition(_SUGGESTION)
    if summary:
        console.print(f"[bold green]✓[/] {_escape(summary.rstrip())}")
    for entry in (diff or {}).get("entries", []):
        _print_diff(console, entry)
    told = result if not diff or not isinstance(result, dict) else {key: result.get(key) for key in _OF_CODE}
    if told:
        _print_lines(console, outline(visible_values(told)))
    for attachment in rendered.attachments:
        _print_attachment(console, attachment)
    _print_warnings(console, body)
    is_live = execution.get("mode") == "live" and not (execution.get("editor") or {}).get("saved")
    if diff and is_live and not execution.get("dryRun"):
        console.print("[yellow]Live in the open editor, not saved yet.[/]")
    if suggestion:
        console.print(f"[dim]{_escape(sign + suggestion)}[/]")
    if entry := execution.get("historyEntry") or rendered.meta.get("historyEntry"):
        console.print(f"[dim]Take it back: scenewright call history undo entry={entry}[/]")


def _print_lines(console: Any, lines: list[str]) -> None:
    for line in lines:
        console.print(_escape(line), highlight=False)


def _print_attachment(console: Any, attachment: Attachment) -> None:
    """Say where a picture was saved; a terminal cannot show it."""
    from scenewright.cli.saved_pictures import save_picture

    if attachment.kind == "image" and isinstance(attachment.data, bytes):
        console.print(f"Picture: {_escape(str(save_picture(attachment.data, attachment.mime_type)))}", highlight=False)
    elif attachment.kind == "text":
        _print_lines(console, str(attachment.data).split("\n"))
    else:
        console.print(_escape(f"{attachment.kind}: {attachment.uri or attachment.mime_type}"), highlight=False)


def _summary_of(result: Any, diff: dict[str, Any] | None) -> str:
    """The first line for a reply that has none of its own, as those of Roblox's tools."""
    summary = str(diff["summary"]) if diff else ""
    tried = isinstance(result, dict) and result.get("dryRun") is True
    return f"{DRY_RUN} {summary or 'nothing changed'}" if tried else summary


def _print_diff(console: Any, entry: str) -> None:
    head, *lines = entry.split("\n")
    console.print(f"[bold]{_escape(head)}[/]")
    styles = {"+": "green", "-": "red", "@": "cyan"}
    for line in lines:
        console.print(_escape(line), style=styles.get(line[:1], ""), highlight=False)


def _console(*, stderr: bool) -> Any:
    from rich.console import Console

    return Console(stderr=stderr, soft_wrap=True)


def _escape(text: str) -> str:
    """A text as rich prints it, and as a terminal shows it."""
    from rich.markup import escape

    return escape(escape_controls(text))
