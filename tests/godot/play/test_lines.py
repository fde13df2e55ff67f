"""What a played game tells in lines: nodes that are alike in one, values that stay in one."""

from __future__ import annotations

import pytest

from scenewright.core.faults import Invalid
from scenewright.godot.play.digest_lines import node_lines
from scenewright.godot.play.films import CUT, digest_at, pack_film, unpack_film
from scenewright.godot.play.watch_rows import fold_rows


def test_nodes_that_are_alike_are_one_line_and_what_moves_comes_first() -> None:
    coins = [
        [f"Coins/{place}/Coin{number or ''}", "Area2D", f"{number},5", ""] for place in "ab" for number in range(3)
    ]
    rows = [["Door", "Area2D", "9,9", "hidden"], *coins, ["Player", "CharacterBody2D", "1,2", "velocity 3,0 floor"]]
    assert node_lines(rows) == [
        "Player CharacterBody2D 1,2 velocity 3,0 floor",
        "Door Area2D 9,9 hidden",
        "Coin Area2D ×6: 0,5 1,5 2,5 …",
    ]
    assert node_lines(coins[:4])[-1] == "Coins/b/Coin Area2D 0,5"
    many = [[f"Enemy{number}", "RigidBody2D", "0,0", f"velocity {number},0"] for number in range(45)]
    assert node_lines(many)[-1] == "… 5 more"


def test_values_that_stay_are_one_line() -> None:
    assert fold_rows(["x"], [[1, ["a"]], [2, ["a"]], [3, ["b"]]]) == ["1-2: a", "3: b"]
    assert fold_rows(["x", "y"], [[4, ["1", "2"]]]) == ["4: x = 1, y = 2"]
    rows = fold_rows(["x"], [[number, [str(number)]] for number in range(300)])
    assert len(rows) == 201
    assert "… 100 more" in rows


def test_a_film_has_the_digest_of_each_frame() -> None:
    film = [
        [1, {"scene": "res://a.tscn", "node Player": ["CharacterBody2D", "1,2", "floor"], "state Player": "coins=0"}],
        [3, {"node Player": ["CharacterBody2D", "4,2", ""], "text Hud": {"text": "9", "rect": [0, 0, 1, 1]}}],
        [5, {"node Player": None}],
        [7, {CUT: True}],
    ]
    packed = unpack_film(pack_film(film))
    assert digest_at(packed, 0) is None
    second, fourth, sixth = (digest_at(packed, frame) for frame in (2, 4, 6))
    assert second is not None
    assert (second["frame"], second["nodes"]) == (2, [["Player", "CharacterBody2D", "1,2", "floor"]])
    assert fourth is not None
    assert (fourth["nodes"][0][2], fourth["texts"][0]["text"], fourth["state"]) == ("4,2", "9", {"Player": "coins=0"})
    assert sixth is not None
    assert sixth["nodes"] == []
    assert digest_at(packed, 8) is None
    for text in ("AAAA", "no base64!", pack_film([["x", 1]])):
        with pytest.raises(Invalid):
            unpack_film(text)
