"""What Python 3.6 still read: ``async`` as the name of an argument."""

from __future__ import annotations

from pathlib import Path

from mindport.convert import convert
from mindport.source.discover import discover
from mindport.source.old_keywords import respelled


def test_only_an_argument_is_respelled() -> None:
    assert respelled("x.cuda(async=True)  # async=True\ny = f(1, async = z)\n") == "x.cuda(non_blocking=True)  # async=True\ny = f(1, non_blocking = z)\n"
    assert respelled("async def f():\n    pass\ns = 'x.cuda(async=True)'\n") is None
    assert respelled("async = 3\n") is None


def test_a_file_of_these_years_is_read_and_converted(tmp_path: Path) -> None:
    (tmp_path / "old.py").write_text("import torch\nx = torch.ones(3).cuda(async=True)\nprint(x)\n")
    (tmp_path / "broken.py").write_text("x.cuda(async=True\n")
    found = discover([tmp_path])
    assert [str(file.relative) for file in found.files] == ["old.py"] and [f.code for f in found.findings] == ["MP901"]
    text = next(text for path, text in convert(found).files.items() if path.name == "old.py")
    assert "async" not in text and "non_blocking" not in text
