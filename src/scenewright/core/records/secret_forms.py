"""The forms that secrets take inside a text: known by how they look, or by the name they are given there.

Values in, values out. Every pattern is tried in linear time: quantifiers that could give back are possessive, or end
where the next one cannot begin.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise

__all__ = ["REDACTED", "hide_secrets", "is_secret_name"]

REDACTED = "[REDACTED]"

# Names

_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_SECRET_WORDS = (
    "token",
    "password",
    "passwd",
    "passphrase",
    "passcode",
    "pwd",
    "secret",
    "apikey",
    "authorization",
    "credential",
    "roblosecurity",
)
_BEFORE_KEY = (
    "api",
    "private",
    "access",
    "secret",
    "encryption",
    "signing",
    "master",
    "account",
    "shared",
    "storage",
    "deploy",
    "ssh",
    "auth",
    "session",
    "service",
    "subscription",
)
_PAIRS = {*((word, "key") for word in _BEFORE_KEY), ("access", "token"), ("auth", "header"), ("auth", "value")}
# What a name ends with that is about a secret and none itself; `max_tokens` counts them.
_ABOUT = {
    "box",
    "button",
    "count",
    "enabled",
    "expiry",
    "field",
    "file",
    "hint",
    "input",
    "label",
    "length",
    "limit",
    "node",
    "path",
    "pattern",
    "placeholder",
    "policy",
    "prompt",
    "regex",
    "required",
    "scene",
    "size",
    "timeout",
    "ttl",
    "type",
    "url",
    "visible",
}
_BEFORE_PASS = {"admin", "db", "ftp", "mail", "redis", "root", "smtp", "ssh", "user"}  # `next_pass` draws once more
_COUNTED = {"max", "min", "num", "number", "total", "used"}


@lru_cache(maxsize=2048)
def is_secret_name(name: str) -> bool:
    """Return whether what goes by this name is a secret."""
    words = [word.lower() for word in _WORDS.findall(name)]
    if len(words) > 1 and (words[-1] in _ABOUT or not _COUNTED.isdisjoint(words)):
        return False
    singular = [word.removesuffix("s") for word in words]
    # A name in one piece, such as `clientsecret`, ends with the word; `tokenizer` and `secretary` do not.
    return (
        any(word.endswith(_SECRET_WORDS) for word in singular)
        or "".join(words).removesuffix("s") in _SECRET_WORDS
        or any(pair in _PAIRS for pair in (*pairwise(singular), *pairwise(words)))
        or (len(words) > 1 and words[-1] == "pass" and words[-2] in _BEFORE_PASS)
    )


# Looks: known by their beginning or their shape, whatever they are called.

_LOOKS = re.compile(
    r"""(?<![A-Za-z0-9])(?:
        sk-(?:ant|proj|or|svcacct)-[\w-]{8,} | sk-[A-Za-z0-9]{20,}
      | (?:sk|rk)_(?:live|test)_\w{8,} | whsec_\w{16,}
      | gh[opusr]_\w{16,} | github_pat_\w{16,} | gl(?:pat|dt|rt|ptt|soat)-[\w-]{16,}
      | (?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])
      | AIza[\w-]{30,} | ya29\.[\w-]{16,} | GOCSPX-[\w-]{16,} | 1//0[\w-]{24,}
      | xox[abeoprs]-[\w-]{10,} | xapp-[\w-]{10,}
      | npm_[A-Za-z0-9]{30,} | pypi-[\w-]{30,} | hf_[A-Za-z0-9]{30,} | dop_v1_[a-f0-9]{32,}
      | xai-\w{20,} | gsk_\w{20,} | dckr_pat_[\w-]{20,} | lin_api_\w{20,} | figd_[\w-]{20,} | ATATT3[\w=-]{20,}
      | AGE-SECRET-KEY-1[A-Z0-9]{20,} | \d{8,10}:AA[\w-]{30,}   # the last is a Telegram bot's
      | SG\.[\w-]{16,}\.[\w-]{16,} | shp(?:at|ss|ca|pa)_[a-fA-F0-9]{32,}
      | eyJ[\w-]{8,}(?:\.[\w-]{4,}(?:\.[\w-]*)?|\Z)            # a JSON Web Token, maybe cut
      | [MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,}                # a Discord bot's
    )""",
    re.VERBOSE,
)
_PEM = re.compile(r"(-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----)(?:(?!-----END)[\s\S])*+")
_ROBLOX = re.compile(r"""_\|WARNING:-DO-NOT-SHARE-THIS[^\s"';,]*+""")
_HOOKS = re.compile(
    r"(hooks\.slack\.com/(?:services|workflows|triggers)/|discord(?:app)?\.com/api/webhooks/\d{1,30}/)[\w/-]++"
)
_USER_IN_ADDRESS = re.compile(r"(://[^/\s:@]*:)[^/\s]+(?=@)")
_TOKEN_IN_ADDRESS = re.compile(r"(://)[^/\s:@]{20,}(?=@)")
_SIGNATURE = re.compile(r"([?&](?:sig|signature|X-Amz-Signature)=)[^&\s\"']++", re.IGNORECASE)
_BEARER = re.compile(r"\b(bearer)\s+(?!authentication|authorization)[\w.~+/=-]{8,}", re.IGNORECASE)
# `Basic` is a word, too: what follows must be base64 of a name, a colon and a password.
_BASIC = re.compile(r"\b(basic)\s+(?=[A-Za-z+/]*[0-9=])[A-Za-z0-9+/]{8,}={0,2}", re.IGNORECASE)
_HEADER = re.compile(
    r"""\b((?:proxy-)?authorization(?=\W)|(?:set-)?cookie(?=\\*["']?\s*:\s*\\*["']?[\w.-]++=))(\\*["']?\s*:\s*\\*["']?)"""
    r"""(?=[^\r\n"'\\]*[\s=])[^\r\n"'\\]++""",
    re.IGNORECASE,
)

