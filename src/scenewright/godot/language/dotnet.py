"""The .NET SDK, which compiles a project's C#: where it is, a build with it, and what it says of which line."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING, Annotated, Final, Literal

from scenewright.core.faults import Invalid, NotFound, TimedOut, Unsupported
from scenewright.core.operations.model import Record, about
from scenewright.godot.engine.process import WatchedProcess, lines_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from scenewright.core.policy.execution import Permit

__all__ = ["BuildMessage", "BuildRun", "build_messages", "find_dotnet", "project_file", "run_build"]

_LINE: Final = re.compile(
    r"^\s*(?:\d+>)?(?P<file>[^\r\n(]+?)\((?P<line>\d+),(?P<column>\d+)(?:,\d+,\d+)?\): "
    r"(?P<severity>error|warning) (?P<code>[A-Z]{1,8}\d{1,6}): (?P<message>.*?)(?: \[[^\]\r\n]*\])?\s*$"
)
_WITHOUT_PLACE: Final = re.compile(
    r"^(?:(?P<file>[^\r\n:(]+?) ?: )?(?P<severity>error|warning) (?P<code>[A-Z]{1,8}\d{1,6}): "
    r"(?P<message>.*?)(?: \[[^\]\r\n]*\])?\s*$"
)
# English, no banner, nothing sent home, and no compiler server that stays behind.
_ENVIRONMENT: Final = {
    "DOTNET_CLI_UI_LANGUAGE": "en",
    "DOTNET_CLI_TELEMETRY_OPTOUT": "1",
    "DOTNET_NOLOGO": "1",
    "MSBUILDDISABLENODEREUSE": "1",
    "UseSharedCompilation": "false",
}
_TOOLS: Final = ("MSBUILD", "CSC")  # which stand where a file would, if they speak for themselves
_KEPT_LINES: Final = 20_000


class BuildMessage(Record, frozen=True, kw_only=True):
    severity: Annotated[Literal["error", "warning"], about("error or warning.")]
    code: Annotated[str, about("The compiler's code.")]
    message: Annotated[str, about("What it says.")]
    path: Annotated[str, about("File.")] | None = None
    line: Annotated[int, about("Line.")] | None = None
    column: Annotated[int, about("Column.")] | None = None


@dataclass(frozen=True, slots=True)
class BuildRun:
    """How a build ended, and what it said."""

    exit_code: int
    lines: list[str]


def find_dotnet() -> Path:
    """Return the program of the .NET SDK: in DOTNET_ROOT, else on the PATH.

    Raises:
        Unsupported: there is none.
    """
    root = os.environ.get("DOTNET_ROOT")
    place = (shutil.which("dotnet", path=root) if root else None) or shutil.which("dotnet")
    if place is None:
        raise Unsupported(
            "This needs the .NET SDK, and no 'dotnet' was found.",
            hint="Install the .NET SDK that the project's Godot version asks for, or set DOTNET_ROOT to its folder.",
        )
    return Path(place)


def project_file(root: Path, given: str | None, names: list[str]) -> str:
    """Return the project's .csproj by its path from the root.

    Raises:
        NotFound: there is none.
        Invalid: there are several, and none was named.
    """
    if given is not None:
        return given
    above = [name for name in names if "/" not in name]
    if len(above) == 1:
        return above[0]
    if not names:
        raise NotFound(
            f"{root.name} has no .csproj, so there is nothing to build.",
            hint="Godot's .NET editor makes one: Project > Tools > C# > Create C# Solution.",
        )
    raise Invalid(
        f"There are several: {', '.join(names[:10])}.", path="input.projectFile", rule="required", hint="Name one."
    )


def run_build(
    permit: Permit, command: list[str], cwd: Path, hold: Callable[[WatchedProcess], None], seconds: float
) -> BuildRun:
    """Run a build to its end, in this thread; `hold` gets what can be ended from elsewhere.

    Raises:
        TimedOut: it did not end in time and was ended.
    """
    assert permit.operation
    process = WatchedProcess(command, cwd=cwd, environment=_ENVIRONMENT, output=subprocess.PIPE)
    hold(process)
    late: list[bool] = []

    def give_up() -> None:
        late.append(True)
        process.kill()

    timer = Timer(seconds, give_up)
    timer.start()
    lines: list[str] = []
    try:
        assert process.stdout is not None
        with process.stdout as stream:
            for line in lines_of(stream):
                if len(lines) < _KEPT_LINES:
                    lines.append(line)
        process.wait()
    finally:
        timer.cancel()
        if process.poll() is None:
            process.kill()
            process.wait()
    if late:
        raise TimedOut(f"The build did not finish within {seconds:g} s and was ended.", hint="Try again.")
    return BuildRun(process.returncode, lines)


def build_messages(lines: list[str], root: Path) -> list[BuildMessage]:
    """Return what a build's output says of files and lines: errors first, each once."""
    messages: dict[tuple[object, ...], BuildMessage] = {}
    for text in lines:
        match = _LINE.match(text) or _WITHOUT_PLACE.match(text.strip())
        if match is None:
            continue
        parts = match.groupdict()
        message = BuildMessage(
            severity="error" if parts["severity"] == "error" else "warning",
            code=parts["code"],
            message=parts["message"],
            path=_relative(parts["file"], root),
            line=int(parts["line"]) if parts.get("line") else None,
            column=int(parts["column"]) if parts.get("column") else None,
        )
        messages.setdefault((message.path, message.line, message.column, message.code, message.message), message)
    return sorted(messages.values(), key=lambda each: (each.severity, each.path or "", each.line or 0))


def _relative(file: str | None, root: Path) -> str | None:
    if file is None or file.strip() in _TOOLS:
        return None
    place = Path(file.strip())
    try:
        inside = place.resolve().relative_to(root.resolve()) if place.is_absolute() else place
    except ValueError:
        return place.name  # of the SDK or a package: where it lies on this machine is nobody's business
    return f"res://{inside.as_posix()}"
