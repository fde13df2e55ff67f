"""What scenewright itself keeps and is told in files: policies, plans, settings, audit log, history, clients' files."""

from __future__ import annotations

import json
import tempfile
from contextlib import closing
from functools import cache
from pathlib import Path

from tests.fuzz.target import Target, texts

from scenewright.core.config import Config, ConfigError
from scenewright.core.faults import Fault
from scenewright.core.policy.packs import PackError, parse_pack
from scenewright.core.policy.rules import Policy, Subject
from scenewright.core.projects.project import Project
from scenewright.core.projects.restrictions import Restrictions
from scenewright.core.records.audit import AuditLog
from scenewright.core.records.run_store import RunStore
from scenewright.core.settings import SettingsError, apply_settings
from scenewright.core.writes.changeset import Change
from scenewright.core.writes.journal import Author, Journal
from scenewright.setup.json_text import TextProblem, parse_json, remove_member, set_member
from scenewright.setup.toml_text import parse_toml, remove_table, set_table
from scenewright.workflow.definition_checks import read_definition
from scenewright.workflow.references import references_in

_PACK = {
    "version": "v1",
    "mode": "deny-by-default",
    "rules": [
        {
            "match": {"actionPrefix": "godot.", "sideEffects": ["write"], "dryRun": False},
            "effect": "allow",
            "priority": 2,
        },
        {"match": {}, "effect": "deny", "reason": "no", "requiresApproval": False},
    ],
}
_PLAN = {
    "id": "p",
    "steps": [
        {"id": "a", "actionId": "core.ping", "input": {"x": {"$ref": "inputs.y"}}, "retry": {"maxAttempts": 2}},
        {"parallel": [{"actionId": "core.ping"}, {"actionId": "core.ping", "when": {"stepId": "a", "equals": 1}}]},
    ],
}
_SETTINGS = 'roots = ["/tmp"]\nread_only = true\ntier = "read"\nrate_limit = "100/10"\nmax_payload_bytes = 1000\n'
_CLIENT = '{\n  // mine\n  "mcpServers": {"a": {"command": "b", "args": ["c"]}},\n  "x": 1,\n}\n'
_CODEX = 'model = "x"\n\n[mcp_servers.a]\ncommand = "b"\n\n[mcp_servers.a.env]\nC = "d"\n'


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="fuzz-records-")


def _new_place(name: str) -> Path:
    """A file of a folder where nothing is."""
    folder = Path(_folder().name)
    for old in folder.iterdir():
        old.unlink()
    return folder / name


def _policy(data: bytes) -> None:
    pack = parse_pack(data.decode("utf-8", "replace"))
    subject = Subject(action="godot.node.add", names=frozenset({"add_node"}), side_effects=frozenset({"write"}))
    decision = Policy("fuzz", pack).decide(subject)
    assert decision.reason
    for rule in pack.rules:
        assert rule.match.covers(rule.match) or rule.match.side_effects == []


def _plan(data: bytes) -> None:
    definition = read_definition(json.loads(data))
    for step in definition.steps:
        list(references_in(step, "input"))


def _settings(data: bytes) -> None:
    place = _new_place("scenewright.toml")
    place.write_bytes(data)
    found = {"SCENEWRIGHT_SETTINGS": str(place)}
    restrictions = Restrictions(place.parent)
    limited = restrictions.applied_to(Config(project=place.parent))
    assert isinstance(restrictions.refused, str)
    assert Config(project=place.parent).tier.includes(limited.tier)
    apply_settings(found)
    Config.from_environment(found)


def _audit(data: bytes) -> None:
    """A log that somebody wrote into is read, judged, and gone on with; the record added last is there."""
    place = _new_place("audit.log")
    place.write_bytes(data)
    log = AuditLog(place)
    log.tail(5)
    log.verify()
    log.append({"tool": "fuzz"})
    assert log.tail(1)[0]["tool"] == "fuzz"
    log.verify()


