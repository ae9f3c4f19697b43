"""NumPy's numbers, tensors and truth values in the places of Python's numbers: what is written around them, and that it runs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.convert.both_sides import both_sides, converted_script

HEAD = "import numpy as np\nimport torch\nimport torch.nn as nn\nimport torch.nn.functional as F\nx = torch.ones(4, 6)\nn, r, t = np.int64(1), np.float32(0.5), torch.tensor(1)\n"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("y = F.softmax(x, t)", "int(t)"),
        ("y = torch.roll(x, n, n)", "as_python(n)"),
        ("y = nn.Dropout(r)", "as_python(r)"),
        ("y = nn.Linear(6, t, bias=n)", "int(t)"),
        ("y = torch.linalg.matrix_power(x @ x.T, n)", "as_number(n)"),
        ("operation = torch.stack\ny = operation([x], n)", "int(n)"),
        ('TABLE = {"a": nn.Linear}\ny = TABLE["a"](6, n)', "int(n)"),
        ('more = {"dim": n}\ny = torch.sum(x, **more)', "**as_python(more)"),
        ("y = F.upsample(x.reshape(1, 1, 4, 6), n)", "as_number(n)"),
        ("operation = x.addmv\ny = operation(mat=x, vec=x[0], beta=t)", "beta=as_python(t)"),
        ('y = getattr(x, "softmax")(n)', "int(n)"),
        ("from types import SimpleNamespace\ncfg = SimpleNamespace(dim=n)\ny = nn.Linear(6, cfg.dim)", "int(cfg.dim)"),
        ('more = {}\nmore["dim"] = n\ny = torch.sum(x, **more)', "**as_python(more)"),
        ('more = {}\nmore["dim"] = n\nmore["input"] = x\ny = torch.sum(**more)', "**as_number(more)"),
        ("class Layer(nn.Linear):\n    pass\ny = Layer(n, 2)", "Layer(int(n), 2)"),
        ("class Layer(nn.Linear):\n    def __init__(self):\n        super().__init__(6, n)", "(6, int(n))"),
        ("class Layer(nn.Linear):\n    def __init__(self):\n        nn.Linear.__init__(self, n, 2)", "(self, int(n), 2)"),
        ("rest = (x, x)\ny = x.addcdiv(*rest, value=r)", "value=as_python(r)"),
        ("rest = (n, n)\ny = torch.roll(x, *rest)", "*as_python(rest)"),
        ("flag = 1 < 2\ny = F.softmax(x, flag)", "int(flag)"),
        ("from functools import partial\nmake = partial(nn.MaxPool2d, n)", "as_python(n)"),
        ("def made(kind: type[nn.Module], rows: np.ndarray):\n    return kind(6, max(rows) + 1, rows)", "kind(6, as_number(max(rows) + 1), rows)"),
        ("def block(size):\n    return nn.Conv2d(3, size, 1)\ny = block(4), block(np.min([n, 8]))", "(3, int(size), 1"),
    ],
)
def test_what_is_written(tmp_path: Path, line: str, expected: str) -> None:
    assert expected in converted_script(tmp_path, HEAD + line)


@pytest.mark.parametrize(
    "line",
    [
        "y = F.softmax(x, 1)", "y = x + t", "y = torch.add(x, t)", "y = torch.full((2,), 1.0)", "y = torch.tensor(n)", "y = F.cross_entropy(x, torch.arange(4), weight=torch.ones(6))",
        "y = torch.clamp(x, t)", "torch.save(n, 'file')", "y = torch.from_numpy(np.ones(3) * n)", "y = nn.Linear(6, 2, bias=True)", "rest = (x, x)\ny = torch.add(*rest)", 'more = {"other": t}\ny = torch.add(x, **more)',
    ],
)  # fmt: skip
def test_what_stays(tmp_path: Path, line: str) -> None:
    text = converted_script(tmp_path, HEAD + line)
    assert not any(name in text for name in ("as_python", "as_number", "int(", "float(", "bool("))


PROGRAM = HEAD + """
class Config:
    axis, size = np.int32(1), torch.tensor(3)


