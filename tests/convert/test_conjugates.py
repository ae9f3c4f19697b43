"""What is asked for its conjugate is complex, though nothing else shows it; differences of complex tensors."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import printed_by_both

PROGRAM = """
import torch


def shown(t):
    return [(round(v.real, 4) + 0.0, round(v.imag, 4) + 0.0) for v in t.flatten().tolist()]


class Field:
    def __init__(self, **parts):
        for name, value in parts.items():
            setattr(self, name, value)

    def step(self, gain):
        return gain * self.probe.conj() / self.probe.abs().square().max()

    def aligned(self, other):
        s = torch.vdot(other, self.probe)
        return s / s.abs()

    def phase(self, size):
        return size * torch.sgn(self.probe)


z = torch.complex(torch.tensor([1.0, -2.0, 0.5]), torch.tensor([0.5, 1.0, -1.5]))
field = Field(probe=z)
print(shown(field.step(0.9)), shown(field.aligned(z * 1j)), shown(field.phase(torch.tensor([1.0, 2.0, 3.0]))))
w = torch.nn.Parameter(z.clone())
loss = torch.diff(w).abs().sum()
loss.backward()
print(shown(w.grad))


def fit(make):
    tilt = torch.exp(1j * torch.arange(3.0))
    p = torch.nn.Parameter(torch.tensor([0.1, 0.2, 0.3]))

    def closure():
        p.grad = None
        loss = (make(p) * tilt).abs().add(1).log().sum() + (make(p) * tilt).real.sum()
        loss.backward()
        return loss

    return closure().item(), p.grad.tolist()


value, grad = fit(lambda p: torch.polar(p, p * 2))
print(round(value, 4), [round(g, 4) for g in grad])
"""


@pytest.mark.frameworks
def test_what_both_print(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, PROGRAM)
    assert ours == theirs
