"""einops's functions against NumPy written out by hand; patterns that do not fit are refused."""

from __future__ import annotations

import numpy as np
import pytest

pytestmark = pytest.mark.frameworks

X = np.arange(2 * 6 * 3 * 4, dtype=np.float32).reshape(2, 6, 3, 4)


def test_axes_are_split_permuted_and_joined() -> None:
    import mindspore as ms

    from mindport.equivalents.named_axes import rearrange, reduce, repeat

    heads = rearrange(ms.Tensor(X), "b (h d) x y -> b h (x y) d", h=2).asnumpy()
    assert (heads == X.reshape(2, 2, 3, 12).transpose(0, 1, 3, 2)).all()
    assert (rearrange(ms.Tensor(X), "b ... -> b (...)").asnumpy() == X.reshape(2, -1)).all()
    assert (repeat(ms.Tensor(X[0, 0]), "h w -> h (w r) 2", r=3).asnumpy() == np.repeat(X[0, 0], 3, 1)[..., None].repeat(2, 2)).all()
    pooled = reduce(ms.Tensor(X), "b (c two) h w -> b c", "mean", two=2).asnumpy()
    assert np.allclose(pooled, X.reshape(2, 3, 2, 12).mean((2, 3)))
    assert isinstance(rearrange(X, "b c h w -> b h w c"), np.ndarray)


@pytest.mark.parametrize("pattern", ["b c h w -> b c h", "b c h -> b c h", "b b h w -> b h w", "b c h w -> b c h w d", "b (c 4) h w -> b c 4 h w", "b c h w"])
def test_a_pattern_that_does_not_fit_is_an_error(pattern: str) -> None:
    import mindspore as ms

    from mindport.equivalents.named_axes import rearrange

    with pytest.raises(ValueError):
        rearrange(ms.Tensor(X), pattern)


def test_what_was_packed_comes_apart() -> None:
    import mindspore as ms

    from mindport.equivalents.named_axes import pack, unpack

    whole, shapes = pack([ms.Tensor(X), ms.Tensor(X[:, 0, 0])], "b * w")
    assert (whole.shape, shapes) == ((2, 19, 4), [(6, 3), ()])
    first, second = unpack(whole, shapes, "b * w")
    assert (first.asnumpy() == X).all() and (second.asnumpy() == X[:, 0, 0]).all()
