"""Questions about the axes of parameters by names, where one may be a one-dimensional convolution's weight."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.convert.rewrites.unseen_axis import WHY
from mindport.source.discover import discover

HEAD = "from torch import nn\n\nnet = nn.Sequential(nn.Conv1d(2, 2, 1))\nfor name, p in net.named_parameters():\n"


@pytest.mark.parametrize(("line", "risk"), [
    ("wide = p.dim() == 3", "silent"), ("inputs = p.shape[-2]", "silent"), ("last = p.shape[-1]", None), ("wide = p.dim() > 1", None), ("first = p.shape[0]", None),
    ("print(name, tuple(p.shape))", "style"), ('text = f"{name}: {list(p.size())}"', "style"), ('text = "%s %s" % (name, p.shape)', "style"),
    ("power = -1 / p.dim()", "silent"), ("for axis, length in enumerate(p.size()): pass", "silent"), ("made = [n for n in p.shape]", "silent"), ("for axis in range(p.ndim): pass", "silent"),
    ("root = 2 * p.grad.dim()", "silent"), ("g = p.grad.data; root = 1 / g.ndimension()", "silent"), ("flat = p.view(-1, *[1] * (p.dim() - 1))", None), ("for row in p: pass", None),
    ('text = "{} {}".format(name, tuple(p.shape))', "style"), ("print(p.shape[0], p.numel())", None), ("like = p.new_zeros(p.shape)", None),
])  # fmt: skip
def test_it_is_told(tmp_path: Path, line: str, risk: str | None) -> None:
    (tmp_path / "script.py").write_text(f"{HEAD}    {line}\n", encoding="utf-8")
    told = [finding.risk for finding in convert(discover(tmp_path)).findings if WHY in finding.message]
    assert told == ([] if risk is None else [risk])


def test_nothing_is_told_without_such_a_layer(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(HEAD.replace("Conv1d", "Conv2d") + "    print(name, tuple(p.shape), p.dim() == 3)\n", encoding="utf-8")
    assert not any(WHY in finding.message for finding in convert(discover(tmp_path)).findings)
