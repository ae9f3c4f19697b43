"""A project that puts its own under PyTorch's names gets its own back."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover


def converted(folder: Path, **files: str) -> tuple[dict[str, str], list[tuple[str, str]]]:
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)
    conversion = convert(discover(folder))
    return {path.stem: text for path, text in conversion.files.items()}, [(f.code, f.message) for f in conversion.findings]


def test_functions_and_values_of_every_kind(tmp_path: Path) -> None:
    text = """import functools
import torch
import torch.nn as nn
import torch.nn.functional as F

early = F.silu(torch.ones(2))
F.silu = lambda x: x * 3
torch.load = functools.partial(torch.load, weights_only=False)

def g(x):
    return F.silu(x), torch.load("x"), nn.Swish

nn.Swish = g
"""
    files, _ = converted(tmp_path, a=text)
    assert "early = ops.silu(" in files["a"]
    assert "own_silu = lambda x: x * 3" in files["a"] and "F." not in files["a"]
    assert "own_load = functools.partial(" in files["a"]
    assert 'return own_silu(x), own_load("x"), g' in files["a"]


OWN = """import torch.nn as nn

class Centred(nn.Module):
    def forward(self, x):
        return x - x.mean()

nn.LayerNorm = Centred
"""


def test_another_file_is_told(tmp_path: Path) -> None:
    user = "import torch.nn as nn\nimport own\n\nnet = nn.LayerNorm(3)\n"
    apart = "import torch.nn as nn\n\nnet = nn.LayerNorm(3)\n"
    files, findings = converted(tmp_path, own=OWN, user=user, apart=apart)
    assert "torch.nn.LayerNorm(3)" in files["user"] and 'torch = unconverted("torch")' in files["user"]
    assert [message for code, message in findings if code == "MP101"] == [
        "torch.nn.LayerNorm: own.py:7 puts the project's own under this name: import that one and call it by its name"
    ]
    assert "LayerNorm((3,)" in files["apart"]


@pytest.mark.parametrize("line", ["torch.backends.cudnn.benchmark = True", "torch.nn.own_setting = 3", "m.training = False", "if not hasattr(nn, 'SiLU'):\n    nn.SiLU = nn.ReLU"])
def test_what_is_no_function_of_torchs(tmp_path: Path, line: str) -> None:
    files, _ = converted(tmp_path, a=f"import torch\nimport torch.nn as nn\n\nm = nn.SiLU()\n{line}\nn = nn.SiLU()\n")
    assert files["a"].count("SiLU()") == 2 and "own_" not in files["a"]


@pytest.mark.frameworks
def test_classes_compute_as_the_projects(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="this test compares the frameworks")
    from tests.convert.both_sides import both_sides

    text = """import torch
import torch.nn as nn

class Norm(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.scale = nn.Parameter(torch.full((n,), 2.0))

    def forward(self, x):
        return x * self.scale

nn.LayerNorm = Norm

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(3)

    def forward(self, x):
        return self.norm(x)

def run():
    return Net()(torch.tensor([[1.0, 5.0, 2.0]])).detach().numpy().tolist()
"""
    layer_norm = torch.nn.LayerNorm
    try:
        before, after = both_sides(tmp_path, text)
        assert after.run() == before.run() == [[2.0, 10.0, 4.0]]
    finally:
        torch.nn.LayerNorm = layer_norm


METHODS = """import torch
import torch.nn as nn


def stay(self, device=None):
    \"\"\"No device here.\"\"\"
    return self


torch.Tensor.cuda = lambda self, *a, **k: self
nn.Module.cuda = stay
net = nn.Linear(2, 2).cuda()
print(tuple(net(torch.ones(3, 2).cuda()).shape))
"""


def test_methods_that_do_nothing_go_where_torchs_do_nothing_either(tmp_path: Path) -> None:
    files, findings = converted(tmp_path, a=METHODS)
    assert "cuda" not in files["a"] and "torch" not in files["a"] and not findings


@pytest.mark.parametrize("line", ["torch.Tensor.cuda = lambda self: self + 1", "torch.Tensor.mean = lambda self: self", "nn.Linear.forward = forward", "nn.Module.eval = forward"])
def test_methods_in_torchs_classes_are_told(tmp_path: Path, line: str) -> None:
    files, findings = converted(tmp_path, a=f"import torch\nfrom torch import nn\n\n\ndef forward(self, x=None):\n    return x\n\n\n{line}\nprint(nn.Linear(2, 2)(torch.ones(3, 2).cuda()).mean())\n")
    name = line.split(" ")[0].replace("nn.", "torch.nn.")
    assert [message.split(":")[0] for code, message in findings if code == "MP101"] == [name]
    assert f"\n{name} = " in files["a"] and 'torch = unconverted("torch")' in files["a"]


@pytest.mark.parametrize("statement", ["nn.BatchNorm1d = Own", "F.gelu = gelu", "torch.nn.functional.gelu = lambda x: x"])
def test_what_only_a_branch_stores_is_told_and_raises(statement: str, tmp_path: Path) -> None:
    text = f"""import torch
import torch.nn as nn
import torch.nn.functional as F

class Own(nn.Module):
    def forward(self, x):
        return x

def gelu(x):
    return x

def build(plain):
    if plain:
        {statement}
    torch.backends.cudnn.benchmark = True
    return nn.BatchNorm1d(3), F.gelu(torch.ones(2))
"""
    files, findings = converted(tmp_path, net=text)
    assert [code for code, message in findings if "inside of a function or branch" in message] == ["MP101"]
    inside = files["net"].partition("if plain:")[2]
    assert " = Own" not in inside and " = gelu" not in inside and "= lambda" not in inside
    assert "unconverted" in files["net"]
