"""Numbers, text and bytes."""

from __future__ import annotations

import base64
import binascii
import re
from typing import Any

from scenewright.roblox.value_forms.refusal import Refused
from scenewright.roblox.values import as_bytes, f32

__all__ = ["as_binary", "as_bool", "as_content_id", "as_number", "as_single", "as_text", "as_whole"]


def as_number(given: Any) -> float:
    if isinstance(given, bool) or not isinstance(given, (int, float, str)):
        raise Refused("a number")
    try:
        if isinstance(given, str) and "_" in given:
            raise ValueError
        return float(given)
    except (ValueError, OverflowError):
        raise Refused("a number") from None


def as_single(given: Any) -> float:
    return f32(as_number(given))


def as_whole(given: Any, bits: int = 32) -> int:
    if isinstance(given, str) and re.fullmatch(r"\s*-?\d{1,20}\s*", given):
        given = int(given)
    if isinstance(given, float) and given.is_integer():
        given = int(given)
    if isinstance(given, bool) or not isinstance(given, int) or not -(1 << bits - 1) <= given < 1 << bits - 1:
        raise Refused(f"a whole number of {bits} bits")
    return given


def as_bool(given: Any) -> bool:
    if isinstance(given, str) and given.strip().lower() in ("true", "false"):
        return given.strip().lower() == "true"
    if not isinstance(given, bool):
        raise Refused("true or false")
    return given


def as_text(given: Any) -> bytes:
    if isinstance(given, dict) and "base64" in given:
        return as_binary(given)
    if isinstance(given, bool) or not isinstance(given, (str, int, float)):
        raise Refused("text")
    return as_bytes(str(given))


def as_binary(given: Any) -> bytes:
    text = given.get("base64") if isinstance(given, dict) else None
    if not isinstance(text, str):
        raise Refused('bytes as {"_type": "BinaryString", "base64": "…"}')
    try:
        return base64.b64decode(text, validate=True)
    except binascii.Error:
        raise Refused("bytes in base64") from None


def as_content_id(given: Any) -> bytes:
    if isinstance(given, int) and not isinstance(given, bool):
        return b"rbxassetid://%d" % given
    if given is None:
        return b""
    return as_text(given)
