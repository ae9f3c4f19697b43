"""``%`` and ``//`` of large int64 tensors, as hashes divide: MindSpore's kernels compute them by way of float64, silently another number."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import printed_by_both

_PROGRAM = """import torch
from hashing import mixed

x = torch.tensor([3430226234567890123, -3430226234567890123, 9007199254740993, 2**62 + 12345, -7, 2**63 - 1, 0])
for d in (2**31, 1000, 7, 49, -13, 2654435761, 2**40 + 3):
    print((x % d).tolist(), (x // d).tolist())
ids = torch.arange(5) * 198765
print(mixed(ids).tolist(), (ids % torch.tensor([3, 7, 9, 11, 13])).tolist(), (ids / 2 % 3).tolist(), (ids.int() % 7).dtype == torch.int32)
# ==== hashing.py
def mixed(x, seed=7):
    h = (x * 2654435761 + seed * 40503) % 2**31
    return (h * 1597334677) % 2**31 % 97
"""


@pytest.mark.frameworks
def test_hashes_fall_into_torchs_buckets(tmp_path: Path) -> None:
    expected, actual = printed_by_both(tmp_path, _PROGRAM)
    assert actual == expected


_TRUNCATED = """import torch

x = torch.tensor([123456789, -123456789, 2**40 + 12345, -(2**45 + 7), 99999999, 7, -7, 0])
y = torch.tensor([10, 7, 3, 1000, 13, -2, 2, 5])
print(torch.div(x, 10, rounding_mode="trunc").tolist(), torch.div(x, y, rounding_mode="trunc").tolist(), x.div(-7, rounding_mode="trunc").tolist())
few = torch.tensor([16777217, -16777219, 5], dtype=torch.int32)
print(few.div(2, rounding_mode="trunc").tolist(), few.div(2, rounding_mode="trunc").dtype == torch.int32, torch.div(few, 2.0, rounding_mode="trunc")[2].item(), torch.div(few, y[:3], rounding_mode="trunc").tolist())
"""


@pytest.mark.frameworks
def test_whole_numbers_are_truncated_exactly(tmp_path: Path) -> None:
    expected, actual = printed_by_both(tmp_path, _TRUNCATED)
    assert actual == expected
