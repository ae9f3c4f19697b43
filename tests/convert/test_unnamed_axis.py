"""Softmax without an axis, as old code writes it: torch chooses by the number of axes."""

from __future__ import annotations

from pathlib import Path

import pytest

pytestmark = pytest.mark.frameworks
torch = pytest.importorskip("torch", reason="this file compares the frameworks")
ms = pytest.importorskip("mindspore", reason="this file compares the frameworks")

from tests.convert.both_sides import both_sides  # noqa: E402

PROGRAM = '''
import torch.nn as nn
import torch.nn.functional as F

layers = [nn.Softmax(), nn.LogSoftmax(), nn.Softmin(), nn.Softmax(dim=-1)]


def made(x):
    return [F.softmax(x), F.log_softmax(x), F.softmin(x), *(layer(x) for layer in layers)]
'''


@pytest.mark.parametrize("shape", [(4,), (2, 3), (2, 3, 4), (2, 3, 2, 2)])
def test_the_axis_is_torchs(tmp_path: Path, shape: tuple[int, ...]) -> None:
    before, after = both_sides(tmp_path, PROGRAM)
    x = torch.linspace(-2, 2, torch.Size(shape).numel()).reshape(shape)
    for ours, theirs in zip(after.made(ms.Tensor(x.numpy())), before.made(x), strict=True):
        torch.testing.assert_close(torch.from_numpy(ours.asnumpy()), theirs, rtol=1e-5, atol=1e-6)
    assert "LogSoftmax(), Softmin(), Softmax(dim=-1)" in (tmp_path / "after" / "program.py").read_text(encoding="utf-8")
