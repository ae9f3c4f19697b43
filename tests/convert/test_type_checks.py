"""isinstance with torch's types: a plain type stands for some of them, and has more instances."""

from __future__ import annotations

from pathlib import Path

from mindport.convert import convert
from mindport.report.scan import scan
from mindport.source.discover import discover

PROGRAM = """import torch


def f(size, device, batch):
    if isinstance(size, torch.Size):
        size = list(size)
    if isinstance(device, (str, torch.device)) or isinstance(device, torch.device | str):
        device = str(device)
    try:
        return torch.zeros(size), batch
    except torch.cuda.OutOfMemoryError:
        return None


def g(device: torch.device) -> torch.Size:
    return torch.zeros(2).shape
"""


TOLD = [(5, "torch.Size"), (11, "torch.cuda.OutOfMemoryError")]


def test_told_where_the_answer_may_differ(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    found = [(f.span.line, f.api) for f in convert(discover(tmp_path)).findings if f.code == "MP103" and f.span]
    assert found == TOLD


def test_scan_says_the_same(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    assert [(row.line, row.api) for row in scan(discover([tmp_path])).rows if row.code == "MP103"] == TOLD
