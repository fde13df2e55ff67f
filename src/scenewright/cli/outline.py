"""What a call returns, as lines for a person: trees as trees, rows as tables, texts as they are.

Knows no terminal and no colours; whoever prints the lines makes control characters visible.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

__all__ = ["outline"]

_WIDEST_CELL = 60
_LONGEST_LINE = 76  # of short values in a row, so that nothing wraps on a narrow terminal
_MOST_ITEMS = 20  # of a list inside a row of another
_INDENT = "  "
_CHILDREN = ("children", "nodes")
_SAID = ("text", "message")
_KIND = ("type", "className", "class", "kind")
Row = Mapping[str, Any]


def outline(value: Any) -> list[str]:
    """Return a reply's data as lines; what is empty is left out."""
    is_object = isinstance(value, Mapping) and not _is_branch(value)
    return list(_object_lines(value, text_indent="") if is_object else _value_lines(value))


def _object_lines(value: Row, text_indent: str = _INDENT) -> Iterator[str]:
    """The parts of an object; texts of the reply itself are not indented, so that they can be copied."""
    told = {key: inner for key, inner in value.items() if inner is not None and inner not in ([], {}, "")}
    for key, inner in sorted(told.items(), key=lambda pair: _is_text(pair[1])):  # what is long comes last
        if _is_text(inner):
            yield f"{key}:"
            yield from (text_indent + line for line in str(inner).removesuffix("\n").split("\n"))
        elif _is_short(inner):
            yield f"{key}: {_one_line(inner)}"
        else:
            yield f"{key}:"
            yield from (_INDENT + line for line in _value_lines(inner))


