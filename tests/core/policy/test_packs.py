"""Where policies come from, and what becomes of a file that cannot be used."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from tests.core.samples import sample

from scenewright.core.calls.call import Meta
from scenewright.core.calls.validation import compile_schema
from scenewright.core.config import Config
from scenewright.core.operations.declaration import Safety
from scenewright.core.policy.gates import subject_of
from scenewright.core.policy.packs import (
    PackError,
    PolicySource,
    pack_schema,
    parse_pack,
    shipped,
    shipped_names,
    source_of,
)
from scenewright.core.policy.rules import Approver, Decision, Subject

READ = subject_of(sample(), {}, Meta(), Config())
DENY_ALL: dict[str, Any] = {"version": "v1", "rules": [{"match": {}, "effect": "deny", "reason": "shut"}]}
ALLOW_ALL: dict[str, Any] = {"version": "v1", "rules": [{"match": {}, "effect": "allow"}]}


def subject(safety: Safety, *, dry_run: bool = False, dangerous: bool = False, **declared: Any) -> Subject:
    config = Config(allow_dangerous=dangerous)
    return subject_of(sample(safety=safety, **declared), {}, Meta(dry_run=dry_run), config)


def said(decision: Decision) -> str:
    return "approve" if decision.needs_approval else "allow" if decision.allowed else "deny"


READS, WRITES, WIPES = Safety.READ_ONLY, Safety.SAFE_WRITE, Safety.DESTRUCTIVE


@pytest.mark.parametrize(
    ("pack", "reads", "writes", "wipes", "tried", "dangerous"),
    [
        ("default", "allow", "allow", "approve", "allow", "allow"),
        ("careful", "allow", "allow", "approve", "allow", "allow"),
        ("gox", "allow", "allow", "approve", "allow", "allow"),
        ("local-dev", "allow", "deny", "deny", "allow", "deny"),
        ("read-only", "allow", "deny", "deny", "deny", "deny"),
        ("quarantine", "deny", "deny", "deny", "deny", "deny"),
        ("deny-by-default", "deny", "deny", "deny", "deny", "deny"),
        ("allow-all", "allow", "allow", "allow", "allow", "allow"),
    ],
)
def test_the_ready_packs_decide_as_they_say(
    pack: str, reads: str, writes: str, wipes: str, tried: str, dangerous: str
) -> None:
    policy = shipped(pack)
    assert said(policy.decide(subject(READS))) == reads
    assert said(policy.decide(subject(READS, pure=True))) == reads
    assert said(policy.decide(subject(WRITES))) == writes
    assert said(policy.decide(subject(WIPES))) == wipes
    assert said(policy.decide(subject(WIPES, dry_run=True))) == tried
    assert said(policy.decide(subject(WIPES, dangerous=True))) == dangerous
    assert said(policy.decide(subject(WRITES, runs_others=True))) == reads


def test_denying_by_default_without_rules_leaves_the_two_signs_of_life() -> None:
    policy = shipped("deny-by-default")
    for identifier in ("core.ping", "project.workspace_stats"):
        assert said(policy.decide(subject(READS, id=identifier))) == "allow"


def test_local_dev_shows_a_script_execution_and_runs_none() -> None:
    for identifier in ("roblox.script_execute", "roblox.instance_delete"):
        assert said(shipped("local-dev").decide(subject(WRITES, id=identifier))) == "deny"
        assert said(shipped("local-dev").decide(subject(WRITES, id=identifier, dry_run=True))) == "allow"


@pytest.mark.parametrize("name", shipped_names())
def test_the_ready_packs_are_valid_and_say_what_they_are_for(name: str) -> None:
    pack = parse_pack(source_of(name))
    assert pack == shipped(name).pack
    assert pack.description
    assert pack.mode


def test_the_published_schema_is_the_one_that_packs_are_checked_against() -> None:
    published = Path(__file__).parents[3] / "docs" / "policy.schema.json"
    assert json.loads(published.read_text()) == pack_schema()
    assert compile_schema(pack_schema()).accepts(DENY_ALL)


@pytest.mark.parametrize(
    ("text", "field", "words"),
    [
        ("", "", "JSON"),
        ("{", "", "JSON"),
        ("[]", "", "object"),
        ("[" * 100_000, "", "nested"),
        ("{}", "version", "required"),
        ('{"version": "v2", "rules": []}', "version", "v1"),
        ('{"version": "v1"}', "rules", "required"),
        ('{"rules": [{"match": {}, "effect": "deny"}]}', "version", "required"),
        ('{"version": "v1", "rules": [], "mode": "open"}', "mode", "deny-by-default"),
        ('{"version": "v1", "rules": [], "rule": []}', "rule", "'rules'"),
        ('{"version": "v1", "rules": [{"effect": "deny"}]}', "rules[0].match", "required"),
        ('{"version": "v1", "rules": [{"match": {}}]}', "rules[0].effect", "required"),
        ('{"version": "v1", "rules": [{"match": {}, "effect": "alow"}]}', "rules[0].effect", "'allow'"),
        ('{"version": "v1", "rules": [{"match": {"action": "x"}, "effect": "deny"}]}', "rules[0].match.action", "Id'"),
        (
            '{"version": "v1", "rules": [{"match": {"sideEffects": ["wipe"]}, "effect": "deny"}]}',
            "rules[0].match.sideEffects[0]",
            "destructive",
        ),
        ('{"version": "v1", "rules": [{"match": {"actor": ""}, "effect": "deny"}]}', "rules[0].match.actor", "actor"),
        ('{"version": "v1", "rules": [{"match": {"dryRun": 1}, "effect": "deny"}]}', "rules[0].match.dryRun", "bool"),
        (
            '{"version": "v1", "rules": [{"match": {}, "effect": "deny", "effect": "allow"}]}',
            "effect",
            "twice",
        ),
        ('{"rules": [{"actor": "me", "effect": "maybe"}]}', "rules[0].effect", "allow"),
        ('{"rules": ["deny"]}', "rules[0]", "object"),
    ],
)
def test_a_pack_that_is_wrong_is_refused_with_the_field_and_what_it_takes(text: str, field: str, words: str) -> None:
    with pytest.raises(PackError) as caught:
        parse_pack(text)
    problem = caught.value.problems[0]
    assert problem["field"] == field
    assert words in problem["message"]


def test_the_older_flat_form_means_the_same() -> None:
    flat = {"mode": "allow-all", "rules": [{"name": "n", "actorPrefix": "ci", "sideEffects": ["write"]}]}
    nested = {"name": "n", "match": {"actorPrefix": "ci", "sideEffects": ["write"]}, "effect": "deny"}
    assert parse_pack(json.dumps(flat)) == parse_pack(
        json.dumps({"version": "v1", "mode": "allow-all", "rules": [nested]})
    )


# The policy in force


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "policy.json"


def test_without_a_file_the_default_is_in_force_and_a_setting_changes_it(file: Path) -> None:
    assert PolicySource(file).current() is shipped("default")
    assert PolicySource(file, mode="deny-by-default").current() is shipped("deny-by-default")
    assert PolicySource(file, mode="allow-all").current() is shipped("allow-all")


def test_the_servers_file_comes_before_the_projects_own(file: Path, tmp_path: Path) -> None:
    file.write_text(json.dumps(ALLOW_ALL))
    other = tmp_path / "other.json"
    other.write_text(json.dumps(DENY_ALL))
    assert PolicySource(file).current().name == str(file)
    assert PolicySource(file, given=str(other)).current().decide(READ).reason == "shut"
    assert PolicySource(file, given="quarantine").current() is shipped("quarantine")


def test_a_pack_without_a_mode_has_the_servers(file: Path) -> None:
    file.write_text('{"version": "v1", "rules": []}')
    assert not PolicySource(file).current().decide(READ).allowed
    assert PolicySource(file, mode="allow-all").current().decide(READ).allowed
    file.write_text('{"version": "v1", "rules": [], "mode": "deny-by-default"}')
    assert not PolicySource(file, mode="allow-all").current().decide(READ).allowed


def test_a_changed_file_is_in_force_at_once_and_a_broken_one_shuts_the_door(file: Path) -> None:
    source = PolicySource(file)
    assert source.current().decide(READ).allowed
    for content, allowed in (
        (json.dumps(DENY_ALL), False),
        (json.dumps(ALLOW_ALL), True),
        ("{", False),
        (json.dumps(ALLOW_ALL), True),
    ):
        file.write_text(content)
        assert source.current().decide(READ).allowed is allowed
    file.unlink()
    assert source.current() is shipped("default")


def test_an_unchanged_file_is_read_once(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.write_text(json.dumps(ALLOW_ALL))
    os.utime(file, (1, 1))
    source = PolicySource(file)
    first = source.current()
    read: list[Path] = []
    monkeypatch.setattr(Path, "read_text", lambda path, **_: read.append(path))
    assert source.current() is first
    assert read == []


def test_a_file_that_changes_within_a_tick_of_the_clock_is_read_again(file: Path) -> None:
    source = PolicySource(file)
    file.write_text(json.dumps(DENY_ALL))
    stamp = file.stat()
    assert not source.current().decide(READ).allowed
    with file.open("r+") as opened:
        opened.write(json.dumps(DENY_ALL).replace("deny", "allo").replace('"allo"', '"deny"').replace("shut", "shot"))
    os.utime(file, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    assert source.current().decide(READ).reason == "shot"


@pytest.mark.parametrize("kind", ["absent", "folder", "fifo", "binary", "huge", "dangling", "unreadable"])
def test_a_file_that_cannot_be_read_denies_everything_and_names_itself(kind: str, tmp_path: Path) -> None:
    place = tmp_path / "given.json"
    if kind == "folder":
        place.mkdir()
    elif kind == "fifo":
        os.mkfifo(place)
    elif kind == "binary":
        place.write_bytes(b"\xff\xfe")
    elif kind == "huge":
        place.write_text(" " * (1 << 21))
    elif kind == "dangling":
        place.symlink_to(tmp_path / "none.json")
    elif kind == "unreadable":
        place = tmp_path / "not-a-folder" / "given.json"
        (tmp_path / "not-a-folder").touch()
    decision = PolicySource(tmp_path / "policy.json", given=str(place)).current().decide(READ)
    assert not decision.allowed
    assert str(place) in decision.reason


def test_a_link_of_the_project_that_leads_nowhere_is_not_passed_over(file: Path, tmp_path: Path) -> None:
    file.symlink_to(tmp_path / "none.json")
    assert not PolicySource(file).current().decide(READ).allowed


def test_the_careful_pack_asks_before_every_deletion_whatever_the_server_allows() -> None:
    delete: dict[str, Any] = {"id": "test.delete"}
    for dangerous in (False, True):
        assert said(shipped("careful").decide(subject(WRITES, dangerous=dangerous, **delete))) == "approve"
    assert said(shipped("careful").decide(subject(WRITES, dry_run=True, **delete))) == "allow"
    assert said(shipped("default").decide(subject(WRITES, **delete))) == "allow"


@pytest.mark.parametrize(
    ("own", "given", "approver", "counts"),
    [
        (None, None, "person", "person"),
        (None, None, "caller", "caller"),
        (None, "gox", "person", "caller"),
        (None, "careful", "caller", "person"),
        ("caller", None, "person", "caller"),
        ("person", None, "caller", "person"),
    ],
)
def test_a_callers_word_counts_only_where_the_person_says_so(
    tmp_path: Path, own: str | None, given: str | None, approver: Approver, counts: str
) -> None:
    place = tmp_path / "policy.json"
    if own:
        place.write_text(json.dumps(ALLOW_ALL | {"approvedBy": own}))
    assert PolicySource(place, given=given, approver=approver).current().approved_by == counts


def test_the_servers_own_file_may_let_a_callers_word_count(tmp_path: Path) -> None:
    place = tmp_path / "mine.json"
    place.write_text(json.dumps(ALLOW_ALL | {"approvedBy": "caller"}))
    assert PolicySource(tmp_path / "policy.json", given=str(place)).current().approved_by == "caller"
