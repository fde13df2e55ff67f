"""What is set otherwise than at an earlier look, as lines: what came is marked with +, what went with -."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from scenewright.core.projects.overview import Item, Section, Thing, Values
from scenewright.core.text.counts import count_noun

__all__ = ["value_section"]


def value_section(before: Mapping[str, Values], now: Mapping[str, Values]) -> Section:
    """Return what differs in each file that both looks saw."""
    items = []
    for name in sorted(now.keys() & before.keys()):
        rows = list(_rows(before[name], now[name]))
        if rows:
            items.append(Item(name, (f"{count_noun(len(rows), 'change')}", "\n".join(_lines(rows))), first=True))
    return Section(name="values", items=items, more="a larger maxBytes")


def _rows(before: Values, now: Values) -> Iterator[tuple[str, str]]:
    """Yield the holder of each thing that is not as it was, and the line about it."""
    for (holder, name), thing in now.items():
        known = before.get((holder, name))
        if known is None:
            yield holder, f"+ {name}: {', '.join([thing.kind, *_told(thing.values)])}"
        elif known != thing:
            yield holder, f"{name}: {', '.join(_told(dict(_news(known, thing))))}"
    for holder, name in before:
        if (holder, name) not in now:
            yield holder, f"- {name}"


def _news(before: Thing, now: Thing) -> Iterator[tuple[str, str]]:
    if now.kind != before.kind:
        yield "", f"{now.kind} (was {before.kind})"
    old, new = {**before.values, **before.silent}, {**now.values, **now.silent}
    for name in dict.fromkeys([*new, *old]):
        if new.get(name) != old.get(name) and (name in old or name not in now.silent):
            was = f" (was {old[name]})" if name in old else ""
            yield name, f"{new.get(name, 'default')}{was}"


def _told(values: Mapping[str, str]) -> list[str]:
    return [f"{name}={value}" if name else value for name, value in values.items()]


def _lines(rows: list[tuple[str, str]]) -> Iterator[str]:
    by_holder: dict[str, list[str]] = {}
    for holder, line in rows:
        by_holder.setdefault(holder, []).append(line)
    for holder, lines in by_holder.items():
        yield from ([f"{holder}:", *(f"  {line}" for line in lines)] if holder else lines)
