"""What conversion leaves in the text: comments beside arguments that go, imports of libraries that are still used."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover


def _converted(folder: Path, text: str) -> str:
    (folder / "program.py").write_text(text)
    files = {path.name: new for path, new in convert(discover(folder)).files.items()}
    ast.parse(files["program.py"])
    return files["program.py"]


@pytest.mark.parametrize(
    "call",
    [
        "torch.add(x,  # why\n        1, out=x)",
        "torch.add(x, x,  # why\n        out=x)",
        "torch.add(x, x, out=x  # why\n        )",
        "torch.add(x, x, out=x,  # why\n        alpha=1)",
        "torch.add(x, x, out=x  # why\n        , alpha=1)",
        "torch.add(  # why\n        out=x, input=x, other=x)",
        "torch.add(  # why\n        out=x  # or so\n        , input=x, other=x)",
        "torch.add(input=x,  # why\n        out=x, other=x)",
    ],
)
def test_comments_beside_an_out_argument_stay(tmp_path: Path, call: str) -> None:
    assert "# why" in _converted(tmp_path, f"import torch\n\n\ndef f(x: torch.Tensor):\n    {call}\n    return x\n")


def test_an_import_stays_for_a_use_that_could_not_be_converted(tmp_path: Path) -> None:
    text = "import einops\nimport torch\n\n\ndef f(x: torch.Tensor):\n    y = einops.rearrange(x, 'a b -> b a')\n    return einops.einsum(y, unknown=1)\n"
    assert "import einops\n" in _converted(tmp_path, text)


def test_an_import_goes_with_its_last_use(tmp_path: Path) -> None:
    text = "import einops\nimport torch\n\n\ndef f(x: torch.Tensor):\n    return einops.rearrange(x, 'a b -> b a')\n"
    assert "import einops" not in _converted(tmp_path, text)
