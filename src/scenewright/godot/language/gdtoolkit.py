"""gdtoolkit's formatter and linter, where it is installed: asked in a process that can be ended, with plain settings.

Its own commands load a project's settings as YAML that may make any Python object; here only plain values are read, in
that process too, since some hundred bytes of YAML can take minutes.
"""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from typing import Any, Final

import msgspec

from scenewright.core.faults import Invalid, TimedOut, Unsupported
from scenewright.core.processes import NO_WINDOW

__all__ = ["FORMAT_SETTINGS", "LINT_SETTINGS", "ask_gdtoolkit"]

FORMAT_SETTINGS: Final = ("gdformatrc", ".gdformatrc")
LINT_SETTINGS: Final = ("gdlintrc", ".gdlintrc")
_SECONDS: Final = 20.0
_MOST_SETTINGS: Final = 64_000  # bytes
_CHILD: Final = """\
import json, sys
from types import MappingProxyType
request = json.load(sys.stdin)
code, settings = request["code"], {}
try:
    if request["settings"]:
        import yaml
        try:
            read = yaml.safe_load(request["settings"])
        except Exception as error:
            json.dump({"settings": str(error)[:500] or type(error).__name__}, sys.stdout)
            sys.exit()
        kinds = (str, int, bool, type(None))
        settings = {
            str(name): value
            for name, value in (read.items() if isinstance(read, dict) else ())
            if isinstance(value, kinds) or (isinstance(value, list) and all(isinstance(each, str) for each in value))
        }
    if request["what"] == "format":
        from gdtoolkit.formatter import check_formatting_safety, format_code
        length = settings.get("line_length") or 100
        spaces = settings.get("use_spaces") or None
        made = format_code(gdscript_code=code, max_line_length=length, spaces_for_indent=spaces)
        check_formatting_safety(code, made, max_line_length=length, spaces_for_indent=spaces)
        answer = {"code": made}
    else:
        from gdtoolkit.linter import DEFAULT_CONFIG, lint_code
        known = {name: value for name, value in settings.items() if name in DEFAULT_CONFIG}
        rows = lint_code(code, MappingProxyType({**DEFAULT_CONFIG, **known}))
        answer = {"problems": [[row.line, row.column, row.name, row.description] for row in rows]}
except Exception as error:
    answer = {"error": str(error)[:2000] or type(error).__name__, "line": getattr(error, "line", None)}
json.dump(answer, sys.stdout)
"""


def ask_gdtoolkit(what: str, code: str, settings: bytes, name: str) -> dict[str, Any]:
    """Return what the formatter or the linter answers, with the content of a settings file, which may be empty.

    Raises:
        Unsupported: gdtoolkit is not installed.
        TimedOut: it takes too long.
        Invalid: it cannot read the script or the settings.
    """
    if len(settings) > _MOST_SETTINGS:
        raise Invalid(f"'{name}' is longer than {_MOST_SETTINGS:,} bytes.", path=name, rule="maxLength")
    if find_spec("gdtoolkit") is None:
        raise Unsupported(
            "This needs gdtoolkit, which is not installed.", hint="Install it with: pip install 'scenewright[format]'."
        )
    request = msgspec.json.encode({"what": what, "code": code, "settings": settings.decode("utf-8", "replace")})
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-c", _CHILD],
            input=request,
            capture_output=True,
            timeout=_SECONDS,
            check=False,
            creationflags=NO_WINDOW,
        )
    except subprocess.TimeoutExpired:
        raise TimedOut(
            f"gdtoolkit did not finish within {_SECONDS:g} s and was ended.",
            hint="Shorten the script, or the project's settings for it.",
        ) from None
    try:
        answer: dict[str, Any] = msgspec.json.decode(done.stdout)
    except msgspec.DecodeError:
        raise Unsupported("gdtoolkit failed.", hint=done.stderr.decode("utf-8", "replace")[-500:]) from None
    if "settings" in answer:
        raise Invalid(f"'{name}' cannot be read: {answer['settings']}.", path=name, rule="yaml")
    if "error" in answer:
        place = f" in line {answer['line']}" if answer["line"] else ""
        raise Invalid(f"gdtoolkit cannot read this{place}: {answer['error']}", path="input.scriptPath", rule="syntax")
    return answer
