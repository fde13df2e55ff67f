"""Which class a C# file is for."""

from __future__ import annotations

import pytest

from scenewright.unity.scripts import main_class, read_classes

SOURCE = """
// class Commented
/* class Blocked */
namespace Game.Actors;
public interface IThing { }
public class Helper { string s = "class Quoted"; char c = '"'; }
public abstract partial class Enemy<T> : Base<T>, IThing where T : Helper
{
    class Inner { }
}
"""


def test_classes_are_found_with_their_base_and_namespace() -> None:
    found = {each.name: each for each in read_classes(SOURCE)}
    assert list(found) == ["Helper", "Enemy", "Inner"]
    assert found["Enemy"].base == "Base<T>"
    assert found["Enemy"].full_name == "Game.Actors.Enemy"
    assert found["Helper"].base == ""


@pytest.mark.parametrize(
    ("source", "path", "name"),
    [
        (SOURCE, "Assets/Helper.cs", "Helper"),
        (SOURCE, "Assets/Other.cs", "Enemy"),
        ("class Only { }", "Assets/Other.cs", "Only"),
        ("", "Assets/Gone.cs", "Gone"),
        ("class A : MonoBehaviour {}", "Assets/B.cs", "A"),
    ],
)
def test_the_class_of_a_file(source: str, path: str, name: str) -> None:
    assert main_class(source, path).name == name
