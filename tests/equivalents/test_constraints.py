"""The constraints that are objects, on both sides: what they say of numbers and of matrices."""

from __future__ import annotations

import pytest

NUMBERS = ("boolean", "one_hot", "nonnegative_integer", "positive_integer", "real", "real_vector", "positive", "nonnegative", "unit_interval", "simplex")
MATRICES = ("lower_triangular", "lower_cholesky", "corr_cholesky", "square", "symmetric", "positive_semidefinite", "positive_definite")


@pytest.mark.frameworks
@pytest.mark.parametrize("name", [*NUMBERS, *MATRICES])
def test_check(name: str) -> None:
    import mindspore as ms
    import torch

    from mindport import catalog
    from mindport.evidence.knowledge import declaration
    from mindport.evidence.own import constraints

    theirs = getattr(torch.distributions.constraints, name)
    entry = next(e for e in catalog.load().find(f"torch.distributions.constraints.{name}") if e.kind == "constant")
    ours = declaration(entry).target
    values = constraints.NUMBERS if name in NUMBERS else constraints.MATRICES
    given = [values, values[:1], *([] if name in NUMBERS else [values[:, :1]] if name == "square" else list(values))]
    for tensor in given:
        found = ours.check(ms.Tensor(tensor.numpy()))
        assert found.dtype == ms.bool_ and found.asnumpy().tolist() == theirs.check(tensor).tolist(), tensor
    assert (repr(ours), ours.is_discrete, ours.event_dim) == (repr(theirs), theirs.is_discrete, theirs.event_dim)
