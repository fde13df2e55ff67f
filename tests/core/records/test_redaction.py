"""Secrets do not reach a log."""

from __future__ import annotations

from typing import Any

import pytest

from scenewright.core.records.redaction import MAX_DEPTH, MAX_TEXT, REDACTED, redact


@pytest.mark.parametrize(
    "name",
    [
        "token",
        "password",
        "passwd",
        "secret",
        "apikey",
        "accessToken",
        "access_token",
        "ACCESS-TOKEN",
        "apiKey",
        "api_key",
        "API_KEY",
        "APIKey",
        "x-api-key",
        "Authorization",
        "clientsecret",
        "client.secret",
        "db_password2",
        "tokens",
        "passwords",
        "pass_word",
        "privateKey",
        "credentials",
        "GITHUB_TOKEN",
        "auth_header",
        "passphrase",
    ],
)
def test_a_secret_is_known_by_its_name(name: str) -> None:
    assert redact({name: "s3cret"}) == {name: REDACTED}
    assert redact({name: {"nested": ["s3cret"]}}) == {name: REDACTED}


@pytest.mark.parametrize(
    "name",
    ["key", "keys", "monkey", "tokenizer", "secretary", "author", "access", "api", "pass", "path", "compass", "n"],
)
def test_a_name_that_only_sounds_like_one_is_shown(name: str) -> None:
    assert redact({name: "shown"}) == {name: "shown"}


def test_secrets_are_found_at_any_depth() -> None:
    value: Any = {"token": "s3cret"}
    for _ in range(MAX_DEPTH - 1):
        value = [{"deeper": value}]
    assert "s3cret" not in str(redact(value))
    assert redact([{"a": ({"secret": 1},)}]) == [{"a": [{"secret": REDACTED}]}]


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        ('{"token": "s3cret word", "b": 1}', '{"token": [REDACTED]", "b": 1}'),
        ('"{\\"api_key\\": \\"s3cret\\"}"', '"{\\"api_key\\": [REDACTED]\\"}"'),
        ("run --password=s3cret --level=3", "run --password=[REDACTED] --level=3"),
        (
            "https://me:s3cret@host/x?access_token=s3cret&y=1",
            "https://me:[REDACTED]@host/x?access_token=[REDACTED]&y=1",
        ),
        ("Use Bearer s3cret.s3cret.s3cret now", "Use Bearer [REDACTED] now"),
        ("speed = 200, key: Space", "speed = 200, key: Space"),
        ("see https://host:8080/path", "see https://host:8080/path"),
    ],
)
def test_secrets_inside_a_text_are_hidden_and_the_rest_is_shown(text: str, hidden: str) -> None:
    assert redact(text) == hidden


def test_long_texts_are_cut_and_say_so() -> None:
    shown = redact("é" * 5000)
    assert shown == "é" * MAX_TEXT + "… (5,000 characters)"
    assert redact("x" * MAX_TEXT) == "x" * MAX_TEXT


def test_a_secret_at_the_cut_is_not_cut_in_two() -> None:
    assert "s3c" not in redact("x" * (MAX_TEXT - 12) + " token=s3cret" + "y" * 100)


def test_everything_comes_out_as_plain_values() -> None:
    assert redact({"a": (1, None, True, 1.5), 2: b"x", "half \ud800": "\udc80"}) == {
        "a": [1, None, True, 1.5],
        "2": "b'x'",
        "half ?": "?",
    }


def test_the_value_itself_is_not_changed() -> None:
    value = {"token": "s3cret", "a": [1]}
    redact(value)
    assert value == {"token": "s3cret", "a": [1]}


@pytest.mark.timeout(30)
@pytest.mark.parametrize("part", ["x", "a=", '"', "token", "-.", "://", "bearer ", "x:", "\\"])
def test_no_text_keeps_a_pattern_busy(part: str) -> None:
    assert len(redact(part * 10**6)) < 2 * MAX_TEXT
