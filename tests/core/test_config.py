"""What the environment and the command line decide."""

from __future__ import annotations

from pathlib import Path

import pytest

from scenewright.core.calls.rate_limit import RateLimit
from scenewright.core.config import Config, ConfigError
from scenewright.core.operations.tiers import Tier


def test_nothing_set_means_the_defaults() -> None:
    config = Config.from_environment({})
    assert config == Config()
    assert (config.read_only, config.allow_dangerous, config.allow_external) == (False, False, False)
    assert config.rate_limit == RateLimit(100, 10.0)
    assert config.tier is Tier.TIER4


@pytest.mark.parametrize("value", ["true", "1", "YES", " on "])
@pytest.mark.parametrize(
    ("name", "field"),
    [
        ("READ_ONLY_MODE", "read_only"),
        ("ALLOW_DANGEROUS_OPS", "allow_dangerous"),
        ("ALLOW_EXTERNAL_TOOLS", "allow_external"),
    ],
)
def test_a_switch_takes_the_usual_words(name: str, field: str, value: str) -> None:
    assert getattr(Config.from_environment({name: value}), field) is True
    assert getattr(Config.from_environment({name: "off"}), field) is False
    assert getattr(Config.from_environment({name: ""}), field) is False


@pytest.mark.parametrize(
    ("name", "value", "field", "expected"),
    [
        ("SCENEWRIGHT_TIER", "tier1", "tier", Tier.TIER1),
        ("SCENEWRIGHT_RATE_LIMIT", "off", "rate_limit", None),
        ("SCENEWRIGHT_RATE_LIMIT", "7/0.5", "rate_limit", RateLimit(7, 0.5)),
        ("GOX_MCP_MAX_PAYLOAD_BYTES", "1", "max_payload_bytes", 1),
        ("SCENEWRIGHT_MAX_REPLY_BYTES", "9000", "max_reply_bytes", 9000),
        ("GOX_ACTION_TIMEOUT_SECONDS", "90", "action_timeout", 90.0),
        ("GODOT_MCP_AUDIT_MAX_BYTES", "1024", "audit_max_bytes", 1024),
        ("GODOT_MCP_AUDIT_BACKUPS", "0", "audit_backups", 0),
        ("GOX_RUNLOG_RETENTION_MAX_AGE_SECONDS", "60", "run_max_age", 60.0),
        ("SCENEWRIGHT_JOURNAL_MAX_ENTRIES", "5", "journal_max_entries", 5),
        ("GOX_LOG_LEVEL", "WARN", "log_level", "warn"),
        ("SCENEWRIGHT_LOG_LEVEL", "debug", "log_level", "debug"),
    ],
)
def test_each_variable_sets_its_field(name: str, value: str, field: str, expected: object) -> None:
    assert getattr(Config.from_environment({name: value}), field) == expected


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("READ_ONLY_MODE", "maybe"),
        ("ALLOW_DANGEROUS_OPS", "2"),
        ("SCENEWRIGHT_TIER", "gold"),
        ("SCENEWRIGHT_RATE_LIMIT", "fast"),
        ("SCENEWRIGHT_RATE_LIMIT", "0/1"),
        ("GOX_MCP_MAX_PAYLOAD_BYTES", "0"),
        ("GOX_MCP_MAX_PAYLOAD_BYTES", "1.5"),
        ("GOX_MCP_MAX_PAYLOAD_BYTES", "9" * 5000),
        ("GOX_ACTION_TIMEOUT_SECONDS", "9" * 400),
        ("SCENEWRIGHT_MAX_REPLY_BYTES", "1999"),
        ("GOX_ACTION_TIMEOUT_SECONDS", "-1"),
        ("GODOT_MCP_AUDIT_MAX_BYTES", "1023"),
        ("GODOT_MCP_AUDIT_BACKUPS", "-1"),
        ("SCENEWRIGHT_LOG_LEVEL", "loud"),
        ("GOX_LOG_LEVEL", "loud"),
    ],
)
def test_what_a_variable_cannot_hold_is_refused_by_its_name(name: str, value: str) -> None:
    with pytest.raises(ConfigError) as caught:
        Config.from_environment({name: value})
    assert str(caught.value).startswith(f"{name} must be ")
    assert len(str(caught.value)) < 300


def test_our_own_log_level_comes_before_the_contracts() -> None:
    env = {"SCENEWRIGHT_LOG_LEVEL": "error", "GOX_LOG_LEVEL": "debug"}
    assert Config.from_environment(env).log_level == "error"


def test_a_flag_comes_before_the_environment_where_it_is_given(tmp_path: Path) -> None:
    env = {"READ_ONLY_MODE": "true"}
    assert Config.from_environment(env, read_only=None, project=tmp_path).read_only is True
    assert Config.from_environment(env, read_only=False).read_only is False
    assert Config.from_environment({}, project=tmp_path).project == tmp_path


def test_the_process_environment_is_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("READ_ONLY_MODE", "yes")
    assert Config.from_environment().read_only is True
