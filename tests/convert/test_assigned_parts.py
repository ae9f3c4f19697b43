"""``z.real = x`` writes into z; what is no tensor keeps its attribute."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import converted_script, printed_by_both

PROGRAM = """import torch


class Filter:
    def __init__(self, n):
        self.z = torch.zeros(2, n, dtype=torch.cfloat)
        self.real = "a name of its own"

    def fill(self, x):
        self.z.real = x
        self.z[1, 1:].imag = x[1:]
        return self.z


def phase(z, part):
    z.imag = part
    return z


filled = Filter(3)
print(filled.fill(torch.tensor([1.0, 2.0, 3.0])).tolist(), filled.real)
q = torch.ones(2, 2, dtype=torch.complex64)
row = q[0]
row.real = -3
q[1].imag = torch.tensor([4.0, 5.0])
print(phase(q[:, 0], torch.tensor([7.0, 8.0])).tolist(), q.tolist())
plain = torch.zeros(2)
plain.real = 2
print(plain.tolist())
try:
    plain.imag = 2
except RuntimeError:
    print("no imaginary part")
"""


@pytest.mark.frameworks
def test_both_sides_write_into_the_tensor(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, PROGRAM)
    assert ours == theirs


def test_the_text(tmp_path: Path) -> None:
    text = converted_script(tmp_path, "import torch\nx = torch.ones(2)\nq = torch.zeros(2, 2, dtype=torch.cfloat)\nq[1].real = x * 2\nq[x > 0].imag = x\n")
    assert "q[1] = with_real(q[1], x * 2)\n" in text
    assert "set_imag(q[x > 0], x)\n" in text  # a copy: torch changes that alone
