"""`scenewright policy`: what a person or a script learns about the policy."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scenewright.cli.main import main
from scenewright.core.policy.packs import shipped_names
from scenewright.core.projects.ownership import state_folder


@pytest.fixture
def folder(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(project)
    return project


@pytest.fixture
def say(folder: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    """Runs a command: `say("policy", "list")` returns the exit code, what was printed and what was complained of."""

    def run(*words: str) -> tuple[int, str, str]:
        code = main(words)
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return run


def put_in_force(folder: Path, *rules: dict[str, Any], **fields: Any) -> Path:
    place = state_folder(folder) / "policy.json"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(json.dumps({"version": "v1", "rules": rules, **fields}))
    return place


def explained(say: Any, *words: str) -> dict[str, Any]:
    code, out, _ = say("policy", "explain", *words, "--json")
    assert code == 0
    return dict(json.loads(out))


def test_the_list_names_the_ready_packs_and_the_policy_in_force(say: Any, folder: Path) -> None:
    code, out, _ = say("policy", "list")
    assert code == 0
    assert all(name in out for name in ("default", "local-dev", "read-only", "quarantine"))
    assert "In force: default" in out
    assert say("policy") == say("policy", "list")
    place = put_in_force(folder)
    listed = json.loads(say("policy", "list", "--json")[1])
    assert listed["inForce"] == str(place)
    assert [pack["name"] for pack in listed["packs"]] == list(shipped_names())


def test_a_ready_pack_that_is_shown_can_be_put_in_force(say: Any, folder: Path) -> None:
    code, out, _ = say("policy", "show", "read-only")
    assert code == 0
    (folder / "pack.json").write_text(out)
    assert say("policy", "check", "pack.json")[0] == 0
    assert say("policy", "use", "pack.json")[0] == 0
    assert explained(say, "write_file")["decision"] == "deny"
    assert explained(say, "read_file")["decision"] == "allow"
    assert say("policy", "show")[1] == out
    assert say("policy", "use", "default")[0] == 0
    assert explained(say, "write_file")["decision"] == "allow"


def test_a_pack_that_is_not_there_is_wrong_usage(say: Any) -> None:
    code, _, err = say("policy", "show", "read-onyl")
    assert code == 2
    assert "'read-only'" in err


def test_explain_names_the_rule_that_decides_and_why_those_before_it_did_not(say: Any) -> None:
    found = explained(say, "close_editor")
    assert found["operation"] == "godot.editor.close"
    assert found["sideEffects"] == ["destructive", "write"]
    assert (found["decision"], found["rule"]) == ("approve", "destructive-needs-approval")
    assert (found["policy"], found["reason"]) == ("default", "destructive operations need approval")
    assert [(rule["rule"], rule["matches"]) for rule in found["considered"]] == [
        ("dry-runs-change-nothing", False),
        ("dangerous-allowed", False),
        ("destructive-needs-approval", True),
    ]
    assert found["considered"][0]["because"] == "dryRun must be true and is false"
    code, out, _ = say("policy", "explain", "close_editor")
    assert code == 0
    assert "allowed once a person approves, because destructive operations need approval" in out
    assert "rule 'destructive-needs-approval' of default" in out


def test_explain_takes_the_actor_the_dry_run_and_the_action_of_a_manager(say: Any, folder: Path) -> None:
    rules: list[dict[str, Any]] = [
        {"name": "bots", "match": {"actorPrefix": "bot-"}, "effect": "deny", "priority": 2},
        {"name": "writes", "match": {"actionId": "project.file.write", "dryRun": False}, "effect": "deny"},
        {"name": "rest", "match": {}, "effect": "allow", "priority": -1},
    ]
    put_in_force(folder, *rules)
    write = ("project_file_manager", '{"action": "write", "path": "a"}')
    assert explained(say, *write)["rule"] == "writes"
    assert explained(say, *write, "--dry-run")["rule"] == "rest"
    assert explained(say, "write_file", '{"dryRun": true}')["rule"] == "rest"
    assert explained(say, *write, "--actor", "bot-1")["rule"] == "bots"
    unmet = explained(say, "read_file", "--actor", "me")["considered"]
    assert unmet[0]["because"] == "actorPrefix must be bot- and is me"
    assert unmet[1]["because"] == "actionId must be project.file.write and is project.file.read"


def test_explain_tells_of_a_setting_that_comes_before_any_policy(say: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("READ_ONLY_MODE", "true")
    assert "read-only mode" in explained(say, "write_file")["gate"]
    assert "denied before any policy" in say("policy", "explain", "write_file")[1]
    assert "gate" not in explained(say, "read_file")


def test_explain_says_where_no_rule_decides_and_that_a_batch_is_decided_call_by_call(say: Any, folder: Path) -> None:
    put_in_force(folder, mode="allow-all")
    found = explained(say, "batch_operations")
    assert "rule" not in found
    assert found["runsOthers"] is True
    _, out, _ = say("policy", "explain", "batch_operations")
    assert "no rule, so its mode allow-all" in out
    assert "Each call that it makes is decided on its own." in out


def test_explain_of_a_broken_policy_says_what_is_broken(say: Any, folder: Path) -> None:
    place = put_in_force(folder, {"match": {}, "effect": "alow"})
    found = explained(say, "core.ping")
    assert found["decision"] == "deny"
    assert str(place) in found["reason"]
    assert "rules[0].effect" in found["reason"]
    assert "cannot be used" in say("policy", "list")[1]


def test_explain_of_a_tool_that_is_not_there_is_wrong_usage(say: Any) -> None:
    code, _, err = say("policy", "explain", "delete_fil")
    assert code == 2
    assert "delete_file" in err


def test_check_lists_everything_that_is_wrong_and_exits_with_1(say: Any, folder: Path) -> None:
    place = put_in_force(folder, {"match": {"actoin": "x"}, "effect": "alow"}, mode="open")
    code, out, _ = say("policy", "check", str(place))
    assert code == 1
    assert all(field in out for field in ("rules[0].effect", "rules[0].match.actoin", "mode"))
    code, out, _ = say("policy", "check", str(place), "--json")
    assert code == 1
    assert {problem["field"] for problem in json.loads(out)["problems"]} == {
        "rules[0].effect",
        "rules[0].match.actoin",
        "mode",
    }
    (folder / "binary.json").write_bytes(b"\xff")
    assert say("policy", "check", "binary.json")[0] == 1
    assert say("policy", "check", "none.json")[0] == 2


def test_check_tells_of_rules_that_cannot_be_meant(say: Any, folder: Path) -> None:
    place = put_in_force(
        folder,
        {"name": "preview", "match": {"actionId": "delete_file", "dryRun": True}, "effect": "allow", "priority": 1},
        {"name": "never", "match": {"actionId": "delete_file"}, "effect": "deny", "priority": 2},
        {"name": "asked", "match": {"actor": "me"}, "effect": "deny", "requiresApproval": True},
        {"name": "typo", "match": {"actionId": "project.file.delte"}, "effect": "deny"},
        {"name": "nothing", "match": {"actionPrefix": "blender."}, "effect": "deny"},
    )
    code, out, _ = say("policy", "check", str(place), "--json")
    assert code == 0
    notes = json.loads(out)["notes"]
    assert any("'preview' never decides: 'never' comes first" in note for note in notes)
    assert any("'asked': requiresApproval means nothing" in note for note in notes)
    assert any("'project.file.delte'" in note and "'project.file.delete'" in note for note in notes)
    assert any("begins with 'blender.'" in note for note in notes)
    assert len(notes) == 4


def test_no_ready_pack_has_a_rule_that_never_decides(say: Any, folder: Path) -> None:
    for name in shipped_names():
        (folder / "pack.json").write_text(say("policy", "show", name)[1])
        _, out, _ = say("policy", "check", "pack.json", "--json")
        assert not [note for note in json.loads(out)["notes"] if "never decides" in note]


def test_the_schema_can_be_printed(say: Any) -> None:
    code, out, _ = say("policy", "schema")
    assert code == 0
    assert json.loads(out)["title"] == "Policy pack v1"
