"""Secrets do not reach the audit log, the run log or stderr, and what only looks like one stays readable."""

from __future__ import annotations

import io
import json
import logging
from pathlib import Path

import pytest
from tests.conftest import Caller

from scenewright.core.faults import Denied
from scenewright.core.records.redaction import redact
from scenewright.core.records.secret_forms import REDACTED, hide_secrets
from scenewright.server.logs import JsonLines

# What must not be seen is between ‹ and ›.
PEM = "‹MIIEpAIBAAKCAQEA7bq9\nc3VwZXJzZWNyZXQ\n›-----END RSA PRIVATE KEY-----"
SECRETS = [
    'var api_key := "‹hunter2-abc›"',
    'const API_KEY: String = "‹hunter2 with words›"',
    "api_key = ‹hunter2abc›",
    'local apiKey = "‹hunter2abc›"',
    'private readonly string ApiKey = @"‹hunter2abc›";',
    "let password: string = `‹hunter2abc›`;",
    "password: ‹hunter2abc›",
    "DB_PASSWORD=‹hunter2.abc(1)›",
    "export GITHUB_TOKEN=‹abcdef012345›",
    '{"client_secret": "‹hun\\"ter2›"}',
    '{\\"clientSecret\\": \\"‹hunter2›\\"}',
    "{'password': '‹hunter2›'}",
    'config["api_key"] = "‹hunter2›"',
    'headers.set("X-Api-Key", "‹hunter2abc›")',
    'token = """‹several\nlines of it›"""',
    "secret = [[‹long luau string›]]",
    "<password>‹hunter2abc›</password>",
    "deploy --password ‹hunter2abc› --level 3",
    "curl -u me:‹hunter2› https://host/",
    "aws_secret_access_key = ‹wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY›",
    "DefaultEndpointsProtocol=https;AccountKey=‹Zm9vYmFyYmF6cXV4›==;EndpointSuffix=x",
    "Server=x;User Id=sa;Password=‹hunter2abc›;",
    "the key is ‹sk-ant-api03-AbCdEf0123456789_xyz›",
    "‹sk-AbCdEf0123456789AbCdEf0123456789›",
    "‹sk-proj-AbCdEf0123456789AbCdEf›",
    "‹ghp_AbCdEf0123456789AbCdEf0123456789abcd›",
    "‹gho_AbCdEf0123456789AbCdEf0123456789abcd›",
    "‹ghs_AbCdEf0123456789AbCdEf0123456789abcd›",
    "‹github_pat_11ABCDEFG0abcdefghijkl_mnopqrstuvwxyz›",
    "‹glpat-AbCdEf0123456789xyz_›",
    "‹AKIAIOSFODNN7EXAMPLE›",
    "id ‹ASIAIOSFODNN7EXAMPLE› used",
    "‹AIzaSyA1234567890abcdefghijklmnopqrstuv›",
    "‹ya29.a0AfH6SMBabcdefghijklmnop›",
    "‹GOCSPX-abcdefghijklmnopqrstuvwx›",
    "‹xoxb-123456789012-abcdefABCDEF›",
    "https://hooks.slack.com/services/‹T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX›",
    "https://discord.com/api/webhooks/123456789012345678/‹abcDEF_123-xyz›",
    "‹MTAxMjM0NTY3ODkwMTIzNDU2Nw.GabcDE.abcdefghijklmnopqrstuvwxyz0123456789AB›",
    "‹npm_AbCdEf0123456789AbCdEf0123456789abcd›",
    "‹pypi-AgEIcHlwaS5vcmcCJDAwMDAwMDAwLTAwMDAtMDAwMC0w›",
    "‹hf_AbCdEf0123456789AbCdEf01234567›",
    "‹sk_live_AbCdEf0123456789›",
    "‹whsec_AbCdEf0123456789AbCd›",
    "‹SG.abcdefghijklmnopqrst.abcdefghijklmnopqrstuvwxyz›",
    f"-----BEGIN RSA PRIVATE KEY-----\n{PEM}",
    "-----BEGIN OPENSSH PRIVATE KEY-----\\n‹b3BlbnNzaC1rZXk›\\n-----END OPENSSH PRIVATE KEY-----",
    "-----BEGIN EC PRIVATE KEY-----\n‹MHcCAQEEIcut off in the middle›",
    "‹eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.SflKxwRJSMeKKF2QT4fwpMeJf36›",
    "Authorization: Basic ‹dXNlcjpwYXNz›",
    "Authorization: Bearer ‹abcdef012345›",
    "'Authorization': 'Token ‹abcdef012345›'",
    "Use Basic ‹dXNlcjpwYXNzd29yZA==› here",
    "Cookie: session=‹abcdef›; other=‹x›",
    ".ROBLOSECURITY=‹_|WARNING:-DO-NOT-SHARE-THIS.--Sharing-this-will-allow.|_CAEaAhABabcdef›",
    "the cookie ‹_|WARNING:-DO-NOT-SHARE-THIS.--Sharing-this-will-allow.|_CAEaAhABabcdef›",
    "https://me:‹hunter2›@host/path",
    "postgres://me:‹p@ss›@host:5432/db",
    "https://‹abcdefghijklmnopqrstuvwx›@github.com/x/y.git",
    "https://host/blob?sv=1&sig=‹abc%2Bdef%3D›&x=1",
    "https://host/x?access_token=‹abcdef›&y=1",
    "//registry.example.org/:_authToken=‹abcdef012345›",
    "private_key_id: x, private_key: ‹abcdef012345›",
    'password ??= "‹hunter2›"',
    "machine host login me password ‹hunter2abc›",
    "‹123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw›",
    "‹AGE-SECRET-KEY-1QQPQZ8DKX6LXWMEQWQXXXXXXXXXXXX›",
    "‹xai-AbCdEf0123456789AbCdEf0123456789›",
    "‹gsk_AbCdEf0123456789AbCdEf0123456789›",
    "‹dckr_pat_AbCdEf0123456789AbCdEf01›",
    "‹lin_api_AbCdEf0123456789AbCdEf0123›",
    "‹figd_AbCdEf0123456789AbCdEf0123›",
    "‹ATATT3xFfGF0AbCdEf0123456789AbCdEf›",
    'db_pass = "‹hunter2abc›"',
    '$Login.set_password("‹hunter2abc›")',
]


