"""Lazy layers keep their parameters when they learn their size, so that an optimizer built before goes on training them."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.frameworks


def test_an_optimizer_built_before_the_first_call_trains_them() -> None:
    import mindspore as ms
    import numpy as np
    from mindspore import nn, ops

    from mindport.equivalents.optimizers.sgd import SGD
    from mindport.layers.lazy import LazyBatchNorm1d, LazyLinear

    net = nn.SequentialCell([LazyLinear(4), LazyBatchNorm1d(), LazyLinear(1)])
    net.set_train()
    optimizer = SGD(net.trainable_params(), 0.1, momentum=0.9)
    assert net[0].has_uninitialized_params()
    x = ms.Tensor(np.random.default_rng(0).normal(size=(8, 3)).astype(np.float32))
    net(x)
    assert net[0].weight.shape == (4, 3) and net[1].gamma.shape == (4,)
    assert not net[0].has_uninitialized_params() and net[0].in_features == 3
    before = [p.asnumpy().copy() for p in net.trainable_params()]
    step = ms.value_and_grad(lambda x: ops.mean(net(x) ** 2), None, optimizer.parameters)
    losses = []
    for _ in range(3):
        loss, gradients = step(x)
        optimizer(gradients)
        losses.append(float(loss))
    assert losses[-1] < losses[0]
    # A bias before a batch normalisation has no gradient to speak of.
    assert sum(not np.array_equal(p.asnumpy(), b) for p, b in zip(net.trainable_params(), before, strict=True)) >= 4
