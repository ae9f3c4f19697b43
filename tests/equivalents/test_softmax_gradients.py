"""Gradients of softmax after one over an axis of length 1, which MindSpore's kernel on CPU does not get over."""

from __future__ import annotations

import numpy as np
import pytest

pytestmark = pytest.mark.frameworks
torch = pytest.importorskip("torch", reason="compares with torch")
ms = pytest.importorskip("mindspore", reason="runs MindSpore")

from mindport.equivalents import linear_maps, softmax  # noqa: E402
from mindport.layers.softmax import Softmax, Softmax2d, Softmin  # noqa: E402

PAIRS = {
    "softmax": (lambda x: torch.softmax(x, -2), lambda x: softmax.torch_softmax(x, -2)),
    "functional": (lambda x: torch.nn.functional.softmax(x, 1), lambda x: softmax.softmax(x, 1)),
    "softmin": (lambda x: torch.nn.functional.softmin(x, 2), lambda x: softmax.softmin(x, 2)),
    "Softmax": (torch.nn.Softmax(-1), Softmax(-1)),
    "Softmin": (torch.nn.Softmin(1), Softmin(1)),
    "Softmax2d": (torch.nn.Softmax2d(), Softmax2d()),
    "attention": (
        lambda x: torch.nn.functional.scaled_dot_product_attention(x, x, x),
        lambda x: linear_maps.scaled_dot_product_attention(x, x, x),
    ),
}


#: MindSpore's exp is off by up to 3e-6, relatively, and the gradients of attention are up to 1.7: over 60 draws they are 2.9e-6 off. What this test looks for is off by tenths.
WITHIN = 5e-6


@pytest.mark.parametrize("name", PAIRS)
def test_the_gradients_are_torchs(name: str) -> None:
    theirs, ours = PAIRS[name]
    random = np.random.default_rng(0)
    for shape in ((2, 4, 1), (2, 1, 3), (1, 4, 5), (2, 16, 4), (3, 5, 7)):
        value, weights = (random.standard_normal(shape).astype(np.float32) for _ in range(2))
        x = torch.from_numpy(value).requires_grad_(True)
        (theirs(x) * torch.from_numpy(weights)).sum().backward()
        found = ms.grad(lambda t, w=weights: (ours(t) * ms.Tensor(w)).sum())(ms.Tensor(value))
        np.testing.assert_allclose(found.asnumpy(), x.grad.numpy(), atol=WITHIN, err_msg=str(shape))