@pytest.mark.parametrize("form", SECRETS)
def test_a_secret_is_hidden_whatever_its_form(form: str) -> None:
    text = form.replace("‹", "").replace("›", "")
    hidden = hide_secrets(text)
    assert REDACTED in hidden
    for part in form.split("‹")[1:]:
        secret = part.split("›")[0]
        assert secret not in hidden
        assert not any(piece in hidden for piece in secret.split() if len(piece) > 5)


INNOCENT = [
    "func set_token(token: String) -> void:",
    "var password: String",
    "@export var api_key: String = get_key()",
    "password = Config.read(0)",
    "token = tokens[3]",
    '{"maxTokens": 4096, "tokenCount": 12}',
    "max_tokens = 4096",
    "token_type: identifier",
    "password_field = $Login/Password",
    "secret_door: NodePath",
    "if token == other:",
    "password is wrong, try again",
    "tokenizer = WordTokenizer",
    "secretary: Alice",
    "author = Bob",
    "monkey: banana, key: Space",
    "keyboard = 3, hotkey = F5",
    "basic movement and basic character controller",
    "The bearer of bad news",
    "Bearer authentication is required",
    "see https://host:8080/path and https://user@host/",
    "git@github.com:owner/project.git",
    "sk-ip the intro, sketch-book, risk-averse-people-everywhere",
    "npm_config_registry is set, npm_run",
    "pypi-server is a program",
    "AKIA is a prefix; ASIAN food",
    "res://addons/ghp_plugin/main.gd",
    "uid://c4h8sk2jq1x3e",
    "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    'ExtResource("1_abcde")',
    "eyJust a word",
    "-----BEGIN PUBLIC KEY-----\nMIIBIjANBg\n-----END PUBLIC KEY-----",
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMq me@host",
    "Vector2(1.5, -3), Color(1, 0.5, 0.25, 1)",
    '<node name="Token" type="Sprite2D"/>',
    "cookies: 5, cookie_clicker = true",
    "const COOKIE: int = 3",
    "run --token-limit 5 --level 3",
    "password: ${DB_PASSWORD}",
    "token: null, secret: false",
    "speed = 200; health := 100",
    "a::b, c => d, e -> f",
    "NO.abc.def, MNO.xyz",
    "next_pass = SubResource, render_pass: opaque, compass = north, bypass: 1",
    "login me, password is wrong",
    'set_text("hello"), set_tokenizer("words"), asset_token_path("x")',
    "12:30, 1234:AA, 20261118:AAfternoon",
]


