"""Where policies come from: the packs that we ship, and the file that a server or a project names.

A file that cannot be read or understood is never passed over: it becomes a policy that denies everything.
"""

from __future__ import annotations

import json
import logging
import os
import stat
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from time import time_ns
from typing import Any

import msgspec

from scenewright.core.operations.model import JsonSchema, schema_of
from scenewright.core.policy.modes import Mode
from scenewright.core.policy.rules import Approver, Pack, Policy, RuleMatch

__all__ = [
    "POLICY_FILE",
    "PackError",
    "PolicySource",
    "pack_schema",
    "parse_pack",
    "shipped",
    "shipped_names",
    "source_of",
]

logger = logging.getLogger(__name__)

POLICY_FILE = "policy.json"  # in the project's state folder
SHIPPED = Path(__file__).parent / "ready_packs"
MAX_BYTES = 1 << 20
SETTLED_NS = 100_000_000  # a file younger than a clock's tick may change again without looking changed


class PackError(ValueError):
    """A pack cannot be used; each problem has a `field` and a `message`."""

    def __init__(self, problems: list[dict[str, str]]) -> None:
        self.problems = problems
        super().__init__(problems[0]["message"])


@cache
def shipped_names() -> tuple[str, ...]:
    """Return the packs that come with scenewright."""
    return tuple(sorted(path.stem for path in SHIPPED.glob("*.json")))


def shipped(name: str, approver: Approver = "person") -> Policy:
    """Return a pack that comes with scenewright, which the tests have checked; `approver` where it does
    not say whose.
    """
    return _shipped(name, approver)


@cache
def _shipped(name: str, approver: Approver) -> Policy:
    pack = msgspec.json.decode((SHIPPED / f"{name}.json").read_bytes(), type=Pack)
    return Policy(name, pack, approved_by=pack.approved_by or approver)


def source_of(name: str) -> str:
    """Return the text of a shipped pack, or of the file that a policy is named after."""
    path = SHIPPED / f"{name}.json" if name in shipped_names() else Path(name)
    return path.read_text(encoding="utf-8")


