"""Configuration files that name torch's classes, which the program imports by what they say."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import Conversion, convert, write
from mindport.source.discover import discover
from tests.convert.both_sides import printed_by_both

PROGRAM = '''
import importlib
import json

import torch

torch.manual_seed(0)


def instantiate(options, *args):
    options = dict(options)
    module, _, name = options.pop("_target_").rpartition(".")
    return getattr(importlib.import_module(module), name)(*args, **options)


config = json.load(open("conf/train.json"))
net = instantiate(config["net"])
with torch.no_grad():
    for p in net.parameters():
        p.copy_(torch.linspace(-1, 1, p.numel()).reshape(p.shape))
optimizer = instantiate(config["optimizer"], net.parameters())
x = torch.arange(12.0).reshape(4, 3) / 10
for _ in range(3):
    optimizer.zero_grad()
    loss = net(x).square().mean()
    loss.backward()
    optimizer.step()
    print(round(loss.item(), 4))
'''
SETTINGS = '{"net": {"_target_": "torch.nn.Linear", "in_features": 3, "out_features": 2},\n "optimizer": {"_target_": "torch.optim.SGD", "lr": 0.1, "nesterov": true, "momentum": 0.9}}\n'
YAML = """# torch.optim.Adam is the default
optimizer:
  _target_: torch.optim.AdamW  # decayed
  lr: 1e-3
dtype: torch.float32
layers: [torch.nn.GELU, "torch.nn.LayerNorm"]
steps:
  - torch.nn.Tanh
checkpoint: runs/torch.optim.Adam
note: torch.optim.Adam was worse
"""


def _project(folder: Path, settings: dict[str, str], program: str = PROGRAM, package: str = "") -> Conversion:
    for name, text in {f"{package}train.py": program, **settings}.items():
        (folder / "before" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "before" / name).write_text(text, encoding="utf-8", newline="")
    conversion = convert(discover(folder / "before"))
    write(conversion, folder / "after")
    return conversion


def test_whole_values_become_the_equivalents_names(tmp_path: Path) -> None:
    conversion = _project(tmp_path, {"conf/a.yaml": YAML.replace("\n", "\r\n")})
    expected = YAML.replace("torch.optim.AdamW", "torch_equivalents.AdamW").replace("torch.nn.", "torch_equivalents.")
    assert (tmp_path / "after/conf/a.yaml").read_bytes().decode() == expected.replace("\n", "\r\n")
    vendored = (tmp_path / "after/torch_equivalents.py").read_text()
    assert [(r.line, r.api) for r in conversion.log if r.path == "conf/a.yaml"][:2] == [(3, "torch.optim.AdamW"), (6, "torch.nn.GELU")]
    assert all(f"class {name}(" in vendored for name in ("AdamW", "GELU", "LayerNorm", "Tanh"))


def test_a_project_that_imports_nothing_by_texts_keeps_them(tmp_path: Path) -> None:
    _project(tmp_path, {"conf/a.yaml": YAML}, "import torch\n\nprint(torch.ones(2))\n")
    assert (tmp_path / "after/conf/a.yaml").read_text() == YAML


def test_what_has_no_equivalent_is_told_and_stays(tmp_path: Path) -> None:
    conversion = _project(tmp_path, {"conf/a.yaml": "a:\n  _target_: torch.fx.Tracer\n"})
    (found,) = [f for f in conversion.findings if f.path.suffix == ".yaml"]
    assert (found.code, found.api) == ("MP107", "torch.fx.Tracer") and found.span is not None and found.span.line == 2
    assert "torch.fx.Tracer" in (tmp_path / "after/conf/a.yaml").read_text()


def test_in_a_package_the_name_is_absolute(tmp_path: Path) -> None:
    _project(tmp_path, {"pkg/__init__.py": "", "conf/a.yaml": "a: torch.nn.Tanh\n"}, package="pkg/")
    assert (tmp_path / "after/conf/a.yaml").read_text() == "a: pkg.torch_equivalents.Tanh\n"


@pytest.mark.frameworks
def test_both_sides_train_the_same(tmp_path: Path) -> None:
    pytest.importorskip("mindspore", reason="this test compares the frameworks")
    from tests.forks import printed

    _project(tmp_path, {"conf/train.json": SETTINGS})
    theirs = printed("torch", tmp_path / "before", "train.py")
    assert printed("mindspore", tmp_path / "after", "train.py") == theirs and len(theirs.split()) == 3


def test_where_only_a_file_names_layers_the_module_is_imported(tmp_path: Path) -> None:
    """The import was taken for one that nothing wanted: ``eval`` did not find the name, for the program uses other functions of the module alone."""
    program = "import json\nimport torch\nimport torch.nn as nn\n\nrows = [eval(name)(*given) for name, given in json.load(open('net.json'))]\nloss = nn.BCEWithLogitsLoss()\n"
    _project(tmp_path, {"net.json": '[["nn.Upsample", [null, 2]]]\n'}, program)
    assert "torch_equivalents.Upsample" in (tmp_path / "after/net.json").read_text()
    text = (tmp_path / "after/train.py").read_text()
    assert "import torch_equivalents\n" in text and "from torch_equivalents import BCEWithLogitsLoss" in text


TEXT = '''
import importlib

import torch

CONFIG = """
net:
  _target_: torch.nn.Linear
  sizes: [3, 1]
optimizer:
  _target_: torch.optim.Adam
"""


def instantiate(path, *args, **options):
    module, _, name = path.rpartition(".")
    return getattr(importlib.import_module(module), name)(*args, **options)


def targets(text):
    return [line.split(":")[1].strip() for line in text.split("\\n") if "_target_" in line]


layer, made = targets(CONFIG)
net = instantiate(layer, 3, 1)
with torch.no_grad():
    for p in net.parameters():
        p.fill_(0.5)
optimizer = instantiate(made, net.parameters(), lr=0.1)
for _ in range(2):
    optimizer.zero_grad()
    loss = net(torch.ones(2, 3)).square().mean()
    loss.backward()
    optimizer.step()
    print(round(loss.item(), 4))
'''


@pytest.mark.frameworks
def test_a_text_of_the_code_names_them(tmp_path: Path) -> None:
    """PyTorch's own Linear was made, and MindSpore's functions refused it."""
    theirs, ours = printed_by_both(tmp_path, TEXT)
    assert ours == theirs
