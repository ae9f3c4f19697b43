"""Functions that Python's own functions and hooks call with what a row, a structure or a tensor holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover

HEAD = """import functools, itertools
import torch
from torch.utils._pytree import tree_map

x, w = torch.arange(3.0), torch.ones(3, requires_grad=True)


"""


@pytest.mark.parametrize(
    "text",
    [
        "functools.reduce(lambda a, b: a.abs() + b.sum(), [x, w]).sum()",
        "functools.reduce(lambda a, b: a + b.sum(), [x, w], 0)",
        "[t.sum() for t in itertools.accumulate([x, w], lambda a, b: a.abs() * b)]",
        "[t.sum() for t in itertools.starmap(lambda a, b: a.sum() + b, [(x, w)])]",
        "tree_map(lambda t: t.sum(), {'a': x, 'b': [w]})",
        "def hook(g):\n    return g.clamp(-1, 1) * g.sum()\n\n\n(w * 2).register_hook(hook)",
    ],
)
def test_what_is_called_gets_tensors(text: str, tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(HEAD + text + "\n")
    assert not [finding for finding in convert(discover(tmp_path)).findings if finding.code == "MP105"]


def test_a_fold_of_a_projects_own_objects_stays_unknown(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(HEAD + "def parts(rows):\n    return functools.reduce(lambda a, b: a + b, rows)\n\n\nparts(open('x')).sum()\n")
    assert "MP105" in {finding.code for finding in convert(discover(tmp_path)).findings}
