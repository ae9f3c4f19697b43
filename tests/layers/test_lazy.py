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


def test_a_state_loaded_before_the_first_call_tells_the_sizes() -> None:
    import mindspore as ms
    import numpy as np
    import torch

    from mindport.layers import convolution, lazy, linear, normalization, transposed_convolution
    from mindport.layers.state_dict import load_state_dict

    samples = [
        (torch.nn.Conv2d(4, 6, 3, groups=2), lazy.LazyConv2d(6, 3, groups=2), (2, 4, 5, 5)),
        (torch.nn.ConvTranspose1d(3, 2, 2), lazy.LazyConvTranspose1d(2, 2), (2, 3, 5)),
        (torch.nn.BatchNorm2d(3), lazy.LazyBatchNorm2d(), (2, 3, 4, 4)),
        (torch.nn.BatchNorm1d(3, affine=False), lazy.LazyBatchNorm1d(affine=False), (2, 3)),
        (torch.nn.Linear(3, 2), lazy.LazyLinear(2), (5, 3)),
    ]
    assert {type(ours).plain for _, ours, _ in samples} == {
        convolution.Conv2d, transposed_convolution.ConvTranspose1d, normalization.BatchNorm2d, normalization.BatchNorm1d, linear.Linear,
    }  # fmt: skip
    for theirs, ours, shape in samples:
        state = {name: ms.Tensor(value.numpy()) for name, value in theirs.state_dict().items()}
        result = load_state_dict(ours, state)
        assert not result.missing_keys and not result.unexpected_keys and not ours.has_uninitialized_params()
        x = np.random.default_rng(0).standard_normal(shape).astype(np.float32)
        ours.set_train(False)
        expected = theirs.eval()(torch.tensor(x)).detach().numpy()
        np.testing.assert_allclose(ours(ms.Tensor(x)).asnumpy(), expected, 1e-5, 1e-5)
