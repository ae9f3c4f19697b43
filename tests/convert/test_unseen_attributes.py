"""An attribute of which only None is seen, and which ``setattr(self, key, …)`` fills: what it has is asked when the program runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import printed_by_both

PROGRAM = '''
import torch
from torch import nn


def kept(key):
    def wrapper(fn):
        def inner(self, *args):
            if getattr(self, key) is None:
                setattr(self, key, fn(self, *args))
            return getattr(self, key)
        return inner
    return wrapper


class Pair(nn.Module):
    def __init__(self):
        super().__init__()
        self.online = nn.Linear(2, 2)
        self.target = None

    @kept("target")
    def build(self):
        return nn.Linear(2, 2)


def follow(target, online):
    for t, o in zip(target.parameters(), online.parameters()):
        t.data = o.data * 2


pair = Pair()
for p in pair.online.parameters():
    p.data.fill_(0.5)
pair.build()
pair.target.eval()
follow(pair.target, pair.online)
print([p.sum().item() for p in pair.target.parameters()], pair.target.training)
'''


@pytest.mark.frameworks
def test_members_of_what_was_seen_as_none_only(tmp_path: Path) -> None:
    """`target.parameters()` kept torch's name, untold, and raised."""
    theirs, ours = printed_by_both(tmp_path, PROGRAM)
    assert theirs == ours
