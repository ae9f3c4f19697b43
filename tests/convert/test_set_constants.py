"""``torch.pi = …`` of programs from before PyTorch 1.7, and settings of backends that share a statement."""

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover

PI = "import torch\nimport math\n\ntorch.pi = torch.acos(torch.zeros(1)).item() * 2\nprint(abs(torch.pi - math.pi) < 1e-6, torch.pi)\n"


def converted(folder: Path, text: str) -> tuple[str, list[str]]:
    (folder / "a.py").write_text(text)
    conversion = convert(discover([folder]))
    return next(t for name, t in conversion.files.items() if name.name == "a.py"), [f.code for f in conversion.findings]


def test_a_number_of_torchs_own_becomes_a_variable_and_is_told(tmp_path: Path) -> None:
    text, codes = converted(tmp_path, PI)
    assert "torch.pi" not in text and "own_pi = " in text and "MP103" in codes


@pytest.mark.parametrize("value", ["False, True", "[False, True]"])
def test_settings_in_one_statement_go(tmp_path: Path, value: str) -> None:
    text, codes = converted(tmp_path, f"import torch\nfrom torch.backends import cudnn\n\n\ndef run():\n    cudnn.benchmark, torch.backends.cudnn.deterministic = {value}\n    return torch.ones(2)\n")
    assert "cudnn" not in text and "MP101" not in codes


def test_other_targets_beside_a_setting_stay(tmp_path: Path) -> None:
    text, _ = converted(tmp_path, "import torch\nfrom torch.backends import cudnn\n\nx, cudnn.benchmark = torch.ones(2), True\nprint(x)\n")
    assert "x" in text