@cache
def pack_schema() -> JsonSchema:
    """Return the JSON Schema of a pack."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Policy pack v1",
        **schema_of(Pack),
    }


def parse_pack(text: str) -> Pack:
    """Read a pack, also one in the older form without `version` and `match`.

    Raises:
        PackError: it is not valid JSON, or not a pack.
    """
    from scenewright.core.calls.validation import compile_schema

    try:
        value = json.loads(text, object_pairs_hook=_unique)
    except RecursionError:
        raise PackError([_problem("", "it is nested too deeply")]) from None
    except PackError:
        raise
    except ValueError as error:
        raise PackError([_problem("", f"it is not valid JSON: {error}")]) from None
    if isinstance(value, dict) and "version" not in value:
        value = _from_flat(value)
    problems = compile_schema(pack_schema()).problems(value)
    if problems:
        raise PackError([_problem(problem["path"], problem["message"], problem.get("hint")) for problem in problems])
    return msgspec.convert(value, Pack)


def _problem(path: str, message: str, hint: str | None = None) -> dict[str, str]:
    place = path.removeprefix("input").lstrip(".")
    text = message.replace("'input.", "'").replace("'input'", "the pack").replace("a parameter here", "a field here")
    if place and place not in text:
        text = f"{place}: {text}"
    return {"field": place, "message": f"{text} {hint}" if hint else text}


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    # JSON's last one wins would turn a rule into another without a word.
    names = [name for name, _ in pairs]
    twice = next((name for index, name in enumerate(names) if name in names[:index]), None)
    if twice is not None:
        raise PackError([_problem(f"input.{twice}", f"'{twice}' is given twice in one object")])
    return dict(pairs)


def _from_flat(value: dict[str, Any]) -> dict[str, Any]:
    """Return a pack of the older form, whose rules hold their conditions themselves."""
    rules = value.get("rules")
    if not isinstance(rules, list) or any(isinstance(rule, dict) and "match" in rule for rule in rules):
        return value
    conditions = {field.encode_name for field in msgspec.structs.fields(RuleMatch)}
    return {"version": "v1", **value, "rules": [_nested(rule, conditions) for rule in rules]}


def _nested(rule: Any, conditions: set[str]) -> Any:
    if not isinstance(rule, dict):
        return rule
    match = {key: value for key, value in rule.items() if key in conditions}
    # An effect that is left out has always meant deny.
    return {"match": match, "effect": "deny"} | {key: value for key, value in rule.items() if key not in conditions}


@dataclass(frozen=True, slots=True)
class _Read:
    """A file as it was read, and whether it can be told from a later state of it."""

    signature: tuple[int, int, int]
    settled: bool
    policy: Policy


class PolicySource:
    """The policy in force for a project: of the server's file, of the person's own for the project, or the default.

    A file that the project brings (`limit`) comes on top and only makes it stricter; so does, of a project that only a
    call chose, the policy of the project that it lies in (`above`). All are looked at for every decision, which costs a
    `stat`, and read again when they have changed.
    """

    def __init__(
        self,
        own: Path,
        *,
        given: str | None = None,
        mode: Mode | None = None,
        approver: Approver = "person",
        limit: PolicySource | None = None,
        above: PolicySource | None = None,
    ) -> None:
        self._own = own
        self._limit = limit
        self._above = above
        self._given = given
        self._mode = mode
        self._approver = approver
        self._read: _Read | None = None
        self._said: str | None = None

    def current(self) -> Policy:
        """Return the policy as it is now."""
        policy = self._find_policy()
        if self._limit is not None and (limit := self._limit.own()) is not None:
            # That a caller's own approval counts is for the person to say, never for a project.
            whose = "person" if limit.approved_by == "person" else policy.approved_by
            policy = replace(policy, limit=limit, approved_by=whose)
        if self._above is not None:
            policy = policy.within(self._above.current())
        state = f"{policy.name}: {policy.broken or 'in force'}"
        if policy.limit is not None:
            state += f", limited by {policy.limit.name}: {policy.limit.broken or 'in force'}"
        if state != self._said:
            level = logging.ERROR if policy.broken else logging.DEBUG if self._said is None else logging.WARNING
            logger.log(level, "policy %s", state)
            self._said = state
        return policy

    def own(self) -> Policy | None:
        """Return the policy of its own file, if there is one."""
        return self._load(self._own, must_exist=True) if os.path.lexists(self._own) else None

    def _find_policy(self) -> Policy:
        if self._given is not None and self._given in shipped_names():
            return shipped(self._given, self._approver)
        if self._given is not None:
            return self._load(Path(self._given).expanduser(), must_exist=True)
        return self._load(self._own, must_exist=False)

    def _load(self, path: Path, *, must_exist: bool) -> Policy:
        try:
            status = os.stat(path)
        except (FileNotFoundError, NotADirectoryError):
            if must_exist or path.is_symlink():
                return Policy.unusable(str(path), "there is no such file")
            return shipped(self._mode or "default", self._approver)
        except (OSError, ValueError) as error:
            return Policy.unusable(str(path), _reason(error))
        signature = (status.st_mtime_ns, status.st_size, status.st_ino)
        if self._read is None or not self._read.settled or self._read.signature != signature:
            settled = time_ns() - status.st_mtime_ns > SETTLED_NS
            self._read = _Read(signature, settled, self._parsed(path, status))
        return self._read.policy

    def _parsed(self, path: Path, status: os.stat_result) -> Policy:
        if not stat.S_ISREG(status.st_mode):
            return Policy.unusable(str(path), "it is not a file")
        if status.st_size > MAX_BYTES:
            return Policy.unusable(str(path), f"it is larger than {MAX_BYTES} bytes")
        try:
            pack = parse_pack(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            return Policy.unusable(str(path), _reason(error))
        return Policy(str(path), pack, self._mode or "deny-by-default", pack.approved_by or self._approver)


def _reason(error: Exception) -> str:
    if isinstance(error, UnicodeDecodeError):
        return "it is not UTF-8"
    return (getattr(error, "strerror", None) or str(error)).rstrip(".")
