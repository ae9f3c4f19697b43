"""tensorboardX takes PyTorch's tensors and arrays: a converted project writes with the vendored writer."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover


@pytest.mark.parametrize(("head", "made"), [
    ("from tensorboardX import SummaryWriter", "SummaryWriter('logs')"),
    ("import tensorboardX", "tensorboardX.SummaryWriter(logdir='logs')"),
    ("from tensorboardX import SummaryWriter as Writer", "Writer(comment='x')"),
])  # fmt: skip
def test_the_import_goes(tmp_path: Path, head: str, made: str) -> None:
    program = f"import torch\n{head}\nw = {made}\nw.add_scalar('loss', torch.ones(3).mean(), 1)\nw.close()\n"
    (tmp_path / "script.py").write_text(program, encoding="utf-8")
    conversion = convert(discover(tmp_path))
    text = {path.name: text for path, text in conversion.files.items()}["script.py"]
    assert "tensorboardX" not in text and "= XSummaryWriter(" in text
    assert "w.add_scalar('loss', ops.ones(3).mean(), 1)" in text
    assert not [f for f in conversion.findings if f.risk == "blocker"]
