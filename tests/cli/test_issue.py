"""mindport issue: a draft with a reproduction, the policy rung, evidence and the project's uses."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import pytest

from mindport import catalog
from mindport.inference.torchfacts import canonical
from tests.cli.commands import Ran

ABSENT = [entry.name for entry in catalog.load().entries if entry.kind == "absent"]


def test_a_draft_about_a_missing_api_lists_the_uses(tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text("import torch\n\ndef rows(xs):\n    return torch.nested.nested_tensor(xs)\n")
    ran = Ran("issue", "torch.nested.nested_tensor", str(tmp_path))
    assert ran.code == 0
    assert ran.out.startswith("# torch.nested.nested_tensor: no equivalent on CPU\n")
    assert "`model.py:4`: `return torch.nested.nested_tensor(xs)`" in ran.out
    assert "Rung: **packaged**" in ran.out and "pad the rows" in ran.out and "MindSpore | 2.10.0" in ran.out


@pytest.mark.parametrize("name", ABSENT[::9])
def test_the_code_of_every_draft_parses(name: str) -> None:
    ran = Ran("issue", name)
    assert ran.code == 0
    signature, *blocks = re.findall(r"```python\n(.*?)```", ran.out, re.S)
    assert canonical(name) in signature and len(blocks) == 2  # an issue speaks of the name that PyTorch documents
    for block in blocks:
        ast.parse(block)


def test_a_difference_is_told_with_its_call() -> None:
    draft = json.loads(Ran("issue", "torch.sum", "--format", "json").out)
    assert draft["needed"] and draft["differs"]
    assert "torch.sum(" in draft["reproduction"] and draft["attempt"].startswith("def torch_sum(")


def test_a_verified_api_needs_no_issue() -> None:
    ran = Ran("issue", "torch.is_tensor")
    assert ran.code == 1 and "nothing to report" in ran.err and ran.out == ""
    assert Ran("issue", "torch.is_tensor", "--anyway").code == 0


def test_a_name_that_torch_lacks_gets_the_nearest() -> None:
    ran = Ran("issue", "torch.sigmiod")
    assert ran.code == 2 and "torch.sigmoid" in ran.err


def test_the_draft_goes_to_a_file_and_never_over_the_project(tmp_path: Path) -> None:
    source = tmp_path / "model.py"
    source.write_text("import torch\ntorch.nested.nested_tensor([])\n")
    place = tmp_path / "issue.md"
    assert Ran("issue", "torch.nested.nested_tensor", str(tmp_path), "-o", str(place)).code == 0
    assert place.read_text().startswith("# torch.nested")
    assert Ran("issue", "torch.nested.nested_tensor", str(tmp_path), "-o", str(source)).code == 2
