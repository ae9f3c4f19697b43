"""An optimizer that wraps another one and never calls its base class, as Lookahead does in most repositories."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytestmark = pytest.mark.frameworks

ms = pytest.importorskip("mindspore", reason="this file runs the framework")

from mindspore import Parameter, Tensor  # noqa: E402

from mindport.equivalents.gradients import accumulate, value_and_gradients  # noqa: E402
from mindport.equivalents.optimizers.optimizer import Optimizer  # noqa: E402
from mindport.equivalents.optimizers.sgd import SGD  # noqa: E402


class Lookahead(Optimizer):
    """Every second step goes half of the way only."""

    def __init__(self, optimizer: Any) -> None:
        self.optimizer = optimizer
        self.param_groups = optimizer.param_groups
        self.slow = [p.asnumpy().copy() for p in optimizer.parameters]
        self.count = 0

    def step(self, closure: Any = None) -> Any:
        loss = self.optimizer.step(closure)
        self.count += 1
        if self.count % 2 == 0:
            for slow, p in zip(self.slow, self.parameters, strict=True):
                slow += 0.5 * (p.asnumpy() - slow)
                p.set_data(Tensor(slow.copy()))
        return loss


def test_parameters_are_those_of_the_wrapped_optimizer() -> None:
    w = Parameter(Tensor(np.array([1.0, -2.0], np.float32)), name="w")
    optimizer = Lookahead(SGD([w], lr=0.1))
    step = value_and_gradients(lambda: (w * w).sum(), optimizer.parameters)
    expected = slow = np.array([1.0, -2.0])
    for number in range(4):
        optimizer.zero_grad()
        _, gradients = step()
        accumulate(gradients)
        optimizer.step()
        expected = expected - 0.1 * 2 * expected
        if number % 2:
            expected = slow = slow + 0.5 * (expected - slow)
        np.testing.assert_allclose(w.asnumpy(), expected, rtol=1e-5)


def test_what_it_lacks_is_named() -> None:
    with pytest.raises(AttributeError, match="'Lookahead' object has no attribute 'defaults'"):
        _ = Lookahead(SGD([Parameter(Tensor([1.0]), name="v")], lr=0.1)).defaults
