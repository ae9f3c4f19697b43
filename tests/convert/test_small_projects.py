"""What small projects of several files do that a file alone does not show."""

from __future__ import annotations

from pathlib import Path

import pytest

pytestmark = pytest.mark.frameworks
pytest.importorskip("torch", reason="this file compares the frameworks")
pytest.importorskip("mindspore", reason="this file compares the frameworks")

from tests.convert.both_sides import printed_by_both  # noqa: E402

CLASSES_BY_TEXTS = '''
import importlib
from dataclasses import asdict, dataclass

from torch import nn, tensor


@dataclass
class Adam:
    target: str = "torch.optim.Adam"
    lr: float = 0.1
    betas: tuple = (0.8, 0.9)


@dataclass
class Decay:
    target: str = 'torch.optim.lr_scheduler.ExponentialLR'
    gamma: float = 0.5


def made(config, *args):
    options = asdict(config)
    module, _, name = options.pop("target").rpartition(".")
    return getattr(importlib.import_module(module), name)(*args, **options)


net = nn.Linear(2, 1)
nn.init.constant_(net.weight, 0.5)
nn.init.zeros_(net.bias)
optimizer = made(Adam(), net.parameters())
scheduler = made(Decay(), optimizer)
for _ in range(3):
    optimizer.zero_grad()
    loss = ((net(tensor([[1.0, 2.0]])) - 3) ** 2).mean()
    loss.backward()
    optimizer.step()
    scheduler.step()
    print(f"{loss.item():.4f} {optimizer.param_groups[0]['lr']:.4f}")
'''

NUMBERS_FROM_ELSEWHERE = '''
import numpy as np

from storage import Storage

held = Storage()
for part in held.parts(np.random.RandomState(0)):
    print(part.tolist())
# ==== storage.py
import torch


class Storage:
    def __init__(self):
        self.seen = torch.arange(24.0).view(3, 4, 2)

    def parts(self, rng):
        order = rng.permutation(4)
        for start in range(2):
            place = order[start]
            yield self.seen[:, place]
            yield self.seen[:-1, place:]
            self.seen[0, place] = -1
'''


@pytest.mark.parametrize("program", [CLASSES_BY_TEXTS, NUMBERS_FROM_ELSEWHERE], ids=["classes that texts name", "numbers of NumPy's from another file"])
def test_both_sides_print_the_same(tmp_path: Path, program: str) -> None:
    theirs, ours = printed_by_both(tmp_path, program)
    assert theirs == ours
