"""Data files as Rojo turns them into instances: JSON, TOML and YAML into modules, CSV into localization tables."""

from __future__ import annotations

import csv
import io
import json
import math
import re
import tomllib
from collections.abc import Iterator
from typing import Any

from scenewright.roblox.place.errors import BrokenPlace

__all__ = ["json_without_comments", "localization", "localization_file", "module_source"]

_COLUMNS = ("Key", "Source", "Context", "Example")
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
_KEYWORDS = frozenset(
    (
        "and",
        "break",
        "do",
        "else",
        "elseif",
        "end",
        "false",
        "for",
        "function",
        "if",
        "in",
        "local",
        "nil",
        "not",
        "or",
        "repeat",
        "return",
        "then",
        "true",
        "until",
        "while",
        "continue",
        "export",
        "type",
    )
)
_COMMENT = re.compile(r'(?<!\\)"(?:\\.|[^"\\])*+"|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)
_COMMA = re.compile(r'(?<!\\)"(?:\\.|[^"\\])*+"|,(?=\s*+[\]}])', re.DOTALL)


def json_without_comments(text: str, where: str) -> Any:
    """Return the value of a JSON file, which may hold comments and loose commas that plain JSON does not know."""
    plain = _COMMENT.sub(lambda match: match.group() if match.group().startswith('"') else " ", text)
    plain = _COMMA.sub(lambda match: match.group() if match.group().startswith('"') else " ", plain)
    try:
        return json.loads(plain)
    except (ValueError, RecursionError) as error:  # also for a number of thousands of digits
        at = f" in line {error.lineno}, column {error.colno}" if isinstance(error, json.JSONDecodeError) else ""
        raise BrokenPlace(f"'{where}' is not JSON{at}.", hint="Mend the file; Rojo cannot read it either.") from None


def module_source(text: str, where: str) -> str:
    """Return the source of the module that a data file stands for."""
    if where.endswith(".toml"):
        try:
            value: Any = tomllib.loads(text)
        except (ValueError, RecursionError) as error:  # also for a number of thousands of digits
            raise BrokenPlace(f"'{where}' is not TOML: {error}.", hint="Mend the file.") from None
    elif where.endswith((".yaml", ".yml")):
        value = _yaml(text, where)
    else:
        value = json_without_comments(text, where)
    return f"return {_luau(value, 0)}"


def _yaml(text: str, where: str) -> Any:
    from yaml import YAMLError  # few projects have such files

    from scenewright.roblox.place.rojo.yaml12 import TooLarge, read_yaml

    try:
        return read_yaml(text)
    except (YAMLError, TooLarge, RecursionError, ValueError) as error:
        problem = " ".join(str(error).split())
        raise BrokenPlace(f"'{where}' is not YAML: {problem[:200]}.", hint="Mend the file.") from None


def _luau(value: Any, depth: int) -> str:
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "nil"}[value]
    if isinstance(value, float) and not math.isfinite(value):
        return "0 / 0" if math.isnan(value) else "math.huge" if value > 0 else "-math.huge"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, (dict, list)):
        return _table(value, depth)
    return _quoted(str(value))


def _table(value: dict[str, Any] | list[Any], depth: int) -> str:
    if not value:
        return "{}"
    inside, outside = "\t" * (depth + 1), "\t" * depth
    if isinstance(value, list):
        lines = [f"{inside}{_luau(item, depth + 1)}," for item in value]
    else:
        lines = [f"{inside}{_key(key)} = {_luau(item, depth + 1)}," for key, item in value.items() if key is not None]
    return "{\n" + "\n".join(lines) + f"\n{outside}}}"


def _key(key: Any) -> str:
    if not isinstance(key, str):
        return f"[{_luau(key, 0)}]"  # which YAML has
    return key if _IDENTIFIER.fullmatch(key) and key not in _KEYWORDS else f"[{_quoted(key)}]"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r")
    return '"' + escaped.replace("\t", "\\t").replace("\0", "\\0") + '"'


def localization(text: str, where: str) -> str:
    """Return the contents of a LocalizationTable.

    Raises:
        BrokenPlace: the file is no CSV.
    """
    entries = []
    for row in _csv_rows(text, where):
        known = {name: row.pop(name, "") or "" for name in _COLUMNS}
        if not known["Key"] and not known["Source"]:
            continue
        entry: dict[str, Any] = {key.lower(): value for key, value in known.items() if value}
        entry["values"] = {locale: value for locale, value in sorted(row.items()) if locale and value}
        entries.append(entry)
    return json.dumps(entries, ensure_ascii=False, separators=(",", ":"))


def _csv_rows(text: str, where: str) -> Iterator[dict[str, str]]:
    reader = csv.DictReader(io.StringIO(text, newline=""))
    try:
        for row in reader:
            yield {
                name: value for name, value in row.items() if name is not None
            }  # fields beyond the columns have none
    except csv.Error as error:
        raise BrokenPlace(f"'{where}' is not CSV in line {reader.line_num}: {error}.", hint="Mend the file.") from None


def localization_file(contents: str, like: str = "") -> str | None:
    """Return the CSV file of a LocalizationTable, with the columns of the file it had; None where its contents are
    none.
    """
    try:
        entries = json.loads(contents or "[]")
        rows = [_row(entry) for entry in entries]
    except (ValueError, TypeError, AttributeError):
        return None
    had = next(csv.reader(io.StringIO(like)), [])
    used = sorted({column for row in rows for column in row} - set(had))
    columns = [*had, *(name for name in _COLUMNS if not had or name in used), *(n for n in used if n not in _COLUMNS)]
    out = io.StringIO()
    writer = csv.DictWriter(out, columns, lineterminator="\r\n" if "\r\n" in like else "\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def _row(entry: dict[str, Any]) -> dict[str, str]:
    own = {name: str(entry[name.lower()]) for name in _COLUMNS if entry.get(name.lower())}
    return own | {str(locale): str(value) for locale, value in entry.get("values", {}).items()}