@pytest.mark.parametrize("text", INNOCENT)
def test_what_only_looks_like_a_secret_stays_readable(text: str) -> None:
    assert hide_secrets(text) == text


def test_a_setting_named_in_one_parameter_and_given_in_another_is_hidden() -> None:
    given = {"nodePath": "Http", "property": "api_key", "value": "hunter2"}
    assert redact(given) == given | {"value": REDACTED}
    assert redact({"property": "position", "value": [1, 2]}) == {"property": "position", "value": [1, 2]}
    assert redact({"secret": None, "token": True}) == {"secret": None, "token": True}


def test_a_key_that_is_given_line_by_line_is_hidden() -> None:
    lines = [
        "before",
        "-----BEGIN RSA PRIVATE KEY-----",
        "MIIEpAIBAAKCAQEA7bq9",
        "c3VwZXI",
        "-----END RSA PRIVATE KEY-----",
    ]
    hidden = redact({"lines": [*lines, "after"]})["lines"]
    assert hidden[2:4] == [REDACTED, REDACTED]
    assert (hidden[0], hidden[-1]) == ("before", "after")


HOSTILE = [
    "set",
    'set_a("',
    "machine a login a password ",
    "machine a ",
    "123456789:AA",
    "a:",
    "a: b ",
    "a = ",
    'password = "',
    'password = \\"',
    '"""',
    "[[",
    "-----BEGIN PRIVATE KEY-----",
    "://a:",
    "://",
    "eyJaaaaaaaaa.",
    "sk-",
    "gh",
    "xox",
    "<a>",
    "--a ",
    '("a",',
    "basic 0",
    "bearer a",
    "cookie: ",
    "Mabcdefghijklmnopqrstuvw.",
    " ",
    "\t\n",
    "=",
    ":",
    "\\",
    "'",
    "a.",
    "a-",
    "SG.aaaaaaaaaaaaaaaaaaaa.",
    "_|WARNING:-DO-NOT-SHARE-THIS",
    "authorization: ",
    "A1",
    "1//0",
    "token: x: ",
    "token:" + " " * 50,
]


@pytest.mark.timeout(60)
@pytest.mark.parametrize("part", HOSTILE)
def test_no_text_keeps_a_pattern_busy(part: str) -> None:
    """Twenty times what is ever looked at; a pattern that is not linear would take hours."""
    assert hide_secrets((part * 60_000)[:60_000] + "!") is not None


@pytest.mark.anyio
async def test_no_secret_of_a_call_is_in_any_file_of_ours(project: Path, caller: Caller) -> None:
    secrets = [form.split("‹")[1].split("›")[0] for form in SECRETS]
    for number, form in enumerate(SECRETS):
        text = form.replace("‹", "").replace("›", "")
        await caller.run("read_file", {"path": f"missing/{number}", "note": text, "query": {"deep": [text]}})
        await caller.run(text[:200], {"text": text})
    caller.runtime.runs.recent()
    caller.runtime.close()
    for place in project.rglob("*"):
        if place.is_file():
            content = place.read_bytes()
            found = [secret for secret in secrets if len(secret) > 6 and secret.encode() in content]
            assert found == [], place


def test_secrets_do_not_reach_stderr() -> None:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonLines())
    logger = logging.getLogger("test-secrets")
    logger.propagate = False
    logger.addHandler(handler)
    try:
        raise Denied('no file "api_key = hunter2abc"')
    except Denied:
        logger.exception("failed with %s", {"password": "hunter2abc"})
    finally:
        logger.removeHandler(handler)
    line = json.loads(stream.getvalue())
    assert "hunter2abc" not in stream.getvalue()
    assert "Traceback" in line["exception"]
