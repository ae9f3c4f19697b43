"""SparseAdam beside torch's, whose gradients of embeddings are sparse: rows that a batch did not touch stay, and so do their means."""

from __future__ import annotations

import numpy as np
import torch
from mindspore import Parameter, Tensor

from mindport.equivalents.optimizers.sparse_adam import SparseAdam

ROWS = ([0, 2], [2, 2, 4], [1], [0, 4])


def test_rows_that_a_batch_did_not_touch_stay() -> None:
    table = np.sin(np.arange(15, dtype=np.float32)).reshape(5, 3)
    theirs, ours = torch.nn.Parameter(torch.tensor(table)), Parameter(Tensor(table), name="table")
    expected, optimizer = torch.optim.SparseAdam([theirs], lr=0.1), SparseAdam([ours], lr=0.1)
    for rows in ROWS:
        expected.zero_grad()
        looked_up = torch.nn.functional.embedding(torch.tensor(rows), theirs, sparse=True)
        (looked_up * torch.arange(1.0, 4.0)).square().sum().backward()
        assert theirs.grad is not None
        ours.grad = Tensor(theirs.grad.to_dense().numpy())
        expected.step()
        optimizer.step()
    assert np.array_equal(ours.asnumpy()[3], table[3])
    np.testing.assert_allclose(ours.asnumpy(), theirs.detach().numpy(), rtol=1e-6, atol=1e-7)
    saved, state = optimizer.state_dict()["state"][0], expected.state_dict()["state"][0]
    assert saved["step"] == state["step"] == len(ROWS) and type(saved["step"]) is int
    np.testing.assert_allclose(saved["exp_avg"].asnumpy(), state["exp_avg"].numpy(), rtol=1e-6)
