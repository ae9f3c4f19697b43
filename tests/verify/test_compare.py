"""The comparison itself, on records made by hand; no framework is needed."""

from __future__ import annotations

import io
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst
from rich.console import Console

from mindport.verify.compare import compare_case, largest
from mindport.verify.console import show
from mindport.verify.recordings import CaseRecord, Record
from mindport.verify.result import CaseResult, Comparison, TensorResult, Trouble
from mindport.weights import Entry, Layout

BASE = np.linspace(-2, 2, 12, dtype="float32").reshape(3, 4)


def record(values: Any, name: str = "output", role: Any = "output", **more: Any) -> Record:
    values = np.asarray(values)
    dtype = more.pop("dtype", values.dtype.name)
    return Record(role, name, values=values, dtype=dtype, shape=list(values.shape), **more)


def compared(mine: list[Record], theirs: list[Record], layout: Layout | None = None, **chosen: float) -> CaseResult:
    return compare_case(CaseRecord("c", records=mine), CaseRecord("c", records=theirs), layout, chosen)


def one(mine: Record, theirs: Record) -> TensorResult:
    return compared([mine], [theirs]).tensors[0]


def changed(place: tuple[int, ...], value: float) -> np.ndarray:
    out = BASE.copy()
    out[place] = value
    return out


@pytest.mark.parametrize(
    ("theirs", "verdict", "message"),
    [
        (record(BASE), "equal", ""),
        (record(BASE * (1 + 5e-5)), "equal", ""),
        (record(changed((1, 2), 9)), "differs", r"by 8.* at \[1, 2\] \(torch 0.181818, MindSpore 9\); 0.0002 is allowed"),
        (record(changed((2, 0), np.nan)), "nan", r"at \[2, 0\] torch has 0.909091, MindSpore nan"),
        (record(changed((0, 0), -np.inf)), "nan", r"at \[0, 0\] torch has -2, MindSpore -inf"),
        (record(BASE.T), "shape", r"torch's shape is \[3, 4\], MindSpore's \[4, 3\]"),
        (record(BASE.astype("float64")), "dtype", "torch's dtype is float32, MindSpore's float64"),
        (Record("output", "output", text="None"), "value", r"torch gives a tensor \[3, 4\], MindSpore None"),
    ],
)
def test_one_tensor(theirs: Record, verdict: str, message: str) -> None:
    found = one(record(BASE), theirs)
    assert found.verdict == verdict
    if message:
        assert re.search(message, found.message), found.message


def test_equal_infinities_and_nans_are_equal() -> None:
    odd = np.array([np.inf, -np.inf, np.nan, 1], "float32")
    assert one(record(odd), record(odd.copy())).verdict == "equal"
    assert one(record(odd), record(odd[::-1].copy())).verdict == "nan"


def test_integers_and_bools_must_be_exact() -> None:
    large = np.array([2**62, 2**62 + 1], "int64")
    assert one(record(large), record(large)).verdict == "equal"
    found = one(record(large), record(large[::-1].copy()))
    assert (found.verdict, found.difference) == ("differs", 1.0)
    assert one(record(np.array([True])), record(np.array([False]))).verdict == "differs"


def test_missing_and_unexpected_outputs_are_named() -> None:
    result = compared([record(BASE, "a"), record(BASE, "b")], [record(BASE, "b"), record(BASE, "c")])
    assert [(t.name, t.verdict) for t in result.tensors] == [("a", "missing"), ("b", "equal"), ("c", "unexpected")]
    assert (result.verdict, result.first) == ("differs", "output a")


def test_the_first_difference_is_the_first_in_order_of_execution() -> None:
    mine = [record(BASE, name, "layer", kind=kind) for name, kind in (("a.b", "Conv2d"), ("a.c", "ReLU"), ("a", "Block"))]
    theirs = [record(BASE, "a.b", "layer"), record(BASE + 1, "a.c", "layer"), record(BASE + 1, "a", "layer")]
    result = compared([*mine, record(BASE)], [*theirs, record(BASE + 1)])
    assert (result.verdict, result.first) == ("differs", "layer a.c (ReLU)")


def test_layers_on_one_side_are_a_note() -> None:
    mine = [record(BASE, "rnn", "layer"), record(BASE, "drop", "layer", kind="Identity"), record(BASE)]
    theirs = [record(BASE, "rnn.inner", "layer"), record(BASE, "rnn", "layer"), record(BASE, "pad", "layer", kind="Pad"), record(BASE)]
    result = compared(mine, theirs)
    assert result.verdict == "equal"
    assert result.notes == ["layers on one side only, not compared: drop (Identity), pad (Pad, MindSpore)"]


