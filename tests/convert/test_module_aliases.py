"""``F = nn.functional``: a module of torch's under a name of the program's own is as good as an import."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover
from tests.convert.both_sides import converted_script, printed_by_both

PROGRAM = """import torch
from torch import nn

F = nn.functional
O = torch.optim
sched = torch.optim.lr_scheduler


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.ones(2, 2))

    def forward(self, x):
        return F.softmax(F.linear(x, self.w), 1)[:, 0]


net = Net()
for make in (lambda p: O.SGD(p, 0.1), lambda p: O.Adam(p, lr=0.01), getattr(O, "RMSprop")):
    opt = make(net.parameters())
    decay = sched.StepLR(opt, 1, 0.5)
    opt.zero_grad()
    net(torch.tensor([[1.0, 2.0]])).sum().backward()
    opt.step()
    decay.step()
    print(net.w.sum().item(), opt.param_groups[0]["lr"])
"""


@pytest.mark.frameworks
def test_a_program(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, PROGRAM)
    assert [float(n) for n in ours.split()] == pytest.approx([float(n) for n in theirs.split()], rel=1e-5)


def test_the_name_goes_where_nothing_reads_it(tmp_path: Path) -> None:
    assert converted_script(tmp_path, "import torch\n\nF = torch.nn.functional\ny = F.relu(torch.ones(2))\n").splitlines()[-1] == "y = ops.relu(ops.ones(2))"


@pytest.mark.parametrize("rest", ["def f(g=F):\n    return g", "F = None"])
def test_what_it_is_asked_for_stands_there_where_something_does(tmp_path: Path, rest: str) -> None:
    assert "F = SimpleNamespace(relu=relu)" in converted_script(tmp_path, f"import torch\n\nF = torch.nn.functional\nx = F.relu(torch.ones(2))\n{rest}\n")


def test_what_another_file_asks_it_for_stands_there(tmp_path: Path) -> None:
    (tmp_path / "common.py").write_text("import torch\n\nF = torch.nn.functional\nx = F.relu(torch.ones(2))\n", encoding="utf-8")
    (tmp_path / "net.py").write_text("from common import F\n\n\ndef f(x):\n    return F.relu(x)\n", encoding="utf-8")
    texts = {path.name: text for path, text in convert(discover(tmp_path)).files.items()}
    assert "F = SimpleNamespace(relu=relu)" in texts["common.py"]


def test_what_has_no_equivalent_is_named_in_full(tmp_path: Path) -> None:
    text = converted_script(tmp_path, "import torch\n\nF = torch.nn.functional\nx = F.no_such_thing(torch.ones(2))\n")
    assert text.splitlines()[-1] == "x = torch.nn.functional.no_such_thing(ops.ones(2))" and "F =" not in text
