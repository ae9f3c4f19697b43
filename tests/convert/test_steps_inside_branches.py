"""A backward pass that stands in a branch with the step of its optimizer, beside other optimizers: the branch's own parameters get their gradients."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import printed_by_both

_PROGRAM = """import contextlib

import torch
from torch import nn


def train(maker, critic, m_opt, c_opt, batches, limit):
    for x in batches:
        maker.zero_grad()
        critic.zero_grad()
        made = critic(maker(x)).mean()
        made.backward()
        m_opt.step()
        maker.zero_grad()
        critic.zero_grad()
        loss = critic(x).pow(2).mean() - critic(maker(x)).mean()
{lines}
        print(round(float(made), 4), round(float(loss), 4))


maker, critic = nn.Linear(2, 2), nn.Linear(2, 1)
for k, p in enumerate([*maker.parameters(), *critic.parameters()]):
    nn.init.constant_(p, 0.1 * (k + 1))
m_opt = torch.optim.SGD(maker.parameters(), lr=0.1)
c_opt = torch.optim.SGD(critic.parameters(), lr=0.1)
train(maker, critic, m_opt, c_opt, [torch.tensor([[1.0, 2.0]]), torch.tensor([[-1.0, 0.5]]), torch.tensor([[0.3, -2.0]])], -0.5)
print([round(float(p.sum()), 4) for p in [*maker.parameters(), *critic.parameters()]])
"""


@pytest.mark.frameworks
@pytest.mark.parametrize(
    "lines",
    [
        ["if loss > limit:", "    loss.backward()", "    c_opt.step()"],
        ["if loss < limit:", "    pass", "else:", "    loss.backward()", "    c_opt.step()"],
        ["if loss > limit:", "    if len(x) > 0:", "        loss.backward()", "        c_opt.step()"],
        ["if loss > limit:", "    if len(x) > 0:", "        loss.backward()", "    c_opt.step()"],
        ["with contextlib.nullcontext():", "    loss.backward()", "    c_opt.step()"],
        ["if loss > limit:", "    c_opt.zero_grad()", "    loss.backward()", "    c_opt.step()"],
        ["if loss > limit:", "    loss.backward()", "c_opt.step()"],
    ],
)
def test_the_branch_trains_its_own(tmp_path: Path, lines: list[str]) -> None:
    expected, actual = printed_by_both(tmp_path, _PROGRAM.replace("{lines}", "\n".join(" " * 8 + line for line in lines)))
    assert actual == expected