def test_noise_excuses_rounding_and_nothing_else() -> None:
    # A gradient that is zero in exact arithmetic: what torch gives is rounding, and so is MindSpore's.
    role: Any = "parameter gradient"
    large, tiny = record(BASE, "w", role), record(BASE * 1e-8, "b", role, oracle=2e-8)
    assert compared([large, tiny], [large, record(-BASE * 1e-8, "b", role)]).verdict == "equal"
    assert compared([large, tiny], [large, record(BASE * 1e-3, "b", role)]).first == "parameter gradient b"
    # Large noise does not let a wrong result through.
    assert one(record(BASE, oracle=1.0), record(BASE + 0.5)).verdict == "differs"
    assert one(record(BASE), record(BASE + 5e-4)).verdict == "differs"
    assert one(record(BASE, oracle=1e-4), record(BASE + 5e-4)).verdict == "equal"
    assert one(record(BASE, oracle=1e-4), record(BASE + 1e-3)).verdict == "differs"


def test_what_depends_on_random_numbers_is_not_judged() -> None:
    result = compared([record(BASE, rerun=0.5)], [record(BASE + 3)])
    assert (result.verdict, result.tensors[0].verdict) == ("could not run", "random")
    assert "random numbers" in result.notes[0]


def test_parameter_gradients_follow_the_layout() -> None:
    layout = Layout({"c.weight": Entry("c.weight", [3, 4], 1), "n.weight": Entry("n.gamma", [4]), "n.count": Entry(None)}, ["n.extra"])
    role: Any = "parameter gradient"
    mine = [record(BASE, "c.weight", role), record(BASE[0], "n.weight", role), record(BASE, "n.count", "buffer")]
    theirs = [record(BASE[:, None], "c.weight", role), record(BASE[0], "n.gamma", role), record(BASE, "n.extra", role)]
    assert compared(mine, theirs, layout).verdict == "equal"
    assert compared(mine, [theirs[0]], layout).first == "parameter gradient n.weight"


def test_the_tolerance_follows_the_dtype_and_the_user() -> None:
    half = BASE.astype("float16").astype("float32")
    assert one(record(half, dtype="float16"), record(half * 1.004, dtype="float16")).verdict == "equal"
    assert one(record(half, dtype="float32"), record(half * 1.004, dtype="float32")).verdict == "differs"
    assert compared([record(BASE)], [record(BASE * 1.004)], None, float32=1e-2).verdict == "equal"


def test_nothing_to_compare_is_no_agreement() -> None:
    assert compared([], []).verdict == "could not run"


ARRAYS = npst.arrays(
    st.sampled_from([np.dtype("float32"), np.dtype("float64"), np.dtype("int64"), np.dtype("bool")]),
    npst.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4),
)


@given(values=ARRAYS)
def test_an_array_equals_itself(values: np.ndarray) -> None:
    assert largest(values, values.copy())[0] == 0.0 and largest(values, values.copy())[2] is None
    assert one(record(values), record(values.copy())).verdict == "equal"


@given(values=ARRAYS, data=st.data())
def test_a_change_beyond_the_scale_is_found_at_its_place(values: np.ndarray, data: st.DataObject) -> None:
    if values.size == 0 or not np.isfinite(values).all() or np.abs(values).max(initial=0) > 1e30:
        return
    place = tuple(data.draw(st.integers(0, n - 1)) for n in values.shape)
    other = values.copy()
    if values.dtype == bool:
        other[place] = ~other[place]
    else:
        other[place] = -1 - np.abs(values).max() * 2 if values.dtype.kind == "f" else (1 if values[place] != 1 else 0)
    found = one(record(values), record(other))
    assert found.verdict == "differs" and str(list(place)) in found.message


def test_the_console_shows_verdict_first_difference_and_user_text_as_text() -> None:
    result = compared([record(BASE, "[red]x", "layer", kind="Conv2d")], [record(BASE + 1, "[red]x", "layer")])
    console = Console(record=True, width=160, file=io.StringIO())
    show(Comparison("differs", [result], [Trouble("torch", "a [b] c")], {"torch": "torch 2"}), console)
    text = console.export_text()
    assert "differs: 0 tensors agree, 1 do not; first difference in c: layer [red]x (Conv2d) (torch 2)" in text
    assert "a [b] c" in text
