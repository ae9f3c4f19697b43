"""The map's rectangles tile the whole, in proportion, without overlap."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindport.report.treemap import squarified

WIDTH, HEIGHT = 960.0, 340.0


@given(st.lists(st.integers(0, 100_000), max_size=60))
def test_areas_are_in_proportion_and_fill_the_map(sizes: list[int]) -> None:
    placed = squarified(sizes, WIDTH, HEIGHT)
    assert sorted(r.index for r in placed) == [i for i, size in enumerate(sizes) if size > 0]
    for r in placed:
        assert r.x >= -1e-6 and r.x + r.width <= WIDTH + 1e-6 and r.y >= -1e-6 and r.y + r.height <= HEIGHT + 1e-6
        assert r.width * r.height == pytest.approx(sizes[r.index] * WIDTH * HEIGHT / sum(sizes), rel=1e-6)


@given(st.lists(st.integers(1, 1000), min_size=2, max_size=25))
def test_rectangles_do_not_overlap(sizes: list[int]) -> None:
    placed = squarified(sizes, WIDTH, HEIGHT)
    for i, a in enumerate(placed):
        for b in placed[i + 1 :]:
            wide = min(a.x + a.width, b.x + b.width) - max(a.x, b.x)
            high = min(a.y + a.height, b.y + b.height) - max(a.y, b.y)
            assert wide <= 1e-6 or high <= 1e-6


def test_equal_files_are_nearly_square() -> None:
    for r in squarified([10] * 12, WIDTH, HEIGHT):
        assert max(r.width / r.height, r.height / r.width) < 2
