"""Parameters that were written by index or in place are still updated: MindSpore's own kernels then do nothing, silently."""

from __future__ import annotations

from collections.abc import Callable

import pytest

pytestmark = pytest.mark.frameworks
np = pytest.importorskip("numpy", reason="this file runs the framework")
ms = pytest.importorskip("mindspore", reason="this file runs the framework")

from mindport.equivalents import inplace, inplace_indexing  # noqa: E402
from mindport.equivalents.optimizers.adam import Adam  # noqa: E402
from mindport.equivalents.optimizers.rmsprop import RMSprop  # noqa: E402
from mindport.equivalents.optimizers.sgd import SGD  # noqa: E402

WRITES: dict[str, Callable] = {
    "nothing": lambda p: None,
    "[:]": lambda p: p.__setitem__(slice(None), p + 1),
    "[...]": lambda p: p.__setitem__(..., p + 1),
    "[0]": lambda p: p.__setitem__(0, 4.0),
    "copy_": lambda p: inplace_indexing.copy_(p, ms.tensor(2.5)),
    "mul_": lambda p: inplace.mul_(p, 0.5),
    "clamp_": lambda p: inplace.clamp_(p, -0.5, 0.5),
}
OPTIMIZERS: dict[str, Callable] = {
    "SGD": lambda p: SGD([p], lr=0.5),
    "momentum": lambda p: SGD([p], lr=0.5, momentum=0.9),
    "Adam": lambda p: Adam([p], lr=0.5),
    "RMSprop": lambda p: RMSprop([p], lr=0.5),
}


@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_a_step_moves_it(optimizer: str, write: str) -> None:
    parameter = ms.Parameter(ms.Tensor(np.ones(3, np.float32)), name="p")
    made = OPTIMIZERS[optimizer](parameter)
    for _ in range(2):
        WRITES[write](parameter)
        before = parameter.asnumpy().copy()
        made((ms.Tensor(np.ones(3, np.float32)),))
        assert (parameter.asnumpy() < before - 0.4).all()


@pytest.mark.parametrize("write", ["copy_", "mul_", "clamp_"])
def test_a_kernel_that_updates_parameters_still_does(write: str) -> None:
    parameter = ms.Parameter(ms.Tensor(np.ones(3, np.float32)), name="p")
    WRITES[write](parameter)
    before = parameter.asnumpy().copy()
    ms.ops.ApplyGradientDescent()(parameter, 0.5, ms.Tensor(np.ones(3, np.float32)))
    np.testing.assert_allclose(parameter.asnumpy(), before - 0.5)
