"""A file that mindport fails at keeps its text under one finding, and the rest of the project goes on."""

from __future__ import annotations

import ast
from pathlib import Path, PurePosixPath

import pytest

from mindport.convert import convert
from mindport.convert import project as whole
from mindport.inference import evaluate
from mindport.report import judge
from mindport.report.analysis import analyze
from mindport.report.scan import scan
from mindport.source.discover import discover
from mindport.source.file import SourceFile


def test_one_file_keeps_no_other_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "good.py").write_text("import torch\nx = torch.relu(torch.ones(3))\n")
    (tmp_path / "odd.py").write_text("import torch\ny = torch.ones(3)\n")
    real = whole.convert_file

    def fails(file: SourceFile, *rest: object) -> object:
        if file.relative.name == "odd.py":
            raise ValueError("odd")
        return real(file, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(whole, "convert_file", fails)
    with pytest.raises(ValueError, match="odd"):  # the tests' own setting
        convert(discover([tmp_path]))
    monkeypatch.delenv("MINDPORT_DEBUG")
    made = convert(discover([tmp_path]))
    assert made.files[PurePosixPath("odd.py")] == "import torch\ny = torch.ones(3)\n"
    assert "ops.relu" in made.files[PurePosixPath("good.py")]
    (finding,) = [f for f in made.findings if f.code == "MP909"]
    assert str(finding.path) == "odd.py" and "ValueError: odd" in finding.message


@pytest.mark.parametrize("text", ["import torch\ny = {1, 2}\n", "import torch\ndef f(x):\n    y = {1, 2}\n    return torch.exp(x)\n"])
def test_a_file_that_cannot_be_analysed_keeps_no_other_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    (tmp_path / "good.py").write_text("import torch\nx = torch.relu(torch.ones(3))\n")
    (tmp_path / "odd.py").write_text(text)

    def fails(frame: object, node: object) -> None:
        raise ValueError("sets")

    monkeypatch.setitem(evaluate.EXPRESSIONS, ast.Set, fails)
    with pytest.raises(ValueError, match="sets"):  # the tests' own setting
        convert(discover([tmp_path]))
    monkeypatch.delenv("MINDPORT_DEBUG")
    made = convert(discover([tmp_path]))
    assert made.files[PurePosixPath("odd.py")] == text
    assert "ops.relu" in made.files[PurePosixPath("good.py")]
    assert [str(f.path) for f in made.findings if f.code == "MP909"] == ["odd.py"]
    problems = analyze(discover([tmp_path])).report.problems
    assert [p.path for p in problems if p.code == "MP909"] == ["odd.py"]


def test_a_scan_that_fails_at_lines_set_apart_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "odd.py").write_text("import torch\ndef f():\n    x = torch.zeros(3); y = x[1:]; y += 1\n    return x\n")
    real = judge.constructs

    def fails(file: SourceFile, *rest: object) -> object:
        if file.original is not None:
            raise ValueError("apart")
        return real(file, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(judge, "constructs", fails)
    monkeypatch.delenv("MINDPORT_DEBUG")
    assert [p.path for p in scan(discover([tmp_path])).problems if p.code == "MP909"] == ["odd.py"]


def test_text_that_an_equivalent_formats_is_no_inlined_f_string(tmp_path: Path) -> None:
    (tmp_path / "ranks.py").write_text('import torch\n\n\ndef place(args):\n    return torch.device("cuda", args["rank"])\n')
    text = convert(discover([tmp_path / "ranks.py"])).files[PurePosixPath("ranks.py")]
    assert 'return device("cuda", args["rank"])' in text
