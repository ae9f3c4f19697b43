"""Meters: an attribute that everybody reads as a number stays as it is; of one that somebody keeps the run decides whether it is a tensor."""

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
        ("0", "torch.tensor([self.total, self.count], dtype=torch.float32)", []),
        ("0", "self.gathered([self.total, self.count])", [10]),
    ],
)
def test_who_keeps_it(tmp_path: Path, start: str, read: str, lines: list[int]) -> None:
    (tmp_path / "meter.py").write_text(METER.format(start=start, read=read).replace("def __init__(self)", "def __init__(self, start)"))
    (tmp_path / "use.py").write_text("def show(meter):\n    print(meter.total, meter.count > 0)\n")
    assert decided_when_it_runs(tmp_path, "meter.py") == lines


def decided_when_it_runs(folder: Path, name: str) -> list[int]:
    """Lines of a file (of the text as it was) that became a call which asks what stands there; none of them has a finding."""
    conversion = convert(discover([folder]))
    assert not [finding for finding in conversion.findings if finding.code == "MP109"]
    before = (folder / name).read_text().split("\n")
    after = {place.name: text for place, text in conversion.files.items()}[name]
    calls = [line.strip().partition(" = ")[0] for line in after.split("\n") if "changed_in_place(" in line and "import" not in line]
    return [number for number, line in enumerate(before, 1) for target in calls if line.strip().startswith(f"{target} += ")]


WIDTHS = """import torch.nn as nn


class Net(nn.Module):
    def __init__(self, growth=3, start={default}):
        super().__init__()
        first = start
        start += growth
        self.layers = nn.ModuleList([nn.Conv2d(3, 4, start)])
        self.sizes = [first, start]
"""


@pytest.mark.parametrize(("default", "lines"), [("4", []), ("None", [8])])
def test_a_parameter_with_a_whole_number_for_default_is_one(tmp_path: Path, default: str, lines: list[int]) -> None:
    (tmp_path / "net.py").write_text(WIDTHS.format(default=default))
    assert decided_when_it_runs(tmp_path, "net.py") == lines


SUMS = """from collections import defaultdict


def mean(given):
    sums = defaultdict(float)
    for pairs in given:
        for name, value in pairs.items():
            sums[{key}] += value
    return {{name: sums[name] / 2 for name in sums}}
"""


@pytest.mark.parametrize("key", ["name", "name, 0", "pairs.name"])
def test_what_a_container_holds_is_asked_when_it_runs(tmp_path: Path, key: str) -> None:
    (tmp_path / "sums.py").write_text(SUMS.format(key=key))
    assert decided_when_it_runs(tmp_path, "sums.py") == [8]


def test_a_key_that_is_computed_keeps_its_finding(tmp_path: Path) -> None:
    (tmp_path / "sums.py").write_text(SUMS.format(key="name.pop()"))
    conversion = convert(discover([tmp_path]))
    assert [finding.code for finding in conversion.findings] == ["MP109"]
    assert "sums[name.pop()] += value" in next(iter(conversion.files.values()))


ADDED = """import torch


def penalise(model, strength):
    for p in model.parameters():
        p.grad.data += strength * p


def halve(p, q):
    p.grad += q
    p.grad.data *= 0.5
"""


def test_the_data_of_a_gradient_that_nobody_knows(tmp_path: Path) -> None:
    """What is read there is asked for by a call, to which nothing can be assigned."""
    (tmp_path / "program.py").write_text(ADDED)
    conversion = convert(discover([tmp_path]))
    assert not [finding for finding in conversion.findings if finding.code == "MP909"]
    text = {place.name: text for place, text in conversion.files.items()}["program.py"]
    assert 'p.grad = changed_in_place("mul", p.grad, 0.5)' in text


SIZES = """import torch
from torch import nn


class Generator(nn.Module):
    def __init__(self, width, sizes, out):
        super().__init__()
        held, layers = [width], []
        for size in sizes:
            layers.append(nn.Linear(width, size))
            width += size
        self.layers = nn.Sequential(*layers, nn.Linear(out, width))
        self.held = held


def grown(count, more):
    held = [count]
    count += more
    return count, held


print(grown({}, 1))
"""


@pytest.mark.parametrize("given", ["1, 2", "eval('1'), 2"])
def test_sizes_of_layers_are_numbers(tmp_path: Path, given: str) -> None:
    (tmp_path / "net.py").write_text(SIZES.replace("{}, 1", given))
    assert [line for line in decided_when_it_runs(tmp_path, "net.py") if line < 14] == []
