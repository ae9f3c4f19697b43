"""Modules of TorchScript are plain cells: what they have no more is told at its line."""

from __future__ import annotations

from pathlib import Path

from mindport.convert import convert
from mindport.source.discover import discover

PROGRAM = '''import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        return x * 2


class Archive(nn.Module):
    def save(self, path):
        print(path)


class Deployed:
    def __init__(self):
        self.net = torch.jit.trace(Net(), torch.ones(2))

    def write(self, path):
        self.net.save(path)


def main(path):
    net = Net()
    net = torch.jit.script(net)
    net.save(path)
    print(net.code, torch.jit.script(Net()).graph)
    kept = torch.jit.script(Archive())
    kept.save(path)


def other(net, path):
    net.save(path)
'''


def test_what_only_torchscript_has_is_told(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(PROGRAM, encoding="utf-8")
    found = [f for f in convert(discover(tmp_path)).findings if f.api and f.api.startswith("torch.jit.ScriptModule.")]
    assert sorted((f.code, f.span.line, f.api.rpartition(".")[2]) for f in found if f.span and f.api) == [("MP101", 20, "save"), ("MP101", 26, "save"), ("MP101", 27, "code"), ("MP101", 27, "graph")]
