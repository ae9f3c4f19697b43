"""Programs that differentiate gradients gather by a mask; whole numbers and truth values keep their dtype there (their sums are int64)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import printed_by_both

PROGRAM = """import torch

x = torch.tensor([[1.0, 2.0], [0.0, 3.0]])
places = torch.tensor([[1, 1], [0, 1]])
bend = torch.autograd.functional.hessian(lambda a: (a ** 3).sum(), x.reshape(-1))
print([round(v, 4) for v in bend.reshape(-1).tolist()])
for kind in (torch.bool, torch.int32, torch.uint8, torch.int64):
    taken = x.to(kind).gather(1, places)
    print(taken.tolist(), taken.dtype == kind)
"""


@pytest.mark.frameworks
def test_dtypes(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, PROGRAM)
    assert theirs == ours