def _value_lines(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        yield from _branch_lines(value) if _is_branch(value) else _object_lines(value)
    elif not isinstance(value, list):
        yield from _one_line(value).split("\n")
    elif all(isinstance(row, Mapping) for row in value):
        yield from _row_lines(value)
    else:
        yield from (line for item in value for line in _item_lines(item))


def _row_lines(rows: Sequence[Row]) -> Iterator[str]:
    if _are_paths(rows):
        yield from _path_lines(rows)
    elif all(_is_place(row) for row in rows):
        yield from map(_place_line, rows)
    elif all(_is_branch(row) for row in rows):
        yield from (line for row in rows for line in _branch_lines(row))
    elif _is_table(rows):
        yield from _table_lines(rows)
    else:
        yield from (line for row in rows for line in _item_lines(row))


def _item_lines(item: Any) -> Iterator[str]:
    """An item of a list, its further lines below its first."""
    if isinstance(item, Mapping):
        item = {key: _cut(inner) for key, inner in item.items()}
    first, *further = outline(item) or [""]
    yield f"- {first}"
    yield from (_INDENT + line for line in further)


def _cut(value: Any) -> Any:
    """A long list inside a row, cut, with a word of how much is left out."""
    if not isinstance(value, list) or len(value) <= _MOST_ITEMS or not all(isinstance(item, str) for item in value):
        return value
    return [*value[: _MOST_ITEMS - 1], f"… {len(value) - _MOST_ITEMS + 1} more, which --json shows"]


def _is_place(row: Row) -> bool:
    """Whether a row tells of a line in a file, as of compilers and grep."""
    placed = isinstance(row.get("path"), str) and (isinstance(row.get("line"), int) or "message" in row)
    return placed and any(isinstance(row.get(key), str) and row[key] for key in _SAID)


def _place_line(row: Row) -> str:
    where = ":".join(str(row[key]) for key in ("path", "line", "column") if row.get(key) is not None)
    said = next(str(row[key]) for key in _SAID if row.get(key))
    told = {"path", "line", "column", *_SAID}
    rest = "; ".join(f"{key}: {_one_line(value)}" for key, value in row.items() if key not in told and value)
    return f"{where}: {said.strip()}" + (f" ({rest})" if rest else "")


# Trees


def _is_branch(value: Row) -> bool:
    return isinstance(value.get("name"), str) and any(_is_list_of_rows(value.get(key)) for key in _CHILDREN)


def _is_list_of_rows(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(row, Mapping) for row in value)


def _branch_lines(node: Row) -> Iterator[str]:
    yield _node_line(node)
    inner = [row for key in _CHILDREN for row in node.get(key) or ()]
    yield from _below([list(_branch_lines(row)) for row in inner])


def _below(branches: Sequence[Sequence[str]]) -> Iterator[str]:
    for at, (first, *further) in enumerate(branches):
        last = at == len(branches) - 1
        yield ("└─ " if last else "├─ ") + first
        yield from (("   " if last else "│  ") + line for line in further)


def _are_paths(rows: Sequence[Row]) -> bool:
    """Whether these are nodes of one scene, each with its path, parents before children."""
    seen: set[str] = set()
    for row in rows:
        path = row.get("path")
        if not isinstance(path, str) or not isinstance(row.get("name"), str) or not _kind_of(row):
            return False
        if path != "." and "/" in path and path.rpartition("/")[0] not in seen:
            return False
        seen.add(path)
    return "." in seen


def _path_lines(rows: Sequence[Row]) -> Iterator[str]:
    inside: dict[str, list[Row]] = {}
    for row in rows:
        if row["path"] != ".":
            inside.setdefault(row["path"].rpartition("/")[0] or ".", []).append(row)

    def branch(row: Row) -> list[str]:
        return [_node_line(row), *_below([branch(child) for child in inside.get(row["path"], ())])]

    yield from branch(next(row for row in rows if row["path"] == "."))


def _node_line(node: Row) -> str:
    told = {"name", "path", *_CHILDREN, *_KIND}
    kind = _kind_of(node)
    rest = {key: value for key, value in node.items() if key not in told and value not in (None, [], {}, "", False)}
    extras = "  ".join(f"{key}: {_one_line(value)}" for key, value in rest.items())
    return str(node["name"]) + (f" ({kind})" if kind else "") + (f"  {extras}" if extras else "")


def _kind_of(node: Row) -> str:
    return next((str(node[key]) for key in _KIND if isinstance(node.get(key), str)), "")


# Tables


def _is_table(rows: Sequence[Row]) -> bool:
    cells = [cell for row in rows for cell in row.values()]
    small = all(not isinstance(cell, (Mapping, list)) and _is_cell(cell) for cell in cells)
    return len(rows) > 1 and small and max(map(len, _table_lines(rows))) <= _LONGEST_LINE


def _is_cell(cell: Any) -> bool:
    text = _one_line(cell)
    return len(text) <= _WIDEST_CELL and "\n" not in text


def _table_lines(rows: Sequence[Row]) -> Iterator[str]:
    names = list(dict.fromkeys(name for row in rows for name in row))
    table = [names, *([_one_line(row.get(name, "")) for name in names] for row in rows)]
    widths = [max(len(line[at]) for line in table) for at in range(len(names))]
    for line in table:
        yield _INDENT.join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()


# Values


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and "\n" in value


def _is_short(value: Any) -> bool:
    if isinstance(value, list):
        plain = not any(isinstance(item, (Mapping, list)) and len(str(item)) > _WIDEST_CELL for item in value)
        return plain and not _is_list_of_rows(value) and "\n" not in _one_line(value) and _fits(value)
    if isinstance(value, Mapping):
        flat = not any(isinstance(inner, (Mapping, list)) for inner in value.values())
        return flat and "\n" not in _one_line(value) and _fits(value)
    return True


def _fits(value: Any) -> bool:
    return len(_one_line(value)) <= _LONGEST_LINE


def _one_line(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "none"
    if isinstance(value, float):
        return f"{value:g}" if value == round(value, 4) else str(value)
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {_one_line(inner)}" for key, inner in value.items())
    if isinstance(value, list):
        numbers = all(isinstance(item, (int, float)) and not isinstance(item, bool) for item in value)
        inner = ", ".join(_one_line(item) for item in value)
        return f"[{inner}]" if numbers or any(isinstance(item, list) for item in value) else inner
    return str(value)
