"""A class that answers torch's functions is told: MindSpore's do not ask it (gpytorch's linear operators, wrapped tensors)."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover


@pytest.mark.parametrize("method", ["__torch_function__", "__torch_dispatch__"])
def test_it_is_told_where_it_is_defined(tmp_path: Path, method: str) -> None:
    text = f"import torch\n\n\nclass Lazy:\n    @classmethod\n    def {method}(cls, func, types, args=(), kwargs=None):\n        return func(*args)\n\n    def other(self):\n        return torch.ones(1)\n"
    (tmp_path / "program.py").write_text(text, encoding="utf-8")
    conversion = convert(discover(tmp_path))
    assert [(f.code, f.risk, f.span.line) for f in conversion.findings if f.span] == [("MP107", "blocker", 6)]
    assert f"# mindport: MP107 Lazy defines {method}" in next(text for path, text in conversion.files.items() if path.name == "program.py")
