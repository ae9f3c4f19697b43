"""bfloat16 written in place through views, dtypes mixed in `addcdiv`, bytes in `logit` and `fmod`, against torch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

pytestmark = pytest.mark.frameworks

VIEWS: dict[str, Callable[[Any], Any]] = {
    "transposed": lambda x: x.T,
    "a row": lambda x: x[1],
    "every second": lambda x: x[:, ::2],
    "an element": lambda x: x[2, 1],
    "the tensor": lambda x: x,
}


@pytest.mark.parametrize("view", VIEWS)
def test_bfloat16_views_are_written_to(view: str) -> None:
    import mindspore as ms
    import torch

    from mindport.equivalents.inplace import add_, neg_, trunc_

    x = np.arange(12, dtype=np.float32).reshape(3, 4) + 0.5
    theirs, ours = torch.from_numpy(x.copy()).bfloat16(), ms.Tensor(x).astype(ms.bfloat16)
    VIEWS[view](theirs).neg_().trunc_().add_(3)
    for change in (neg_, trunc_, lambda t: add_(t, 3)):
        change(VIEWS[view](ours))
    np.testing.assert_array_equal(ours.float().asnumpy(), theirs.float().numpy())


@pytest.mark.parametrize("kinds", [("float32", "float16", "float16"), ("float32", "bfloat16", "float32"), ("float16", "float16", "float16")])
@pytest.mark.parametrize("value", [1, 0.5])
def test_addcdiv_of_several_dtypes(kinds: tuple[str, str, str], value: float) -> None:
    import mindspore as ms
    import torch

    from mindport.equivalents.arithmetic import addcdiv

    parts = [np.array(row, np.float32) for row in ([1.0, -2.0, 3.0], [0.3, 7.0, -1.1], [0.7, 3.0, 9.0])]
    expected = torch.addcdiv(*(torch.tensor(p, dtype=getattr(torch, k)) for p, k in zip(parts, kinds, strict=True)), value=value)
    found = addcdiv(*(ms.Tensor(p).astype(getattr(ms, k)) for p, k in zip(parts, kinds, strict=True)), value=value)
    assert str(found.dtype).lower() == str(expected.dtype).removeprefix("torch.")
    np.testing.assert_allclose(found.float().asnumpy(), expected.float().numpy(), rtol=1e-6, atol=0 if kinds[0] == "float32" else 1e-3)


def test_bytes() -> None:
    import mindspore as ms
    import torch

    from mindport.equivalents.arithmetic import fmod
    from mindport.equivalents.exponential import logit

    x = np.array([0, 1, 2, 5, 254], np.uint8)
    np.testing.assert_array_equal(fmod(ms.Tensor(x), -3).asnumpy(), torch.fmod(torch.from_numpy(x), -3).numpy())
    np.testing.assert_array_equal(logit(ms.Tensor(x)).asnumpy(), torch.logit(torch.from_numpy(x)).numpy())
    np.testing.assert_allclose(logit(ms.Tensor(x), 0.1).asnumpy(), torch.logit(torch.from_numpy(x), 0.1).numpy(), rtol=1e-5)