cfg = Config()
options = {"dim": t, "keepdim": True}
made = [
    F.softmax(x, cfg.axis), x.unfold(cfg.axis, cfg.size, n), torch.sum(x, **options), torch.roll(x, *(n, n)), torch.diagflat(x[0], offset=t), x.moveaxis(n, 0),
    F.huber_loss(x, 2 * x, delta=torch.tensor(0.5)), torch.linalg.matrix_power(x @ x.T, np.int64(2)), F.max_pool2d(x.reshape(1, 1, 4, 6), np.int64(2), stride=t), x.lerp(2 * x, r),
    F.pad(x, list(np.array([1, 2]))), torch.tile(x, list(np.array([1, 2]))), torch.tile(x, tuple(np.array([2, 2]))), torch.permute(x, list(np.array([1, 0]))), F.pad(x, (t, n)), torch.split(x, t)[0], F.pixel_shuffle(torch.ones(1, 4, 2, 2), torch.tensor(2)), F.conv1d(x.reshape(1, 4, 6), torch.ones(1, 4, 2), stride=(n,), padding=t),
]
def norm(size):
    return nn.BatchNorm1d(size)


norms = [norm(4), norm(np.min([6, 9]))]
layers = [norms[1], nn.Linear(np.prod((2, 3)), t), nn.Sequential(nn.Dropout(r), nn.LayerNorm(np.int64(6))), nn.ZeroPad1d(n), nn.Softmax(t), nn.GRUCell(6, np.int32(3)), nn.BatchNorm1d(torch.tensor(6), eps=r)]
with torch.no_grad():
    for layer in layers:
        for p in layer.parameters():
            p.fill_(0.25)
made += [layer.eval()(x) for layer in layers]
"""


@pytest.mark.frameworks
def test_it_runs_alike(tmp_path: Path) -> None:
    theirs, ours = both_sides(tmp_path, PROGRAM)
    for one, other in zip(theirs.made, ours.made, strict=True):
        assert tuple(one.shape) == tuple(other.shape)
        np.testing.assert_allclose(other.asnumpy(), one.detach().numpy(), 1e-4, 1e-6)


SEVERAL = """
import torch
import torch.nn.functional as F


def penalised(y, x, z=None):
    return F.mse_loss(y, x) if z is None else F.mse_loss(y, x) + z.abs().mean()


def of(loss, y, x, z):
    return loss(y, x, z) if getattr(loss, "__name__", "") == "penalised" else loss(y, x)


LOSSES = {"plain": F.mse_loss, "penalised": penalised, "other": F.l1_loss}
x = torch.arange(6.0).reshape(2, 3)
made = [of(loss, x, 2 * x, x - 1) for loss in LOSSES.values()]
"""


@pytest.mark.frameworks
def test_a_function_of_the_projects_takes_arguments_as_they_are(tmp_path: Path) -> None:
    """Beside losses of torch's, whose third parameter is a truth value."""
    theirs, ours = both_sides(tmp_path, SEVERAL)
    np.testing.assert_allclose([m.item() for m in ours.made], [m.item() for m in theirs.made], 1e-6)


NUMPYS = """
import numpy as np
import torch
from torch import nn

options = {}
options["dim"] = (0, 1)
options.update({"spacing": [torch.tensor([1.0, 3.0, 2.0]), torch.tensor([8.0, 6.0, 1.0])], "edge_order": np.int64(2)})
flag = np.bool_(False)
layer = nn.Linear(3, 4, bias=flag)
made = [*torch.gradient(torch.arange(9.0).reshape(3, 3), **options), torch.tensor(sum(p.numel() for p in layer.parameters()))]
"""


@pytest.mark.frameworks
def test_numbers_of_numpys_beside_a_list_of_tensors_and_for_a_truth_value(tmp_path: Path) -> None:
    theirs, ours = both_sides(tmp_path, NUMPYS)
    for one, other in zip(theirs.made, ours.made, strict=True):
        np.testing.assert_allclose(other.asnumpy(), one.numpy(), 1e-5, 1e-6)
