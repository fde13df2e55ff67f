"""The commands that an editor offers, found by what they are for: their names differ from version to version.

A name is taken as a set of words, with its group: `editor_play`, `editor play` and `editor.playmode` + `enter` are
three of them. Nothing here asks the editor.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scenewright.core.faults import Invalid, NotFound, Unsupported, did_you_mean

__all__ = ["Command", "Commands", "Intent", "Parameter"]

MOST_COMMANDS = 5000
_DEEPEST = 8  # groups of commands inside each other
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_JOINED = {("game", "object"): "gameobject", ("play", "mode"): "playmode", ("re", "compile"): "recompile"}
_NO_GROUP = ("", "global", "root")
UPDATE = "Update com.unity.pipeline in the project (`unity pipeline upgrade`), or call the editor's own command with"
UPDATE += " unity_editor_manager command.run; command.list shows what there is."


@dataclass(frozen=True, slots=True)
class Intent:
    """What a command is for.

    `names` are sets of words that such commands are called by, the best first; words of `never` belong to others.
    `parameters` are what we mean by each parameter, with the names that it may have; those of `required` must be there,
    and one that has a parameter of `lacks` is for something else.
    """

    purpose: str
    names: tuple[str, ...]
    never: str = ""
    parameters: Mapping[str, str] = field(default_factory=dict)
    required: tuple[str, ...] = ()
    lacks: str = ""


@dataclass(frozen=True, slots=True)
class Parameter:
    name: str
    description: str
    kind: str
    required: bool


@dataclass(frozen=True, slots=True)
class Command:
    """A command as the editor lists it; `name` is what it is called by."""

    name: str
    description: str
    tags: tuple[str, ...]
    parameters: Mapping[str, Parameter]  # by their names without dashes and capitals
    words: frozenset[str]

    @property
    def is_guarded(self) -> bool:
        """Whether it wants to be told that its effects are meant."""
        return "confirm" in self.parameters or "destructive" in self.tags

    @property
    def can_be_tried(self) -> bool:
        return "dryrun" in self.parameters

    def parameter(self, names: str) -> Parameter | None:
        """Return the parameter that has one of some names."""
        return next((match for name in names.split() if (match := self.parameters.get(_plain(name)))), None)

    def arguments_for(self, intent: Intent, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return arguments for what is meant; what may be left out is, where this version has no parameter for it."""
        known = ((self.parameter(intent.parameters[meaning]), value) for meaning, value in values.items())
        return {parameter.name: value for parameter, value in known if parameter is not None}

    def bind(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return arguments by the names that the editor has for them.

        Raises:
            Invalid: it has no such parameter, or needs another.
        """
        bound: dict[str, Any] = {}
        for name, value in values.items():
            parameter = self.parameters.get(_plain(name))
            if parameter is None:
                names = [each.name for each in self.parameters.values()]
                raise Invalid(
                    f"'{self.name}' has no parameter '{name}'.",
                    path=f"input.parameters.{name}",
                    rule="unknown",
                    hint=did_you_mean(name, names) or f"It takes: {', '.join(names) or 'nothing'}.",
                )
            bound[parameter.name] = value
        missing = [each.name for each in self.parameters.values() if each.required and each.name not in bound]
        if missing:
            raise Invalid(
                f"'{self.name}' needs '{missing[0]}'.",
                path=f"input.parameters.{missing[0]}",
                rule="required",
                hint=self.parameters[_plain(missing[0])].description or None,
            )
        return bound


class Commands:
    """All commands of an editor."""

    def __init__(self, commands: Iterable[Command]) -> None:
        self.by_name: dict[str, Command] = {}
        for command in commands:
            self.by_name.setdefault(command.name, command)

    @classmethod
    def read(cls, listing: Any) -> Commands:
        """Return the commands of a listing, flat or in groups; entries that say nothing are passed over."""
        return cls(_read_entries(listing, ""))

    def named(self, name: str) -> Command:
        """Return a command by its name, however its words are joined.

        Raises:
            NotFound: there is none; the hint names some that are alike.
        """
        if name in self.by_name:
            return self.by_name[name]
        same = [command for command in self.by_name.values() if _plain(command.name) == _plain(name)]
        if len(same) == 1:
            return same[0]
        raise NotFound(
            f"The editor has no command '{name[:100]}'.",
            hint=did_you_mean(name, list(self.by_name)) or "unity_editor_manager command.list shows what there is.",
        )

    def find(self, intent: Intent) -> Command | None:
        """Return the command for a purpose; None where there is none, or where it is not clear which one."""
        never = _words(intent.never)
        able = [each for each in self.by_name.values() if not each.words & never and _takes(each, intent)]
        for names in intent.names:
            wanted = _words(names)
            fitting = [command for command in able if wanted <= command.words]
            fewest = min((len(command.words) for command in fitting), default=0)
            best = [command for command in fitting if len(command.words) == fewest]
            if best:
                return best[0] if len(best) == 1 else None
        return None

    def require(self, intent: Intent) -> Command:
        """Return the command for a purpose.

        Raises:
            Unsupported: this editor has none.
        """
        if (command := self.find(intent)) is None:
            raise Unsupported(f"This editor's Pipeline package has no command to {intent.purpose}.", hint=UPDATE)
        return command


def _takes(command: Command, intent: Intent) -> bool:
    has_all = all(command.parameter(intent.parameters[name]) for name in intent.required)
    return has_all and command.parameter(intent.lacks) is None


def _read_entries(listing: Any, group: str, depth: int = 0) -> Iterator[Command]:
    if not isinstance(listing, Mapping) or depth > _DEEPEST:
        return
    for entry in _items(listing.get("commands")):
        if (command := _read_command(entry, group)) is not None:
            yield command
    for part in (*_items(listing.get("groups")), *_items(listing.get("children"))):
        inside = part.get("group") or part.get("name") if isinstance(part, Mapping) else None
        yield from _read_entries(part, str(inside or group), depth + 1)


def _read_command(entry: Any, group: str) -> Command | None:
    if not isinstance(entry, Mapping) or not isinstance(name := entry.get("name"), str) or not name.strip():
        return None
    group = str(entry.get("group") or group)
    whole = name if group in _NO_GROUP or re.split(r"[ .]", name)[0] == group else f"{group} {name}"
    parameters = [each for each in map(_read_parameter, _items(entry.get("parameters"))) if each is not None]
    return Command(
        whole[:200],
        str(entry.get("description") or "")[:500],
        tuple(str(tag) for tag in _items(entry.get("tags"))),
        {_plain(parameter.name): parameter for parameter in parameters},
        _words(whole),
    )


def _read_parameter(entry: Any) -> Parameter | None:
    if not isinstance(entry, Mapping) or not isinstance(name := entry.get("name"), str) or not name:
        return None
    kind = str(entry.get("type") or "")
    return Parameter(name[:100], str(entry.get("description") or "")[:300], kind[:60], entry.get("required") is True)


def _items(value: Any) -> Sequence[Any]:
    return value[:MOST_COMMANDS] if isinstance(value, list) else ()


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def _words(name: str) -> frozenset[str]:
    """Return the words of a name in one form: `list_open_scenes` has list, open and scene."""
    words: list[str] = []
    for word in (match.lower() for match in _WORDS.findall(name)):
        if words and (joined := _JOINED.get((words[-1], word))):
            words[-1] = joined
        else:
            words.append(word)
    return frozenset(word[:-1] if len(word) > 3 and word.endswith("s") and word[-2] != "s" else word for word in words)
