"""``m.weight`` behind a check for several classes."""

from __future__ import annotations

from pathlib import Path

from mindport.convert import convert
from mindport.source.discover import discover

SCRIPT = """from torch import nn

model = nn.Sequential(nn.Embedding(5, 3), nn.Linear(3, 2))
for m in model.modules():
    if isinstance(m, (nn.Linear, nn.Embedding)):
        print(m.weight.shape)
"""


def test_classes_that_call_it_otherwise_are_vendored(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(SCRIPT, encoding="utf-8")
    conversion = convert(discover(tmp_path))
    text = {path.name: text for path, text in conversion.files.items()}["script.py"]
    assert "m.weight.shape" in text
    assert "nn.SequentialCell(Embedding(5, 3), nn.Dense(3, 2))" in text
    assert not [f for f in conversion.findings if f.code == "MP106"]


def test_what_stands_inside_of_what_stays_is_converted(tmp_path: Path) -> None:
    """The member that may mean two things keeps its text (MP106); the function inside has no name `torch` to stand on any more."""
    program = "import torch\nfrom torch import nn\n\ndef f(x, flag):\n    z = nn.ReLU() if flag else torch.zeros(3)\n    return (torch.relu(x) if x else z).half()\n"
    (tmp_path / "script.py").write_text(program, encoding="utf-8")
    conversion = convert(discover(tmp_path))
    text = {path.name: text for path, text in conversion.files.items()}["script.py"]
    assert [f for f in conversion.findings if f.code == "MP106"]
    assert "(ops.relu(x) if x else z).half()" in text


def test_normalisations_of_any_kind(tmp_path: Path) -> None:
    """What SyncBatchNorm has of BatchNorm2d answers, too."""
    program = "from torch import nn\nfrom torch.nn.modules.batchnorm import _BatchNorm\n\nnet = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3))\nfor m in net.modules():\n    if isinstance(m, _BatchNorm):\n        print(m.weight.shape, m.running_mean, m.eps)\n"
    (tmp_path / "script.py").write_text(program, encoding="utf-8")
    conversion = convert(discover(tmp_path))
    text = {path.name: text for path, text in conversion.files.items()}["script.py"]
    assert "print(m.weight.shape, m.running_mean, m.eps)" in text
    assert not [f for f in conversion.findings if f.code == "MP106"]
