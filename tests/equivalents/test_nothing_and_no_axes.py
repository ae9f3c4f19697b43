"""Tensors without axes or without elements, where MindSpore's own operators raise, against torch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

pytestmark = pytest.mark.frameworks


def _cases() -> dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any], tuple[int, ...]]]:
    import torch
    import torch.nn.functional as F

    from mindport.equivalents import (
        convolution,
        functional_normalization,
        matrix,
        padding,
        sliding_windows,
        softmax,
    )
    from mindport.layers import normalization

    return {
        "softmax without axes": (lambda x: torch.softmax(x, 0), lambda x: softmax.torch_softmax(x, 0), ()),
        "softmin without axes": (lambda x: F.softmin(x, -1), lambda x: softmax.softmin(x, -1), ()),
        "windows of a number": (lambda x: x.unfold(0, 1, 1), lambda x: sliding_windows.unfold(x, 0, 1, 1), ()),
        "windows of nothing in a number": (lambda x: x.unfold(-1, 0, 1), lambda x: sliding_windows.unfold(x, -1, 0, 1), ()),
        "windows of nothing": (lambda x: x.unfold(1, 0, 2), lambda x: sliding_windows.unfold(x, 1, 0, 2), (3, 4, 2)),
        "columns of no image": (lambda x: F.unfold(x, (2, 3), 1, (1, 2)), lambda x: convolution.unfold(x, (2, 3), 1, (1, 2)), (0, 3, 4, 4)),
        "cropped to nothing": (lambda x: F.pad(x, (-1, -2, 1, 1)), lambda x: padding.pad(x, (-1, -2, 1, 1)), (5, 3)),
        "determinants of nothing": (torch.det, matrix.det, (2, 0, 0)),
        "their logarithm": (torch.logdet, matrix.logdet, (0, 0)),
        "inverse of nothing": (torch.inverse, matrix.inverse, (2, 0, 0)),
        "nuclear norms of nothing": (lambda x: torch.linalg.matrix_norm(x, "nuc", keepdim=True), lambda x: matrix.matrix_norm(x, "nuc", keepdim=True), (2, 0, 3)),
        "norms of no matrices": (lambda x: torch.linalg.norm(x, 2, (0, 2)), lambda x: matrix.linalg_norm(x, 2, (0, 2)), (2, 0, 3)),
        "normalised vector of nothing": (lambda x: F.batch_norm(x, x, x), lambda x: functional_normalization.batch_norm(x, x, x), (0,)),
        "rows of none among neighbours": (torch.nn.LocalResponseNorm(2), normalization.LocalResponseNorm(2), (0, 3, 4)),
    }


@pytest.mark.parametrize("case", [
    "softmax without axes", "softmin without axes", "windows of a number", "windows of nothing in a number", "windows of nothing",
    "columns of no image", "cropped to nothing", "determinants of nothing", "their logarithm", "inverse of nothing",
    "nuclear norms of nothing", "norms of no matrices", "normalised vector of nothing", "rows of none among neighbours",
])  # fmt: skip
def test_as_torch(case: str) -> None:
    import mindspore as ms
    import torch

    theirs, ours, shape = _cases()[case]
    x = np.asarray(np.random.default_rng(2).normal(size=shape), np.float32)
    expected, found = theirs(torch.tensor(x)).numpy(), ours(ms.Tensor(x)).asnumpy()
    assert found.shape == expected.shape and found.dtype == expected.dtype
    np.testing.assert_array_equal(found, expected)


TRANSFORMS = ("fftn", "ifftn", "fft2", "ifft2")


@pytest.mark.parametrize("name", TRANSFORMS)
@pytest.mark.parametrize("how", [{"dim": ()}, {"dim": []}, {"s": (), "dim": ()}, {"s": [], "dim": []}])
def test_transforms_over_no_axes(name: str, how: dict[str, Any]) -> None:
    import mindspore as ms
    import torch

    from mindport.equivalents import fourier

    x = np.random.default_rng(3).normal(size=(3, 4)).astype(np.float32)
    for given in (x, x + 1j * x[::-1]):
        expected = getattr(torch.fft, name)(torch.tensor(given), **how).numpy()
        found = getattr(fourier, name)(ms.Tensor(given), **how).asnumpy()
        assert found.dtype == expected.dtype
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("name", ["rfftn", "irfftn", "hfftn", "ihfftn", "rfft2", "irfft2", "hfft2", "ihfft2"])
def test_real_transforms_take_an_axis(name: str) -> None:
    """MindSpore transforms along all axes, or ends the process."""
    import mindspore as ms
    import torch

    from mindport.equivalents import fourier

    x = np.ones((3, 4), np.float32)
    for how in ({"dim": ()}, {"s": (), "dim": ()}):
        with pytest.raises(RuntimeError):
            getattr(torch.fft, name)(torch.tensor(x), **how)
        with pytest.raises(RuntimeError):
            getattr(fourier, name)(ms.Tensor(x), **how)


def test_sizes_without_axes_raise() -> None:
    import mindspore as ms

    from mindport.equivalents import fourier

    with pytest.raises(RuntimeError):
        fourier.fft2(ms.Tensor(np.ones((3, 4), np.float32)), s=())
    with pytest.raises(RuntimeError):
        fourier.fftn(ms.Tensor(np.ones((3, 4), np.float32)), s=(2,), dim=())


def test_values_put_at_no_places_get_a_gradient() -> None:
    import mindspore as ms

    from mindport.equivalents.slice_writing import put

    none, places = ms.Tensor(np.zeros(0, np.float32)), ms.Tensor(np.zeros(0, np.int64))
    found = ms.grad(lambda x, source: (put(x, places, source) * 2).sum(), (0, 1))(ms.Tensor(np.float32(-8.4)), none)
    assert found[0].asnumpy().tolist() == 2.0
    assert found[1].shape == (0,)


@pytest.mark.parametrize("shape", [(0, 0, 5), (2, 3, 0), (0, 4)])
def test_singular_values_of_nothing(shape: tuple[int, ...]) -> None:
    import mindspore as ms
    import torch

    from mindport.equivalents.factorizations import svdvals

    expected, found = torch.linalg.svdvals(torch.zeros(shape)), svdvals(ms.Tensor(np.zeros(shape, np.float32)))
    assert found.shape == tuple(expected.shape)
    assert ms.grad(lambda x: svdvals(x).sum())(ms.Tensor(np.zeros(shape, np.float32))).shape == shape


def test_frequencies_of_numbers_that_are_tensors() -> None:
    import mindspore as ms
    import torch

    from mindport.equivalents.windows import fftfreq, rfftfreq

    for n in (np.int64(5), 4):
        np.testing.assert_array_equal(fftfreq(ms.Tensor(int(n))).asnumpy(), torch.fft.fftfreq(int(n)).numpy())
        np.testing.assert_array_equal(rfftfreq(n).asnumpy(), torch.fft.rfftfreq(int(n)).numpy())


def test_a_group_norm_whose_affine_is_a_number() -> None:
    from mindport.layers.normalization import GroupNorm

    assert [len(list(GroupNorm(1, 6, affine=number).get_parameters())) for number in (0, 1)] == [2, 2]
    assert [GroupNorm(1, 6, affine=number).gamma.requires_grad for number in (0, 1)] == [False, True]
