"""``x = x.to(device)`` leaves no ``x = x``, and no ``if`` that held nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import converted_script, printed_by_both

HEAD = "import torch\n\ndevice = torch.device('cpu')\n\n\ndef step(x: torch.Tensor, y: torch.Tensor, cuda, flags):\n"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("    x = x.to(device)\n    return x\n", "    return x\n"),
        ("    x, y = x.to(device), y.to(device)\n    return x\n", "    return x\n"),
        ("    if cuda:\n        x = x.cuda()\n        y = y.cuda()\n    return x\n", "    return x\n"),
        ("    if cuda and flags.on == 1:\n        x = x.cuda()\n    return x\n", "    return x\n"),
        ("    if cuda:\n        x = x.cuda()\n    else:\n        x = x + 1\n    return x\n", "    if cuda:\n        pass\n    else:\n        x = x + 1\n    return x\n"),
        ("    if x.device == torch.device('cpu'):\n        y = y.cpu()\n    else:\n        y = y.cuda()\n    return x\n", "    return x\n"),
        ("    if flags():\n        x = x.cuda()\n    return x\n", "    if flags():\n        pass\n    return x\n"),
        ("    for x in y:\n        if cuda:\n            x = x.cuda()\n    return x\n", "    for x in y:\n        pass\n    return x\n"),
        ("    try:\n        x = x.cuda()\n    except KeyError:\n        x = x.cpu()\n    return x\n", "    try:\n        pass\n    except KeyError:\n        pass\n    return x\n"),
        ("    x = x.to(device)  # there\n    return x\n", "    x = x  # there\n    return x\n"),
        ("    x = x.cuda(); y = y + 1\n    return x\n", "    x = x; y = y + 1\n    return x\n"),
        ("    x = x\n    return x.cpu()\n", "    x = x\n    return x\n"),
        ("    class Held:\n        x = x.cuda()\n    return Held\n", "    class Held:\n        x = x\n    return Held\n"),
        ("    s = \"\"\"\n    x = x\n\"\"\"\n    x = x.cuda()\n    return s, x\n", "    s = \"\"\"\n    x = x\n\"\"\"\n    return s, x\n"),
    ],
)
def test_the_text(tmp_path: Path, body: str, expected: str) -> None:
    assert converted_script(tmp_path, f"{HEAD}{body}").partition("cuda, flags):\n")[2] == expected


HELD = """import torch


class Ranks:
    def __init__(self, count, cuda=False):
        self.ranks = torch.zeros(count).long()
        self.cuda = cuda

    def put(self, start, values):
        if self.cuda:
            self.ranks = self.ranks.cuda()
        self.ranks[start : start + len(values)] = values
        return self


print(Ranks(4).put(1, torch.tensor([3, 4])).put(2, torch.tensor([5, 6])).ranks.tolist())
"""


def test_attributes_go_too_and_hold_nothing_else(tmp_path: Path) -> None:
    text = converted_script(tmp_path, HELD)
    assert "self.ranks = self.ranks\n" not in text and "if self.cuda" not in text and "MP109" not in text, text


@pytest.mark.frameworks
def test_attributes_are_what_they_were(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, HELD)
    assert theirs == ours
