"""Members of objects whose type nobody knows: the text where it means the same, else a choice made when the program runs."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest

from mindport.convert import convert, write
from mindport.source.discover import discover
from tests.convert.both_sides import both_sides, converted_script, printed_by_both

PROGRAM = """\
import torch


def largest(cache):
    return cache.max(1)


def shape(cache, n):
    return cache.shape[0] + cache.view(-1, n).shape[1]


def described(cache):
    return f"of {cache.size(0)} rows"


def moved(batch):
    return [item.cpu() for item in batch]


def loss(criterion, x: torch.Tensor):
    return criterion(x).mean()


def counted(x):
    return (x > 0).float()


def picture(image):
    return image.size


def activated(functional, x):
    return functional.relu(x, True)


def trained(model):
    model.train()
    return [type(m).__name__ for m in model.modules()]
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "program.py").write_text(PROGRAM)
    write(convert(discover([tmp_path / "program.py"])), tmp_path / "out")
    return tmp_path / "out"


def test_only_what_may_differ_is_chosen_when_the_program_runs(project: Path) -> None:
    text = (project / "program.py").read_text()
    assert 'return method(cache, "max", torch_max)(1)' in text
    assert "return cache.shape[0] + cache.view(-1, n).shape[1]" in text
    assert "{method(cache, 'size', size)(0)}" in text  # the other quotes: Python 3.10 and 3.11 parse it
    assert "return image.size" in text  # a tensor's size is called
    assert "return functional.relu(x, True)" in text  # no tensor's relu takes an argument
    assert 'method(model, "train", None, train)()' in text
    assert "method(criterion" not in text and "method((x > 0)" not in text  # made of a tensor; no module is compared


def test_a_choice_is_reported(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    found = [f for f in convert(discover([tmp_path / "program.py"])).findings if f.code == "MP105"]
    assert {(f.span.line, f.risk) for f in found if f.span} == {(5, "style"), (13, "style"), (17, "style"), (37, "style"), (38, "style")}


@pytest.mark.frameworks
def test_the_choice_is_right_for_tensors_arrays_and_own_classes(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import mindspore as ms
    import numpy as np

    monkeypatch.syspath_prepend(str(project))
    for name in ("program", "torch_equivalents"):
        sys.modules.pop(name, None)
    program = importlib.import_module("program")
    table = np.array([[1.0, 5.0], [7.0, 2.0]], np.float32)
    values, indices = program.largest(ms.Tensor(table))
    assert values.asnumpy().tolist() == [5.0, 7.0] and indices.asnumpy().tolist() == [1, 0]
    assert program.largest(table).tolist() == [5.0, 7.0]

    class Rows:
        def max(self, key: int) -> str:
            return f"own {key}"

        def cpu(self) -> str:
            return "own"

        def size(self, axis: int) -> int:
            return 40 + axis

    assert program.largest(Rows()) == "own 1"
    assert program.described(Rows()) == "of 40 rows" and program.described(ms.Tensor(table)) == "of 2 rows"
    from mindspore import nn

    cell = nn.SequentialCell(nn.ReLU()).set_train(False)
    assert program.trained(cell) == ["SequentialCell", "ReLU"] and cell.training

    class Trainer:
        def train(self) -> None:
            self.ran = True

        def modules(self) -> list[int]:
            return [1]

    assert program.trained(Trainer()) == ["int"]
    moved = program.moved([ms.Tensor(table), Rows()])
    assert moved[1] == "own" and np.array_equal(moved[0].asnumpy(), table)


def test_what_is_added_up_is_chosen_and_what_is_added_to_stays(tmp_path: Path) -> None:
    text = "import torch\n\n\ndef f(x, d):\n    n = 0\n    n += x['y'].size(d)\n    x.size += 1\n    return n\n"
    (tmp_path / "program.py").write_text(text)
    converted = next(t for p, t in convert(discover([tmp_path / "program.py"])).files.items() if p.name == "program.py")
    assert "n += method(x['y'], \"size\", size)(d)" in converted
    assert 'x.size = changed_in_place("add", x.size, 1)' in converted  # `size` is no method there; what it holds decides when the program runs


TRANSFORMED = """import torch
from skimage import io


class Pictures:
    def __init__(self, paths, transform=None):
        self.paths, self.transform = paths, transform

    def __getitem__(self, i):
        sample = {"image": io.imread(self.paths[i])}
        if self.transform:
            sample = self.transform(sample)
        return sample


def sizes(paths):
    return [sample["image"].size() for sample in Pictures(paths, lambda s: {"image": torch.ones(2, 3)})]


plain = io.imread("a.png").size
"""


def test_another_library_is_one_of_two_makers(tmp_path: Path) -> None:
    made = converted_script(tmp_path, TRANSFORMED)
    assert 'return [sample["image"].shape for sample' in made
    assert 'plain = io.imread("a.png").size\n' in made


PARTS = """\
from collections import namedtuple

import torch

Wave = namedtuple("Wave", ["x"])


def parts(wave):
    return wave.x.real, wave.x.imag


OF_TENSORS = parts(Wave(torch.tensor([1 + 2j, 3 - 1j])))
OF_NUMBERS = parts(Wave(1 + 2j))
"""


@pytest.mark.frameworks
def test_the_parts_of_something_unknown_are_chosen(tmp_path: Path) -> None:
    """``x.real`` is a method of MindSpore's tensors: read, it would be no tensor."""
    before, after = both_sides(tmp_path, PARTS)
    assert [part.asnumpy().tolist() for part in after.OF_TENSORS] == [part.tolist() for part in before.OF_TENSORS]
    assert after.OF_NUMBERS == before.OF_NUMBERS


OPTIMIZER = """\
import numpy as np
import torch


class Secant(torch.optim.Optimizer):
    def __init__(self, params, lr=0.1):
        super().__init__(params, dict(lr=lr))

    def step(self):
        state = self.state["all"]
        gradient = torch.cat([p.grad.reshape(-1) for p in self.param_groups[0]["params"]])
        before = state.get("before")
        if before is not None:
            print("%.4f %.4f" % (before.dot(gradient).item(), float(before.max(0)[0])))
        state["before"] = gradient


weight = torch.nn.Parameter(torch.from_numpy(np.arange(3.0)).float())
optimizer = Secant([weight])
for turn in range(3):
    optimizer.zero_grad()
    (weight**2).sum().backward()
    optimizer.step()
"""


def test_what_the_state_of_an_optimizer_holds_is_a_tensor_in_a_file_of_arrays(tmp_path: Path) -> None:
    torch, mindspore = printed_by_both(tmp_path, OPTIMIZER)
    assert torch.splitlines() == mindspore.splitlines() == ["20.0000 4.0000"] * 2
