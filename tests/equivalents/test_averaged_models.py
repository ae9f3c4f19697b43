"""The mode of an averaged model, which update_bn gives back: training from its birth, as every module of torch."""

from __future__ import annotations

import numpy as np
import pytest

X = np.sin(np.arange(12, dtype=np.float32)).reshape(6, 2)


@pytest.mark.frameworks
@pytest.mark.parametrize("training", [True, False])
def test_what_it_computes_behind_update_bn(training: bool) -> None:
    import mindspore as ms
    import torch

    from mindport.equivalents.schedulers.averaged_model import AveragedModel, update_bn
    from mindport.layers.normalization import BatchNorm1d

    theirs = torch.optim.swa_utils.AveragedModel(torch.nn.BatchNorm1d(2).train(training))
    torch.optim.swa_utils.update_bn([torch.from_numpy(X[:2]), torch.from_numpy(X[2:])], theirs)
    ours = AveragedModel(BatchNorm1d(2).set_train(training))
    assert (ours.training, ours.module.training) == (True, training)
    update_bn([ms.Tensor(X[:2]), ms.Tensor(X[2:])], ours)
    assert ours.training == ours.module.training == theirs.module.training
    np.testing.assert_allclose(ours(ms.Tensor(X)).asnumpy(), theirs(torch.from_numpy(X)).detach().numpy(), rtol=1e-4, atol=1e-5)


@pytest.mark.frameworks
def test_its_count_is_a_buffer() -> None:
    import torch
    from mindspore import nn

    from mindport.equivalents.schedulers.averaged_model import AveragedModel
    from mindport.layers.module_tree import named_buffers, named_parameters

    theirs, ours = torch.optim.swa_utils.AveragedModel(torch.nn.Linear(2, 3)), AveragedModel(nn.Dense(2, 3))
    assert [name for name, _ in named_parameters(ours)] == [name for name, _ in theirs.named_parameters()]
    assert [name for name, _ in named_buffers(ours)] == [name for name, _ in theirs.named_buffers()]
