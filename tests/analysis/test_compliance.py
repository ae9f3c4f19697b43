"""E and G: network and data apart, advice for data code, and what is missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.analysis.answers import Section, Table
from mindport.analysis.data_processing import SAME, WRITTEN, without_framework
from mindport.analysis.torch_names import COMPUTING
from mindport.report.analysis import analyze
from mindport.source.discover import discover

PROJECT = """\
import torch
from torch.utils.data import Dataset
class Points(Dataset):
    def __getitem__(self, i):
        x = torch.as_tensor(self.rows[i])
        return torch.cat([x, x.std(dim=0)]).float()
class Net(torch.nn.Module):
    def forward(self, x):
        return torch.cat([x, x]).float()
def elsewhere():
    torch.multiprocessing.get_context("spawn")
"""


def section(root: Path, text: str) -> Section:
    """E of a project of one file."""
    (root / "net.py").write_text(text)
    return next(s for s in analyze(discover([root])).sections if s.letter == "E")


def test_data_code_is_told_what_needs_no_framework(tmp_path: Path) -> None:
    made = section(tmp_path, PROJECT)
    table = next(part for part in made.parts if isinstance(part, Table) and part.title.startswith("Data processing"))
    told = {row[0]: (row[1], row[2], row[3]) for row in table.rows}
    assert told["torch.cat"] == ("1", "np.concatenate(xs, axis)", "net.py:6")  # the network's own call is not advised against
    assert told["torch.Tensor.std"][1].startswith("np.std(x, ddof=1)")
    by_row = {answer.row: answer for answer in made.answers}
    assert "in the network" in by_row["E1"].value and "in data processing" in by_row["E1"].value


def test_what_is_missing_is_told_with_its_rung_and_place(tmp_path: Path) -> None:
    made = section(tmp_path, PROJECT)
    table = next(part for part in made.parts if isinstance(part, Table) and part.title == "Missing APIs")
    assert table.rows[0][0] == "torch.multiprocessing.get_context" and table.rows[0][5] == "net.py:11" and table.rows[0][2] == "other"


def test_a_project_without_torch_has_no_such_section(tmp_path: Path) -> None:
    (tmp_path / "net.py").write_text("x = 1\n")
    assert all(not s.answers for s in analyze(discover([tmp_path])).sections if s.letter == "E")


@pytest.mark.parametrize("name", ["torch.Tensor.permute", "torch.abs", "torch.clamp"])
def test_advice_is_of_numpy(name: str) -> None:
    assert "np." in without_framework(name, COMPUTING) or "transpose" in without_framework(name, COMPUTING)
    assert not SAME & set(WRITTEN)
