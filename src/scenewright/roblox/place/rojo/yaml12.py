"""YAML as Rojo reads it, by version 1.2 of the language: `yes` is text, `010` is ten, a date is text."""

from __future__ import annotations

import re
from typing import Any, Final

import yaml

__all__ = ["TooLarge", "read_yaml"]

MOST_NODES: Final = 100_000  # an alias can stand for more than a file could say
_PREFIX = "tag:yaml.org,2002:"


class TooLarge(ValueError):
    """Its aliases stand for more than anyone could want."""


class _Loader(yaml.SafeLoader):
    """Only what 1.2 takes for something else than text."""

    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012 - the library's own way

    def flatten_mapping(self, node: yaml.MappingNode) -> None:
        """Merge nothing, which is not of 1.2: a few merges of merges would take hours."""


for _name, _pattern, _first in (
    ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
    ("null", r"~|null|Null|NULL|", "~nN"),
    ("int", r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+", "-+0123456789"),
    (
        "float",
        r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)",
        "-+.0123456789",
    ),
):
    _Loader.add_implicit_resolver(
        _PREFIX + _name, re.compile(f"(?:{_pattern})$"), [*_first, *([""] if _name == "null" else [])]
    )


def _integer(loader: _Loader, node: yaml.ScalarNode) -> int:
    text = str(loader.construct_scalar(node))
    return int(text, 0) if text[:2] in ("0o", "0x") else int(text)


_Loader.add_constructor(_PREFIX + "int", _integer)


def read_yaml(text: str) -> Any:
    """Return the value of a file.

    Raises:
        yaml.YAMLError: it is not YAML.
        TooLarge: what it stands for has no end.
    """
    value = yaml.load(text, _Loader)
    waiting, seen = [value], 0
    while waiting:
        seen += 1
        if seen > MOST_NODES:
            raise TooLarge(f"more than {MOST_NODES:,} values")
        item = waiting.pop()
        waiting += list(item.values()) if isinstance(item, dict) else item if isinstance(item, list) else []
    return value
