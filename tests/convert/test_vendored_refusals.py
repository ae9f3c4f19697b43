"""A vendored refusal does not keep a function from being compiled."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest

from mindport.convert import convert, write
from mindport.source.discover import discover

PROGRAM = "import torch\n\n\ndef run(x, y, **options):\n    return torch.addmm(x, y, y, **options)\n"


def _converted(folder: Path) -> str:
    (folder / "in").mkdir()
    (folder / "in" / "program.py").write_text(PROGRAM, encoding="utf-8")
    write(convert(discover([folder / "in"])), folder / "out")
    return (folder / "out" / "torch_equivalents.py").read_text(encoding="utf-8")


def test_it_raises_an_exception_of_python(tmp_path: Path) -> None:
    text = _converted(tmp_path)
    assert "raise NotImplementedError(" in text and "Refused" not in text


@pytest.mark.frameworks
def test_it_compiles_and_refuses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import mindspore as ms
    import numpy as np

    _converted(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path / "out"))
    monkeypatch.delitem(sys.modules, "torch_equivalents", raising=False)  # another test's project may have its own
    monkeypatch.chdir(tmp_path)  # MindSpore writes its analyses here
    addmm = importlib.import_module("torch_equivalents").addmm
    x = ms.Tensor(np.eye(3, dtype=np.float32))

    def program(value: ms.Tensor) -> ms.Tensor:
        return addmm(value, value, value)

    assert (ms.jit(program)(x).asnumpy() == 2 * np.eye(3)).all()
    with pytest.raises(NotImplementedError, match="out= is not supported"):
        addmm(x, x, x, out=x)
