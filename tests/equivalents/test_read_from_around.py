"""What a derivative's function reads from around it, and functions with other tensors there."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import pytest

pytestmark = pytest.mark.frameworks

Pair = namedtuple("Pair", "first second")


def wanting(value: float) -> Any:
    from mindspore import Tensor
    from mindspore import dtype as mstype

    tensor = Tensor([value], mstype.float32)
    tensor._requires_grad = True
    return tensor


def test_tensors_are_found_wherever_closures_lead_and_replaced_there() -> None:
    from mindport.equivalents.read_from_around import read_from_around, with_stand_ins

    x, w, other = wanting(2.0), wanting(3.0), wanting(5.0)
    row, settings, pair = {"w": w}, {"rate": 0.5, "of": x}, Pair(x, 1)

    def scaled(value: Any, *, by: float = 2.0) -> Any:
        return value * row["w"] * by * settings["rate"] * pair.second

    def countdown(number: int) -> Any:
        return countdown(number - 1) + scaled(x) if number else x * 0

    assert [id(t) for t in read_from_around(countdown)] in ([id(x), id(w)], [id(w), id(x)])
    made = with_stand_ins(countdown, {id(w): other})
    assert float(countdown(2)) == 2 * 2.0 * 3.0 * 2.0 * 0.5
    assert float(made(2)) == 2 * 2.0 * 5.0 * 2.0 * 0.5
    assert float(countdown(1)) == 2.0 * 3.0 * 2.0 * 0.5


def test_what_reads_none_of_them_stays_itself() -> None:
    from mindport.equivalents.read_from_around import read_from_around, with_stand_ins

    w = wanting(1.0)

    def plain(value: Any) -> Any:
        return value + later

    assert read_from_around(plain) == []  # `later` is not bound yet
    assert with_stand_ins(plain, {id(w): w}) is plain
    later = w
    assert len(read_from_around(plain)) == 1


def test_rows_keep_their_kinds() -> None:
    from mindport.equivalents.read_from_around import (
        CONSTANT,
        DICTIONARY,
        LIST,
        OTHER,
        TENSOR,
        TUPLE,
        kind_of,
    )

    w = wanting(1.0)
    found = [kind_of(value) for value in (w, {"w": w}, [w], (w, w), Pair(w, w), [w, 1], {"a": {"w": w}}, {"a": 1}, "text", ())]
    assert found == [TENSOR, DICTIONARY, LIST, TUPLE, OTHER, OTHER, OTHER, CONSTANT, CONSTANT, CONSTANT]
