"""``torch.backends.cudnn.deterministic`` that nobody sets is what PyTorch starts with; where a project sets it, the run decides, and it is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover

READ = "import torch\nfrom torch.backends import cudnn\n\n\ndef show():\n    print({what})\n"


def converted(folder: Path, text: str, beside: str = "") -> tuple[str, list[str]]:
    (folder / "a.py").write_text(text)
    (folder / "b.py").write_text(beside)
    conversion = convert(discover([folder]))
    return {path.name: text for path, text in conversion.files.items()}["a.py"], [f.code for f in conversion.findings]


@pytest.mark.parametrize(
    ("what", "becomes"),
    [("torch.backends.cudnn.deterministic", "False"), ("cudnn.enabled", "True"), ("not cudnn.benchmark", "not False"), ("torch.backends.cuda.matmul.allow_tf32", "False")],
)
def test_what_nobody_sets(tmp_path: Path, what: str, becomes: str) -> None:
    text, codes = converted(tmp_path, READ.format(what=what))
    assert f"print({becomes})" in text and codes == []


def test_what_another_file_sets_is_told(tmp_path: Path) -> None:
    text, codes = converted(tmp_path, READ.format(what="cudnn.deterministic"), "import torch\n\ntorch.backends.cudnn.deterministic = True\n")
    assert "MP101" in codes and "print(cudnn.deterministic)" in text.replace("torch.backends.", "")


def test_what_is_no_setting_stays(tmp_path: Path) -> None:
    text, codes = converted(tmp_path, READ.format(what="cudnn.CUDNN_TENSOR_DTYPES"))
    assert codes and "CUDNN_TENSOR_DTYPES" in text


def test_settings_in_a_branch_that_a_flag_rules_out(tmp_path: Path) -> None:
    """Who turns the flag finds no name without its import."""
    lines = ["    if not exact:", "        cudnn.benchmark = True", "        x = torch.zeros(2)", "    else:", "        cudnn.benchmark = False"]
    (tmp_path / "script.py").write_text("\n".join(["import torch", "from torch.backends import cudnn", "if __name__ == '__main__':", "    exact = True", *lines, ""]), encoding="utf-8")
    texts = {path.name: text for path, text in convert(discover(tmp_path)).files.items()}
    assert "cudnn" not in texts["script.py"]
