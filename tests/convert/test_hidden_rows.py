"""Queries that all masks hide: rows of nothing but -infinity in softmax, where MindSpore's kernel on CPU leaves the rows behind them unwritten."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mindport.convert import convert
from mindport.source.discover import discover
from tests.convert.both_sides import both_sides, converted_script

PROGRAM = """
import math
import torch
import torch.nn.functional as F
from torch import nn

scores = torch.sin(torch.arange(60.0)).reshape(12, 5).requires_grad_()
mask = torch.zeros(12, 5, dtype=torch.bool)
mask[1] = True
mask[7] = True
mask[3, 2] = True
hidden = scores.masked_fill(mask, float("-inf"))
by_layer = nn.Softmax(dim=-1)(hidden)
kept = [F.softmax(hidden, -1), torch.softmax(hidden, dim=1), hidden.softmax(-1), by_layer, torch.nan_to_num(F.softmax(hidden, dim=-1))]
total = sum((torch.nan_to_num(one) * torch.arange(5.0)).sum() for one in kept)
total.backward()
kept.append(scores.grad)

x = torch.cos(torch.arange(48.0)).reshape(1, 12, 4)
mha = nn.MultiheadAttention(4, 2, batch_first=True)
with torch.no_grad():
    for number, p in enumerate(mha.parameters()):
        p.copy_(torch.sin(torch.arange(p.numel()).float() + number).view_as(p))
seen = torch.zeros(12, 12, dtype=torch.bool)
seen[2] = True
padding = torch.zeros(1, 12, dtype=torch.bool)
padding[0, 9:] = True
kept += [*mha(x, x, x, attn_mask=seen, key_padding_mask=padding), mha(x, x, x, attn_mask=seen, need_weights=False)[0]]
kept += [F.scaled_dot_product_attention(x, x, x, attn_mask=~seen), F.scaled_dot_product_attention(x, x, x, attn_mask=torch.zeros(12, 12).masked_fill(seen, -math.inf))]
"""


@pytest.mark.frameworks
def test_the_other_rows_are_as_they_are(tmp_path: Path) -> None:
    theirs, ours = both_sides(tmp_path, PROGRAM)
    for expected, made in zip(theirs.kept, ours.kept, strict=True):
        np.testing.assert_allclose(made.asnumpy(), expected.detach().numpy(), rtol=2e-5, atol=2e-6)


def test_only_where_minus_infinity_is_written(tmp_path: Path) -> None:
    assert "hidden_softmax(hidden, dim=1)" in converted_script(tmp_path, PROGRAM)
    plain = "import torch\nimport torch.nn.functional as F\n\n\ndef f(x: torch.Tensor):\n    return F.softmax(x, 1)\n"
    assert "hidden" not in converted_script(tmp_path, plain)


def test_the_finding_says_torchs_own_name(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    said = [f.message for f in convert(discover([tmp_path])).findings]
    assert any("softmax" in message for message in said) and not any("_of_hidden" in message for message in said)