def _audit_head(data: bytes) -> None:
    place = _new_place("audit.log")
    log = AuditLog(place)
    log.append({"tool": "first"})
    place.with_name(".audit.log.head").write_bytes(data)
    log.verify()
    log.append({"tool": "fuzz"})
    assert log.tail(1)[0]["tool"] == "fuzz"


def _audit_seeds() -> tuple[bytes, ...]:
    place = _new_place("audit.log")
    log = AuditLog(place)
    for number in range(3):
        log.append({"tool": f"t{number}", "arguments": {"a": [1, None]}})
    return (place.read_bytes(), place.read_bytes()[:-9])


def _head_seeds() -> tuple[bytes, ...]:
    place = _new_place("audit.log")
    AuditLog(place).append({"tool": "t"})
    return (place.with_name(".audit.log.head").read_bytes(),)


def _journal(data: bytes) -> None:
    """A history that is damaged is said to be, and nothing is written."""
    place = _new_place("journal.sqlite")
    place.write_bytes(data)
    with closing(Journal(Project(place.parent), place.parent)) as journal:
        for entry in journal.entries(limit=20):
            for file in entry.files:
                _ = file.kind, journal.content(file.before), journal.content(file.after)
        journal.recall("x")
        journal.recover()


def _journal_seeds() -> tuple[bytes, ...]:
    place = _new_place("journal.sqlite")
    with closing(Journal(Project(place.parent), place.parent)) as journal:
        journal.commit([Change("a.txt", None, b"one")], Author("write_file", "c", None, "Wrote."))
    return (place.read_bytes(),)


def _runs(data: bytes) -> None:
    """A damaged log of runs is put aside, and a new one begun."""
    place = _new_place("runs.sqlite")
    place.write_bytes(data)
    with closing(RunStore(place, max_age=1e9)) as store:
        store.use(lambda database: database.execute("SELECT * FROM run LIMIT 5").fetchall())


def _client_json(data: bytes) -> None:
    """A member is set and nothing else changes; taken away again, all is as before."""
    text = data.decode("utf-8", "replace")
    before = parse_json(text)
    after = set_member(text, ("mcpServers", "scenewright"), {"command": "x"})
    value = parse_json(after)
    assert value["mcpServers"].pop("scenewright") == {"command": "x"}
    assert value == before or value == {**before, "mcpServers": {}}
    remove_member(after, ("mcpServers", "scenewright"))


def _client_toml(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    before = parse_toml(text)
    after = set_table(text, ("mcp_servers", "scenewright"), {"command": "x", "args": ["a"]})
    value = parse_toml(after)
    assert value["mcp_servers"].pop("scenewright") == {"command": "x", "args": ["a"]} or "nan" in text
    remove_table(after, ("mcp_servers", "scenewright"))
    assert isinstance(before, dict)


_REFUSED_SETTINGS = (SettingsError, ConfigError)
_JSON = (b'"version": ', b'"rules": [', b'"match": {', b'"steps": [', b'"parallel": [', b'"$ref": ', b"null", b"true")

TARGETS = (
    Target("records.policy", _policy, texts(json.dumps(_PACK)), refuses=(PackError,), words=_JSON),
    Target("records.plan", _plan, texts(json.dumps(_PLAN)), refuses=(Fault, ValueError, RecursionError), words=_JSON),
    Target("records.settings", _settings, texts(_SETTINGS), refuses=_REFUSED_SETTINGS),
    Target("records.audit", _audit, _audit_seeds, words=(b'"n":', b'"hash":', b'"prev":', b"\n")),
    Target("records.audit_head", _audit_head, _head_seeds),
    Target("records.journal", _journal, _journal_seeds),
    Target("records.runs", _runs, lambda: _journal_seeds()),
    Target(
        "records.client_json",
        _client_json,
        texts(_CLIENT),
        refuses=(TextProblem,),
        words=(b"//", b"/*", b"*/", b'"mcpServers"'),
    ),
    Target(
        "records.client_toml",
        _client_toml,
        texts(_CODEX),
        refuses=(TextProblem,),
        words=(b"[mcp_servers", b"[[", b'"""', b"'''", b" = nan"),
    ),
)
