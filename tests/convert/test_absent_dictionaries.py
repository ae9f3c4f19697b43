"""Dictionaries of torch's modules that no cell has are told at their line."""

from __future__ import annotations

from pathlib import Path

from mindport.convert import convert
from mindport.source.discover import discover

PROGRAM = '''import torch.nn as nn


def cleared():
    net = nn.Sequential(nn.Linear(2, 3), nn.ReLU())
    for m in net.modules():
        m._forward_hooks.clear()
    return len(net[0]._forward_hooks)


class Own:
    def hooks(self):
        return self._forward_hooks
'''


def test_hooks_of_modules_are_told(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(PROGRAM, encoding="utf-8")
    found = [f for f in convert(discover(tmp_path)).findings if f.api == "torch.nn.Module._forward_hooks"]
    assert sorted((f.code, f.span.line) for f in found if f.span) == [("MP101", 7), ("MP101", 8)]


TAKEN_AWAY = '''from collections import OrderedDict

import torch.nn as nn


class Pruned:
    def __init__(self, net):
        self.net = net
        for m in net.modules():
            m.register_forward_pre_hook(self._forward_pre_hooks)

    def free(self):
        for m in self.net.modules():
            m._forward_pre_hooks = OrderedDict()

    def _forward_pre_hooks(self, m, inputs):
        print(type(m))


class Keeping(nn.Module):
    def __init__(self):
        super().__init__()
        self._forward_hooks = {}
        print(self._forward_hooks)
'''


def test_hooks_that_are_taken_away_by_another_dictionary_are_told(tmp_path: Path) -> None:
    """They stay on the cell, silently, if nobody says so."""
    (tmp_path / "script.py").write_text(TAKEN_AWAY, encoding="utf-8")
    found = [f for f in convert(discover(tmp_path)).findings if f.api and f.api.startswith("torch.nn.Module._forward")]
    assert [(f.code, f.api, f.span.line) for f in found if f.span] == [("MP101", "torch.nn.Module._forward_pre_hooks", 14)]
