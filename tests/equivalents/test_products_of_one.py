"""Products of a batch of one matrix: their gradients, which MindSpore's own products take wrong."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.convert.both_sides import printed_by_both

pytestmark = pytest.mark.frameworks
PROGRAM = """
import json
import torch

found = []
SHAPES = [((1, 3, 1), (1, 1, 5)), ((3, 1), (1, 1, 5)), ((1, 1, 4), (4, 5)), ((1, 1, 1, 4), (4, 5)), ((1, 1, 2, 1), (1, 1, 1, 5)), ((1, 1, 5), (5,)),
          ((1, 1, 1), (1,)), ((1,), (1, 1, 3)), ((1, 3, 1), (1, 1, 1, 5)), ((2, 1, 4), (4, 5)), ((1, 3, 4), (1, 4, 2)), ((2, 3, 1), (2, 1, 5))]
for one, other in SHAPES:
    a = torch.sin(torch.arange(float(torch.Size(one).numel()))).reshape(one).requires_grad_()
    b = torch.cos(torch.arange(float(torch.Size(other).numel()))).reshape(other).requires_grad_()
    made = PRODUCT
    (made ** 2).sum().backward()
    assert a.grad.shape == a.shape and b.grad.shape == b.shape
    found.append([*made.flatten().tolist(), *a.grad.flatten().tolist(), *b.grad.flatten().tolist()])
rows = torch.arange(6.0).reshape(1, 6, 1).unsqueeze(0)
print(json.dumps(found))
"""


@pytest.mark.parametrize("product", ["a @ b", "a.matmul(b)"])
def test_gradients_of_products_of_a_batch_of_one(tmp_path: Path, product: str) -> None:
    theirs, ours = (json.loads(printed) for printed in printed_by_both(tmp_path, PROGRAM.replace("PRODUCT", product)))
    for one, other in zip(theirs, ours, strict=True):
        np.testing.assert_allclose(other, one, rtol=1e-5, atol=1e-6)
