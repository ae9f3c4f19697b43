"""Section H: estimates, what lies behind a source, advice, and differences that keep the number."""

from __future__ import annotations

import pytest

from mindport.analysis.answers import Snippet, Table
from mindport.analysis.questions.dynamic_shape import section
from mindport.findings import CODES
from tests.analysis.dynamic_shape.running import subject_of

MULTI_SCALE = """
import random
import torch.nn.functional as F
def train(model, loader):
    for images, targets in loader:
        size = random.choice(range(320, 641, 32))
        images = F.interpolate(images, size=(size, size))
        model(images, targets)
"""
SELECTED = """
import torch
def f(x: torch.Tensor):
    y = x[x > 0].{reduction}()
    return y + 1
"""
DOWNSTREAM = """
import torch
def f(x: torch.Tensor, n: torch.Tensor):
    y = x[: int(n)]
    z = torch.relu(y)
    return z.sum()
"""


def tables(text: str) -> dict[str, Table]:
    return {part.title: part for part in section(subject_of(text)).parts if isinstance(part, Table)}


def test_multi_scale_has_eleven_shapes() -> None:
    row = tables(MULTI_SCALE)["Where shapes begin to change"].rows[0]
    assert row[0] == "module.py:7" and row[4].startswith("11:") and row[5].startswith("11 compilations, 2.75 s")


def test_what_lies_behind_is_listed_until_one_number_is_made() -> None:
    row = tables(DOWNSTREAM)["What lies behind them"].rows[0]
    assert row[0] == "module.py:4" and "module.py:5 torch.relu" in row[1] and "module.py:6 torch.sum" in row[2]


@pytest.mark.parametrize(
    ("reduction", "line"),
    [("sum", "+    y = torch.where(x > 0, x, 0).sum()"), ("mean", "+    y = torch.where(x > 0, x, 0).sum() / (x > 0).sum()")],
)
def test_a_selection_that_is_reduced_becomes_a_mask(reduction: str, line: str) -> None:
    shown = [part for part in section(subject_of(SELECTED.format(reduction=reduction))).parts if isinstance(part, Snippet)]
    assert [line in part.code for part in shown] == [True]


def test_a_mask_of_unknown_shape_gets_no_difference() -> None:
    text = "import torch\ndef f(x: torch.Tensor, m: torch.Tensor):\n    return x[m > 0].sum()\n"
    assert not [part for part in section(subject_of(text)).parts if isinstance(part, Snippet)]


def test_static_code_is_said_to_be_static() -> None:
    made = section(subject_of("import torch\ndef f(x: torch.Tensor):\n    return x[:, 1:5]\n"))
    assert made.answers[0].status == "not found" and not made.parts


def test_findings_have_codes_and_advice() -> None:
    subject = subject_of(MULTI_SCALE + SELECTED.format(reduction="sum"))
    section(subject)
    assert {finding.code for finding in subject.findings} == {"MP201", "MP202"}
    assert all(finding.code in CODES and finding.advice for finding in subject.findings)


@pytest.mark.parametrize("loops", ["for i, part in enumerate(a.parts):\n        a.parts[i] = part", "for x in b.parts:\n        a.add(x)\n    for y in a.parts:\n        b.add(y)"])
def test_lists_of_objects_that_loops_over_them_fill(loops: str) -> None:
    text = f"import torch\nclass Pool:\n    def __init__(self):\n        self.parts = []\n    def add(self, x):\n        self.parts.append(x)\ndef f():\n    a = Pool()\n    b = Pool()\n    {loops}\n    return torch.stack(a.parts)\n"
    assert section(subject_of(text)).letter == "H"


@pytest.mark.frameworks
@pytest.mark.parametrize("reduction", ["sum", "mean"])
def test_the_difference_keeps_the_number(reduction: str) -> None:
    import torch

    shown = next(part for part in section(subject_of(SELECTED.format(reduction=reduction))).parts if isinstance(part, Snippet))
    new = next(line[1:] for line in shown.code.splitlines() if line.startswith("+ "))
    old = next(line[1:] for line in shown.code.splitlines() if line.startswith("- "))
    for x in (torch.randn(7, 5), torch.tensor([1.0, -float("inf"), 2.0]), -torch.ones(3)):
        results = []
        for line in (old, new):
            scope = {"x": x, "torch": torch}
            exec(line.strip(), scope)
            results.append(scope["y"])
        assert torch.allclose(results[0], results[1], equal_nan=True)
