"""Meters: an attribute that everybody reads as a number needs no finding; one that somebody keeps does."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover

METER = """import torch


class Meter:
    def __init__(self):
        self.total = {start}
        self.count = 0

    def update(self, value, n=1):
        self.total += value * n
        self.count += n

    def average(self):
        return {read}

    def __str__(self):
        return f"{{self.total:.3f}} of {{self.count}}, %d %s" % (self.count, self.total)


def collect(infos):
    infos["loss"] = torch.ones(1)
    infos[f"at_{{len(infos)}}"] = 1
    return infos
"""


@pytest.mark.parametrize(
    ("start", "read", "lines"),
    [
        ("0", "self.total / max(self.count, 1)", []),
        ("0.0", "float(self.total)", []),
        ("0", "self.total", [10]),  # who calls may keep it
        ("start", "self.total / 2", [10]),  # and somebody else may hold what it starts from
        ("0", "getattr(self, 'total')", [10]),
        ("0", "[self.total]", [10]),
    ],
)
def test_who_keeps_it(tmp_path: Path, start: str, read: str, lines: list[int]) -> None:
    (tmp_path / "meter.py").write_text(METER.format(start=start, read=read).replace("def __init__(self)", "def __init__(self, start)"))
    (tmp_path / "use.py").write_text("def show(meter):\n    print(meter.total, meter.count > 0)\n")
    assert [finding.span.line for finding in convert(discover([tmp_path])).findings if finding.code == "MP109" and finding.span] == lines


WIDTHS = """import torch.nn as nn


class Net(nn.Module):
    def __init__(self, growth=3, start={default}):
        super().__init__()
        first = start
        start += growth
        self.layers = nn.ModuleList([nn.Linear(first, start)])
        self.sizes = [first, start]
"""


@pytest.mark.parametrize(("default", "lines"), [("4", []), ("None", [8])])
def test_a_parameter_with_a_whole_number_for_default_is_one(tmp_path: Path, default: str, lines: list[int]) -> None:
    (tmp_path / "net.py").write_text(WIDTHS.format(default=default))
    assert [finding.span.line for finding in convert(discover([tmp_path])).findings if finding.code == "MP109" and finding.span] == lines
