"""How much of two pictures differs, and where."""

from __future__ import annotations

from PIL import Image

from scenewright.godot.assets.images.comparison import compare_images, put_side_by_side


def plain(size: tuple[int, int] = (300, 200)) -> Image.Image:
    return Image.new("RGBA", size, (10, 20, 30, 255))


def test_equal_pictures_have_no_difference() -> None:
    compared = compare_images(plain(), plain())
    assert (compared.changed, compared.total, compared.rectangles) == (0, 60_000, [])


def test_each_place_has_its_own_rectangle_the_largest_first() -> None:
    after = plain()
    after.putpixel((299, 199), (11, 20, 30, 255))
    after.paste((200, 0, 0, 255), (20, 30, 60, 40))
    after.paste((0, 200, 0, 255), (101, 50, 102, 150))
    compared = compare_images(plain(), after)
    assert compared.changed == 40 * 10 + 100 + 1
    assert compared.rectangles == [(20, 30, 40, 10), (101, 50, 1, 100), (299, 199, 1, 1)]


def test_small_differences_can_be_passed_over() -> None:
    after = plain()
    after.paste((14, 20, 30, 255), (0, 0, 10, 10))
    assert compare_images(plain(), after, 4).changed == 0
    assert compare_images(plain(), after, 3).changed == 100


def test_what_cannot_be_seen_does_not_count() -> None:
    before, after = Image.new("RGBA", (50, 50), (0, 0, 0, 0)), Image.new("RGBA", (50, 50), (255, 255, 255, 0))
    assert compare_images(before, after).changed == 0
    after.putalpha(1)
    assert compare_images(before, after).changed == 2500


def test_where_only_one_reaches_is_a_difference() -> None:
    compared = compare_images(plain((100, 100)), plain((120, 90)))
    assert compared.changed == 100 * 100 + 120 * 90 - 2 * 100 * 90
    short, long = (Image.new("RGBA", size, (0, 0, 0, 0)) for size in ((10, 10), (12, 10)))
    assert compare_images(short, long).rectangles == [(10, 0, 2, 10)]


def test_a_large_picture_is_told_exactly_too() -> None:
    after = plain((4000, 3000))
    after.paste((0, 0, 0, 255), (1001, 2003, 1004, 2004))
    assert compare_images(plain((4000, 3000)), after).rectangles == [(1001, 2003, 3, 1)]


def test_both_are_shown_with_frames_around_what_differs() -> None:
    tall, wide = plain((100, 300)), plain((600, 100))
    beside = put_side_by_side(tall, tall, [(10, 10, 20, 20)], 1000)
    assert beside.size == (100 + 8 + 100, 300 + 16)
    assert [beside.getpixel((left + 8, 16 + 15)) for left in (0, 108)] == [(255, 0, 255)] * 2
    assert beside.getpixel((20, 16 + 20)) == (10, 20, 30)
    below = put_side_by_side(wide, wide, [], 300)
    assert (max(below.size), below.width) == (300, 300)
