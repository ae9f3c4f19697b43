"""Running statistics of `F.batch_norm` and `F.instance_norm` inside of what is compiled: they move."""

from __future__ import annotations

import numpy as np
import pytest

pytestmark = pytest.mark.frameworks
torch = pytest.importorskip("torch", reason="compares with torch")
ms = pytest.importorskip("mindspore", reason="runs MindSpore")

import torch.nn.functional as F  # noqa: E402
from mindspore import Parameter, nn  # noqa: E402

from mindport.equivalents.functional_normalization import batch_norm, instance_norm  # noqa: E402

X = np.random.default_rng(3).normal(size=(4, 3, 5)).astype(np.float32)


class Normalised(nn.Cell):
    """A cell that holds statistics, and a weight."""

    def __init__(self, function) -> None:  # type: ignore[no-untyped-def]
        super().__init__()
        self.function = function
        self.weight = Parameter(ms.ops.ones(3))
        self.mean, self.var = (Parameter(start, requires_grad=False) for start in (ms.ops.zeros(3), ms.ops.ones(3)))

    def construct(self, x):  # type: ignore[no-untyped-def]
        return self.function(x, self.mean, self.var, self.weight, None, True, 0.3).pow(2).sum()


@pytest.mark.parametrize(("ours", "theirs"), [(batch_norm, F.batch_norm), (instance_norm, F.instance_norm)])
def test_statistics_that_are_parameters_move(ours, theirs) -> None:  # type: ignore[no-untyped-def]
    net = Normalised(ours)
    gradient = ms.jit(ms.grad(net, None, [net.weight]), fullgraph=True)
    mean, var = torch.zeros(3), torch.ones(3)
    for _ in range(2):
        gradient(ms.tensor(X))
        theirs(torch.tensor(X), mean, var, None, None, True, 0.3)
    np.testing.assert_allclose(net.mean.asnumpy(), mean.numpy(), rtol=1e-5, atol=1e-7)
    np.testing.assert_allclose(net.var.asnumpy(), var.numpy(), rtol=1e-5)
