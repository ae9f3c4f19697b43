"""A clone of a parameter carries its gradient; MindSpore's `Parameter.copy` makes a new parameter."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.frameworks


@pytest.mark.parametrize("compiled", [False, True])
def test_the_gradient_reaches_the_parameter(compiled: bool) -> None:
    import mindspore as ms
    from mindspore import Parameter, ops

    from mindport.equivalents.data_conversion import clone

    weight = Parameter(ops.arange(6).astype(ms.float32), name="weight")

    def loss() -> ms.Tensor:
        copied = clone(weight)
        copied[2:4] = 0.0
        return (copied * copied).sum()

    gradient = ms.value_and_grad(loss, None, ms.ParameterTuple([weight]))
    _, (found,) = (ms.jit(gradient) if compiled else gradient)()
    assert found.asnumpy().tolist() == [0.0, 2.0, 0.0, 0.0, 8.0, 10.0]
    assert weight.asnumpy().tolist() == [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]
