"""Attention in which several heads of the query share a head of key and value."""

from __future__ import annotations

from pathlib import Path

import pytest

pytestmark = pytest.mark.frameworks
torch = pytest.importorskip("torch", reason="this file compares the frameworks")
ms = pytest.importorskip("mindspore", reason="this file compares the frameworks")

from tests.convert.both_sides import both_sides  # noqa: E402

PROGRAM = '''
import torch
import torch.nn.functional as F


def attended(q, k):
    return F.scaled_dot_product_attention(q, k, k + 1, enable_gqa=True, is_causal=True).tolist()
'''


def test_heads_of_keys_serve_several_of_the_query(tmp_path: Path) -> None:
    before, after = both_sides(tmp_path, PROGRAM)
    q, k = torch.arange(48.0).reshape(1, 4, 3, 4) / 20, torch.arange(24.0).reshape(1, 2, 3, 4) / 20
    expected, found = before.attended(q, k), after.attended(ms.Tensor(q.numpy()), ms.Tensor(k.numpy()))
    assert torch.allclose(torch.tensor(found), torch.tensor(expected), atol=1e-5)
