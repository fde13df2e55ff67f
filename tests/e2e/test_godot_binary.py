"""The Godot that other tests drive."""

from __future__ import annotations

import subprocess

import pytest
from tests.e2e.tools import godot

pytestmark = pytest.mark.godot


def test_the_godot_at_hand_is_a_4() -> None:
    command = [godot(), "--headless", "--version"]
    version = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout
    assert version.startswith("4.")
