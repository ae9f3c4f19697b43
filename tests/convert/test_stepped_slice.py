"""Slices with a step: the text, and the values and gradients beside the framework's own slices."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mindport.convert import convert
from mindport.source.discover import discover
from tests.convert.both_sides import both_sides, equal_tensors


@pytest.mark.parametrize(("line", "expected"), [
    ("y = t[..., 0::2, 1::2, :]", "y = every(every(t, -3, 2), -2, 2, 1)"),
    ("y = t[:, ::2]", "y = every(t, 1, 2)"),
    ("y = t[:, 1:-1:3, 0]", "y = every(t, 1, 3, 1, -1)[:, :, 0]"),
    ("y = t[None, :, ::2]", "y = every(t, 1, 2)[None, :, :]"),
    ("y = t[::2]", "y = t[::2]"),
    ("y = t[..., ::2]", "y = t[..., ::2]"),
    ("y = n[:, ::2]", "y = n[:, ::2]"),
    ("t[:, ::2] = 1.0", "t[:, ::2] = 1.0"),
    ("y = d[:, ::2]", "y = d[:, ::2]"),
    ("k = len(d)\ny = t[:, k::k + 1, 0]", "k = len(d)\ny = every(t, 1, k + 1, k)[:, :, 0]"),
    ("y = t[:, len(d)::2]", "y = t[:, len(d)::2]"),
    ("y = (t if d else d)[:, ::2]", "y = every(t if d else d, 1, 2)"),
])  # fmt: skip
def test_the_text(tmp_path: Path, line: str, expected: str) -> None:
    head = "import torch\nt = torch.zeros(2, 8, 8, 3)\nn = torch.zeros(2, 8, 8, dtype=torch.int64)\n"
    (tmp_path / "script.py").write_text(f"{head}\ndef f(d):\n    return d\n\n{line}\n", encoding="utf-8")
    texts = {path.name: text for path, text in convert(discover(tmp_path)).files.items()}
    assert texts["script.py"].endswith(expected + "\n")


@pytest.mark.frameworks
@pytest.mark.parametrize("bounds", [(2, None, None), (3, 1, None), (2, -5, -1), (4, 2, 100), (2, 7, 3), (2, -100, 5)])
@pytest.mark.parametrize("axis", [0, 1, -2, -1])
def test_values_and_gradients(axis: int, bounds: tuple[int, int | None, int | None]) -> None:
    import mindspore as ms
    from mindspore import ops

    from mindport.equivalents.stepped_slices import every

    values = np.random.default_rng(0).standard_normal((3, 7, 5, 6)).astype(np.float32)
    step, start, stop = bounds
    index = [slice(None)] * 4
    index[axis] = slice(start, stop, step)
    x = ms.Tensor(values)
    np.testing.assert_array_equal(every(x, axis, step, start, stop).asnumpy(), values[tuple(index)])
    if values[tuple(index)].size:
        gradient = ms.grad(lambda t: ops.square(every(t, axis, step, start, stop)).sum())(x)
        expected = np.zeros_like(values)
        expected[tuple(index)] = 2 * values[tuple(index)]
        np.testing.assert_array_equal(gradient.asnumpy(), expected)


@pytest.mark.frameworks
def test_what_is_no_tensor_is_sliced() -> None:
    from mindport.equivalents.stepped_slices import every

    array = np.arange(24).reshape(2, 4, 3)
    np.testing.assert_array_equal(every(array, 1, 2, 1), array[:, 1::2])
    np.testing.assert_array_equal(every(array, -2, 2, 0, 3), array[..., 0:3:2, :])
    assert every([1, 2, 3], 0, 2) == [1, 3]


SWEPT = """import torch


def swept():
    z = torch.arange(32.0).reshape(2, 4, 2, 2).transpose(1, 2)
    for k in range(2):
        taken = z[:, :, k::2]
        pairs = taken.view(2, 2, 1, 2, -1)
        pairs[:, :, :, 1].add_(pairs[:, :, :, 0])
    taken = z[:, ::2]
    taken[:, 0].mul_(2)
    return [z, z[:, :, 1::2] + 1]
"""


@pytest.mark.frameworks
def test_what_is_changed_through_other_views_stays_a_view(tmp_path: Path) -> None:
    """A scan over a sequence (mamba.py): `every` gathers, and the tensor would not see what its views are told."""
    theirs, ours = both_sides(tmp_path, SWEPT)
    equal_tensors(theirs.swept(), ours.swept())
    assert (tmp_path / "after" / "program.py").read_text().count("every(") == 1
