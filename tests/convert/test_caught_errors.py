"""Handlers of RuntimeError around operations on tensors are marked, and others are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover


@pytest.mark.parametrize(("body", "handler", "marked"), [
    ("y = torch.cat([a, b])", "except RuntimeError:\n    y = None", True),
    ("y = a + b", "except (KeyError, RuntimeError) as e:\n    y = None", True),
    ("y = a.view(3)", "except RuntimeError:\n    y = None", True),
    ("y = a + b", "except (RuntimeError, ValueError):\n    y = None", False),
    ("y = a + b", "except RuntimeError:\n    y = None\nexcept Exception:\n    y = 1", False),
    ("y = a + b", "except RuntimeError as e:\n    if 'out of memory' in str(e):\n        y = None", False),
    ("y = torch.load('x.pt')", "except RuntimeError:\n    y = None", False),
    ("y = int('3')", "except RuntimeError:\n    y = None", False),
    ("y = a + b", "except ValueError:\n    y = None", False),
])  # fmt: skip
def test_the_mark(tmp_path: Path, body: str, handler: str, marked: bool) -> None:
    text = f"import torch\na = torch.ones(2)\nb = torch.ones(3)\ntry:\n    {body}\n{handler}\n"
    (tmp_path / "script.py").write_text(text, encoding="utf-8")
    conversion = convert(discover(tmp_path))
    assert any("this handler catches RuntimeError" in f.message for f in conversion.findings) is marked
    converted = {path.name: text for path, text in conversion.files.items()}["script.py"]
    assert ("# mindport: MP107" in converted) is marked
