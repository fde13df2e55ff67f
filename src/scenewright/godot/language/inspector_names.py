"""Names as the inspector shows them."""

from __future__ import annotations

__all__ = ["capitalized"]


def capitalized(name: str) -> str:
    """Write a name as the inspector does: `VERY_FAST` as `Very Fast`, `HTTPServer` as `Http Server`."""
    words = "".join(f" {letter}" if _starts_word(name, at) else letter for at, letter in enumerate(name))
    for separator in "_-":
        words = words.replace(separator, " ")
    return " ".join(word[:1].upper() + word[1:] for word in words.lower().split())


def _starts_word(name: str, at: int) -> bool:
    before, letter, after = name[at - 1 : at], name[at], name[at + 1 : at + 2]
    if not before:
        return False
    return (
        (before.islower() and letter.isupper())
        or ((before.isupper() or before.isdigit()) and letter.isupper() and after.islower())
        or (before.isdigit() and letter.islower() and after.islower())
        or ((before.isupper() or before.islower()) and letter.isdigit())
    )
