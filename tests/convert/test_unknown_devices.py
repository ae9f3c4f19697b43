"""The kind and number of a device that arguments, attributes and properties bring: a device is its name, a text."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import converted_script, printed_by_both

_PROGRAM = """import types

import torch


class Platform:
    @property
    def torch_device(self):
        return torch.device("cpu")


_PLATFORM = None


def platform():
    return _PLATFORM


class Trainer:
    def __init__(self, options):
        self.device = options.device
        self.pinned = platform().torch_device.type == "cuda"

    def place(self, x):
        return x * 2 if self.device.type != "cuda" and self.device.index is None else x


def kind(device):
    return device.type, device.index


def chosen(device=None):
    return None if device is None else device.type


_PLATFORM = Platform()
trainer = Trainer(types.SimpleNamespace(device=torch.device("cpu")))
print(trainer.pinned, trainer.place(torch.ones(2)).tolist(), kind(torch.device("cuda:1")), kind(torch.device("cpu")), chosen(), chosen(torch.device("cpu")))
print(kind(types.SimpleNamespace(type="disk", index=3)), kind(torch.device("cuda", 2)))
"""


@pytest.mark.frameworks
def test_kinds_and_numbers(tmp_path: Path) -> None:
    expected, actual = printed_by_both(tmp_path, _PROGRAM)
    assert actual == expected


@pytest.mark.parametrize("line", ["return device.type('x')", "return option.type", "device.type = 'x'"])
def test_what_stays(tmp_path: Path, line: str) -> None:
    assert line in converted_script(tmp_path, f"import torch\n\n\ndef f(x, device, option):\n    torch.relu(x)\n    {line}\n")