# Names inside a text, and what they are given.

_STRING = (
    r'"""(?:(?!""")[\s\S])*+'
    r"""|\\+["'][^"'\\]*+"""  # quoted inside what is quoted
    r'|"(?:[^"\\\n]|\\.)*+'
    r"|'(?:[^'\\\n]|\\.)*+"
    r"|`[^`]*+|\[\[(?:(?!\]\])[\s\S])*+"
)
_PREFIX = r"(?:[&$@^]|[bBfFrRuU]{1,2}(?=[\"']))?+"
_VALUE = rf"(?:{_PREFIX}(?P<string>{_STRING})|(?P<bare>[^\s,;&}}\])\"'<>`]++))"
# `name: Type = value` has two signs; the type says nothing.
_GIVEN = re.compile(
    r"""(?<![\w.-])(?P<name>[\w.-]++)(?P<sign>\\*["']?\]?[ \t]*+(?::[ \t]*+[\w.\[\]?]++[ \t]*+(?==[^=]))?+"""
    rf"(?::=|=>|\?\?=|\|\|=|=(?!=)|:(?!:|//))\s*+){_VALUE}"
)
_ARGUMENT = re.compile(rf"""(?P<sign>\(\s*+\\*["'](?P<name>[\w.-]++)\\*["']\s*+,\s*+){_PREFIX}(?P<string>{_STRING})""")
_SETTER = re.compile(rf"""(?<!\w)(?P<sign>(?P<name>set_?[A-Za-z]\w*+)\(\s*+){_PREFIX}(?P<string>{_STRING})""")
_FLAG = re.compile(rf"(?<!\S)(?P<sign>--(?P<name>[\w-]++)[ \t]++)(?!-){_VALUE}")
_ELEMENT = re.compile(r"(?P<sign><(?P<name>[\w.:-]++)>)(?P<bare>[^<]++)(?=</)")
_NETRC = re.compile(r"\b(machine\s++\S++\s++login\s++\S++\s++password\s++)\S++")
_LOGIN = re.compile(r"(?<!\S)((?:-u|--user)[ \t]++[^\s:]++:)\S++")
# What stands there instead of a value: types, literals, and code that gets it from elsewhere.
_NO_VALUE = re.compile(
    r"(?:String(?:Name)?|string|str|int|float|bool|boolean|number|any|object|Variant|Dictionary|Array|Packed\w+|Node\w*|Token"
    r"|true|false|True|False|null|nil|None|none|undefined|self|var|let|const|void|\[REDACTED|\$\w+|\$?\{\{?\w*|%\w+%?|\d{1,6})"
    r"(?:\[[\w, ]*\]?|\?)?|.*[(.\[].*|\W*",
    re.DOTALL,
)


def hide_secrets(text: str) -> str:
    """Return a text without what looks like a secret or is given to a name of one."""
    for needle, pattern, by in _STEPS:
        if needle is None or needle(text):
            text = pattern.sub(by, text)
    return text


def _without_value(match: re.Match[str]) -> str:
    parts = match.groupdict()
    if not is_secret_name(match["name"]):
        return match[0]
    bare = parts.get("bare")
    if bare is not None and _is_no_value(bare, match["name"]):
        return match[0]
    # In a flag, a call or an element the name is a part of what stands before the value.
    before = match["sign"] if match["name"] in match["sign"] else f"{match['name']}{match['sign']}"
    return f"{before}{REDACTED}"


def _is_no_value(bare: str, name: str) -> bool:
    """Return whether an unquoted value is code, a type or a small number; in a file of settings (`NAME=`) it is what it
    is.
    """
    return not name.isupper() and _NO_VALUE.fullmatch(bare) is not None


def _contains(first: str, *others: str) -> Callable[[str], bool]:
    if not others:
        return lambda text: first in text  # asked some hundred times a call
    return lambda text: first in text or any(part in text for part in others)


_STEPS: tuple[tuple[Callable[[str], bool] | None, re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    (_contains("PRIVATE KEY"), _PEM, rf"\1{REDACTED}"),
    (_contains("_|WARNING"), _ROBLOX, REDACTED),
    (_contains("hooks.slack", "/webhooks/"), _HOOKS, rf"\1{REDACTED}"),
    (_contains("://"), _USER_IN_ADDRESS, rf"\1{REDACTED}"),
    (_contains("://"), _TOKEN_IN_ADDRESS, rf"\1{REDACTED}"),
    (None, _LOOKS, REDACTED),
    (_contains("="), _SIGNATURE, rf"\1{REDACTED}"),
    (_contains(" "), _BEARER, rf"\1 {REDACTED}"),
    (_contains(" "), _BASIC, rf"\1 {REDACTED}"),
    (_contains(":"), _HEADER, rf"\1\2{REDACTED}"),
    (_contains("<"), _ELEMENT, _without_value),
    (_contains(" -", "--"), _FLAG, _without_value),
    (_contains("-u ", "--user"), _LOGIN, rf"\1{REDACTED}"),
    (_contains("machine"), _NETRC, rf"\1{REDACTED}"),
    (_contains("("), _ARGUMENT, _without_value),
    (_contains("set"), _SETTER, _without_value),
    (_contains(":", "="), _GIVEN, _without_value),
)
