"""Connections made and cut, and instances opened for changes."""

from __future__ import annotations

import pytest
from tests.godot.documents.game import scene, tree_of

from scenewright.core.faults import Fault, NotFound
from scenewright.godot.documents.connections import NewConnection, connect, disconnect, set_editable
from scenewright.godot.documents.errors import EditError
from scenewright.godot.documents.nodes import NewNode, add_node, remove_node
from scenewright.godot.documents.scene import Scene
from scenewright.godot.documents.variant import ExtResource


def headers(which: Scene, tag: str) -> list[str]:
    return [section.text.partition("\n")[0] for section in which.document.tagged(tag)]


def test_a_connection_stands_in_the_order_of_its_source() -> None:
    level = scene("level")
    wire = NewConnection("draw", "World/Door", "Watcher", "_on_hit")
    assert headers(connect(level, wire), "connection")[:2] == [
        '[connection signal="body_entered" from="World/Door" to="Watcher" method="_on_hit"]',
        '[connection signal="draw" from="World/Door" to="Watcher" method="_on_hit"]',
    ]
    wire = NewConnection("ready", ".", "./Watcher", "_on_hit", 4, (ExtResource("3_script"), "a"), 0)
    after = connect(level, wire)
    assert headers(after, "connection")[0] == (
        '[connection signal="ready" from="." to="Watcher" method="_on_hit" flags=6'
        ' binds= [ExtResource("3_script"), "a"]]'
    )
    assert disconnect(after, "ready", ".", "Watcher", "_on_hit").document.text == level.document.text


def test_the_first_connection_and_the_last_leave_no_gap() -> None:
    old = scene("old")
    after = connect(old, NewConnection("ready", "Box", ".", "queue_free", unbinds=1))
    assert after.document.text.endswith(
        'instance=ExtResource("1_k2f0x")]\n\n'
        '[connection signal="ready" from="Box" to="." method="queue_free" unbinds=1]\n'
    )
    assert disconnect(after, "ready", "Box", ".", "queue_free").document.text == old.document.text


def test_a_node_inside_an_instance_can_be_connected_when_the_tree_is_known() -> None:
    level = scene("level")
    wire = NewConnection("timeout", "Boss/Timer", "Watcher", "_on_hit")
    after = connect(level, wire, tree=tree_of(level))
    assert headers(after, "connection")[-1] == (
        '[connection signal="timeout" from="Boss/Timer" to="Watcher" method="_on_hit"]'
    )
    with pytest.raises(NotFound):
        connect(level, wire)
    with pytest.raises(NotFound, match="no node at 'Boss/Tmer'"):
        connect(level, NewConnection("timeout", "Boss/Tmer", "Watcher", "_on_hit"), tree=tree_of(level))


def test_a_connection_that_is_there_is_not_made_again() -> None:
    with pytest.raises(EditError, match="already"):
        connect(scene("level"), NewConnection("hit", "World/Player", "Watcher", "_on_hit"))


def test_a_connection_that_is_not_there_is_not_cut() -> None:
    with pytest.raises(NotFound) as caught:
        disconnect(scene("level"), "hit", "World/Player", "Watcher", "_on_hitt")
    assert "hit of World/Player to _on_hit of Watcher" in (caught.value.hint or "")


def test_a_resource_that_only_a_connection_used_goes_with_it() -> None:
    level = scene("level")
    wired = connect(level, NewConnection("ready", ".", "Boss", "queue_free", binds=(ExtResource("1_actor"),)))
    alone = remove_node(wired, "World/Player")
    assert [file.id for file in alone.external_files] == ["1_actor", "2_boss", "3_script"]
    assert [file.id for file in disconnect(alone, "ready", ".", "Boss", "queue_free").external_files] == [
        "2_boss",
        "3_script",
    ]


def test_an_instance_is_opened_and_closed() -> None:
    level = scene("level")
    after = set_editable(level, "Boss", editable=True)
    assert headers(after, "editable") == ['[editable path="World/Player"]', '[editable path="Boss"]']
    assert set_editable(after, "Boss", editable=True) is after
    assert set_editable(after, "Boss", editable=False).document.text == level.document.text
    assert set_editable(level, "Boss", editable=False) is level


def test_nodes_hung_on_an_instance_itself_do_not_keep_it_open() -> None:
    old = set_editable(scene("old"), "Actor", editable=True)
    old = add_node(add_node(old, NewNode("Bag", "Node"), "Actor"), NewNode("Coin", "Node"), "Actor/Bag")
    assert set_editable(old, "Actor", editable=False).editable == {}
    inner = add_node(old, NewNode("Ring", "Node"), "Actor/Body")
    with pytest.raises(EditError, match="'Actor/Body/Ring' is a change inside"):
        set_editable(inner, "Actor", editable=False)


@pytest.mark.parametrize(
    ("path", "editable", "reason"),
    [("World/Door", True, "not an instance"), ("World/Player", False, "'World/Player/Body' is a change inside")],
)
def test_what_would_lose_something_is_refused(path: str, editable: bool, reason: str) -> None:
    with pytest.raises(Fault, match=reason):
        set_editable(scene("level"), path, editable=editable)
