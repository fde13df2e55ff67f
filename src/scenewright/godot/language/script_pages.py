"""Pages about scripts, as reStructuredText or Markdown, made of the XML that the engine's doctool writes."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from scenewright.godot.classes.markup import to_markdown, to_rst

__all__ = ["PageFormat", "page_of"]

PageFormat = Literal["rst", "markdown"]
_RULES = "=-~"


def page_of(xml: bytes, how: PageFormat) -> str:
    """Return the page of one class."""
    return _Page(how, ET.fromstring(xml)).text()


@dataclass(frozen=True, slots=True)
class _Page:
    how: PageFormat
    root: ET.Element

    def text(self) -> str:
        name = self.root.get("name", "").strip('"')
        parts = [self._heading(name, 0)]
        if base := self.root.get("inherits"):
            parts.append(f"Inherits {self._code(base)}.")
        parts += [self._prose(self.root.find(tag)) for tag in ("brief_description", "description")]
        for title, entries in self._sections():
            rows = list(entries)
            if rows:
                parts += [self._heading(title, 1), *rows]
        return "\n\n".join(part for part in parts if part) + "\n"

    def _sections(self) -> Iterator[tuple[str, Iterable[str]]]:
        find = self.root.findall
        yield "Properties", (self._entry(self._member(element), element) for element in find("members/member"))
        yield (
            "Methods",
            (self._entry(_signature(element), element.find("description")) for element in find("methods/method")),
        )
        yield (
            "Signals",
            (self._entry(_signature(element), element.find("description")) for element in find("signals/signal")),
        )
        yield "Constants", (self._entry(_constant(element), element) for element in find("constants/constant"))

    def _member(self, element: ET.Element) -> str:
        default = f" = {element.get('default')}" if element.get("default") is not None else ""
        return f"{element.get('name')}: {element.get('type')}{default}"

    def _entry(self, title: str, about: ET.Element | None) -> str:
        prose = self._prose(about)
        return self._heading(self._code(title), 2) + (f"\n\n{prose}" if prose else "")

    def _heading(self, text: str, level: int) -> str:
        return f"{text}\n{_RULES[level] * len(text)}" if self.how == "rst" else f"{'#' * (level + 1)} {text}"

    def _code(self, text: str) -> str:
        return f"``{text}``" if self.how == "rst" else f"`{text}`"

    def _prose(self, element: ET.Element | None) -> str:
        lines = ((element.text if element is not None else None) or "").strip().splitlines()
        text = "\n".join(line.strip() for line in lines)
        return to_rst(text) if self.how == "rst" else to_markdown(text)


def _signature(element: ET.Element) -> str:
    parameters = ", ".join(
        f"{parameter.get('name')}: {parameter.get('type')}"
        + (f" = {parameter.get('default')}" if parameter.get("default") else "")
        for parameter in element.findall("param")
    )
    returned = element.find("return")
    gives = f" -> {returned.get('type')}" if returned is not None else ""
    return f"{element.get('name')}({parameters}){gives}"


def _constant(element: ET.Element) -> str:
    of = f" (enum {element.get('enum')})" if element.get("enum") else ""
    return f"{element.get('name')} = {element.get('value')}{of}"
