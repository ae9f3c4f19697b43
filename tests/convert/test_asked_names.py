"""Questions for names that torch's modules, layers and tensors have: answered when the project is converted."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover
from tests.convert.both_sides import both_sides, converted_script, equal_tensors

PROGRAM = """import torch
import torch.nn.functional as F
from torch import nn

net = nn.Sequential(nn.Linear(2, 2), nn.ReLU())
if hasattr(net, "insert"):
    net.insert(0, nn.Identity())


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.flash = hasattr(torch.nn.functional, "scaled_dot_product_attention") and hasattr(F, "softmax")

    def forward(self, x):
        return F.scaled_dot_product_attention(x, x, x) if self.flash else x * 0


def device():
    if getattr(torch.backends, "mps", None) is not None and torch.backends.mps.is_available():
        return "mps"
    if hasattr(torch, "xpu") and torch.xpu.is_available():
        return "xpu"
    return "cpu"


m = Attention()
if hasattr(torch, "compile"):
    m = torch.compile(m, disable=True)
flag = m.flash and len(net) > 1
few = [hasattr(F, "relu") and flag, hasattr(F, "no_such_name") or not flag, (hasattr(F, "relu")) and flag]
found = [*few, len(net), device(), m(torch.ones(1, 2, 3)).sum().item(), hasattr(torch, "no_such_name"), hasattr(net, "named_parameters"), hasattr(torch.ones(1), "detach"), hasattr(m, "to")]
found.append(torch.chain_matmul(torch.ones(1, 2), torch.ones(2, 1)).item() if hasattr(torch, "chain_matmul") else 0)
"""
OPEN = """import torch


def present(x, name):
    return hasattr(x, "detach"), hasattr(torch, name), hasattr(torch, "_private"), getattr(torch, "float32", None), getattr(x, "grad", None) is not None
"""


@pytest.mark.frameworks
def test_the_answers_are_torchs(tmp_path: Path) -> None:
    theirs, ours = both_sides(tmp_path, PROGRAM)
    assert ours.found == theirs.found


def test_tests_that_are_decided_go_and_nothing_is_told(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(PROGRAM, encoding="utf-8")
    conversion = convert(discover(tmp_path))
    text = next(text for path, text in conversion.files.items() if path.name == "script.py")
    assert "hasattr" not in text and "getattr" not in text
    assert "few = [flag, not flag, (True) and flag]" in text
    assert 'def device():\n    return "cpu"\n' in text
    assert not {f.code for f in conversion.findings if not f.rare and f.risk != "style"}


def test_what_only_a_run_knows_stays(tmp_path: Path) -> None:
    text = converted_script(tmp_path, OPEN)
    assert 'hasattr(x, "detach")' in text and ", name)" in text and '"_private")' in text and 'getattr(x, "grad", None) is not None' in text


IMPORTED = """import torch

if torch.cuda.is_available():
    from torch.cuda import FloatTensor
    torch.set_default_tensor_type(torch.cuda.FloatTensor)
else:
    from torch import FloatTensor

found = FloatTensor([1.0, 2.0]) * 2
"""


@pytest.mark.frameworks
def test_imports_inside_of_a_decided_branch_go_as_all_others(tmp_path: Path) -> None:
    """Twice removed, they were a defect (MP909), and the file kept its text."""
    theirs, ours = both_sides(tmp_path, IMPORTED)
    equal_tensors([theirs.found], [ours.found])
