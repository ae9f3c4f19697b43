"""A file that names no torch and takes the arrays of what it gets handles tensors."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover

PROGRAM = "import torch\nimport meter\n\ndef told(state):\n    meter.add(state['output'])\n"


def meter_of(folder: Path, text: str) -> str:
    """The meter's text after conversion."""
    (folder / "meter.py").write_text(text, encoding="utf-8")
    (folder / "run.py").write_text(PROGRAM, encoding="utf-8")
    return {path.name: made for path, made in convert(discover(folder)).files.items()}.get("meter.py", text)


@pytest.mark.parametrize("taken", ["output.cpu().numpy()", "output.detach().cpu()", "output.data.cpu().numpy()", "output.detach().numpy()"])
def test_what_is_brought_to_the_host_is_a_tensor(taken: str, tmp_path: Path) -> None:
    made = meter_of(tmp_path, f"import numpy as np\n\ndef add(output):\n    return {taken}\n")
    assert ".cpu()" not in made and ".numpy()" not in made and ".detach()" not in made


@pytest.mark.parametrize("text", ["stream.detach()", "table.copy().mean()", "stream.buffer.data()"])
def test_other_libraries_chains_say_nothing(text: str, tmp_path: Path) -> None:
    before = f"import numpy as np\n\ndef add(stream, table):\n    return {text}, table.std()\n"
    assert meter_of(tmp_path, before) == before
