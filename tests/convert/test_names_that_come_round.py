"""Names that the forward pass binds on some ways and only itself reads are live round the loop, and no value of the step's function."""

from __future__ import annotations

from pathlib import Path

from tests.convert.both_sides import converted_script

SCRIPT = """import torch
from torch import nn


def weights(kind):
    return [kind / 2]


model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for x in (torch.ones(3, 4), torch.zeros(3, 4)):
        loss = model(x).pow(2).mean()
        if epoch > 0:
            for kind in (1.0, 2.0):
                picked = weights(kind)
            loss = loss * picked[0]
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(loss.item()AFTER)
"""


def test_it_is_not_returned(tmp_path: Path) -> None:
    text = converted_script(tmp_path, SCRIPT.replace("AFTER", ""))
    assert "def forward" in text and "return loss\n" in text


def test_what_is_read_outside_leaves_the_function_or_forbids_one(tmp_path: Path) -> None:
    text = converted_script(tmp_path, SCRIPT.replace("AFTER", ", len(picked) if epoch else 0"))
    assert "return loss\n" not in text
