"""A program that chooses between old and new calls by torchvision's version goes the new way (it failed when it was imported)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import converted_script, printed_by_both

_PROGRAM = """
import torch
import torchvision

if float(torchvision.__version__.split(".")[1]) < 7:
    from torchvision.ops import _new_empty_tensor
else:
    print("new", torchvision.__version__.split(".")[0])
print(torch.ones(2).tolist())
"""


def test_the_version_is_written_out(tmp_path: Path) -> None:
    assert "torchvision.__version__" not in converted_script(tmp_path, _PROGRAM)


@pytest.mark.frameworks
def test_the_new_way_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = tmp_path / "library" / "torchvision"
    fake.mkdir(parents=True)
    (fake / "__init__.py").write_text("__version__ = '0.28.0+cpu'\n", encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(fake.parent))
    theirs, ours = printed_by_both(tmp_path, _PROGRAM)
    assert ours == theirs
