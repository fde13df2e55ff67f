"""How many examples a fuzz test takes: each is a call of a real server."""

from __future__ import annotations

from hypothesis import settings

few = settings() if settings.get_current_profile_name() == "search" else settings(max_examples=10)
